/** A text as one word of a POSIX shell, whatever characters it holds. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
