import { open, readdir, readFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { fail, ok, type Result } from '../model/failure.js';
import { type Exclude, listTree, locateEntry } from '../util/tree.js';

const POINTER_START = 'version https://git-lfs.github.com/spec/v1\n';
/** A pointer is far smaller; git-lfs itself reads no more. */
const MAX_POINTER_BYTES = 1024;
const MAX_NAMED = 10;

/**
 * Refuses ('workspace-failed') a tree in which a submodule is an empty folder, or a file is a Git LFS pointer in place of its content: an
 * agent would be asked about code that is not there. What `exclude` leaves out is not missed.
 */
export async function checkContent(tree: string, exclude: Exclude): Promise<Result<void>> {
  const entries = await listTree(tree);
  const files = entries.filter(({ kind }) => kind === 'file');
  const lists = files.filter(({ path }) => posix.basename(path) === '.gitmodules');
  const declared = await Promise.all(lists.map(({ path }) => submodulesIn(tree, path)));
  const submodules: string[] = [];
  for (const path of declared.flat()) {
    if (!isLeftOut(path, exclude) && (await isEmpty(join(tree, path)))) submodules.push(path);
  }
  if (submodules.length > 0) return refuseSubmodules(submodules);
  const pointers: string[] = [];
  for (const file of files) {
    const { path, bytes } = file;
    if (bytes > POINTER_START.length && bytes <= MAX_POINTER_BYTES && (await isPointer(locateEntry(tree, file)))) {
      pointers.push(path);
    }
  }
  if (pointers.length === 0) return ok(undefined);
  return fail({
    reason: 'workspace-failed',
    message: `Git LFS pointers stand in place of files: ${named(pointers)}`,
    advice:
      'install git-lfs and run `git lfs install` (or `git lfs pull` in the folder), or name these paths in `exclude`',
  });
}

/** The failure that names submodules without content. */
export function refuseSubmodules(paths: string[], lastLines?: string[]): Result<never> {
  return fail({
    reason: 'workspace-failed',
    message: `submodules without content: ${named(paths)}`,
    advice: 'put a checkout with its submodules under CORPUS/<name>, or name these paths in `exclude`',
    ...(lastLines === undefined ? {} : { lastLines }),
  });
}

/** Whether a path or a folder above it is left out. */
export function isLeftOut(path: string, exclude: Exclude): boolean {
  const parts = path.split('/');
  return parts.some((name, index) => exclude(parts.slice(0, index + 1).join('/'), name));
}

function named(paths: string[]): string {
  const more = paths.length > MAX_NAMED ? `, and ${paths.length - MAX_NAMED} more` : '';
  return `${paths.slice(0, MAX_NAMED).join(', ')}${more}`;
}

/** The paths that a .gitmodules file declares, relative to the tree. */
async function submodulesIn(tree: string, file: string): Promise<string[]> {
  const text = await readFile(join(tree, file), 'utf8');
  return [...text.matchAll(/^\s*path\s*=\s*"?(.+?)"?\s*$/gm)].flatMap(([, path = '']) => {
    const whole = posix.normalize(posix.join(dirname(file), path));
    return whole.startsWith('..') ? [] : [whole];
  });
}

async function isEmpty(dir: string): Promise<boolean> {
  return await readdir(dir).then(
    (names) => names.length === 0,
    () => true,
  );
}

async function isPointer(file: Buffer): Promise<boolean> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(POINTER_START.length), 0, POINTER_START.length, 0);
    return buffer.toString('latin1', 0, bytesRead) === POINTER_START;
  } finally {
    await handle.close();
  }
}
