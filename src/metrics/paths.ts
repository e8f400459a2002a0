/** A path with `/` separators and without a leading `./`. */
export function plainPath(path: string): string {
  return path.replaceAll('\\', '/').replace(/^(?:\.\/+)+/, '');
}

/** Whether two paths name the same file: equal, or one ends in `/` + the other (spec/metrics.md 3). */
export function isSameFile(one: string, other: string): boolean {
  const a = plainPath(one);
  const b = plainPath(other);
  if (a === '' || b === '') return false;
  return a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);
}

/** The last component. */
export function baseName(path: string): string {
  const plain = plainPath(path);
  return plain.slice(plain.lastIndexOf('/') + 1);
}
