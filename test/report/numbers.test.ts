import { expect, test } from 'vitest';
import { durationWithTenths } from '../../src/report/numbers.js';

test.each([
  [340, '340ms'],
  [1000, '1.0s'],
  [9420, '9.4s'],
  [59_940, '59.9s'],
  [59_960, '1m 0s'],
  [84_000, '1m 24s'],
])('durationWithTenths prints %i ms as %s', (ms, text) => {
  expect(durationWithTenths(ms)).toBe(text);
});
