import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type LockRules, lockCacheEntry } from './entry-lock.js';
import { readTextSafely } from './read-safely.js';

/** Written last: a folder without it is somebody's unfinished work and counts for nothing. */
const MARKER = 'entry.json';
const MAX_MARKER_BYTES = 1 << 20;

/** Structurally a Result of any failure type. */
type Made<T, F> = { ok: true; value: T } | { ok: false; failure: F };

export interface CacheEntry<T> {
  /** The entry's folder. What is in it must not be changed. */
  dir: string;
  value: T;
  fromCache: boolean;
}

/**
 * The cache entry of this key, made now if there is none. `make` fills the entry's own folder, in place, so that absolute
 * paths inside what it makes stay right; two processes never make one at the same time; one that failed or died leaves
 * nothing that would be taken for an entry. `T` is kept as JSON. Undefined: aborted while waiting for another process.
 */
export async function cacheEntry<T, F>(
  root: string,
  key: string,
  rules: LockRules,
  make: (dir: string) => Promise<Made<T, F>>,
): Promise<Made<CacheEntry<T>, F> | undefined> {
  const dir = join(root, key);
  const existing = readMarker<T>(dir);
  if (existing) return { ok: true, value: { dir, value: existing.value, fromCache: true } };

  await mkdir(root, { recursive: true });
  const release = await lockCacheEntry(`${dir}.lock`, rules);
  if (!release) return undefined;
  try {
    const meanwhile = readMarker<T>(dir);
    if (meanwhile) return { ok: true, value: { dir, value: meanwhile.value, fromCache: true } };
    await removeFolder(dir);
    await mkdir(dir);
    let finished = false;
    try {
      const made = await make(dir);
      if (!made.ok) return made;
      await writeFile(join(dir, `${MARKER}.new`), JSON.stringify({ key, value: made.value }, null, 2));
      await rename(join(dir, `${MARKER}.new`), join(dir, MARKER));
      finished = true;
      return { ok: true, value: { dir, value: made.value, fromCache: false } };
    } finally {
      if (!finished) await removeFolder(dir);
    }
  } finally {
    await release();
  }
}

/** The failure of a cache whose folder cannot be written to; undefined for any other error. */
export function unwritableCache(
  root: string,
  error: unknown,
): { reason: 'environment-unfit'; message: string; advice: string } | undefined {
  const { code, message } = error as NodeJS.ErrnoException;
  if (!['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'].includes(code ?? '')) return undefined;
  return {
    reason: 'environment-unfit',
    message: `the cache ${root} cannot be written: ${message}`,
    advice: 'make the folder writable, or set XDG_CACHE_HOME to another one',
  };
}

/** Returns whether the cache holds a finished entry of this key. Reads only. */
export function hasCacheEntry(root: string, key: string): boolean {
  return readMarker(join(root, key)) !== undefined;
}

function readMarker<T>(dir: string): { value: T } | undefined {
  try {
    return JSON.parse(readTextSafely(join(dir, MARKER), MAX_MARKER_BYTES) ?? '') as { value: T };
  } catch {
    return undefined;
  }
}

async function removeFolder(dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true, maxRetries: 3 });
}
