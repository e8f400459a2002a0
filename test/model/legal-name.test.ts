import { expect, it } from 'vitest';
import { legalLabel, legalName, MAX_NAME_CHARS, toLegalName } from '../../src/model/legal-name.js';

it.each(['express', 'codegraph-2.1', '7zip', 'a'.repeat(MAX_NAME_CHARS)])('%s is a legal name', (name) => {
  expect(legalName.safeParse(name).success).toBe(true);
});

it.each(['', '.git', '..', 'a/b', 'a b', '-x', 'constructor', 'toString', 'a'.repeat(MAX_NAME_CHARS + 1)])(
  '"%s" is no legal name',
  (name) => {
    expect(legalName.safeParse(name).success).toBe(false);
  },
);

it('an arm label has no dot, because its log file has dots of its own', () => {
  expect(legalLabel.safeParse('with.2').success).toBe(false);
  expect(legalLabel.safeParse('with-2').success).toBe(true);
  expect(legalLabel.safeParse('valueOf').success).toBe(false);
});

it('makes a legal name of any folder name', () => {
  expect(toLegalName('my project', 'repo')).toBe('my-project');
  expect(toLegalName('.config', 'repo')).toBe('config');
  expect(toLegalName('constructor', 'repo')).toBe('repo');
  expect(toLegalName('…', 'repo')).toBe('repo');
  expect(toLegalName('x'.repeat(255), 'repo')).toHaveLength(MAX_NAME_CHARS);
});
