import { detach } from '../util/fields.js';

const HEAD_CHARS = 2_000;
/** Enough to tell how a result begins. */
const OPENING_CHARS = 100;

/**
 * What can be judged by its words, in memory of its own: an error's first 2,000 characters, a result whole when it is no
 * longer than that, else its first 100. Heads are most of what a long session leaves in memory.
 */
export function headOf(text: string, isError: boolean): string {
  if (text.length <= HEAD_CHARS) return text;
  return detach(text.slice(0, isError ? HEAD_CHARS : OPENING_CHARS));
}
