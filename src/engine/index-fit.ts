import type { EngineBuild } from '../model/build.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { EngineSandbox } from '../model/sandbox.js';
import { runCommand } from '../process/index.js';
import { type EnginePlace, engineEnvironment } from './environment.js';
import { commandFailure } from './git.js';
import { engineCommand } from './sandbox.js';

export interface IndexFitRequest extends EnginePlace {
  /** The build that is to answer from the index. */
  build: EngineBuild;
  /** Holds the index that another build made. */
  workspace: string;
  deadlineMs: number;
  signal?: AbortSignal;
  sandbox?: EngineSandbox | undefined;
}

/**
 * Refuses ('index-failed') an index that was extracted by another version than this build's: the engine opens such an index without
 * a word and answers otherwise (docs/codegraph.md, "The index").
 */
export async function checkIndexFits(request: IndexFitRequest): Promise<Result<void>> {
  const { build, workspace, home, tmp, deadlineMs, signal, sandbox } = request;
  const outcome = await runCommand({
    argv: engineCommand(build, ['status', '--json', workspace], workspace, sandbox),
    cwd: workspace,
    env: engineEnvironment({ home, tmp }, {}),
    deadlineMs,
    ...(signal ? { signal } : {}),
  });
  if (!outcome.ok) return fail(commandFailure(outcome, 'index-failed', 'the state of the index could not be read'));
  const made = /"builtWithExtractionVersion":\s*(\d+)/.exec(outcome.stdout)?.[1];
  const own = /"currentExtractionVersion":\s*(\d+)/.exec(outcome.stdout)?.[1];
  if (made === own) return ok(undefined);
  return fail({
    reason: 'index-failed',
    message: `${build.pinned.title} extracts by version ${own ?? '—'}, and the index was extracted by version ${made ?? '—'}`,
    advice: 'compare the builds with --index own, or name two builds of one extraction version',
  });
}
