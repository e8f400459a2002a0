import { describe, expect, test } from 'vitest';
import { bootstrapT, lnRatioOfSums, shareDifference } from '../../src/statistics/bootstrap.js';
import {
  clusterCorrection,
  corpusEstimate,
  corpusPooledEstimate,
  type Estimated,
  type ScaleEstimate,
  tasksEstimate,
  tInterval,
  tTest,
} from '../../src/statistics/estimate.js';
import type { ClusterSums, PairedTask } from '../../src/statistics/pairs.js';
import { randomFrom } from '../../src/statistics/random.js';
import { pairedTask } from './rig.js';

function estimated(found: Estimated): ScaleEstimate {
  if ('why' in found) throw new Error(found.why);
  return found;
}

/** SciPy 1.17.1: scipy.stats.ttest_ind([4.1, 4.4, 5.0, 4.3], [5.1, 4.9, 6.2, 5.8], equal_var=False). */
const WELCH = { p: 0.03216366420022463, df: 5.102654867256637, low: -1.9682986481782978, high: -0.13170135182170184 };

describe('on this corpus', () => {
  test('one task is Welch’s t test', () => {
    const found = estimated(corpusEstimate([pairedTask('q', [5.1, 4.9, 6.2, 5.8], [4.1, 4.4, 5.0, 4.3])]));
    expect(found.effect).toBeCloseTo(-1.05, 12);
    expect(tTest(found)).toBeCloseTo(WELCH.p, 9);
    expect(found.df).toBeCloseTo(WELCH.df, 9);
    const [low, high] = tInterval(found, 0.025);
    expect(low).toBeCloseTo(WELCH.low, 9);
    expect(high).toBeCloseTo(WELCH.high, 9);
  });

  test('two tasks, by hand: SE = √(0.01 + 0.04 + 0.01 + 0.04)/2, df by Welch and Satterthwaite', () => {
    // {0, 0.2}: s² = 0.02, over 2 runs 0.01; {0, 0.4}: 0.08, 0.04.
    const tasks = [pairedTask('a', [0, 0.2], [0, 0.4]), pairedTask('b', [0, 0.2], [0.8, 1.2])];
    const found = estimated(corpusEstimate(tasks));
    expect(found.effect).toBeCloseTo(0.5, 12);
    expect(found.standardError).toBeCloseTo(Math.sqrt(0.1) / 2, 12);
    expect(found.df).toBeCloseTo(0.1 ** 2 / (2 * (0.01 ** 2 + 0.04 ** 2)), 9);
  });

  test('no error without a second run, nor without noise', () => {
    const single = corpusEstimate([pairedTask('a', [1], [2]), pairedTask('b', [1, 2], [2, 3])]);
    expect(single).toMatchObject({ effect: 1, why: expect.stringContaining('a') });
    expect(corpusEstimate([pairedTask('a', [1, 1], [2, 2])])).toHaveProperty('why');
  });
});

