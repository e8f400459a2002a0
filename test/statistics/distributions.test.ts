import { describe, expect, test } from 'vitest';
import {
  fairCoinAtMost,
  lnChoose,
  normalQuantile,
  normalTail,
  tQuantile,
  tTwoSided,
} from '../../src/statistics/distributions.js';

// Source of the figures: SciPy 1.17.1 (scipy.stats.t.ppf, t.sf, norm.sf, norm.ppf); the first three also stand in the table
// of t quantiles of the NIST/SEMATECH e-Handbook, 1.3.6.7.2 (12.706, 2.447, 1.697).
describe('distributions against SciPy', () => {
  test.each([
    [0.975, 1, 12.706204736174694],
    [0.975, 6, 2.4469118511449786],
    [0.95, 30, 1.697260886593957],
    [0.8, 6, 0.9057032851805317],
    [0.975, 2.37, 3.7189208397974567],
    [0.6, 4, 0.2707222947075976],
  ])('t quantile at %f with %f df', (share, df, expected) => {
    expect(tQuantile(share, df)).toBeCloseTo(expected, 9);
    expect(tQuantile(1 - share, df)).toBeCloseTo(-expected, 9);
  });

  test('two-sided p of t', () => {
    expect(tTwoSided(2.5, 6)).toBeCloseTo(0.0465282322841673, 12);
    expect(tTwoSided(-0.3, 3.7)).toBeCloseTo(0.7802674871314622, 12);
    expect(tTwoSided(0, 5)).toBe(1);
  });

  test('normal tail and quantile; infinite df is the normal', () => {
    expect(normalTail(2.178)).toBeCloseTo(0.014703018376301061, 14);
    expect(normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 12);
    expect(tQuantile(0.975, Number.POSITIVE_INFINITY)).toBeCloseTo(1.959963984540054, 12);
  });

  test('the quantile undoes the distribution', () => {
    for (const df of [1, 2.37, 6, 40.5, 1000]) {
      for (const share of [0.51, 0.6, 0.75, 0.76, 0.9, 0.99, 0.9999]) {
        expect(1 - tTwoSided(tQuantile(share, df), df) / 2).toBeCloseTo(share, 9);
      }
    }
  });

  test('coins and choices, by hand', () => {
    // (1 + 10 + 45) / 1024
    expect(fairCoinAtMost(2, 10)).toBeCloseTo(56 / 1024, 12);
    expect(fairCoinAtMost(-1, 10)).toBe(0);
    expect(fairCoinAtMost(10, 10)).toBe(1);
    expect(Math.exp(lnChoose(8, 4))).toBeCloseTo(70, 9);
  });
});
