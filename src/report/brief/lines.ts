import { oneLine } from '../clean.js';

/** Columns that every line of the short report fits into. */
export const WIDTH = 80;

/** Returns a text of at most `width` characters. What is cut is cut from its middle, because names often differ at their ends. */
export function shorten(text: string, width: number): string {
  const line = oneLine(text);
  if (line.length <= width) return line;
  const tail = Math.floor((width - 1) / 2);
  return `${line.slice(0, width - 1 - tail)}…${tail === 0 ? '' : line.slice(-tail)}`;
}

/** Returns a line of at most 80 characters, cut at its end. */
export function cutLine(text: string): string {
  return text.length <= WIDTH ? text : `${text.slice(0, WIDTH - 1).trimEnd()}…`;
}

/** Breaks a text between words into at most `most` lines of 80 columns. Lines after the first start with `indent`. */
export function wrap(text: string, indent: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(last === undefined ? word : `${indent}${word}`);
  }
  const kept = lines.slice(0, most).map(cutLine);
  const last = kept.at(-1);
  if (lines.length > most && last !== undefined) kept[kept.length - 1] = cutLine(`${last.slice(0, WIDTH - 2)} …`);
  return kept;
}
