import { type AfterFailure, afterFailure, failureName } from '../model/failure-kind.js';
import type { TrialRecord } from '../model/trial.js';

/** Whether a failure counts against the attempts of its trial: a limit of the host, or what ends the campaign, does not. */
export function countsAsAttempt(cause: string): boolean {
  const next = afterFailure(cause);
  return next !== 'stop' && next !== 'pause';
}

/**
 * Why a trial does not count, as `--retry` names it: `infra:<cause>` for what happened around the agent (a failure's cause, else its
 * reason), else the validity (`raced`, `contaminated`, `agent-failed`, …). Undefined for a valid trial and one that
 * was only interrupted.
 */
export function causeOf(record: TrialRecord): string | undefined {
  if (record.outcome === 'interrupted' || record.validity === 'valid') return undefined;
  if (record.validity !== 'infra') return record.validity;
  return `infra:${record.failure ? failureName(record.failure) : 'session'}`;
}

/**
 * What follows an attempt: its record is kept, the trial is run again, the campaign pauses first, or ends. It sees how the
 * attempt failed and nothing of which arm it was: a rule that knew would favour one. What the agent failed in is never tried
 * again: that would re-roll its hard tasks.
 */
export function nextStep(outcome: Pick<TrialRecord, 'outcome' | 'validity' | 'failure'>): AfterFailure {
  const { failure } = outcome;
  if (outcome.outcome !== 'failed' || outcome.validity !== 'infra' || !failure) return 'keep';
  return afterFailure(failureName(failure));
}

/** Whether a cause is one of those that a user named: `infra` stands for all `infra:…`. */
export function isNamed(cause: string, named: readonly string[]): boolean {
  return named.some((name) => cause === name || cause.startsWith(`${name}:`));
}
