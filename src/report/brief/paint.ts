import type { Palette } from '../../util/palette.js';

/** Words of the table that are set off, with the kind of news that they are. */
const WORDS = /(?<= )(BETTER|EQUIVALENT|not worse|WORSE)$/;

/** Returns a line of the short report in color. The color repeats what the words say. */
export function paintBrief(line: string, palette: Palette): string {
  if (/^[✓✗?~] /.test(line)) return palette.bold(markColor(line, palette)(line));
  if (/^(page|more) {2}/.test(line)) return palette.dim(line);
  if (/^(! |scripted model)/.test(line)) return palette.yellow(line);
  return line.replace(WORDS, (word) => palette.bold(word === 'WORSE' ? palette.red(word) : palette.green(word)));
}

function markColor(line: string, palette: Palette): (text: string) => string {
  if (line.startsWith('✓')) return palette.green;
  return line.startsWith('✗') ? palette.red : palette.yellow;
}
