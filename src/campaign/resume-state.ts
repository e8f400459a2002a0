import type { PlannedTrial } from '../model/plan.js';
import type { TrialRecord } from '../model/trial.js';
import { droppedTrials, failedAttempts, type JournalEntry, readRecord } from '../store/index.js';
import type { CampaignContext } from './context.js';
import { causeOf, countsAsAttempt, isNamed, nextStep } from './retry.js';

/** How far a campaign folder is: what counts as done, and how often each other trial failed already. */
export interface ResumeState {
  done: Map<string, TrialRecord>;
  /** Records of trials that are to be run again; kept until they are. */
  toRerun: Map<string, TrialRecord>;
  /** By trial: failed attempts that count against its retries. */
  failures: Map<string, number>;
  /** Trials whose result `retryCauses` names, with the cause. */
  dropped: { trialId: string; cause: string }[];
}

type ResumeContext = Pick<CampaignContext, 'dir' | 'plan' | 'config' | 'retryCauses'>;

/** Reads the records of all trials. One that cannot be read is run again: it was cut by what killed its campaign. */
export function readResumeState(context: ResumeContext, journal: JournalEntry[]): ResumeState {
  const { dir, plan, config, retryCauses = [] } = context;
  const droppedBefore = droppedTrials(journal);
  const failures = failedAttempts(journal, countsAsAttempt);
  const resumeState: ResumeState = { done: new Map(), toRerun: new Map(), failures, dropped: [] };
  for (const trial of plan.trials) {
    const found = readRecord(dir, plan, trial);
    const record = found.ok ? found.value : undefined;
    if (!record) continue;
    const cause = causeOf(record);
    const isDropped = cause !== undefined && isNamed(cause, retryCauses);
    if (isDropped) {
      resumeState.dropped.push({ trialId: trial.id, cause });
      failures.delete(trial.id);
    }
    const isDone =
      !isDropped &&
      !droppedBefore.has(trial.id) &&
      isFinal(record, failures.get(trial.id) ?? 0, config.defaults.retries);
    (isDone ? resumeState.done : resumeState.toRerun).set(trial.id, record);
  }
  return resumeState;
}

/**
 * An interrupted trial is run again on resumption; so is one that failed at a limit of the host or at what ended the campaign, and
 * one that has attempts left (we were killed before the next). Every other end is final.
 */
function isFinal(record: TrialRecord, failures: number, retries: number): boolean {
  if (record.outcome === 'interrupted') return false;
  switch (nextStep(record)) {
    case 'keep':
      return true;
    case 'retry':
      return failures > retries;
    default:
      return retries === 0;
  }
}

/** The four counts; they add up to the plan. */
export interface Counts {
  valid: number;
  /** Ran to the end, but may not count: raced, contaminated, unfenced, never attached. */
  invalid: number;
  failed: number;
  notRun: number;
}

/** Counts a plan's trials by their records. */
export function countTrials(trials: PlannedTrial[], records: ReadonlyMap<string, TrialRecord>): Counts {
  const counts: Counts = { valid: 0, invalid: 0, failed: 0, notRun: 0 };
  for (const { id } of trials) {
    const record = records.get(id);
    if (!record || record.outcome === 'interrupted') counts.notRun += 1;
    else if (record.outcome === 'failed') counts.failed += 1;
    else if (record.validity === 'valid') counts.valid += 1;
    else counts.invalid += 1;
  }
  return counts;
}
