import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Failure } from '../model/failure.js';
import type { Segment } from '../model/session.js';
import type { SegmentRecord } from '../model/trial.js';
import { openLog, readSession } from '../transcript/index.js';
import { lastLines } from '../util/last-lines.js';
import type { AgentHost, Isolation, SessionSettings } from './agent-host.js';
import { changedFiles, type Seal, sealFiles } from './control-files.js';
import type { Activity } from './log-tail.js';
import { NO_ENGINE } from './no-engine.js';
import { runSegment, type SegmentLimits } from './segment.js';

/** What a failure tells of the error output, which may be of any size. */
const TAIL = { lines: 12, bytes: 65_536 };

export interface SessionSpec extends SegmentLimits {
  host: AgentHost;
  isolation: Isolation;
  settings: SessionSettings;
  /** One segment each, in order. */
  prompts: string[];
  /** The workspace; resuming finds the session by it. */
  cwd: string;
  /** New files, one a prompt. */
  logFiles: string[];
  errFiles: string[];
  signal: AbortSignal;
  /** Asked before each start of the host, which is CPU-bound; what it returns is called at the first sign of life. */
  beforeStart?(): Promise<() => void>;
  /** `costUsd` is the session's so far, once a segment has told its own. */
  onActivity?(activity: Activity): void;
}

/** A session as it was run. With a failure, the last of `segments` is the one that failed; none was started after it. */
export interface SessionRun {
  segments: SegmentRecord[];
  /** The ids under which the segments ended, each once. */
  sessionIds: string[];
  failure?: Failure;
}

/**
 * Runs a conversation: one process of the host a prompt, each resuming the session that the one before ended in. An abort, a
 * silence and a deadline end the running process and everything it started.
 */
export async function runSession(spec: SessionSpec): Promise<SessionRun> {
  const run: SessionRun = { segments: [], sessionIds: [] };
  let costUsd: number | undefined;
  for (const [index, prompt] of spec.prompts.entries()) {
    const files = { logFile: spec.logFiles[index], errFile: spec.errFiles[index] };
    const earlierUsd = costUsd;
    const failure = await holdSegment(spec, run, prompt, files, (activity) => {
      // A process may write several results, each with its cost so far.
      if (activity.costUsd !== undefined) costUsd = (earlierUsd ?? 0) + activity.costUsd;
      const place = spec.prompts.length > 1 ? `${index + 1}/${spec.prompts.length} ` : '';
      spec.onActivity?.({ ...activity, text: `${place}${activity.text}`, costUsd });
    });
    if (failure) return { ...run, failure };
  }
  return run;
}

/** What stood in the control files of each session when it began. */
const seals = new WeakMap<SessionRun, Seal>();

async function holdSegment(
  spec: SessionSpec,
  run: SessionRun,
  prompt: string,
  { logFile, errFile }: { logFile: string | undefined; errFile: string | undefined },
  onActivity: (activity: Activity) => void,
): Promise<Failure | undefined> {
  if (spec.signal.aborted) return { reason: 'interrupted', message: 'interrupted before the prompt was sent' };
  if (logFile === undefined || errFile === undefined)
    return { reason: 'unexpected', message: 'a prompt without a log file' };
  const existing = [logFile, errFile].find((file) => existsSync(file));
  if (existing !== undefined) return { reason: 'io', message: `a log is there already: ${existing}` };
  const { host, isolation, settings, cwd } = spec;
  const argv = host.arguments(isolation, settings, run.sessionIds.at(-1));
  const { environment, fence } = isolation;
  const started = fence?.wrap(argv, environment) ?? { argv, env: environment };
  // After the first command line was made, which is when a fence writes its own files, and before anything of the agent runs.
  const seal = seals.get(run) ?? sealFiles([...isolation.controlFiles, ...(fence?.controlFiles() ?? [])]);
  seals.set(run, seal);
  const end = await runSegment({
    ...limitsOf(spec),
    format: host.log.format,
    endLadder: host.endLadder,
    argv: started.argv,
    prompt,
    cwd,
    environment: started.env,
    interruptTarget: fence?.interruptTarget,
    trialId: isolation.trialId,
    logFile,
    errFile,
    signal: spec.signal,
    beforeStart: spec.beforeStart,
    onActivity,
  });
  const { exitCode, signal, startedAt, durationMs, ended } = end;
  run.segments.push({ log: basename(logFile), argv, exitCode, signal, startedAt, durationMs, ended });
  const segment = await readSegment(logFile, host);
  const id = segment?.lastSessionId;
  if (id !== undefined && !run.sessionIds.includes(id)) run.sessionIds.push(id);
  const verdict = judgeControlFiles(seal, run.segments.length) ?? judgeEnd(spec, end, segment);
  if (!verdict) return undefined;
  const resetsAt = verdict.reason === 'session-infra' ? limitLiftedAt(segment) : undefined;
  if (resetsAt !== undefined) Object.assign(verdict, { cause: 'rate_limit', resetsAt });
  return { ...verdict, command: argv.join(' '), exitCode, signal, lastLines: lastLines(errFile, TAIL) };
}

