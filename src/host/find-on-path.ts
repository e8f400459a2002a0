import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** The first executable of this name on a PATH; relative entries are passed over. */
export function findOnPath(name: string, pathVariable: string): string | undefined {
  return pathVariable
    .split(delimiter)
    .filter(isAbsolute)
    .map((dir) => join(dir, name))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