describe('for tasks like these', () => {
  const differences = [0.3, -0.1, 0.25, 0.4, 0.12, 0.05, 0.2];
  const tasks = differences.map((d, index) => pairedTask(`q${index}`, [1, 1.5], [1 + d, 1.5 + d]));

  test('is the one-sample t test of the tasks’ differences (SciPy 1.17.1, ttest_1samp)', () => {
    const found = estimated(tasksEstimate(tasks));
    expect(found.effect).toBeCloseTo(0.1742857142857143, 12);
    expect(found.df).toBe(6);
    expect(tTest(found)).toBeCloseTo(0.0326016505798459, 10);
    expect(tInterval(found, 0.025)[0]).toBeCloseTo(0.020096319541888785, 10);
    expect(tInterval(found, 0.025)[1]).toBeCloseTo(0.3284751090295398, 10);
    expect(tInterval(found, 0.05)[0]).toBeCloseTo(0.051838397194748184, 10);
  });

  test('more runs of equal mean change nothing: runs are not units', () => {
    const more = differences.map((d, index) => pairedTask(`q${index}`, [1, 1.5, 1.25], [1 + d, 1.5 + d, 1.25 + d]));
    expect(estimated(tasksEstimate(more)).standardError).toBeCloseTo(estimated(tasksEstimate(tasks)).standardError, 12);
  });

  test('tasks of one repo are one cluster, by hand', () => {
    const paired = [
      pairedTask('a', [0], [0.1], 'r1'),
      pairedTask('b', [0], [0.3], 'r1'),
      pairedTask('c', [0], [0.8], 'r2'),
    ];
    // d̄ = 0.4; residual sums by repo −0.4 and 0.4; CR2: 0.16/(1 − 2/3) + 0.16/(1 − 1/3) = 0.72; SE = √0.72/3.
    const found = estimated(tasksEstimate(paired));
    expect(found.effect).toBeCloseTo(0.4, 12);
    expect(found.standardError).toBeCloseTo(Math.sqrt(0.72) / 3, 12);
    expect(found.df).toBeCloseTo(1, 12);
  });

  test('repos of equal size have G − 1 df; of unequal ones Satterthwaite’s, by the eigenvalues of the quadratic form', () => {
    expect(clusterCorrection([2, 2, 2, 2, 2, 2]).df).toBeCloseTo(5, 12);
    expect(clusterCorrection([1, 1, 1, 1]).df).toBeCloseTo(3, 12);
    for (const sizes of [
      [12, 2, 2, 2, 1, 1],
      [4, 1, 1, 1, 1, 1],
    ]) {
      // V = Σ_g a_g (1_g' M e)², M = I − 11'/N. The matrix B has entries √(a_g a_k) 1_g' M 1_k, and df = tr(B)²/tr(B²).
      const all = sizes.reduce((sum, size) => sum + size, 0);
      const of = (repo: number) =>
        sizes.flatMap((size, index) => Array.from({ length: size }, () => Number(index === repo)));
      const centered = (vector: number[]) => vector.map((one) => one - vector.reduce((sum, x) => sum + x, 0) / all);
      const product = (a: number[], b: number[]) => a.reduce((sum, one, index) => sum + one * (b[index] ?? 0), 0);
      const weight = (repo: number) => 1 / (1 - (sizes[repo] ?? 0) / all);
      const matrix = sizes.map((_g, g) =>
        sizes.map((_k, k) => Math.sqrt(weight(g) * weight(k)) * product(of(g), centered(of(k)))),
      );
      const trace = matrix.reduce((sum, row, index) => sum + (row[index] ?? 0), 0);
      const square = matrix.flat().reduce((sum, one) => sum + one * one, 0);
      expect(clusterCorrection(sizes).df).toBeCloseTo(trace ** 2 / square, 9);
    }
  });

  test('12, 2, 2, 2, 1, 1 tasks a repo, a true effect of the repo: about 5 % false alarms (3,000 campaigns, seed 4)', () => {
    const random = randomFrom(4, 'repos');
    let alarms = 0;
    for (let campaign = 0; campaign < 3_000; campaign++) {
      const paired = [12, 2, 2, 2, 1, 1].flatMap((size, repo) => {
        const own = 0.25 * random.normal();
        return Array.from({ length: size }, (_, at) =>
          pairedTask(`q${repo}-${at}`, [0], [own + 0.21 * random.normal()], `r${repo}`),
        );
      });
      const [low, high] = tInterval(estimated(tasksEstimate(paired)), 0.025);
      if (low > 0 || high < 0) alarms++;
    }
    // 5 % and three standard errors. With G − 1 df and the error of equal repos it is 18 %.
    expect(alarms / 3_000).toBeLessThan(0.05 + 3 * Math.sqrt((0.05 * 0.95) / 3_000));
    expect(alarms / 3_000).toBeGreaterThan(0.025);
  });

  test('swapping the arms turns the effect around and nothing else', () => {
    const swapped = tasks.map((task) => ({
      ...task,
      pairs: task.pairs.map((pair) => ({ ...pair, baseline: pair.tested, tested: pair.baseline })),
    }));
    const [there, back] = [estimated(tasksEstimate(tasks)), estimated(tasksEstimate(swapped))];
    expect(back.effect).toBeCloseTo(-there.effect, 12);
    expect(back.standardError).toBeCloseTo(there.standardError, 12);
  });

  test('one task says nothing of others', () => {
    expect(tasksEstimate([pairedTask('a', [1, 2], [2, 4])])).toHaveProperty('why');
  });
});

