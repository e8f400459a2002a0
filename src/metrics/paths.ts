/** A path with `/` separators and without a leading `./`. */
export function plainPath(path: string): string {
  const slashed = path.includes('\\') ? path.replaceAll('\\', '/') : path;
  return slashed.startsWith('./') ? slashed.replace(/^(?:\.\/+)+/, '') : slashed;
}

/** Checks whether two paths name the same file: they are equal, or one ends in `/` + the other. */
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

/** Files, asked for by any path that names the same file. Sorted by last component, which such paths share. */
export class FileSet {
  private readonly byName = new Map<string, Set<string>>();

  constructor(paths: string[] = []) {
    for (const path of paths) this.add(path);
  }

  /** Takes a file in. */
  add(path: string): void {
    const plain = plainPath(path);
    const name = baseName(plain);
    const known = this.byName.get(name) ?? new Set();
    this.byName.set(name, known.add(plain));
  }

  /** Whether some path in it names the same file. */
  has(path: string): boolean {
    const known = this.byName.get(baseName(path));
    if (!known) return false;
    for (const one of known) if (isSameFile(one, path)) return true;
    return false;
  }
}
