import { resolve } from 'node:path';
import { writeOut } from '../../report/index.js';
import { EXIT } from '../exit-codes.js';
import { withGate } from '../gate.js';
import type { Surroundings } from '../invocation.js';
import { mergeCampaigns } from '../merge-campaigns.js';
import { type CommonFlags, resolveReadOptions } from '../options.js';
import { saveReport } from '../report-campaign.js';
import { tellFailure } from '../tell.js';

/** `merge <out-dir> <dir…>`: one campaign of its shards, and its report. */
export async function merge(
  out: string,
  dirs: string[],
  flags: CommonFlags,
  surroundings: Surroundings,
): Promise<number> {
  const options = resolveReadOptions(flags, surroundings.environment);
  if (!options.ok) return tellFailure(options.failure);
  const plan = mergeCampaigns(resolve(out), dirs);
  if (!plan.ok) return tellFailure(plan.failure);
  const report = await saveReport(resolve(out), options.value, surroundings.environment);
  if (!report.ok) return tellFailure(report.failure);
  writeOut(options.value.json ? report.value.json : report.value.text);
  process.stderr.write(`${plan.value.trials.length} trials of ${dirs.length} parts: ${out}\n`);
  return withGate(EXIT.done, report.value.gate);
}
