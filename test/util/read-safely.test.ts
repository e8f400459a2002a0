import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../src/process/index.js';
import { lastLines } from '../../src/util/last-lines.js';
import { readSafely, readTextSafely } from '../../src/util/read-safely.js';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ae-safely-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'notes'));
  writeFileSync(join(folder, 'notes', 'n'), 'abcdef');
});

test('reads a regular file whole, or the start or the end of one that is longer than the limit', () => {
  const file = join(folder, 'notes', 'n');
  expect(readSafely(file, { maxBytes: 6 })).toEqual({ ok: true, bytes: Buffer.from('abcdef'), isCut: false });
  expect(readSafely(file, { maxBytes: 4 })).toEqual({ ok: true, bytes: Buffer.from('abcd'), isCut: true });
  expect(readSafely(file, { maxBytes: 4, from: 'end' })).toEqual({ ok: true, bytes: Buffer.from('cdef'), isCut: true });
  expect(readTextSafely(file, 6)).toBe('abcdef');
  expect(readTextSafely(file, 5)).toBeUndefined();
  expect(readSafely(join(folder, 'missing'), { maxBytes: 6 })).toMatchObject({ ok: false, isMissing: true });
});

test('refuses a pipe at once, although nobody writes into it', async () => {
  const pipe = join(folder, 'pipe');
  await runCommand({ argv: ['mkfifo', pipe], deadlineMs: 5_000 });
  const startedAt = performance.now();
  expect(readSafely(pipe, { maxBytes: 6 })).toEqual({ ok: false, isMissing: false, why: 'is not a regular file' });
  expect(lastLines(pipe, { lines: 1, bytes: 6 })).toEqual([]);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});

test('refuses links, devices and folders', () => {
  symlinkSync(join(folder, 'notes', 'n'), join(folder, 'link'));
  symlinkSync('/dev/zero', join(folder, 'zero'));
  expect(readSafely(join(folder, 'link'), { maxBytes: 6 })).toMatchObject({ ok: false, isMissing: false });
  expect(readSafely(join(folder, 'zero'), { maxBytes: 6 })).toMatchObject({ ok: false, isMissing: false });
  expect(readSafely('/dev/zero', { maxBytes: 6 })).toMatchObject({ ok: false, why: 'is not a regular file' });
  expect(readSafely(folder, { maxBytes: 6 })).toMatchObject({ ok: false, isMissing: false });
});

test('refuses a file below a folder that was replaced by a link', () => {
  const file = join(folder, 'notes', 'n');
  expect(readTextSafely(file, 6, folder)).toBe('abcdef');
  renameSync(join(folder, 'notes'), join(folder, 'elsewhere'));
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'notes'));
  expect(readTextSafely(file, 6)).toBe('abcdef');
  expect(readTextSafely(file, 6, folder)).toBeUndefined();
});
