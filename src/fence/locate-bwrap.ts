import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

const USUAL = ['/usr/bin', '/usr/local/bin', '/bin'];

/** The bubblewrap program: the PATH's, else where distributions put it; undefined when there is none. */
export function findBwrap(path: string | undefined): string | undefined {
  const directories = [...(path ?? '').split(delimiter).filter(isAbsolute), ...USUAL];
  return directories.map((dir) => join(dir, 'bwrap')).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
