import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { type Failure, fail, ok, type Result } from '../model/failure.js';
import { readSafely } from '../util/read-safely.js';

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

const MAX_JSON_BYTES = 256 * 1024 * 1024;
const MAX_SHOWN_ISSUES = 5;
/**
 * Reads a JSON file of ours and checks its shape; undefined when there is none. What is no JSON, has another shape or another format
 * version is a 'bad-input' failure that names file and field, and never taken for absent. `cause` is 'not-json' for a torn file. A link
 * in the file's place is not followed.
 */
export function readJson<T>(file: string, schema: z.ZodType<T>): Result<T | undefined> {
  const read = readSafely(file, { maxBytes: MAX_JSON_BYTES });
  if (!read.ok && read.isMissing) return ok(undefined);
  if (!read.ok) return fail({ reason: 'bad-input', message: `${file} ${read.why}` });
  if (read.isCut) return fail({ reason: 'bad-input', message: `${file} is larger than 256 MiB` });
  let value: unknown;
  try {
    value = JSON.parse(read.bytes.toString('utf8'));
  } catch (error) {
    return fail({ reason: 'bad-input', cause: 'not-json', message: `${file} is not JSON: ${messageOf(error)}` });
  }
  return checkShape(file, value, schema);
}

/**
 * Returns the value if it has the shape and a format version that this version reads. Otherwise fails with 'bad-input' and names
 * `where` and the fields.
 */
export function checkShape<T>(where: string, value: unknown, schema: z.ZodType<T>): Result<T> {
  const version = checkFormatVersion(where, value, schema);
  if (!version.ok) return version;
  const parsed = schema.safeParse(value);
  // Not the parsed copy: it lacks fields of later versions, and its keys have another order. A plan is hashed as it was written.
  if (parsed.success) return ok(value as T);
  const { issues } = parsed.error;
  const more = issues.length > MAX_SHOWN_ISSUES ? [`  and ${issues.length - MAX_SHOWN_ISSUES} more`] : [];
  const shown = issues
    .slice(0, MAX_SHOWN_ISSUES)
    .map(({ path, message }) => `  ${path.join('.') || '(whole)'}: ${message}`);
  return fail({
    reason: 'bad-input',
    message: [`${where} does not have the expected shape:`, ...shown, ...more].join('\n'),
    advice: 'the file was changed, or agent-eval did not write it; restore it from a copy',
  });
}

function checkFormatVersion(where: string, value: unknown, schema: z.ZodType): Result<void> {
  const readable = formatVersionsOf(schema);
  const { formatVersion } = (value ?? {}) as { formatVersion?: unknown };
  if (readable.length === 0 || formatVersion === undefined || readable.includes(formatVersion as number)) {
    return ok(undefined);
  }
  const isNewer = Number(formatVersion) > Math.max(...readable);
  return fail({
    reason: 'bad-input',
    message: `${where} was written by ${isNewer ? 'a newer' : 'another'} agent-eval: formatVersion ${JSON.stringify(formatVersion)}, this one reads ${readable.join(' and ')}`,
    advice: isNewer ? 'update agent-eval' : 'use the version of agent-eval that wrote it',
  });
}

/** Returns the format versions that a schema accepts. Empty for a file without one. */
function formatVersionsOf(schema: z.ZodType): number[] {
  const { shape } = schema as { shape?: Record<string, { values?: Set<unknown> }> };
  return [...(shape?.formatVersion?.values ?? [])].map(Number);
}

const UNWRITABLE = /\b(EACCES|EPERM|EROFS|ENOTDIR|EISDIR|EEXIST|ENOENT|ENAMETOOLONG)\b/;

/** A failure to write at a place that the user named is bad input, unless the machine is at fault (a full disk). */
export function atUsersPlace(failure: Failure): Failure {
  return failure.reason === 'io' && UNWRITABLE.test(failure.message) ? { ...failure, reason: 'bad-input' } : failure;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
