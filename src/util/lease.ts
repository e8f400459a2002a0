import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTextSafely } from './read-safely.js';

/** A process that works in a shared folder; recognisable after its id was given to another. */
export interface LeaseHolder {
  pid: number;
  startTime: string;
  host: string;
}

/** `use`: the folder's content must stay as it is. `clean`: parts of it are about to be removed. */
export type LeaseKind = 'use' | 'clean';

/** Folder of the leases in the folder that they are about. */
const LEASES = 'leases';

/**
 * Notes in a shared folder that a process works in it. Take your own lease first and look for the other kind afterwards: then of a user
 * and a cleaner that come at the same time, at least one sees the other. Returns the release. Throws what the file system throws.
 */
export function takeLease(folder: string, kind: LeaseKind, me: LeaseHolder): () => void {
  const leases = join(folder, LEASES);
  mkdirSync(leases, { recursive: true });
  const file = join(leases, `${kind}-${me.pid}-${randomBytes(6).toString('hex')}.json`);
  // Renamed into place whole, so that nobody reads a part of it.
  writeFileSync(`${file}.tmp`, JSON.stringify(me));
  renameSync(`${file}.tmp`, file);
  return () => rmSync(file, { force: true });
}

/** The leases of one kind whose holders live, with their files. Those of dead holders are removed. */
export function activeLeases(
  folder: string,
  kind: LeaseKind,
  lives: (holder: LeaseHolder) => boolean,
): { holder: LeaseHolder; file: string }[] {
  const leases = join(folder, LEASES);
  return namesIn(leases).flatMap((name) => {
    if (!name.startsWith(`${kind}-`) || !name.endsWith('.json')) return [];
    const file = join(leases, name);
    const holder = parseHolder(readTextSafely(file, 4_096));
    if (holder && lives(holder)) return [{ holder, file }];
    rmSync(file, { force: true, recursive: true });
    return [];
  });
}

function parseHolder(text: string | undefined): LeaseHolder | undefined {
  try {
    const { pid, startTime, host } = JSON.parse(text ?? '') as Partial<LeaseHolder>;
    const isWhole = typeof pid === 'number' && typeof startTime === 'string' && typeof host === 'string';
    return isWhole ? { pid, startTime, host } : undefined;
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
