import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Failure, fail, ok, type Result } from '../model/failure.js';

/** Writes a file so that a reader, or a machine that comes up again, finds the old content or the new, never a part. */
export function writeAtomically(file: string, content: string): Result<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    const descriptor = openSync(temporary, 'w');
    try {
      // Unlike writeSync it goes on after a short write, or fails: a disk that fills up cuts a file in the middle.
      writeFileSync(descriptor, content);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, file);
    return ok(undefined);
  } catch (error) {
    rmSync(temporary, { force: true });
    return fail({
      reason: 'io',
      message: `could not write ${file}: ${messageOf(error)}`,
      advice: 'check the disk space and the permissions of the folder',
    });
  }
}

export function writeJson(file: string, value: unknown): Result<void> {
  return writeAtomically(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** Reads a JSON file; undefined when there is none. A file that is no JSON is a failure, never taken for absent. */
export function readJson<T>(file: string): Result<T | undefined> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ok(undefined);
    return fail({ reason: 'io', message: `could not read ${file}: ${messageOf(error)}` });
  }
  try {
    return ok(JSON.parse(text) as T);
  } catch (error) {
    return fail({ reason: 'io', message: `${file} is not JSON: ${messageOf(error)}` });
  }
}

const UNWRITABLE = /\b(EACCES|EPERM|EROFS|ENOTDIR|EISDIR|EEXIST|ENOENT|ENAMETOOLONG)\b/;

/** A failure to write at a place that the user named is bad input, unless the machine is at fault (a full disk). */
export function atUsersPlace(failure: Failure): Failure {
  return failure.reason === 'io' && UNWRITABLE.test(failure.message) ? { ...failure, reason: 'bad-input' } : failure;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
