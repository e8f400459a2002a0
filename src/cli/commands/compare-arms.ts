import { jsonText, renderComparison, renderMarkdown, writeOut } from '../../report/index.js';
import { findRuns } from '../../store/index.js';
import { EXIT } from '../exit-codes.js';
import type { Surroundings } from '../invocation.js';
import { labelRuns } from '../label-runs.js';
import { reportRuns } from '../measure-tasks.js';
import { type CommonFlags, resolveReadOptions } from '../options.js';
import { tellFailure } from '../tell.js';

/** `compare-arms`: the table of two or more arms from the logs in a folder, by any labels. */
export async function compareArmsCommand(
  dir: string,
  labels: string[],
  flags: CommonFlags & { markdown?: boolean },
  surroundings: Surroundings,
): Promise<number> {
  const options = resolveReadOptions(flags, surroundings.environment);
  if (!options.ok) return tellFailure(options.failure);
  const found = findRuns(dir);
  if (!found.ok) return tellFailure(found.failure);
  const report = await reportRuns(dir, labelRuns(found.value, labels), labels, options.value);
  if (!report.ok) return tellFailure(report.failure);
  const { comparison, title } = report.value;
  if (options.value.json) writeOut(jsonText(comparison));
  else writeOut(`${flags.markdown ? renderMarkdown(comparison) : renderComparison(comparison, { dir: title })}\n`);
  return EXIT.done;
}
