import { readFileSync } from 'node:fs';
import { fail, ok, type Result } from '../../model/failure.js';
import { acceptCase, type ReplayReport, replayReportSchema } from '../../replay/index.js';
import { writeOut } from '../../report/index.js';
import { EXIT } from '../exit-codes.js';
import type { Surroundings } from '../invocation.js';
import { type CommonFlags, resolveReadOptions } from '../options.js';
import { printFailure } from '../print-failure.js';
import { lastReportFile } from './replay.js';

export interface ReplayAcceptFlags extends CommonFlags {
  because: string;
  suite?: string;
}

/** `replay accept`: records the findings of one case of the last replay as wanted, with the reason. There is no way to accept all. */
export async function replayAccept(id: string, flags: ReplayAcceptFlags, surroundings: Surroundings): Promise<number> {
  const options = resolveReadOptions(flags, surroundings.environment);
  if (!options.ok) return printFailure(options.failure);
  const report = readLastReport(lastReportFile(options.value.out));
  if (!report.ok) return printFailure(report.failure);
  const accepted = acceptCase(report.value, { suite: flags.suite, case: id, because: flags.because });
  if (!accepted.ok) return printFailure(accepted.failure);
  const { file, findings } = accepted.value;
  writeOut([`accepted in ${file}:`, ...findings.map(({ text }) => `  ${text}`)].join('\n'));
  return EXIT.done;
}

function readLastReport(file: string): Result<ReplayReport> {
  try {
    const parsed = replayReportSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    if (parsed.success) return ok(parsed.data);
    return fail({
      reason: 'bad-input',
      message: `${file} was written by another version`,
      advice: 'run the replay again',
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return fail({
      reason: 'bad-input',
      message: `the last replay could not be read: ${message}`,
      advice: 'run `agent-eval replay` first, or name its --out',
    });
  }
}
