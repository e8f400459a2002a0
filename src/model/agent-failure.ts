import type { TrialRecord } from './trial.js';

/** Whether the agent brought the trial to its end without a result: its exam is failed, and valid. */
export function isAgentFailure({ validity, failure }: Pick<TrialRecord, 'validity' | 'failure'>): boolean {
  if (validity === 'agent-failed') return true;
  return failure?.reason === 'session-agent' || failure?.reason === 'session-deadline';
}

/** Whether the trial failed for reasons outside the agent: there is nothing to grade. */
export function isInfraFailure(record: Pick<TrialRecord, 'outcome' | 'validity' | 'failure'>): boolean {
  return record.outcome !== 'ok' && !isAgentFailure(record);
}
