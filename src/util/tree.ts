import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, readFile, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';

/** A file, link or folder below a root. Sockets, pipes and devices are no content and are left out. */
export interface TreeEntry {
  /** Relative to the root, `/` separated. */
  path: string;
  kind: 'file' | 'link' | 'folder';
  executable: boolean;
  bytes: number;
}

/** True: leave this entry, and all below it, out. */
export type Exclude = (path: string, name: string) => boolean;

const CONCURRENCY = 32;
/** Above this size a file is hashed as a stream, so that memory doesn't grow with it. */
const WHOLE_FILE_BYTES = 8 * 1024 * 1024;

/** Everything below a folder, sorted by path. Throws what the file system throws. */
export async function listTree(root: string, exclude: Exclude = () => false): Promise<TreeEntry[]> {
  const limit = pLimit(CONCURRENCY);
  const entries: TreeEntry[] = [];
  const visit = async (folder: string): Promise<void> => {
    const found = await limit(() => readdir(join(root, folder), { withFileTypes: true }));
    await Promise.all(
      found.map(async (item) => {
        const path = folder === '' ? item.name : `${folder}/${item.name}`;
        if (exclude(path, item.name)) return;
        const kind = item.isFile()
          ? 'file'
          : item.isSymbolicLink()
            ? 'link'
            : item.isDirectory()
              ? 'folder'
              : undefined;
        if (!kind) return;
        const stat = await limit(() => lstat(join(root, path)));
        entries.push({ path, kind, executable: (stat.mode & 0o111) !== 0, bytes: stat.size });
        if (kind === 'folder') await visit(path);
      }),
    );
  };
  await visit('');
  return entries.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/**
 * SHA-256 (hex) over relative paths, executable bits, link targets and bytes. Times, owners and empty folders don't count.
 */
export async function hashTree(root: string, exclude?: Exclude): Promise<string> {
  const limit = pLimit(CONCURRENCY);
  const entries = (await listTree(root, exclude)).filter((entry) => entry.kind !== 'folder');
  const lines = await Promise.all(entries.map((entry) => limit(() => describe(root, entry))));
  const hash = createHash('sha256');
  for (const line of lines) hash.update(`${line}\0`);
  return hash.digest('hex');
}

async function describe(root: string, entry: TreeEntry): Promise<string> {
  const file = join(root, entry.path);
  if (entry.kind === 'link') return `link ${entry.path}\0${await readlink(file)}`;
  return `${entry.executable ? 'exec' : 'file'} ${entry.path}\0${await hashFile(file, entry.bytes)}`;
}

async function hashFile(file: string, bytes: number): Promise<string> {
  const hash = createHash('sha256');
  if (bytes <= WHOLE_FILE_BYTES) return hash.update(await readFile(file)).digest('hex');
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) hash.update(chunk);
  return hash.digest('hex');
}

/**
 * Copies a folder's content into a new folder, by the file system's clone where it has one. Links are copied as they
 * stand. Throws what the file system throws; an existing destination file is an error.
 */
export async function copyTree(source: string, destination: string, exclude?: Exclude): Promise<void> {
  const limit = pLimit(CONCURRENCY);
  const entries = await listTree(source, exclude);
  await mkdir(destination, { recursive: true });
  // Sorted, so that a folder comes before what is in it.
  for (const entry of entries) if (entry.kind === 'folder') await mkdir(join(destination, entry.path));
  await Promise.all(
    entries
      .filter((entry) => entry.kind !== 'folder')
      .map((entry) => limit(() => copyEntry(join(source, entry.path), join(destination, entry.path), entry.kind))),
  );
}

async function copyEntry(from: string, to: string, kind: TreeEntry['kind']): Promise<void> {
  if (kind === 'link') await symlink(await readlink(from), to);
  else await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
}
