import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** The content of files by their path, as it was before the agent ran; undefined for a file that did not exist. */
export type Seal = ReadonlyMap<string, string | undefined>;

/** No control file is larger: a larger one is another file, and is not read. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Notes what stands in the files that decide what a session runs. */
export function sealFiles(files: string[]): Seal {
  return new Map(files.map((file) => [file, fingerprint(file)]));
}

/** Returns the names of the sealed files that are others now: changed, replaced, removed or made. */
export function changedFiles(seal: Seal): string[] {
  return [...seal].flatMap(([file, before]) => (fingerprint(file) === before ? [] : [basename(file)]));
}

/** Opens no link, and never waits: the agent may have put a pipe in the place of a file. */
function fingerprint(file: string): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? undefined : 'no file';
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile() || stat.size > MAX_BYTES) return 'no file';
    const hash = createHash('sha256').update(readFileSync(descriptor)).digest('hex');
    return `${hash} ${stat.mode}`;
  } finally {
    closeSync(descriptor);
  }
}
