import { lstatSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { saveReport } from '../../analysis/index.js';
import { mergeCampaigns } from '../../exchange/index.js';
import { EXIT, withGate } from '../exit-codes.js';
import type { Surroundings } from '../invocation.js';
import { type CommonFlags, resolveReadOptions } from '../options.js';
import { printFailure } from '../print-failure.js';
import { printReport } from '../print-report.js';

/** `merge <out-dir> <dir…>`: one campaign of its shards, and its report. */
export async function merge(
  out: string,
  dirs: string[],
  flags: CommonFlags,
  surroundings: Surroundings,
): Promise<number> {
  const options = resolveReadOptions(flags, surroundings.environment);
  if (!options.ok) return printFailure(options.failure);
  const parts = withoutRepeatedLinks(dirs);
  const plan = mergeCampaigns(resolve(out), parts);
  if (!plan.ok) return printFailure(plan.failure);
  const report = await saveReport(resolve(out), options.value, surroundings.environment);
  if (!report.ok) return printFailure(report.failure);
  printReport(report.value, out, options.value);
  process.stderr.write(`${plan.value.trials.length} trials of ${parts.length} parts: ${out}\n`);
  return withGate(EXIT.done, report.value.gate);
}

/** `part-1/*` also matches the link `latest`: a link to a folder that is named itself is left out. */
function withoutRepeatedLinks(dirs: string[]): string[] {
  const isLink = (dir: string) => lstatSync(dir, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  const real = (dir: string) => {
    try {
      return realpathSync(dir);
    } catch {
      return resolve(dir);
    }
  };
  const named = new Set(dirs.filter((dir) => !isLink(dir)).map(real));
  return dirs.filter((dir) => !isLink(dir) || !named.has(real(dir)));
}
