import { createInterface } from 'node:readline/promises';
import { type Estimate, formatEstimate } from '../analysis/index.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { Options } from '../model/options.js';

/** Where questions are put, and whether somebody can answer. */
export interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  isTTY: boolean;
}

/**
 * Prints what the campaign may cost and asks before money is spent. A rehearsal spends none. Without a terminal only `--yes` lets a
 * campaign begin. `notice` says why the campaign cannot decide anything: it is printed in any case, and stands before the question.
 */
export async function confirmCost(
  estimate: Estimate,
  trials: number,
  options: Pick<Options, 'rehearsal' | 'yes' | 'maxCampaignUsd'>,
  terminal: Terminal,
  notice?: string,
): Promise<Result<void>> {
  if (trials === 0) return ok(undefined);
  if (notice !== undefined) terminal.output.write(`! ${notice}\n`);
  if (options.rehearsal) return ok(undefined);
  const told = formatEstimate(estimate, trials, options.maxCampaignUsd);
  if (options.yes) {
    terminal.output.write(`${told}\n`);
    return ok(undefined);
  }
  if (!terminal.isTTY) {
    return fail({
      reason: 'not-confirmed',
      message: `this campaign spends real money: ${told}`,
      advice: 'confirm it with --yes; bound it with --max-campaign-usd; try it for nothing with --rehearsal',
    });
  }
  if (await ask(`${told}. Start?`, terminal)) return ok(undefined);
  return fail({ reason: 'not-confirmed', message: 'not started' });
}

/** A yes or no on a terminal; anything but a yes is a no. */
export async function ask(question: string, { input, output }: Terminal): Promise<boolean> {
  const lines = createInterface({ input, output });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}
