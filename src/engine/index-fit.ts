import type { EngineBuild } from '../model/build.js';
import type { Engine } from '../model/engine.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { EngineSandbox } from '../model/sandbox.js';
import { runCommand } from '../process/index.js';
import { type EnginePlace, engineEnvironment } from './environment.js';
import { commandFailure } from './git.js';
import { engineCommand } from './sandbox.js';

export interface IndexFitRequest extends EnginePlace {
  engine: Engine;
  /** The build that is to answer from the index. */
  build: EngineBuild;
  /** Holds the index that another build made. */
  workspace: string;
  deadlineMs: number;
  signal?: AbortSignal;
  sandbox?: EngineSandbox | undefined;
}

/** Refuses ('index-failed') an index of another build where the engine itself says that this build must not answer from it. */
export async function checkIndexFits(request: IndexFitRequest): Promise<Result<void>> {
  const { engine, build, workspace, home, tmp, deadlineMs, signal, sandbox } = request;
  const { stateArguments, explainForeign } = engine.runtime.index ?? {};
  if (!stateArguments || !explainForeign) return ok(undefined);
  const outcome = await runCommand({
    argv: engineCommand(build, stateArguments(workspace), workspace, sandbox),
    cwd: workspace,
    env: engineEnvironment(engine, { home, tmp }, {}),
    deadlineMs,
    ...(signal ? { signal } : {}),
  });
  if (!outcome.ok) return fail(commandFailure(outcome, 'index-failed', 'the state of the index could not be read'));
  const why = explainForeign(outcome.stdout);
  if (why === undefined) return ok(undefined);
  return fail({
    reason: 'index-failed',
    message: `${build.pinned.title} cannot answer from the index of the other build: ${why}`,
    advice: 'compare the builds with --index own, or name two builds of one extraction version',
  });
}
