import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineBuild } from '../model/build.js';
import type { Engine } from '../model/engine.js';
import { type Failure, fail, ok, type Result } from '../model/failure.js';
import type { EngineSandbox, OpenSandbox } from '../model/sandbox.js';
import { removeTree, runCommand } from '../process/index.js';
import { startDaemon } from './daemon.js';
import { type EnginePlace, engineEnvironment } from './environment.js';
import { commandFailure } from './git.js';
import { runIndexStep } from './index-cache.js';
import { engineCommand, inSandbox } from './sandbox.js';
import { askServer, explore } from './serve.js';

/** Each single command on the tiny repository; a working engine takes about a second. */
const STEP_MS = 60_000;

/** A function of the tiny repository, which every engine must find there. */
const QUERY = 'settle';
const SAMPLE = `export function settle(order) {\n  return charge(order) + 1;\n}\n\nexport function charge(order) {\n  return order.total;\n}\n`;

/** A build on the tiny repository. */
interface Sample {
  title: string;
  engine: Engine;
  repo: string;
  build: Pick<EngineBuild, 'argv' | 'root'>;
  place: EnginePlace;
  deadlineMs: number;
  signal: AbortSignal | undefined;
  sandbox: EngineSandbox | undefined;
}

/**
 * Indexes a tiny repository with an engine, asks the engine about it and returns its version. Neither an exit code
 * (docs/codegraph.md, "The index") nor `--version` ("Building") proves that the engine works. Fails with
 * 'build-failed', 'interrupted'.
 */
export async function checkEngineWorks(
  title: string,
  engine: Engine,
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
      checkOnSample({ title, engine, repo, build, place: { home, tmp }, deadlineMs, signal, sandbox }),
    );
  } finally {
    await removeTree(root);
  }
}

async function checkOnSample(sample: Sample): Promise<Result<string>> {
  const { title, engine, repo, build, place, sandbox, signal } = sample;
  const { versionArguments, index } = engine.runtime;
  const env = engineEnvironment(engine, place, {});
  const deadlineMs = Math.min(STEP_MS, sample.deadlineMs);
  let version: string | undefined;
  if (versionArguments) {
    const argv = engineCommand(build, versionArguments, repo, sandbox);
    const told = await runCommand({ argv, cwd: repo, env, deadlineMs, signal });
    if (!told.ok) return fail(commandFailure(told, 'build-failed', `${title} does not start`));
    version = told.stdout.trim();
  }
  if (index) {
    const made = await runIndexStep(engine, index, { build, title, workspace: repo, env, sandbox, deadlineMs, signal });
    if (!made.ok) return notBuilt(made.failure, `${title} cannot index a tiny repository`);
  }
  const answered = await checkAnswer(sample, env);
  return answered.ok ? ok(version ?? answered.value ?? 'unknown') : answered;
}

function notBuilt(failure: Failure, what: string): Result<never> {
  if (failure.reason === 'interrupted') return fail(failure);
  return fail({ ...failure, reason: 'build-failed', message: `${what}: ${failure.message}` });
}

/**
 * One question must be answered, by the sample's source where the engine returns source. Versions without a command for it are asked
 * over MCP. Returns the version that the server reports, if it was asked.
 */
async function checkAnswer(sample: Sample, env: Record<string, string>): Promise<Result<string | undefined>> {
  const { title, engine, repo, build, sandbox, signal } = sample;
  const args = engine.runtime.askArguments?.(repo, QUERY);
  if (args) {
    const argv = engineCommand(build, args, repo, sandbox);
    const outcome = await runCommand({
      argv,
      cwd: repo,
      env,
      deadlineMs: Math.min(STEP_MS, sample.deadlineMs),
      signal,
    });
    if (outcome.ok && isAnswer(engine, outcome.stdout)) return ok(undefined);
    if (!/unknown command/i.test(outcome.stderr + outcome.stdout)) {
      const message = `${title} cannot explore a tiny repository that it indexed`;
      return fail(commandFailure(outcome, 'build-failed', message));
    }
  }
  const asked = engine.runtime.daemon ? await askDaemon(sample) : await askByPipe(sample);
  if (!asked.ok) return notBuilt(asked.failure, title);
  const { text, version } = asked.value;
  if (text === undefined || isAnswer(engine, text)) return ok(version);
  return fail({
    reason: 'build-failed',
    message: `${title} answers an explore without the source asked for`,
    lastLines: text.split('\n').slice(0, 12),
  });
}

interface Answer {
  /** Undefined where the engine is described without a question. */
  text: string | undefined;
  version: string | undefined;
}

async function askDaemon({ engine, repo, build, place, signal, sandbox }: Sample): Promise<Result<Answer>> {
  const trialId = `check@${place.home}`;
  const common = { engine, build, workspace: repo, ...place, environment: {}, trialId, sandbox };
  const daemon = await startDaemon({ ...common, readyMs: STEP_MS, ...(signal ? { signal } : {}) });
  if (!daemon.ok) return daemon;
  const answer = await explore({ engine, daemon: daemon.value, query: QUERY, deadlineMs: STEP_MS });
  const stopped = await daemon.value.stop();
  if (!answer.ok) return answer;
  return stopped.ok ? ok({ text: answer.value.text, version: daemon.value.version }) : stopped;
}

async function askByPipe({ engine, repo, build, place, signal, sandbox }: Sample): Promise<Result<Answer>> {
  const common = { engine, build, workspace: repo, place, environment: {}, sandbox, query: QUERY };
  const answer = await askServer({ ...common, deadlineMs: STEP_MS, signal });
  return answer.ok ? ok({ text: answer.value.answer?.text, version: answer.value.version }) : answer;
}

/** Whether an answer delivers the sample's source; for an engine that returns no sections of source, whether it answers at all. */
function isAnswer(engine: Engine, text: string): boolean {
  const { sections, noAnswer } = engine.parseResponse(text);
  if (engine.noSections !== undefined) return !noAnswer;
  return sections.some((section) => section.path === 'settle.js' && section.lineNumbers.length > 0);
}
