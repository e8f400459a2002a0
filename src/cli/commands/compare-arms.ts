import { compareRuns, labelRuns } from '../../analysis/index.js';
import { jsonText, renderComparison, renderMarkdown, writeOut } from '../../report/index.js';
import { findRuns } from '../../store/index.js';
import { EXIT } from '../exit-codes.js';
import type { Surroundings } from '../invocation.js';
import { checkOneForm } from '../one-form.js';
import { type CommonFlags, resolveReadOptions } from '../options.js';
import { printFailure } from '../print-failure.js';

/** `compare-arms`: the table of two or more arms from the logs in a folder, by any labels. */
export async function compareArmsCommand(
  dir: string,
  labels: string[],
  flags: CommonFlags & { markdown?: boolean },
  surroundings: Surroundings,
): Promise<number> {
  const options = resolveReadOptions(flags, surroundings.environment);
  if (!options.ok) return printFailure(options.failure);
  const form = checkOneForm(flags);
  if (!form.ok) return printFailure(form.failure);
  const found = findRuns(dir);
  if (!found.ok) return printFailure(found.failure);
  const compared = await compareRuns(dir, labelRuns(found.value, labels), labels, options.value);
  if (!compared.ok) return printFailure(compared.failure);
  const comparison = compared.value;
  if (options.value.json) writeOut(jsonText(comparison));
  else writeOut(`${flags.markdown ? renderMarkdown(comparison) : renderComparison(comparison, { dir })}\n`);
  return EXIT.done;
}
