import { describe, expect, it } from 'vitest';
import { chooseGoing } from '../../src/cli/commands/clean.js';
import { readSpan } from '../../src/cli/options.js';

const folder = (name: string, bytes: number, changedAt: number) => ({
  name,
  dir: name,
  bytes,
  changedAt,
  isCampaign: true,
});
const group = [folder('new', 40, 300), folder('old', 10, 100), folder('middle', 50, 200)];
const going = (before: number | undefined, maxBytes: number | undefined) =>
  chooseGoing(group, { before, maxBytes }).map(({ name }) => name);

describe('what clean removes', () => {
  it('by age: what was last written before', () => {
    expect(going(150, undefined)).toEqual(['old']);
    expect(going(100, undefined)).toEqual([]);
  });

  it('by size: the oldest until the rest fits', () => {
    expect(going(undefined, 100)).toEqual([]);
    expect(going(undefined, 95)).toEqual(['old']);
    expect(going(undefined, 45)).toEqual(['old', 'middle']);
    expect(going(undefined, 0)).toEqual(['old', 'middle', 'new']);
  });
});

it.each([
  ['90m', 5_400_000],
  ['8h', 28_800_000],
  ['2d', 172_800_000],
  ['1.5h', 5_400_000],
  ['soon', undefined],
  ['90', undefined],
])('a span of %s is %s ms', (text, ms) => {
  expect(readSpan(text)).toBe(ms);
});
