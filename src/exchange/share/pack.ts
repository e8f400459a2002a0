import { chmodSync, constants, copyFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ok, type Result } from '../../model/failure.js';
import { atUsersPlace, messageOf } from '../../store/index.js';

/** The same for all: when something was packed says nothing, and the same campaign gives the same bytes. */
const PACKED_AT = new Date('2000-01-01T00:00:00Z');

export interface PackedFile {
  path: string;
  bytes: number;
}

/** The files below a folder, sorted. */
export function filesBelow(root: string): PackedFile[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => ({ path: path.replaceAll('\\', '/'), stats: statSync(join(root, path)) }))
    .filter(({ stats }) => stats.isFile())
    .map(({ path, stats }) => ({ path, bytes: stats.size }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Packs all files below a folder into a new .tar.gz: in order, without owners and times. It appears whole or not at all. Fails with
 * bad-input where there is such a file already, with io where it cannot be written.
 */
export async function pack(root: string, target: string): Promise<Result<PackedFile[]>> {
  const files = filesBelow(root);
  for (const { path } of files) chmodSync(join(root, path), 0o644);
  const { create } = await import('tar');
  const packed = `${root}.tar.gz`;
  try {
    const how = { gzip: { level: 9 }, portable: true, mtime: PACKED_AT, cwd: root, file: packed };
    await create(
      how,
      files.map(({ path }) => path),
    );
    copyFileSync(packed, target, constants.COPYFILE_EXCL);
    return ok(files);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return fail(alreadyThere(target));
    rmSync(target, { force: true });
    return fail(atUsersPlace({ reason: 'io', message: `could not write ${target}: ${messageOf(error)}` }));
  } finally {
    rmSync(packed, { force: true });
  }
}

/** Why a bundle is not written over a file. */
export function alreadyThere(target: string) {
  return {
    reason: 'bad-input' as const,
    message: `there is a file of this name already: ${target}`,
    advice: 'choose another name, or delete it first',
  };
}
