import type { TrialRecord } from '../model/trial.js';

/** Where another attempt would fail like the last, and so would every other trial: these end the campaign. */
const HOPELESS = new Set(['authentication_failed', 'billing', 'model_not_found', 'io', 'cli_changed', 'model_changed']);
/** The host's limits: the campaign pauses, then the trial is run again. */
const LIMITS = new Set(['rate_limit', 'overloaded']);
/**
 * Faults of ours or of what was asked, which another attempt cannot mend; and an agent that was cut off at its deadline. Records of
 * earlier versions call the latter `infra`.
 */
const NEVER = new Set(['unexpected', 'bad-input', 'bad-config', 'session-deadline']);

/** Whether a failure counts against the attempts of its trial: a limit of the host, or what ends the campaign, does not. */
export function countsAsAttempt(cause: string): boolean {
  return !HOPELESS.has(cause) && !LIMITS.has(cause);
}

/**
 * Why a trial does not count, as `--retry` names it: `infra:<cause>` for what happened around the agent (a failure's cause, else its
 * reason), else the validity (`raced`, `contaminated`, `agent-failed`, …). Undefined for a valid trial and one that
 * was only interrupted.
 */
export function causeOf(record: TrialRecord): string | undefined {
  if (record.outcome === 'interrupted' || record.validity === 'valid') return undefined;
  if (record.validity !== 'infra') return record.validity;
  return `infra:${record.failure?.cause ?? record.failure?.reason ?? 'session'}`;
}

export type NextStep = 'keep' | 'retry' | 'pause' | 'stop';

/**
 * What follows an attempt: its record is kept, the trial is run again, the campaign pauses first, or ends. It sees how the
 * attempt failed and nothing of which arm it was: a rule that knew would favour one. What the agent failed in is never tried
 * again: that would re-roll its hard tasks.
 */
export function nextStep(outcome: Pick<TrialRecord, 'outcome' | 'validity' | 'failure'>): NextStep {
  const { failure } = outcome;
  if (outcome.outcome !== 'failed' || outcome.validity !== 'infra' || !failure) return 'keep';
  const cause = failure.cause ?? failure.reason;
  if (HOPELESS.has(cause)) return 'stop';
  if (LIMITS.has(cause)) return 'pause';
  return NEVER.has(cause) ? 'keep' : 'retry';
}

/** Whether a cause is one of those that a user named: `infra` stands for all `infra:…`. */
export function isNamed(cause: string, named: readonly string[]): boolean {
  return named.some((name) => cause === name || cause.startsWith(`${name}:`));
}
