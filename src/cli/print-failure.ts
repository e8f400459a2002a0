import type { CampaignResult } from '../campaign/index.js';
import type { Failure } from '../model/failure.js';
import { FAILURE_REASONS, type FailureExit } from '../model/failure-kind.js';
import { renderFailure } from '../report/index.js';
import { EXIT } from './exit-codes.js';

const EXIT_CODES: Record<FailureExit, number> = {
  'bad-input': EXIT.badInput,
  unfit: EXIT.environmentUnfit,
  incomplete: EXIT.incomplete,
  interrupted: EXIT.interrupted,
};

/** Says on standard error what failed and what to do next; returns the exit code. */
export function printFailure(failure: Failure): number {
  process.stderr.write(`${renderFailure(failure)}\n`);
  return EXIT_CODES[FAILURE_REASONS[failure.reason].exit];
}

/** The exit code of a campaign: incomplete when a planned trial was not run, or failed for reasons outside the agent. */
export function exitCodeOf(result: CampaignResult): number {
  if (result.interrupted) return EXIT.interrupted;
  const infra = result.records.some((record) => record.outcome === 'failed' && record.validity !== 'agent-failed');
  return result.stopped || infra || result.notRun > 0 || result.invalid > 0 ? EXIT.incomplete : EXIT.done;
}
