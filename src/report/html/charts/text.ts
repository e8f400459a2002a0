import { visibleText } from '../../../util/visible-text.js';

/** Text of a run as it may stand in a chart: one line, nothing in it that steers. */
export function shown(text: string): string {
  return visibleText(text).replace(/\s+/g, ' ').trim();
}

/** The same, of at most `width` characters: cut at its end. */
export function shortened(text: string, width: number): string {
  const signs = [...shown(text)];
  return signs.length <= width ? signs.join('') : `${signs.slice(0, width - 1).join('')}…`;
}

/** A path of at most `width` characters: its end, which tells files apart. */
export function shortPath(path: string, width: number): string {
  const signs = [...shown(path)];
  return signs.length <= width ? signs.join('') : `…${signs.slice(1 - width).join('')}`;
}
