import type { CampaignResult } from '../campaign/index.js';
import type { Failure, FailureReason } from '../model/failure.js';
import { renderFailure } from '../report/index.js';
import { EXIT } from './exit-codes.js';

/** Reasons that mean: this machine is not ready. */
const UNFIT: FailureReason[] = ['environment-unfit', 'isolation-failed', 'hook-failed'];
/** Reasons that mean: what was asked cannot be done as asked. */
const BAD_INPUT: FailureReason[] = [
  'bad-input',
  'bad-config',
  'unknown-ref',
  'dirty-checkout',
  'nothing-to-compare',
  'equal-artefacts',
  'different-kinds',
  'plan-changed',
  'not-confirmed',
];

/** Says on standard error what failed and what to do next; returns the exit code. */
export function printFailure(failure: Failure): number {
  process.stderr.write(`${renderFailure(failure)}\n`);
  if (failure.reason === 'interrupted') return EXIT.interrupted;
  if (UNFIT.includes(failure.reason)) return EXIT.environmentUnfit;
  return BAD_INPUT.includes(failure.reason) ? EXIT.badInput : EXIT.incomplete;
}

/** The exit code of a campaign: incomplete when a planned trial was not run, or failed for reasons outside the agent. */
export function exitCodeOf(result: CampaignResult): number {
  if (result.interrupted) return EXIT.interrupted;
  const infra = result.records.some((record) => record.outcome === 'failed' && record.validity !== 'agent-failed');
  return result.stopped || infra || result.notRun > 0 || result.invalid > 0 ? EXIT.incomplete : EXIT.done;
}
