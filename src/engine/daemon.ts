import { join, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineBuild } from '../model/build.js';
import type { DaemonProtocol, DaemonRecord, Engine } from '../model/engine.js';
import { type Failure, fail, ok, type Result } from '../model/failure.js';
import type { EngineSandbox } from '../model/sandbox.js';
import {
  descendantsOf,
  endProcess,
  endTrialProcesses,
  findByEnvironment,
  isAlive,
  type ProcessIdentity,
  processIdentity,
  runCommand,
  TRIAL_ID_VARIABLE,
} from '../process/index.js';
import { lastLines } from '../util/last-lines.js';
import { readTextSafely } from '../util/read-safely.js';
import { type EnginePlace, engineEnvironment } from './environment.js';
import { commandFailure } from './git.js';
import { McpConnection } from './mcp-connection.js';
import { commandLineOf } from './process-facts.js';
import { engineCommand } from './sandbox.js';

export interface DaemonSpec extends EnginePlace {
  engine: Engine;
  build: Pick<EngineBuild, 'argv' | 'root'>;
  /** Holds the index; nothing else may run a daemon in it. */
  workspace: string;
  /** Engine variables beyond the pinned ones. */
  environment: Record<string, string>;
  readyMs: number;
  signal?: AbortSignal;
  /** Every process that this starts carries it in its environment. */
  trialId: string;
  /** Everything is run inside it. Undefined: the engine runs with all rights of the user. */
  sandbox?: EngineSandbox | undefined;
}

/** A daemon that was ready when this was made. */
export interface Daemon {
  identity: ProcessIdentity;
  socketPath: string;
  version: string;
  /** Facts that prove which program answers, for the trial's record. */
  evidence: Record<string, string>;
  isAlive(): boolean;
  /** Ends it by its recorded identity, with its helpers, and proves all of them gone. */
  stop(): Promise<Result<void>>;
}

/**
 * The states of a daemon from spawn to ready (docs/codegraph.md, "Starting the daemon"). Each is reached by a condition
 * and never by time: `launched` → `greeting` (the recorded socket accepts a connection and names the same process) →
 * `own` (that process runs the arm's own files) → `ready` (a throwaway explore was answered).
 */
type State =
  | { at: 'launched' }
  | { at: 'greeting'; record: DaemonRecord; connection: McpConnection; version: string }
  | { at: 'own'; record: DaemonRecord; connection: McpConnection; version: string; command: string; pid: number }
  | { at: 'ready'; record: DaemonRecord; version: string; command: string; pid: number }
  | { at: 'failed'; failure: Failure };

const POLL_MS = 25;
/** How often the processes are looked at while nobody answers, and how often a daemon that ended is started again. */
const LOOK_MS = 1_000;
const MAX_LAUNCHES = 3;
/**
 * SIGTERM takes 1.4 to 2.1 s. A daemon that is killed leaves files behind (docs/codegraph.md, "Stopping the daemon").
 */
const STOP_STEPS = [
  { signal: 'SIGTERM' as const, waitMs: 8_000 },
  { signal: 'SIGKILL' as const, waitMs: 3_000 },
];
/** A word that every index can look up; the answer is thrown away. */
const THROWAWAY_QUERY = 'main index';

/**
 * Starts the engine's daemon for a workspace and waits until it has answered a question. Fails with 'daemon-not-ready'
 * (with its log's last lines), 'daemon-foreign' when another build's program answers, 'interrupted'; then nothing that it
 * started is left.
 */
export async function startDaemon(spec: DaemonSpec): Promise<Result<Daemon>> {
  const protocol = spec.engine.runtime.daemon;
  if (!protocol) return fail({ reason: 'unexpected', message: `${spec.engine.label} has no daemon to start` });
  const startedAt = Date.now();
  const until = startedAt + spec.readyMs;
  let launches = 0;
  let lookAt = 0;
  let state: State = { at: 'launched' };
  while (state.at !== 'ready' && state.at !== 'failed') {
    // Nobody of ours lives any more: it gave way to a killed daemon that the system still listed.
    const look = state.at === 'launched' && Date.now() >= lookAt;
    if (launches === 0 || (look && !hasProcesses(spec.trialId))) {
      if (launches === MAX_LAUNCHES) break;
      launches += 1;
      const launched = await launch(spec);
      if (!launched.ok) return await giveUp(launched.failure, spec);
    }
    if (look) lookAt = Date.now() + LOOK_MS;
    const next: State | undefined = await advance(state, { ...spec, protocol }, until);
    if (next) state = next;
    else if (spec.signal?.aborted) state = { at: 'failed', failure: interruptedFailure };
    else if (Date.now() >= until)
      state = { at: 'failed', failure: notReady(spec, `no end of waiting at: ${state.at}`) };
    else await sleep(POLL_MS);
  }
  if (state.at === 'failed') return await giveUp(state.failure, spec);
  const identity = state.at === 'ready' ? processIdentity(state.pid) : undefined;
  if (state.at !== 'ready' || !identity) return await giveUp(notReady(spec, 'it ended by itself'), spec);
  return ok(toDaemon(identity, state, { launches, readyMs: Date.now() - startedAt }));
}

const hasProcesses = (trialId: string): boolean => findByEnvironment(TRIAL_ID_VARIABLE, trialId).length > 0;

const interruptedFailure: Failure = { reason: 'interrupted', message: 'starting the daemon was interrupted' };

/** Starts the launcher, which leaves a detached daemon behind and exits before that daemon is ready. */
async function launch(spec: DaemonSpec) {
  const { engine, build, workspace, home, tmp, environment, readyMs, signal, trialId, sandbox } = spec;
  const outcome = await runCommand({
    argv: engineCommand(build, engine.runtime.serveArguments(workspace), workspace, sandbox),
    cwd: workspace,
    env: { ...engineEnvironment(engine, { home, tmp }, environment), [TRIAL_ID_VARIABLE]: trialId },
    deadlineMs: readyMs,
    signal,
  });
  return outcome.ok ? ok(undefined) : fail(commandFailure(outcome, 'daemon-not-ready', 'the daemon was not launched'));
}

