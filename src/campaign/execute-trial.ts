import { randomUUID } from 'node:crypto';
import { mkdtempSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { type Isolation, readCliAttempts, runSession, type SessionRun } from '../host/index.js';
import { type Failure, fail, ok, type Result } from '../model/failure.js';
import type { PlannedTrial } from '../model/plan.js';
import type { Phase, TrialRecord, Validity } from '../model/trial.js';
import { closeTrialGroup, endTrialProcesses, openTrialGroup } from '../process/index.js';
import { noteTrialStart, setEarlierAttemptAside, trialFiles, writeAtomically } from '../store/index.js';
import { findFullDisk } from '../util/full-disk.js';
import { Teardown } from '../util/teardown.js';
import { copyWorkspace, freezeChange, removeWorkspace, type Source } from '../workspace/index.js';
import type { CampaignContext } from './context.js';
import { isolate, placeIndex, warmDaemon } from './prepare-trial.js';
import type { Running } from './running.js';
import type { TrialScheduler } from './scheduler.js';

/**
 * Runs one trial from an empty folder to a checked record. Never throws and always tears down: the one boundary that turns
 * the unexpected into a failure of this trial alone (design: house rule 3).
 */
export async function executeTrial(
  context: CampaignContext,
  trial: PlannedTrial,
  scheduler: TrialScheduler,
): Promise<TrialRecord> {
  const record = emptyRecord(trial);
  const attempt = setEarlierAttemptAside(context.dir, context.plan, trial);
  if (!attempt.ok) return failed(record, attempt.failure);
  record.attempt = attempt.value;
  const teardown = new Teardown();
  try {
    const started = startRunning(context, scheduler, trial, record, teardown);
    if (!started.ok) return failed(record, started.failure);
    await runPhases(started.value);
  } catch (error) {
    failed(record, thrownFailure(error));
  } finally {
    context.emit({ type: 'phase', trialId: trial.id, phase: 'teardown' });
    const startedAt = Date.now();
    const problems = await teardown.run();
    record.phasesMs.teardown = Date.now() - startedAt;
    if (problems.length > 0) record.evidence.teardown = problems.join('; ');
  }
  return record;
}

const DISK = /\b(ENOSPC|EDQUOT|EROFS)\b|no space left on device|disk quota exceeded|read-only file system/i;
const DISK_ADVICE = 'make room, then resume the campaign';

/** A disk that is full or cannot be written is told by whatever meets it first; all else that is thrown is a bug. */
function thrownFailure(error: unknown): Failure {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  const message = error instanceof Error ? error.message : String(error);
  if (code !== undefined && ['ENOSPC', 'EROFS', 'EDQUOT', 'EIO'].includes(code)) {
    return { reason: 'io', message, advice: DISK_ADVICE };
  }
  if (code === 'EMFILE' || code === 'ENFILE') {
    return { reason: 'environment-unfit', message, advice: 'raise the limit of open files: ulimit -n 4096' };
  }
  return {
    reason: 'unexpected',
    message: error instanceof Error ? (error.stack ?? message) : message,
    advice: 'this is a fault of agent-eval; please report it with campaign.log',
  };
}

function emptyRecord(trial: PlannedTrial): TrialRecord {
  return {
    formatVersion: 1,
    trialId: trial.id,
    task: trial.task,
    arm: trial.arm,
    repetition: trial.repetition,
    attempt: 1,
    outcome: 'failed',
    validity: 'infra',
    startedAt: new Date().toISOString(),
    phasesMs: {},
    segments: [],
    sessionIds: [],
    environmentKeys: [],
    evidence: {},
    costUsd: null,
  };
}

function failed(record: TrialRecord, failure: Failure, validity: Validity = 'infra'): TrialRecord {
  record.outcome = failure.reason === 'interrupted' ? 'interrupted' : 'failed';
  record.validity = validity;
  record.failure = ofDisk(failure);
  return record;
}

/** Whatever a full or unwritable disk makes fail says so in its own words; every further trial would fail alike. */
function ofDisk(failure: Failure): Failure {
  const told = [failure.message, ...(failure.lastLines ?? [])].join('\n');
  if (failure.cause !== undefined || !DISK.test(told)) return failure;
  return { ...failure, cause: 'io', advice: DISK_ADVICE };
}

function startRunning(
  context: CampaignContext,
  scheduler: TrialScheduler,
  trial: PlannedTrial,
  record: TrialRecord,
  teardown: Teardown,
): Result<Running> {
  const task = context.plan.tasks.find((one) => one.name === trial.task);
  const source = task && context.sources.get(task.repo);
  if (!task || !source) {
    return fail({ reason: 'unexpected', message: `the plan names ${trial.task}, but its task or source is missing` });
  }
  const root = realpathSync(mkdtempSync(join(context.temporaryRoot, 'ae-')));
  // The agent can read it, so it names neither the arm nor the task. The journal keeps which trial it belongs to.
  const tag = randomUUID();
  teardown.add('remove the trial folder', async () => {
    const removed = await removeWorkspace(root);
    return removed.ok ? undefined : removed.failure.message;
  });
  openTrialGroup(tag);
  // Undone after the processes are ended and before the folder goes: nothing writes to the workspace any more.
  teardown.add('keep the change', () => keepChange(context, trial, source, { workspace: join(root, 'w'), record }));
  teardown.add('end left-over processes', async () => {
    const { found, left } = await endTrialProcesses(tag, { folder: root });
    if (found.length > 0) record.evidence.leftOverProcesses = String(found.length);
    await closeTrialGroup(tag);
    return left.length > 0 ? `still running: ${left.join(', ')}` : undefined;
  });
  const noted = noteTrialStart(context.dir, { trialId: trial.id, tag, root });
  if (!noted.ok) return noted;
  const build = context.builds.get(trial.arm);
  return ok({
    context,
    scheduler,
    trial,
    task,
    source,
    build,
    tag,
    root,
    workspace: join(root, 'w'),
    record,
    teardown,
  });
}

/** Writes what the session changed beside its log, where the task's expectations have commands that grade it. */
async function keepChange(
  { config, dir, plan, engine, temporaryRoot }: CampaignContext,
  trial: PlannedTrial,
  source: Source,
  { workspace, record }: Pick<Running, 'workspace' | 'record'>,
): Promise<string | undefined> {
  const hasCommands = (config.expects[trial.task]?.commands.length ?? 0) > 0;
  if (!hasCommands || record.segments.length === 0) return undefined;
  const change = await freezeChange(source.dir, workspace, {
    indexFolder: engine.identity.indexFolder,
    temporaryRoot,
  });
  if (change.ok) {
    const written = writeAtomically(trialFiles(dir, plan, trial).patch, change.value);
    return written.ok ? undefined : written.failure.message;
  }
  // A flood of files is the agent's doing, and is graded as such.
  if (change.failure.cause === 'too-large') record.evidence.changeRefused = change.failure.message;
  return change.failure.message;
}

async function runPhases(running: Running): Promise<void> {
  const { record } = running;
  const workspace = await timed(running, 'workspace', () => copyWorkspace(running.source, running.workspace));
  if (!workspace.ok) return void failed(record, workspace.failure);

  const index = await running.scheduler.cpuBound(() => timed(running, 'index', () => placeIndex(running)));
  if (!index.ok) return void failed(record, index.failure);

  const isolation = await timed(running, 'isolation', () => isolate(running));
  if (!isolation.ok) return void failed(record, isolation.failure);

  const daemon = await running.scheduler.cpuBound(() => timed(running, 'daemon', () => warmDaemon(running)));
  if (!daemon.ok) return void failed(record, daemon.failure);

  const session = await timed(running, 'session', () => holdSession(running, isolation.value));
  // Looked at before teardown ends it: a session whose daemon died was served by something else, or by nothing.
  const daemonLives = daemon.value?.isAlive() ?? true;
  await timed(running, 'judge', () => checkTrial(running, session));
  // Tools that could not write made a session that says nothing of its arm.
  const full = findFullDisk([running.root, running.context.dir]);
  if (full !== undefined && record.outcome !== 'interrupted') {
    failed(record, { reason: 'io', cause: 'io', message: full, advice: DISK_ADVICE });
  } else if (!daemonLives && (record.outcome === 'ok' || record.validity === 'agent-failed')) {
    failed(record, {
      reason: 'daemon-died',
      message: 'the engine’s daemon died during the session',
      advice: 'see the trial’s .err file and evidence; resume runs the trial again when its record is removed',
    });
  }
}

async function timed<T>(running: Running, phase: Phase, work: () => Promise<T>): Promise<T> {
  running.context.emit({ type: 'phase', trialId: running.trial.id, phase });
  const startedAt = Date.now();
  try {
    return await work();
  } finally {
    running.record.phasesMs[phase] = Date.now() - startedAt;
  }
}

async function holdSession(running: Running, isolation: Isolation): Promise<SessionRun> {
  const { context, trial, task, workspace, record } = running;
  const { regime } = context.plan;
  const files = trialFiles(context.dir, context.plan, trial);
  const session = await runSession({
    host: context.host,
    isolation,
    settings: { model: regime.model, effort: regime.effort, maxBudgetUsd: regime.maxBudgetUsd },
    prompts: task.prompts,
    cwd: workspace,
    logFiles: files.logs,
    errFiles: files.errs,
    segmentDeadlineMs: context.config.defaults.segmentDeadlineMs,
    idleMs: context.config.defaults.segmentIdleMs,
    signal: context.signal,
    beforeStart: () => running.scheduler.startCpuBound(),
    onActivity: (activity) => context.emit({ type: 'activity', trialId: trial.id, ...activity }),
  });
  record.segments = session.segments;
  record.sessionIds = session.sessionIds;
  const attempts = readCliAttempts(isolation.notesFile);
  if (attempts.length > 0) {
    record.cliAttempts = attempts;
    record.evidence.attemptedByPath = String(attempts.length);
  }
  return session;
}

/** Reasons against a session that its log proves however the session ended. */
const PROVEN: ReadonlySet<Validity> = new Set(['raced', 'contaminated', 'unfenced']);

/** What a failed session is worth; everything else is a fault around the agent. */
const VALIDITY_OF_FAILURE: Partial<Record<Failure['reason'], Validity>> = {
  'session-agent': 'agent-failed',
  // An agent that is cut off at work failed as one that runs out of its budget: running it again would favor slow arms.
  'session-deadline': 'agent-failed',
  'control-file-changed': 'unfenced',
};

async function checkTrial({ context, trial, build, record }: Running, session: SessionRun): Promise<void> {
  const files = trialFiles(context.dir, context.plan, trial);
  const written = files.logs.slice(0, session.segments.length);
  const check = await context.checkTrial(written, trial, build !== undefined);
  Object.assign(record.evidence, check.evidence);
  record.costUsd = check.costUsd;
  record.session = check.session;
  if (session.failure) {
    const validity = VALIDITY_OF_FAILURE[session.failure.reason] ?? 'infra';
    // What the log proves against a session stays true when the agent was cut off later.
    const isVoid = validity === 'agent-failed' && PROVEN.has(check.validity);
    if (isVoid && check.cause !== undefined) record.evidence.cause = check.cause;
    failed(record, session.failure, isVoid ? check.validity : validity);
    return;
  }
  record.outcome = 'ok';
  record.validity = check.validity;
  if (check.cause !== undefined) record.evidence.cause = check.cause;
}
