import { describe, expect, test } from 'vitest';
import {
  contradicts,
  exchangeTest,
  fisher,
  holm,
  mannWhitney,
  mcnemar,
  medianInterval,
  type Summands,
  signFlipTest,
  smallestPermutation,
  smallestSignFlip,
  wilson,
} from '../../src/statistics/exact.js';
import { randomFrom } from '../../src/statistics/random.js';

describe('sign-flip test', () => {
  test('SciPy 1.17.1: permutation_test(permutation_type="samples", n_resamples=inf)', () => {
    const found = signFlipTest([0.3, -0.1, 0.25, 0.4, 0.12, 0.05, 0.2], 1);
    expect(found).toMatchObject({ exact: true, clusters: 7 });
    expect(found.p).toBeCloseTo(0.046875, 12);
  });

  test('all on one side gives the smallest p there is: 2/2^Q', () => {
    for (const clusters of [1, 3, 5, 6, 7, 10]) {
      const differences = Array.from({ length: clusters }, (_, index) => 1 + index / 10);
      expect(signFlipTest(differences, 1).p).toBe(Math.min(1, 2 / 2 ** clusters));
    }
    expect(smallestSignFlip(5)).toBeGreaterThan(0.05);
    expect(smallestSignFlip(6)).toBeLessThan(0.05);
  });

  test('is the same for both directions, any order and any size of unit', () => {
    const differences = [0.31, -0.12, 0.27, 0.05, -0.4, 0.22];
    const { p } = signFlipTest(differences, 1);
    expect(
      signFlipTest(
        differences.map((one) => -one),
        1,
      ).p,
    ).toBe(p);
    expect(signFlipTest(differences.toReversed(), 1).p).toBe(p);
    expect(
      signFlipTest(
        differences.map((one) => one * 1e6),
        1,
      ).p,
    ).toBe(p);
  });

  test('sampled above 16, by seed, close to exact', () => {
    const differences = Array.from({ length: 17 }, (_, index) => (index % 3 === 0 ? -1 : 1) * (1 + index / 17));
    const found = signFlipTest(differences, 3);
    expect(found.exact).toBe(false);
    expect(signFlipTest(differences, 3)).toEqual(found);
    // Exact, by going through all 2^17 patterns.
    let hits = 0;
    const seen = Math.abs(differences.reduce((total, one) => total + one, 0));
    for (let pattern = 0; pattern < 2 ** 17; pattern++) {
      const total = differences.reduce((sum, one, bit) => sum + (((pattern >> bit) & 1) === 1 ? -one : one), 0);
      if (Math.abs(total) >= seen - 1e-9) hits++;
    }
    expect(Math.abs(found.p - hits / 2 ** 17)).toBeLessThan(0.015);
  });
});

describe('exchange of runs within tasks', () => {
  const values = (numbers: number[]): Summands[] => numbers.map((value) => [value, 0]);
  const difference = (all: number[]) => {
    const total = all.reduce((sum, one) => sum + one, 0);
    return ([tested]: Summands) => 2 * tested - total;
  };

  test('one task, by brute force over the 70 ways to choose 4 of 8 runs', () => {
    const all = [5.1, 6.2, 7.3, 8.4, 4.9, 5.0, 5.6, 6.0];
    const seen = Math.abs(5.1 + 6.2 + 7.3 + 8.4 - (4.9 + 5.0 + 5.6 + 6.0));
    let [hits, ways] = [0, 0];
    for (let mask = 0; mask < 256; mask++) {
      const chosen = all.filter((_, bit) => ((mask >> bit) & 1) === 1);
      if (chosen.length !== 4) continue;
      ways++;
      const rest = all.filter((_, bit) => ((mask >> bit) & 1) === 0);
      const apart = chosen.reduce((sum, one) => sum + one, 0) - rest.reduce((sum, one) => sum + one, 0);
      if (Math.abs(apart) >= seen - 1e-9) hits++;
    }
    const found = exchangeTest([values(all)], difference(all), { seed: 1, name: 'x' });
    expect(found).toMatchObject({ exact: true, ways: 70 });
    expect(ways).toBe(70);
    expect(found.p).toBeCloseTo(hits / 70, 12);
    expect(found.smallest).toBeCloseTo(2 / 70, 12);
  });

  test('complete separation in every task gives the smallest p there is: 2 over the product of the ways', () => {
    const tasks = [values([1, 2, 10, 11]), values([3, 4, 20, 21])];
    const found = exchangeTest(tasks, difference([1, 2, 10, 11, 3, 4, 20, 21]), { seed: 1, name: 'x' });
    expect(found).toMatchObject({ exact: true, ways: 36 });
    expect(found.p).toBeCloseTo(2 / 36, 12);
  });

  test('above 20,000 ways it is sampled by seed: 6 tasks × 3 runs, close to the p of 100,000 other samples', () => {
    const random = randomFrom(3, 'runs');
    const tasks = Array.from({ length: 6 }, () =>
      Array.from({ length: 6 }, (_, at) => random.normal() + (at < 3 ? 0.5 : 0)),
    );
    const all = tasks.flat();
    const statistic = difference(all);
    const found = exchangeTest(tasks.map(values), statistic, { seed: 3, name: 'x' });
    expect(found).toMatchObject({ exact: false, ways: 20 ** 6 });
    expect(exchangeTest(tasks.map(values), statistic, { seed: 3, name: 'x' })).toEqual(found);
    const seen = Math.abs(statistic([tasks.flatMap((own) => own.slice(0, 3)).reduce((sum, one) => sum + one, 0), 0]));
    let hits = 0;
    for (let sample = 0; sample < 100_000; sample++) {
      let tested = 0;
      for (const own of tasks) {
        const order = own.map((value) => ({ value, at: random.unit() })).sort((a, b) => a.at - b.at);
        for (const { value } of order.slice(0, 3)) tested += value;
      }
      if (Math.abs(statistic([tested, 0])) >= seen) hits++;
    }
    const share = hits / 100_000;
    // Four standard errors of 10,000 samples and of 100,000.
    expect(Math.abs(found.p - share)).toBeLessThan(4 * Math.sqrt(share * (1 - share) * (1 / 10_000 + 1 / 100_000)));
  });

  test('a sample of 10,000 does not contradict a level that is below its own size', () => {
    expect(contradicts({ p: 0.06, exact: true }, 0.05)).toBe(true);
    expect(contradicts({ p: 1 / 10_001, exact: false }, 5e-6)).toBe(false);
    expect(contradicts({ p: 2 / 10_001, exact: false }, 5e-6)).toBe(true);
  });
});

