import { describe, expect, it } from 'vitest';
import { cohenKappa, correctedShare } from '../../src/statistics/agreement.js';

/** κ of four shares, in the plain definition. */
function kappaOf([a = 0, b = 0, c = 0, d = 0]: number[]): number {
  const byChance = (a + b) * (a + c) + (c + d) * (b + d);
  return (a + d - byChance) / (1 - byChance);
}

/** The standard error by the delta method, with derivatives taken numerically: another way to the published formula. */
function standardErrorOf(counts: number[]): number {
  const cases = counts.reduce((sum, one) => sum + one, 0);
  const shares = counts.map((one) => one / cases);
  const step = 1e-6;
  const slopes = shares.map((_, at) => {
    const moved = (by: number) => kappaOf(shares.map((share, index) => (index === at ? share + by : share)));
    return (moved(step) - moved(-step)) / (2 * step);
  });
  const mean = slopes.reduce((sum, slope, index) => sum + slope * (shares[index] ?? 0), 0);
  const square = slopes.reduce((sum, slope, index) => sum + slope ** 2 * (shares[index] ?? 0), 0);
  return Math.sqrt((square - mean ** 2) / cases);
}

describe('cohenKappa', () => {
  it('is 0.4 for the textbook table of 20, 5, 10 and 15', () => {
    expect(cohenKappa({ both: 20, onlyFirst: 5, onlySecond: 10, neither: 15 })?.value).toBeCloseTo(0.4, 12);
  });

  it.each([
    [20, 5, 10, 15],
    [88, 10, 14, 88],
    [30, 2, 1, 7],
    [3, 9, 8, 2],
  ])('has the interval of the delta method for %i, %i, %i, %i', (both, onlyFirst, onlySecond, neither) => {
    const kappa = cohenKappa({ both, onlyFirst, onlySecond, neither });
    const half = 1.959964 * standardErrorOf([both, onlyFirst, onlySecond, neither]);
    expect(kappa?.interval[0]).toBeCloseTo(Math.max(-1, (kappa?.value ?? 0) - half), 5);
    expect(kappa?.interval[1]).toBeCloseTo(Math.min(1, (kappa?.value ?? 0) + half), 5);
  });

  it('is null without cases, and where both always say the same one word', () => {
    expect(cohenKappa({ both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 })).toBeNull();
    expect(cohenKappa({ both: 31, onlyFirst: 0, onlySecond: 0, neither: 0 })).toBeNull();
  });
});

describe('correctedShare', () => {
  it('undoes what a reader with these errors makes of a true share', () => {
    const [sensitivity, specificity] = [0.9, 0.8];
    for (const truth of [0, 0.25, 0.6, 1]) {
      const raw = truth * sensitivity + (1 - truth) * (1 - specificity);
      expect(correctedShare(raw, sensitivity, specificity)).toBeCloseTo(truth, 12);
    }
  });

  it('stays within 0 and 1, and is null for a reader no better than chance', () => {
    expect(correctedShare(0.05, 0.9, 0.8)).toBe(0);
    expect(correctedShare(0.99, 0.9, 0.8)).toBe(1);
    expect(correctedShare(0.5, 0.5, 0.5)).toBeNull();
  });
});
