import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

const USUAL = ['/usr/bin', '/usr/local/bin', '/bin'];

/** The bubblewrap program: the PATH's, else where distributions put it; undefined when there is none. */
export function findBwrap(path: string | undefined): string | undefined {
  return findProgram('bwrap', path);
}

/** Returns the program of util-linux that runs a command in the namespaces of another process; undefined if it is missing. */
export function findNsenter(path: string | undefined): string | undefined {
  return findProgram('nsenter', path);
}

function findProgram(name: string, path: string | undefined): string | undefined {
  const directories = [...(path ?? '').split(delimiter).filter(isAbsolute), ...USUAL];
  return directories.map((dir) => join(dir, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