describe('Mann–Whitney', () => {
  test('the diabetes example of the SciPy documentation (scipy.stats.mannwhitneyu): p = 0.1111', () => {
    expect(mannWhitney([19, 22, 16, 29, 24], [20, 11, 17, 12])?.p).toBeCloseTo(0.1111111111, 9);
  });

  test('ties take midranks (SciPy 1.17.1, permutation_test of the rank sum over all 70 ways)', () => {
    expect(mannWhitney([1, 2, 2, 5], [2, 3, 6, 7])?.p).toBeCloseTo(0.2, 12);
  });

  test.each([
    [3, 0.1],
    [4, 0.029],
    [5, 0.008],
  ])('smallest p with %i runs an arm: %f', (runs, smallest) => {
    const low = Array.from({ length: runs }, (_, index) => index);
    const high = low.map((value) => value + 100);
    expect(mannWhitney(low, high)?.p).toBeCloseTo(smallest, 3);
    expect(mannWhitney(low, high)?.smallest).toBeCloseTo(smallest, 3);
  });

  test('several tasks multiply the ways: two tasks of two runs each have 2/36', () => {
    const both: [number, number][] = [
      [2, 2],
      [2, 2],
    ];
    expect(smallestPermutation(both)).toBeCloseTo(2 / 36, 9);
  });
});

describe('medians, proportions, pairs of outcomes', () => {
  test('the median’s interval takes six values; SciPy 1.17.1 quantile_test gives ranks 2 and 9 of 10, 3 and 10 of 12', () => {
    const upTo = (n: number) => Array.from({ length: n }, (_, index) => index + 1);
    expect(medianInterval(upTo(5))).toBeNull();
    expect(medianInterval(upTo(6))).toEqual([1, 6]);
    expect(medianInterval(upTo(10))).toEqual([2, 9]);
    expect(medianInterval(upTo(12))).toEqual([3, 10]);
  });

  test('Wilson: SciPy 1.17.1, binomtest(7, 50) and (0, 10).proportion_ci(method="wilson")', () => {
    expect(wilson(7, 50).interval?.[0]).toBeCloseTo(0.06950833427016292, 9);
    expect(wilson(7, 50).interval?.[1]).toBeCloseTo(0.26186193710585537, 9);
    expect(wilson(0, 10).interval?.[0]).toBe(0);
    expect(wilson(0, 10).interval?.[1]).toBeCloseTo(0.27753279986288926, 9);
    expect(wilson(0, 0).interval).toBeNull();
  });

  test('McNemar exact is the binomial of the discordant pairs (SciPy 1.17.1: binomtest(2, 12))', () => {
    expect(mcnemar(2, 10)).toBeCloseTo(0.03857421875, 12);
    expect(mcnemar(0, 0)).toBe(1);
    expect(mcnemar(3, 3)).toBe(1);
  });

  test('Fisher: the whales of the SciPy documentation (0.0350), and [[6, 2], [1, 4]] (0.1026)', () => {
    expect(fisher(8, 2, 1, 5)).toBeCloseTo(0.034965034965, 9);
    expect(fisher(6, 2, 1, 4)).toBeCloseTo(0.10256410256, 9);
    expect(fisher(5, 0, 7, 0)).toBeCloseTo(1, 9);
  });

  test('Holm by hand: 0.005·4, 0.01·3, then 0.03·2, and 0.04·1 lifted to the step before', () => {
    const adjusted = holm([0.01, 0.04, 0.03, 0.005]);
    [0.03, 0.06, 0.06, 0.02].forEach((expected, index) => {
      expect(adjusted[index]).toBeCloseTo(expected, 12);
    });
    expect(holm([0.6, 0.7])).toEqual([1, 1]);
    expect(holm([])).toEqual([]);
  });
});
