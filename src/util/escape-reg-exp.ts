/** Returns the source of a pattern that matches a text literally, outside of a character class. */
export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
