import { setTimeout as sleep } from 'node:timers/promises';
import { watch } from 'chokidar';
import type { LogFormat } from '../model/host-log.js';
import type { SegmentRecord } from '../model/trial.js';
import {
  descendantsOf,
  type EndStep,
  endProcess,
  findByEnvironment,
  type LoggedProcess,
  type ProcessIdentity,
  startLogged,
  TRIAL_ID_VARIABLE,
} from '../process/index.js';
import { type Activity, LogTail } from './log-tail.js';

/** Limits of one segment. */
export interface SegmentLimits {
  segmentDeadlineMs: number;
  /** The longest silence in the log. */
  idleMs: number;
  /** How long the process may outlive its result; undefined: 10 s. */
  graceMs?: number;
}

export interface SegmentSpec extends SegmentLimits {
  /** The form of the host's log. */
  format: LogFormat;
  /** The signals that end the host's program, in order. */
  endLadder: EndStep[];
  argv: [string, ...string[]];
  prompt: string;
  cwd: string;
  environment: Record<string, string>;
  trialId: string;
  logFile: string;
  errFile: string;
  signal: AbortSignal;
  /** Waits for the turn to start; what it returns is called once, at the first byte of the log or at the end. */
  beforeStart?: (() => Promise<() => void>) | undefined;
  /** The process that an interrupt must reach, given the one that was started; undefined: the same. */
  interruptTarget?: ((started: ProcessIdentity) => ProcessIdentity) | undefined;
  onActivity(activity: Activity): void;
}

type SegmentEnd = Pick<SegmentRecord, 'exitCode' | 'signal' | 'ended' | 'durationMs' | 'startedAt'> & {
  startError?: string;
  /** Ids of processes that outlived every signal. */
  left: number[];
};

const TICK_MS = 200;
/** Two looks this far apart: time passed that no process of ours could use. */
const AWAY_MS = 5_000;
const DEFAULT_GRACE_MS = 10_000;
const STRAY_LADDER: EndStep[] = [
  { signal: 'SIGTERM', waitMs: 300 },
  { signal: 'SIGKILL', waitMs: 2_000 },
];

/** Runs one process of the host to its end, ours or its own. It, and what it started, is gone when we were the ones to end it. */
export async function runSegment(spec: SegmentSpec): Promise<SegmentEnd> {
  const hasStarted = once(await spec.beforeStart?.());
  const before = findByEnvironment(TRIAL_ID_VARIABLE, spec.trialId);
  const startedAt = new Date();
  const child = start(spec);
  if (typeof child === 'string') {
    hasStarted();
    const durationMs = Date.now() - startedAt.getTime();
    const end = { exitCode: null, signal: null, ended: 'exited' as const, left: [], durationMs };
    return { ...end, startedAt: startedAt.toISOString(), startError: child };
  }
  const tail = new LogTail(spec.logFile, spec.format, spec.onActivity);
  const watcher = watch(spec.logFile, { ignoreInitial: true }).on('change', () => tail.read());
  try {
    const ended = await supervise(child, tail, spec, hasStarted);
    const left = ended === 'exited' || !child.identity ? [] : await endAll(child.identity, before, spec);
    const { exitCode, signal, startError } = await child.exited;
    return {
      exitCode,
      signal,
      ended,
      left,
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      ...(startError === undefined ? {} : { startError }),
    };
  } finally {
    hasStarted();
    await watcher.close();
    tail.read();
  }
}

/** The process, or why there is none: its log files could not be made (a full disk, a read-only folder). */
function start(spec: SegmentSpec): LoggedProcess | string {
  try {
    return startLogged({
      argv: spec.argv,
      cwd: spec.cwd,
      env: spec.environment,
      stdin: spec.prompt,
      stdoutFile: spec.logFile,
      stderrFile: spec.errFile,
    });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Waits for the process's own end, or for the first reason to end it. */
async function supervise(
  child: LoggedProcess,
  tail: LogTail,
  spec: SegmentSpec,
  hasStarted: () => void,
): Promise<SegmentRecord['ended']> {
  // The steady clock: a correction of the system's would look like silence.
  let startedAt = performance.now();
  let lastGrowth = startedAt;
  let lastLook = startedAt;
  let bytes = 0;
  const hasExited = child.exited.then(() => true);
  for (;;) {
    if (await Promise.race([hasExited, pause(spec.signal)])) return 'exited';
    if (spec.signal.aborted) return 'interrupted';
    tail.read();
    const now = performance.now();
    // We were stopped, or the machine slept. The host slept too, or what it wrote since then is still unread.
    const awayMs = now - lastLook;
    if (awayMs > AWAY_MS) {
      startedAt += awayMs;
      lastGrowth += awayMs;
    }
    lastLook = now;
    const size = child.bytesWritten();
    if (size > bytes) lastGrowth = now;
    if (size > 0) hasStarted();
    bytes = size;
    const silentMs = now - lastGrowth;
    if (tail.hasResult && silentMs >= (spec.graceMs ?? DEFAULT_GRACE_MS)) return 'forced-after-result';
    if (now - startedAt >= spec.segmentDeadlineMs) {
      if (tail.hasResult) return 'forced-after-result';
      return tail.isAtWork && silentMs < spec.idleMs ? 'deadline' : 'stalled';
    }
    if (silentMs >= spec.idleMs) return tail.hasResult ? 'forced-after-result' : 'stalled';
  }
}

function once(action: (() => void) | undefined): () => void {
  let isDone = false;
  return () => {
    if (!isDone) action?.();
    isDone = true;
  };
}

/** One tick, cut short by an abort. Never rejects. */
async function pause(signal: AbortSignal): Promise<false> {
  await sleep(TICK_MS, undefined, { signal }).catch(() => undefined);
  return false;
}

/**
 * Ends the host, then what it leaves: its descendants (a killed one's shells lead groups of their own and are re-parented,
 * so they are noted before) and whatever carries the trial's id since this segment began. A daemon that was there before
 * is its owner's to stop.
 */
async function endAll(
  started: ProcessIdentity,
  before: ProcessIdentity[],
  { trialId, interruptTarget, endLadder }: SegmentSpec,
): Promise<number[]> {
  const descendants = descendantsOf(started.pid);
  const host = interruptTarget?.(started) ?? started;
  await endProcess(host, endLadder);
  // A fence round it ends with it, and all that is inside ends with the fence.
  const isEnded = await endProcess(started, endLadder);
  const known = new Set(before.map(({ pid, startTime }) => `${pid} ${startTime}`));
  const tagged = () =>
    findByEnvironment(TRIAL_ID_VARIABLE, trialId).filter(({ pid, startTime }) => !known.has(`${pid} ${startTime}`));
  const strays = new Map([...descendants, ...tagged()].map((identity) => [identity.pid, identity]));
  strays.delete(started.pid);
  await Promise.all([...strays.values()].map((identity) => endProcess(identity, STRAY_LADDER)));
  // What was started while we were ending the others.
  await Promise.all(tagged().map((identity) => endProcess(identity, STRAY_LADDER)));
  return [...(isEnded ? [] : [started.pid]), ...tagged().map(({ pid }) => pid)];
}
