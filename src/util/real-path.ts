import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Resolves links in the deepest part of an absolute path that exists, and keeps the rest as it is. */
export function realPathOf(path: string): string {
  for (let dir = path; ; dir = dirname(dir)) {
    if (existsSync(dir)) return join(realpathSync(dir), path.slice(dir.length));
    if (dir === dirname(dir)) return path;
  }
}
