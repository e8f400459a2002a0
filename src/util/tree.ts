import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, readFile, readlink, symlink } from 'node:fs/promises';
import pLimit from 'p-limit';

/** A file, link or folder below a root. Sockets, pipes and devices are no content and are left out. */
export interface TreeEntry {
  /** Relative to the root, `/` separated. Only for people and rules: bytes that are no UTF-8 are replaced in it. */
  path: string;
  /** The same path as the file system has it. */
  pathBytes: Buffer;
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
  const visit = async (folder: Buffer): Promise<void> => {
    const found = await limit(() => readdir(below(root, folder), { withFileTypes: true, encoding: 'buffer' }));
    await Promise.all(
      found.map(async (item) => {
        const pathBytes = folder.length === 0 ? item.name : Buffer.concat([folder, SEPARATOR, item.name]);
        const path = pathBytes.toString('utf8');
        if (exclude(path, item.name.toString('utf8'))) return;
        const kind = item.isFile()
          ? 'file'
          : item.isSymbolicLink()
            ? 'link'
            : item.isDirectory()
              ? 'folder'
              : undefined;
        if (!kind) return;
        const stat = await limit(() => lstat(below(root, pathBytes)));
        entries.push({ path, pathBytes, kind, executable: (stat.mode & 0o111) !== 0, bytes: stat.size });
        if (kind === 'folder') await visit(pathBytes);
      }),
    );
  };
  await visit(Buffer.alloc(0));
  return entries.sort((a, b) =>
    a.path < b.path ? -1 : a.path > b.path ? 1 : Buffer.compare(a.pathBytes, b.pathBytes),
  );
}

const SEPARATOR = Buffer.from('/');

function below(root: string, path: Buffer): Buffer {
  return Buffer.concat([Buffer.from(root), SEPARATOR, path]);
}

/** Where an entry of a root lies, in the form that reaches it whatever its name is. */
export function locateEntry(root: string, { pathBytes }: Pick<TreeEntry, 'pathBytes'>): Buffer {
  return below(root, pathBytes);
}

/**
 * SHA-256 (hex) over relative paths, executable bits, link targets and bytes. Times, owners and empty folders don't count.
 */
export async function hashTree(root: string, exclude?: Exclude): Promise<string> {
  const limit = pLimit(CONCURRENCY);
  const entries = (await listTree(root, exclude)).filter((entry) => entry.kind !== 'folder');
  const lines = await Promise.all(entries.map((entry) => limit(() => describe(root, entry))));
  const hash = createHash('sha256');
  for (const line of lines) hash.update(line).update('\0');
  return hash.digest('hex');
}

async function describe(root: string, entry: TreeEntry): Promise<Buffer> {
  const file = locateEntry(root, entry);
  const isLink = entry.kind === 'link';
  const kind = isLink ? 'link' : entry.executable ? 'exec' : 'file';
  const content = isLink ? await readlink(file, 'buffer') : Buffer.from(await hashFile(file, entry.bytes));
  return Buffer.concat([Buffer.from(`${kind} `), entry.pathBytes, Buffer.from('\0'), content]);
}

async function hashFile(file: Buffer, bytes: number): Promise<string> {
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
  for (const entry of entries) if (entry.kind === 'folder') await mkdir(locateEntry(destination, entry));
  await Promise.all(
    entries
      .filter((entry) => entry.kind !== 'folder')
      .map((entry) => limit(() => copyEntry(locateEntry(source, entry), locateEntry(destination, entry), entry.kind))),
  );
}

async function copyEntry(from: Buffer, to: Buffer, kind: TreeEntry['kind']): Promise<void> {
  if (kind === 'link') await symlink(await readlink(from, 'buffer'), to);
  else await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
}
