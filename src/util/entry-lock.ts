import { randomBytes } from 'node:crypto';
import { link, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSafely } from './read-safely.js';

/** A process, recognisable after its id was given to another. */
export interface LockOwner {
  pid: number;
  startTime: string;
}

export interface LockRules {
  self: LockOwner;
  isAlive(owner: LockOwner): boolean;
  signal?: AbortSignal;
}

const POLL_MS = 100;

/**
 * Takes a lock file, waiting for a living holder; a dead holder's lock is taken over. Returns the release, or undefined
 * when aborted while waiting. The folder must exist.
 */
export async function lockCacheEntry(file: string, rules: LockRules): Promise<(() => Promise<void>) | undefined> {
  const token = randomBytes(8).toString('hex');
  const own = `${file}.${token}`;
  const text = JSON.stringify({ ...rules.self, token });
  await writeFile(own, text);
  try {
    while (!rules.signal?.aborted) {
      if (await linked(own, file)) return () => release(file, text);
      await removeDeadLock(file, rules);
      await sleep(POLL_MS);
    }
    return undefined;
  } finally {
    await rm(own, { force: true });
  }
}

/** Linking puts the lock in place with its content, in one step: nobody ever reads a lock without an owner. */
async function linked(own: string, file: string): Promise<boolean> {
  try {
    await link(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function removeDeadLock(file: string, rules: LockRules): Promise<void> {
  const text = readLock(file);
  if (text === undefined || holderLives(text, rules)) return;
  const aside = `${file}.dead-${randomBytes(8).toString('hex')}`;
  try {
    await rename(file, aside);
    // Another process may have taken the dead lock over between our look and our rename: give it back.
    if (readLock(aside) !== text) await linked(aside, file);
  } catch {
    // Another process removed it first.
  } finally {
    await rm(aside, { force: true });
  }
}

function holderLives(text: string, rules: LockRules): boolean {
  try {
    const owner = JSON.parse(text) as Partial<LockOwner>;
    return (
      typeof owner.pid === 'number' &&
      typeof owner.startTime === 'string' &&
      rules.isAlive({ pid: owner.pid, startTime: owner.startTime })
    );
  } catch {
    return false;
  }
}

async function release(file: string, text: string): Promise<void> {
  if (readLock(file) === text) await rm(file, { force: true });
}

/** Undefined where there is no lock. Whatever else stands in its place names no owner, and so it is a dead one. */
function readLock(file: string): string | undefined {
  const read = readSafely(file, { maxBytes: 65_536 });
  if (read.ok) return read.bytes.toString('utf8');
  return read.isMissing ? undefined : '';
}
