import { jsonText, renderDistribution, writeOut } from '../../report/index.js';
import { EXIT } from '../exit-codes.js';
import type { Surroundings } from '../invocation.js';
import { type CommonFlags, type Options, resolveReadOptions } from '../options.js';
import { makeDistribution, makeReport } from '../report-campaign.js';
import { tellFailure } from '../tell.js';

export interface ReportFlags extends CommonFlags {
  full?: boolean;
  distribution?: boolean;
  markdown?: boolean;
  csv?: boolean;
  published?: boolean;
}

/** `report`: a campaign's report, made again from its logs; also of a folder of the bash harness. */
export async function report(dir: string, flags: ReportFlags, surroundings: Surroundings): Promise<number> {
  const options = resolveReadOptions(flags, surroundings.environment);
  if (!options.ok) return tellFailure(options.failure);
  if (flags.distribution) return await distribution(dir, options.value);
  const published = flags.published === true;
  const made = await makeReport(dir, { ...options.value, brief: flags.full !== true, published });
  if (!made.ok) return tellFailure(made.failure);
  const { json, markdown, csv, text } = made.value;
  writeOut(options.value.json ? json : flags.markdown ? markdown : flags.csv ? csv : text);
  return EXIT.done;
}

async function distribution(dir: string, options: Options): Promise<number> {
  const made = await makeDistribution(dir, options);
  if (!made.ok) return tellFailure(made.failure);
  writeOut(options.json ? jsonText(made.value) : renderDistribution(made.value));
  return EXIT.done;
}
