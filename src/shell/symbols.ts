/**
 * Stand-ins for what a command's text leaves open, taken from the private use area so that they cannot be typed by
 * accident and pass through the parser as plain characters.
 */

/** Text of unknown length and content. */
export const UNKNOWN = '\uE000';
/** An unquoted `*`. */
export const STAR = '\uE001';
/** An unquoted `?` or `[…]`. */
export const ONE = '\uE002';
/** Any folders, hidden ones too: what `find` and `**` descend into. */
export const ANY_FOLDERS = '\uE003';
/** The content of the engine's own program: whoever executes it runs the engine. */
export const PROGRAM = '\uE004';

/** The text of a package script that cannot be seen. Nobody runs one past its package manager by accident. */
export const UNSEEN_SCRIPT = '\uE005';

const WILD = /[\uE001\uE002]/;
const SYMBOLS = /[\uE000-\uE003]/g;
/** Longer texts are cut: nobody hides a command behind 40,000 characters, and the hook must stay fast. */
const MAX_CHARS = 40_000;
const MAX_ALTERNATIVES = 24;

/** Whether a text holds a glob. */
export function hasGlob(text: string): boolean {
  return WILD.test(text);
}

/** The text without any stand-in: what is known of it. */
export function literalOf(text: string): string {
  return text.replace(SYMBOLS, '');
}

/** `*` and `?` of a quoted pattern (`find -name`, glob functions of languages) as stand-ins. */
export function globToSymbols(text: string): string {
  return text
    .replaceAll('**/', `${ANY_FOLDERS}/`)
    .replace(/\[[^\]]+\]|\?/g, ONE)
    .replaceAll('*', STAR);
}

/** Cuts a text to the length that is looked at. */
export function clip(text: string): string {
  return text.length > MAX_CHARS ? text.slice(0, MAX_CHARS) : text;
}

/** All combinations of one alternative each, bounded. */
export function combine<A, B, C>(left: readonly A[], right: readonly B[], join: (a: A, b: B) => C): C[] {
  const all: C[] = [];
  for (const a of left) {
    for (const b of right) {
      if (all.length >= MAX_ALTERNATIVES) return all;
      all.push(join(a, b));
    }
  }
  return all;
}

/** Distinct values in order, bounded. */
export function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].slice(0, MAX_ALTERNATIVES);
}

/** Whitespace-separated fields, as unquoted expansions are split. */
export function fieldsOf(text: string): string[] {
  return text.split(/\s+/).filter((field) => field !== '');
}

/** Lines without the last, empty one. */
export function linesOf(text: string): string[] {
  return text.split('\n').filter((line, at, all) => line !== '' || at < all.length - 1);
}

/** Last segment of a path. */
export function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
