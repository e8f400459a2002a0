import { isFilled } from './fill.js';

/** Ids of the model's API: they name messages and calls, and are no secrets. */
const API_ID = /^(?:msg|toolu|req|call|srvtoolu)_/;
/** `config.tokens.lifetime2`: an expression of code. */
const DOTTED_NAME = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/;
const DATE_OR_VERSION = /^\d[\d.:T-]*Z?$/;

/**
 * Returns true if chance made a text: letters and digits of many kinds, and neither an id of the API, nor a path, nor an expression of
 * code. `next` is the character after the text. An unquoted text needs two digits, a quoted one a single digit.
 */
export function isRandom(text: string, isQuoted: boolean, next: string): boolean {
  const digits = text.replace(/\D/g, '').length;
  if (digits < (isQuoted ? 1 : 2) || digits === text.length || isFilled(text) || API_ID.test(text)) return false;
  if (/^[./~]/.test(text) || (!isQuoted && /^[([.]/.test(next))) return false;
  if (DOTTED_NAME.test(text) || DATE_OR_VERSION.test(text)) return false;
  return entropy(text) >= 3;
}

/** Returns true if a text holds a digit, a small letter and a capital. */
export function isMixed(text: string): boolean {
  return hasDigit(text) && /[A-Z]/.test(text) && /[a-z]/.test(text);
}

export function hasDigit(text: string): boolean {
  return /\d/.test(text);
}

/** Returns true if a text holds both a letter and a digit. */
export function hasLetterAndDigit(text: string): boolean {
  return hasDigit(text) && /[A-Za-z]/.test(text);
}

/** Shannon entropy in bits a character. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, n) => sum - (n / text.length) * Math.log2(n / text.length), 0);
}
