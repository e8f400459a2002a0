/** Longer subjects are not matched: a command could otherwise keep the hook busy until it is cut off and lets it pass. */
export const MAX_SUBJECT_CHARS = 400;
const MAX_REPEATS = 3;

/**
 * A regular expression out of a command's own text; undefined when it is invalid or could backtrack for long (a repeated
 * group, many repeats). Use it on subjects of at most `MAX_SUBJECT_CHARS`.
 */
export function commandRegex(source: string, flags = ''): RegExp | undefined {
  const repeats = source.match(/[*+{]/g)?.length ?? 0;
  if (repeats > MAX_REPEATS || /\)[*+{?]/.test(source)) return undefined;
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}
