import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lastLines } from '../../src/util/last-lines.js';

test('the last lines that are not blank; a line that the limit cuts is left out', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ae-lines-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'x.err');
  writeFileSync(file, 'one\n\ntwo\n  \nthree\n');
  expect(lastLines(file, { lines: 12, bytes: 1_000 })).toEqual(['one', 'two', 'three']);
  expect(lastLines(file, { lines: 2, bytes: 1_000 })).toEqual(['two', 'three']);
  // The last 8 bytes are "\nthree\n" after a blank: the cut line goes, the whole one stays.
  expect(lastLines(file, { lines: 12, bytes: 8 })).toEqual(['three']);
  expect(lastLines(join(folder, 'missing'), { lines: 12, bytes: 8 })).toEqual([]);
});
