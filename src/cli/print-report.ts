import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Options } from '../model/options.js';
import { paintBrief, writeOut } from '../report/index.js';
import { CAMPAIGN_FILES } from '../store/index.js';
import { makePalette } from '../util/palette.js';

/** A report in the forms that a terminal can show. */
interface PrintableReport {
  /** Null if there is no short form. */
  brief: string | null;
  text: string;
  json: string;
}

/**
 * Prints the report of a campaign folder: as JSON, whole (`--full`, `--published`), or in short with the paths of what holds more. Returns the printed text.
 */
export function printReport(
  { brief, text, json }: PrintableReport,
  dir: string,
  { json: isJson, full, publishedAverages }: Pick<Options, 'json' | 'full' | 'publishedAverages'>,
): string {
  if (isJson || full || publishedAverages || brief === null) {
    const shown = isJson ? json : text;
    writeOut(shown);
    return shown;
  }
  const shown = `${brief}\n\n${pathLines(dir).join('\n')}`;
  writeOut(shown, (line) => paintBrief(line, makePalette(process.stdout)));
  return shown;
}

function pathLines(dir: string): string[] {
  const place = relative(process.cwd(), dir) || '.';
  const page = join(place, CAMPAIGN_FILES.reportHtml);
  return [...(existsSync(page) ? [`page  ${page}`] : []), `more  agent-eval report ${place} --full`];
}
