import { describe, expect, test } from 'vitest';
import { armCost } from '../../src/statistics/cost.js';
import { levelOf, movingRangeLimits, poolSigma } from '../../src/statistics/index.js';
import { COST, DESIGN, observation, observations } from './rig.js';

describe('control limits from the nights themselves', () => {
  test('by hand: neighbours 2 apart on average, so sigma = 2 / 1.128 and the limits are ± 5.319', () => {
    // Moving ranges 2, 2, 2, 2, 2, 2, 2; mean of the values 1.
    const limits = movingRangeLimits([0, 2, 0, 2, 0, 2, 0, 2]);
    expect(limits?.center).toBe(1);
    expect(limits?.upper).toBeCloseTo(1 + 5.319_149, 5);
    expect(limits?.lower).toBeCloseTo(1 - 5.319_149, 5);
  });

  test('a drift does not widen them: 1 a night has a moving range of 1, whatever its standard deviation', () => {
    const limits = movingRangeLimits([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(limits && (limits.upper - limits.lower) / 2).toBeCloseTo(3 / 1.128, 9);
  });

  test('seven nights are too few, and nights that are all equal have no spread', () => {
    expect(movingRangeLimits([1, 2, 1, 2, 1, 2, 1])).toBeUndefined();
    expect(movingRangeLimits([1, 1, 1, 1, 1, 1, 1, 1])).toBeUndefined();
  });
});

describe('where an arm stands by itself', () => {
  test('a ratio: mean over tasks of the mean ln, by hand ln 2 and ln 8 give ln 4', () => {
    const data = observations([
      { baseline: [1, 1], tested: [2, 2] },
      { baseline: [1, 1], tested: [4, 16] },
    ]);
    expect(levelOf(data, COST, 'new')).toBeCloseTo(Math.log(4), 12);
    expect(levelOf(data, COST, 'baseline')).toBeCloseTo(0, 12);
  });

  test('a pooled share: sums over sums; what does not count or was cut off is left out', () => {
    const pooled = { ...COST, name: 'sufficiency', kind: 'pooled' as const };
    const run = (part: number, whole: number) => ({ pooled: { sufficiency: { part, whole } } });
    const data = [
      observation(run(1, 4)),
      observation({ ...run(5, 6), repetition: 2 }),
      observation({ ...run(9, 9), repetition: 3, validity: 'infra', counts: false }),
      observation({ ...run(9, 9), repetition: 4, censored: 'budget' }),
    ];
    expect(levelOf(data, pooled, 'new')).toBeCloseTo(6 / 10, 12);
    expect(levelOf([], pooled, 'new')).toBeNull();
    expect(levelOf([observation()], COST, 'new')).toBeNull();
  });
});

describe('sigma pooled over campaigns', () => {
  const campaign = (task: number, run: number, tasks: number, runs: number) => ({
    sigma: { task, baseline: run, tested: 2 * run, source: 'campaign' as const },
    tasks,
    runs: [runs, runs] as [number, number],
  });

  test('variances by their degrees of freedom: 4 tasks × 3 runs weigh 8, 2 tasks × 2 runs weigh 2', () => {
    const pooled = poolSigma([campaign(0.3, 0.2, 4, 3), campaign(0.1, 0.4, 2, 2)]);
    // Within: (8 · 0.04 + 2 · 0.16) / 10 = 0.064. Between: (3 · 0.09 + 1 · 0.01) / 4 = 0.07.
    expect(pooled?.baseline).toBeCloseTo(Math.sqrt(0.064), 12);
    expect(pooled?.tested).toBeCloseTo(2 * Math.sqrt(0.064), 12);
    expect(pooled?.task).toBeCloseTo(Math.sqrt(0.07), 12);
    expect(pooled?.source).toBe('earlier');
  });

  test('none without a campaign, nor with one run a task', () => {
    expect(poolSigma([])).toBeNull();
    expect(poolSigma([campaign(0.3, 0.2, 4, 1)])).toBeNull();
  });
});

test('costs of an arm: means over the runs of complete pairs, which are those that the verdict compares', () => {
  const run = (arm: string, repetition: number, values: Record<string, number | null>, counts = true) =>
    observation({ arm, repetition, values, counts, validity: counts ? 'valid' : 'infra' });
  const data = [
    run('new', 1, { costUsd: 1, cacheNeutralCostUsd: 2, cacheReadShare: 0.5 }),
    run('new', 2, { costUsd: 3, cacheNeutralCostUsd: null, cacheReadShare: 0.7 }),
    run('new', 3, { costUsd: 100, cacheNeutralCostUsd: 100, cacheReadShare: 1 }, false),
    // Its partner has no cost: neither of the two is in the verdict.
    run('new', 4, { costUsd: 200, cacheNeutralCostUsd: 200, cacheReadShare: 1 }),
    ...[1, 2, 3].map((repetition) => run('baseline', repetition, { costUsd: repetition })),
    run('baseline', 4, { costUsd: null }),
  ];
  expect(armCost(data, DESIGN, 'new')).toEqual({
    arm: 'new',
    runs: 2,
    costUsd: 2,
    cacheNeutralCostUsd: 2,
    cacheReadShare: 0.6,
  });
  expect(armCost(data, DESIGN, 'baseline')).toMatchObject({ runs: 2, costUsd: 1.5, cacheReadShare: null });
  expect(armCost([], DESIGN, 'new')).toMatchObject({ runs: 0, costUsd: null });
});