function limitsOf({ segmentDeadlineMs, idleMs, graceMs }: SessionSpec): SegmentLimits {
  return { segmentDeadlineMs, idleMs, ...(graceMs === undefined ? {} : { graceMs }) };
}

async function readSegment(file: string, host: AgentHost): Promise<Segment | undefined> {
  return (await readSession([openLog(file)], NO_ENGINE, host.log)).segments[0];
}

/** Returns the ISO time at which the account's limit that refused this segment is lifted; undefined if the log gives none. */
function limitLiftedAt(segment: Segment | undefined): string | undefined {
  const seconds = segment?.limit?.resetsAt;
  return seconds === undefined ? undefined : new Date(seconds * 1000).toISOString();
}

type Verdict = Pick<Failure, 'reason' | 'message' | 'advice' | 'cause' | 'resetsAt'>;

/** Looked at after each segment, and so before the next: what the agent wrote must not decide how it is run. */
function judgeControlFiles(seal: Seal, segment: number): Verdict | undefined {
  const changed = changedFiles(seal);
  if (changed.length === 0) return undefined;
  return {
    reason: 'control-file-changed',
    message: `${changed.join(', ')} changed during segment ${segment}: the session ran under other conditions than its arm's`,
  };
}

function judgeEnd(
  spec: SessionSpec,
  end: Awaited<ReturnType<typeof runSegment>>,
  segment: Segment | undefined,
): Verdict | undefined {
  if (end.left.length > 0) {
    return { reason: 'left-over-process', message: `processes could not be ended: ${end.left.join(', ')}` };
  }
  if (end.startError !== undefined || !segment) {
    const message = `${spec.host.program} could not be started: ${end.startError ?? 'no log'}`;
    const cause = /\b(ENOSPC|EROFS|EDQUOT|EIO)\b/.test(message) ? 'io' : 'not_started';
    return { reason: 'session-infra', message, cause };
  }
  const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;
  if (end.ended === 'interrupted') return { reason: 'interrupted', message: 'interrupted while the session ran' };
  if (end.ended === 'stalled') {
    const waitedMs = Math.min(spec.idleMs, spec.segmentDeadlineMs);
    return { reason: 'session-stalled', message: `${spec.host.program} made no progress for ${seconds(waitedMs)}` };
  }
  if (end.ended === 'deadline') {
    const message = `cut off while the agent was working, at its deadline of ${seconds(spec.segmentDeadlineMs)}`;
    return { reason: 'session-deadline', message };
  }
  const outcome = spec.host.classifySegment(segment, end.exitCode, end.ended === 'forced-after-result');
  if (outcome.kind === 'ok') return undefined;
  if (outcome.kind === 'agent') return { reason: 'session-agent', message: outcome.message };
  return { reason: 'session-infra', message: outcome.message, cause: outcome.cause };
}
