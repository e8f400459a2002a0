import { writeOut } from '../../report/index.js';
import { EXIT } from '../exit-codes.js';
import type { Surroundings } from '../invocation.js';
import { type CommonFlags, resolveReadOptions } from '../options.js';
import { makeReport } from '../report-campaign.js';
import { tellFailure } from '../tell.js';

/** `report`: a campaign's report, made again from its logs; also of a folder of the bash harness. */
export async function report(
  dir: string,
  flags: CommonFlags & { full?: boolean },
  surroundings: Surroundings,
): Promise<number> {
  const options = resolveReadOptions(flags, surroundings.environment);
  if (!options.ok) return tellFailure(options.failure);
  const made = await makeReport(dir, { ...options.value, brief: flags.full !== true });
  if (!made.ok) return tellFailure(made.failure);
  writeOut(options.value.json ? made.value.json : made.value.text);
  return EXIT.done;
}
