import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineBuild } from '../model/build.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { EngineSandbox, OpenSandbox } from '../model/sandbox.js';
import { type CommandOutcome, removeTree, runCommand } from '../process/index.js';
import { startDaemon } from './daemon.js';
import { type EnginePlace, engineEnvironment } from './environment.js';
import { commandFailure } from './git.js';
import { readIndexState } from './index-state.js';
import { parseExploreResponse } from './response.js';
import { engineCommand, inSandbox } from './sandbox.js';
import { explore } from './serve.js';

/** Each single command on the tiny repository; a working engine takes about a second. */
const STEP_MS = 60_000;

const SAMPLE = `export function settle(order) {\n  return charge(order) + 1;\n}\n\nexport function charge(order) {\n  return order.total;\n}\n`;

interface Engine {
  build: Pick<EngineBuild, 'argv' | 'root'>;
  place: EnginePlace;
  deadlineMs: number;
  signal: AbortSignal | undefined;
  sandbox: EngineSandbox | undefined;
}

/**
 * Indexes and explores a tiny repository with an engine and returns its version. Neither an exit code
 * (docs/codegraph.md, "The index") nor `--version` ("Building") proves that the engine works. Fails with
 * 'build-failed', 'interrupted'.
 */
export async function checkEngineWorks(
  title: string,
  build: Pick<EngineBuild, 'argv' | 'root'>,
  {
    deadlineMs,
    signal,
    openSandbox,
    temporaryRoot,
  }: { deadlineMs: number; signal?: AbortSignal; openSandbox?: OpenSandbox | undefined; temporaryRoot: string },
): Promise<Result<string>> {
  const root = await realpath(await mkdtemp(join(temporaryRoot, 'ae-check-')));
  try {
    const [repo, home, tmp] = [join(root, 'repo'), join(root, 'home'), join(root, 'tmp')];
    await Promise.all([repo, home, tmp].map((dir) => mkdir(dir)));
    await writeFile(join(repo, 'settle.js'), SAMPLE);
    const spec = { build, writable: [root] };
    return await inSandbox(openSandbox, spec, (sandbox) =>
      checkOnSample(title, repo, { build, place: { home, tmp }, deadlineMs, signal, sandbox }),
    );
  } finally {
    await removeTree(root);
  }
}

async function checkOnSample(title: string, repo: string, engine: Engine): Promise<Result<string>> {
  const { build, place, deadlineMs, signal, sandbox } = engine;
  const env = engineEnvironment(place, {});
  const run = (args: string[]): Promise<CommandOutcome> => {
    const argv = engineCommand(build, args, repo, sandbox);
    return runCommand({ argv, cwd: repo, env, deadlineMs: Math.min(STEP_MS, deadlineMs), signal });
  };
  const version = await run(['--version']);
  if (!version.ok) return fail(commandFailure(version, 'build-failed', `${title} does not start`));
  const init = await run(['init', repo]);
  if (!init.ok) return fail(commandFailure(init, 'build-failed', `${title} cannot index a tiny repository`));
  const state = readIndexState(await run(['status', '--json', repo]));
  if (!state.ok)
    return fail({ ...state.failure, reason: 'build-failed', message: `${title}: ${state.failure.message}` });
  const answered = await checkAnswer(title, repo, run, engine);
  return answered.ok ? ok(version.stdout.trim()) : answered;
}

/** One explore must deliver the sample's source. Versions without an `explore` command are asked over MCP. */
async function checkAnswer(
  title: string,
  repo: string,
  run: (args: string[]) => Promise<CommandOutcome>,
  engine: Engine,
): Promise<Result<void>> {
  const outcome = await run(['explore', '-p', repo, 'settle']);
  if (outcome.ok && deliversSample(outcome.stdout)) return ok(undefined);
  if (!/unknown command/i.test(outcome.stderr + outcome.stdout)) {
    return fail(commandFailure(outcome, 'build-failed', `${title} cannot explore a tiny repository that it indexed`));
  }
  const answer = await askDaemon(repo, engine);
  if (!answer.ok) return fail({ ...answer.failure, reason: 'build-failed' });
  if (deliversSample(answer.value)) return ok(undefined);
  return fail({
    reason: 'build-failed',
    message: `${title} answers an explore without the source asked for`,
    lastLines: answer.value.split('\n').slice(0, 12),
  });
}

async function askDaemon(workspace: string, { build, place, signal, sandbox }: Engine): Promise<Result<string>> {
  const trialId = `check@${place.home}`;
  const common = { build, workspace, ...place, environment: {}, trialId, sandbox };
  const daemon = await startDaemon({ ...common, readyMs: STEP_MS, ...(signal ? { signal } : {}) });
  if (!daemon.ok) return daemon;
  const answer = await explore({ daemon: daemon.value, query: 'settle', deadlineMs: STEP_MS });
  const stopped = await daemon.value.stop();
  if (!answer.ok) return answer;
  return stopped.ok ? ok(answer.value.text) : stopped;
}

const deliversSample = (text: string): boolean =>
  parseExploreResponse(text).sections.some((section) => section.path === 'settle.js' && section.lineNumbers.length > 0);