describe('bootstrap-t', () => {
  const clusters: ClusterSums[] = [
    [3, 5, 4, 5],
    [2, 6, 4, 7],
    [5, 8, 7, 9],
    [1, 4, 2, 4],
    [6, 9, 6, 7],
    [3, 7, 5, 8],
    [4, 6, 5, 6],
  ].map(([a = 0, wa = 0, b = 0, wb = 0]) => ({ baseline: { part: a, whole: wa }, tested: { part: b, whole: wb } }));

  test('the estimate is the difference of the pooled shares: 33/46 − 24/45', () => {
    const found = bootstrapT(clusters, shareDifference, { seed: 1, name: 'x' });
    expect(found?.value).toBeCloseTo(33 / 46 - 24 / 45, 12);
    const [low, high] = found?.interval(0.025) ?? [0, 0];
    expect(low).toBeLessThan(33 / 46 - 24 / 45);
    expect(high).toBeGreaterThan(33 / 46 - 24 / 45);
  });

  test('p and interval agree, and the seed decides everything', () => {
    const found = bootstrapT(clusters, shareDifference, { seed: 1, name: 'x' });
    const again = bootstrapT(clusters, shareDifference, { seed: 1, name: 'x' });
    expect(again?.interval(0.025)).toEqual(found?.interval(0.025));
    expect(bootstrapT(clusters, shareDifference, { seed: 2, name: 'x' })?.interval(0.025)).not.toEqual(
      found?.interval(0.025),
    );
    // Of a weaker effect, whose p is not at the end of what 10,000 resamples can tell.
    const weaker = clusters.map((one, index) => ({
      ...one,
      tested: { ...one.tested, part: one.tested.part - (index % 2) },
    }));
    const weak = bootstrapT(weaker, shareDifference, { seed: 1, name: 'x' });
    expect(weak?.p).toBeGreaterThan(0.01);
    // The interval that leaves a little more than p/2 excludes "no effect", the one that leaves a little less does not.
    const tail = (weak?.p ?? 0) / 2;
    expect(weak?.interval(tail * 1.01)[0]).toBeGreaterThan(0);
    expect(weak?.interval(tail * 0.97)[0]).toBeLessThan(0);
  });

  test('the percentile interval comes from 30 clusters on', () => {
    const thirty = Array.from({ length: 30 }, (_, index) => clusters[index % 7]).filter((one) => one !== undefined);
    expect(bootstrapT(clusters, shareDifference, { seed: 1, name: 'x' })?.percentile(0.025)).toBeNull();
    expect(bootstrapT(thirty.slice(1), shareDifference, { seed: 1, name: 'x' })?.percentile(0.025)).toBeNull();
    expect(bootstrapT(thirty, shareDifference, { seed: 1, name: 'x' })?.percentile(0.025)).toHaveLength(2);
  });

  test('of a mean, with many clusters, it comes close to the t interval', () => {
    const random = randomFrom(5, 'normal');
    const shares = Array.from({ length: 60 }, () => 0.1 + 0.05 * random.normal());
    const of = shares.map((share) => ({ baseline: { part: 0, whole: 1 }, tested: { part: share, whole: 1 } }));
    const tasks: PairedTask[] = shares.map((share, index) => pairedTask(`q${index}`, [0], [share]));
    const [low, high] = tInterval(estimated(tasksEstimate(tasks)), 0.025);
    const [bootLow, bootHigh] = bootstrapT(of, shareDifference, { seed: 1, name: 'x' })?.interval(0.025) ?? [0, 0];
    expect(Math.abs(bootLow - low)).toBeLessThan(0.15 * (high - low));
    expect(Math.abs(bootHigh - high)).toBeLessThan(0.15 * (high - low));
  });

  test('ratio of sums: (2 + 30)/(4 + 20)', () => {
    const totals = [
      { baseline: { part: 4, whole: 1 }, tested: { part: 2, whole: 1 } },
      { baseline: { part: 20, whole: 1 }, tested: { part: 30, whole: 1 } },
    ];
    expect(lnRatioOfSums(totals)?.value).toBeCloseTo(Math.log(32 / 24), 12);
  });

  test('nothing to resample: one cluster, or all alike', () => {
    expect(bootstrapT(clusters.slice(0, 1), shareDifference, { seed: 1, name: 'x' })).toBeUndefined();
    const alike = clusters.map(() => ({ baseline: { part: 1, whole: 2 }, tested: { part: 1, whole: 2 } }));
    expect(bootstrapT(alike, shareDifference, { seed: 1, name: 'x' })).toBeUndefined();
  });

  test('on this corpus a pooled share with one call a run is Welch’s test of shares', () => {
    const task = pairedTask('q', [5.1, 4.9, 6.2, 5.8], [4.1, 4.4, 5.0, 4.3]);
    const [pooled, plain] = [estimated(corpusPooledEstimate([task], 'pooled')), estimated(corpusEstimate([task]))];
    expect(pooled.effect).toBeCloseTo(plain.effect, 12);
    expect(pooled.standardError).toBeCloseTo(plain.standardError, 12);
    expect(pooled.df).toBeCloseTo(plain.df, 12);
  });
});