/** The next state when its condition holds; undefined while it does not. */
async function advance(
  state: State,
  spec: DaemonSpec & { protocol: DaemonProtocol },
  until: number,
): Promise<State | undefined> {
  switch (state.at) {
    case 'launched': {
      // Read anew every time: what stands there at first may be the remains of a killed daemon.
      const record = readRecord(spec);
      return record && (await greet(record, spec, until));
    }
    case 'greeting': {
      const pid = spec.sandbox ? spec.sandbox.hostPid(state.record.pid) : state.record.pid;
      const command = pid === undefined ? [] : await commandLineOf(pid);
      if (pid !== undefined && isOwn(command, spec.build.root))
        return { ...state, at: 'own', command: command.join(' '), pid };
      state.connection.close();
      return { at: 'failed', failure: foreign(pid ?? state.record.pid, command, spec.build.root) };
    }
    case 'own': {
      const opened = await state.connection.initialize(until);
      const call = spec.engine.runtime.askCall?.(THROWAWAY_QUERY);
      const answered = opened.ok && call ? await state.connection.call(call, until) : opened;
      state.connection.close();
      if (spec.signal?.aborted) return { at: 'failed', failure: interruptedFailure };
      if (answered.ok) return { ...state, at: 'ready' };
      return { at: 'failed', failure: notReady(spec, answered.failure.message) };
    }
    default:
      return undefined;
  }
}

function readRecord(spec: DaemonSpec & { protocol: DaemonProtocol }): DaemonRecord | undefined {
  const file = join(spec.workspace, spec.engine.identity.indexFolder, spec.protocol.recordFile);
  const text = readTextSafely(file, 65_536, spec.workspace);
  return text === undefined ? undefined : spec.protocol.readRecord(text);
}

/** Undefined while nobody listens, or somebody else than the record says. */
async function greet(
  record: DaemonRecord,
  { protocol, signal }: { protocol: DaemonProtocol; signal?: AbortSignal },
  until: number,
): Promise<State | undefined> {
  const connection = await McpConnection.open(record.socketPath, signal);
  if (!connection) return undefined;
  const greeting = protocol.readGreeting(await connection.greeting(Math.min(until, Date.now() + 5_000)));
  if (greeting?.pid === record.pid && greeting.socketPath === record.socketPath) {
    return { at: 'greeting', record, connection, version: greeting.version };
  }
  connection.close();
  return undefined;
}

/**
 * Checks the command line of the daemon and not the version that it reports, because two builds of equal version attach
 * to each other silently (docs/codegraph.md, "Which daemon answers").
 */
function isOwn(command: string[], root: string): boolean {
  return command.some((argument) => argument.startsWith(root + sep));
}

function foreign(pid: number, command: string[], root: string): Failure {
  return {
    reason: 'daemon-foreign',
    message: `the daemon that answers (process ${pid}) does not run the arm's own build in ${root}`,
    advice: 'another daemon already served this workspace; each arm needs a workspace and an index of its own',
    lastLines: [command.join(' ')],
  };
}

function notReady({ engine, workspace, readyMs }: DaemonSpec, why: string): Failure {
  return {
    reason: 'daemon-not-ready',
    message: `the daemon was not ready within ${readyMs} ms (${why})`,
    advice: 'see its log lines; defaults.daemonReadyMs in the config gives it longer',
    lastLines: lastLines(join(workspace, engine.identity.indexFolder, engine.runtime.daemon?.logFile ?? ''), {
      lines: 12,
      bytes: 65_536,
    }),
  };
}

/** Ends what carries this trial's id; a foreign daemon does not, and stays. */
async function giveUp(failure: Failure, spec: DaemonSpec): Promise<Result<never>> {
  const { left } = await endTrialProcesses(spec.trialId);
  return fail(
    left.length === 0 ? failure : { ...failure, message: `${failure.message}; left running: ${left.join(', ')}` },
  );
}

function toDaemon(
  identity: ProcessIdentity,
  state: State & { at: 'ready' },
  { launches, readyMs }: { launches: number; readyMs: number },
): Daemon {
  const helpers = descendantsOf(identity.pid);
  return {
    identity,
    socketPath: state.record.socketPath,
    version: state.version,
    evidence: {
      daemonPid: String(identity.pid),
      daemonVersion: state.version,
      daemonCommand: state.command,
      daemonSocket: state.record.socketPath,
      daemonReadyMs: String(readyMs),
      daemonLaunches: String(launches),
    },
    isAlive: () => isAlive(identity),
    stop: () => stopDaemon(identity, helpers),
  };
}

async function stopDaemon(identity: ProcessIdentity, known: ProcessIdentity[]): Promise<Result<void>> {
  // Workers may have come since it was ready, and lose their parent when it goes.
  const helpers = [...known, ...descendantsOf(identity.pid)];
  const gone = await endProcess(identity, STOP_STEPS);
  // Its watchdog goes by itself a moment after it.
  const helpersGone = await Promise.all(
    helpers.map((helper) => endProcess(helper, [{ signal: 'SIGTERM', waitMs: 2_000 }, ...STOP_STEPS.slice(1)])),
  );
  if (gone && helpersGone.every(Boolean)) return ok(undefined);
  const left = [identity, ...helpers].filter((one) => isAlive(one)).map(({ pid }) => pid);
  return fail({ reason: 'left-over-process', message: `the daemon's processes ${left.join(', ')} outlived SIGKILL` });
}
