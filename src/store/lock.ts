import { randomBytes } from 'node:crypto';
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ok, type Result } from '../model/failure.js';
import { readSafely } from '../util/read-safely.js';
import { messageOf } from './files.js';
import { CAMPAIGN_FILES } from './layout.js';

/** Who works in a campaign folder: recognisable after its process id was given to another. */
export interface LockHolder {
  pid: number;
  startTime: string;
  host: string;
}

/**
 * Takes the folder's lock; returns its release. A holder that is proven dead loses it, and so does a lock that says nothing (it was
 * torn by a full disk or a crash: we link a finished file into place, so that no living holder's is ever seen half-written).
 * A living holder is named in the failure. Of two that find the same dead holder, one wins.
 */
export function takeLock(dir: string, me: LockHolder, lives: (holder: LockHolder) => boolean): Result<() => void> {
  const file = join(dir, CAMPAIGN_FILES.lock);
  const token = randomBytes(8).toString('hex');
  const text = JSON.stringify({ ...me, token });
  const own = `${file}.${token}`;
  try {
    writeFileSync(own, text);
    for (let attempt = 0; attempt < 5; attempt++) {
      if (linked(own, file)) return ok(() => release(file, text));
      const found = readText(file);
      if (found === undefined) continue;
      const holder = parseHolder(found);
      if (holder && lives(holder)) return fail(inUse(dir, holder));
      removeDead(file, found, token);
    }
    return fail({ reason: 'io', message: `could not lock ${dir}: others keep taking the lock` });
  } catch (error) {
    return fail({
      reason: 'io',
      message: `could not lock ${dir}: ${messageOf(error)}`,
      advice: 'check the disk space and the permissions of the folder',
    });
  } finally {
    rmSync(own, { force: true });
  }
}

/** Who holds the folder, if the lock says so; undefined when it is free or torn. */
export function lockHolder(dir: string): LockHolder | undefined {
  const text = readText(join(dir, CAMPAIGN_FILES.lock));
  return text === undefined ? undefined : parseHolder(text);
}

function inUse(dir: string, { pid, host }: LockHolder) {
  return {
    reason: 'bad-input' as const,
    message: `${dir} is in use by process ${pid} on ${host}`,
    advice: `wait for it to end, or stop it, then resume the campaign; if ${host} is gone for good, delete ${CAMPAIGN_FILES.lock}`,
  };
}

function linked(own: string, file: string): boolean {
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Moves the dead lock aside; if another took it over between our look and our move, it gets its own back. */
function removeDead(file: string, seen: string, token: string): void {
  const aside = `${file}.dead-${token}`;
  try {
    if (readText(file) !== seen) return;
    renameSync(file, aside);
    if (readText(aside) !== seen) linked(aside, file);
  } catch (error) {
    // Another removed it first.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function release(file: string, text: string): void {
  if (readText(file) === text) rmSync(file, { force: true });
}

function parseHolder(text: string): LockHolder | undefined {
  try {
    const { pid, startTime, host } = JSON.parse(text) as Partial<LockHolder>;
    return typeof pid === 'number' && typeof startTime === 'string' && typeof host === 'string'
      ? { pid, startTime, host }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined where there is no lock. Whatever else stands in its place names no holder. */
function readText(file: string): string | undefined {
  const read = readSafely(file, { maxBytes: 65_536 });
  if (read.ok) return read.bytes.toString('utf8');
  return read.isMissing ? undefined : '';
}
