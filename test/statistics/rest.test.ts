import { describe, expect, test } from 'vitest';
import { JUDGED_METRICS } from '../../src/catalogue/index.js';
import { hostLog } from '../../src/host/logs.js';
import { cacheNeutralCost } from '../../src/metrics/index.js';
import type { ModelRequest } from '../../src/model/session.js';
import { diagnose } from '../../src/statistics/diagnostics.js';
import { tTwoSided } from '../../src/statistics/distributions.js';
import { controlChart, declareMetrics, noiseFloorOf } from '../../src/statistics/index.js';
import { differenceOf, pairUp } from '../../src/statistics/pairs.js';
import { randomFrom } from '../../src/statistics/random.js';
import { COST, DESIGN, observation, observations, pairedTask } from './rig.js';

const { prices: PRICES } = hostLog();

describe('pairs', () => {
  test('are of equal task and repetition; one that lost a side is named', () => {
    const data = observations([{ baseline: [1, 2, 3], tested: [2, 4] }]);
    const found = pairUp(data, COST, DESIGN);
    expect(found.tasks[0]?.pairs.map((pair) => [pair.repetition, pair.baseline.y, pair.tested.y])).toEqual([
      [1, 1, 2],
      [2, 2, 4],
    ]);
    expect(found.dropped).toEqual(['q1 #3 (new: no run)']);
    expect(found.tasks[0]?.pairs[0]?.tested.x).toBeCloseTo(Math.log(2), 12);
    expect(found.tasks[0]?.pairs.map((pair) => pair.order)).toEqual(['AB', 'BA']);
  });

  test('a residual of 0 is a value, on the scale ln(y + 1)', () => {
    const residual = declareMetrics().metrics.find((one) => one.name === 'retrievalResidualTokens');
    if (!residual) throw new Error('the residual is declared by default');
    const data = observations([{ baseline: [99, 999], tested: [0, 999] }], 'retrievalResidualTokens');
    const found = pairUp(data, residual, DESIGN);
    expect(found).toMatchObject({ dropped: [], of: 2, lost: { baseline: 0, tested: 0 } });
    // (ln 1 − ln 100 + 0) / 2 = −ln 10.
    expect(found.tasks[0] && differenceOf(found.tasks[0])).toBeCloseTo(-Math.log(10), 12);
  });

  test('a zero has a place among counts and none among costs', () => {
    const data = observations([{ baseline: [0, 1], tested: [1, 1] }]);
    expect(pairUp(data, COST, DESIGN).dropped).toEqual(['q1 #1 (q1/baseline-1: 0 has no logarithm)']);
    const count = pairUp(data, { ...COST, kind: 'count' }, DESIGN);
    expect(count.tasks[0]?.pairs[0]?.baseline.x).toBe(0);
    expect(count.tasks[0]?.pairs[0]?.tested.x).toBeCloseTo(Math.log(2), 12);
  });

  test('missing is not zero', () => {
    const data = [observation({ arm: 'baseline', values: { costUsd: null } }), observation({ values: { costUsd: 1 } })];
    expect(pairUp(data, COST, DESIGN)).toMatchObject({ tasks: [], dropped: ['q1 #1 (q1/baseline-1: no value)'] });
  });
});

describe('things to look at', () => {
  test('a run far from its task’s others is flagged, with "first" where it is; by hand: 0.6745 · 2 / 0.1', () => {
    // Deviations from the medians: 0.1, 0.1 in each cell of three (the median’s own 0 left out), and 2 in place of one 0.1.
    const cell = [0.9, 1, 1.1];
    const tasks = [pairedTask('a', [3, 1, 0.9], cell), pairedTask('b', cell, cell), pairedTask('c', cell, cell)];
    const { outliers } = diagnose(COST, tasks);
    expect(outliers).toHaveLength(1);
    expect(outliers[0]).toMatchObject({ run: 'a/baseline-1', first: true });
    expect(outliers[0]?.z).toBeCloseTo(13.49, 6);
  });

  test('the modified z of the textbook: 3.5 is not reached by 0.5, at a median deviation of 0.1', () => {
    const cell = [0.9, 1, 1.1];
    const tasks = [pairedTask('a', [1.5, 1, 0.9], cell), pairedTask('b', cell, cell), pairedTask('c', cell, cell)];
    expect(diagnose(COST, tasks).outliers).toEqual([]);
  });

  test('order: blocks with the baseline first against those with it second, in percent', () => {
    // AB (odd repetitions) ln 1.1 above BA.
    const up = Math.log(1.1);
    const tasks = ['a', 'b', 'c'].map((name, at) => pairedTask(name, [0, 0, 0, 0], [up + at / 100, at / 100, up, 0]));
    const { order } = diagnose(COST, tasks);
    expect(order).toMatchObject({ ab: 6, ba: 6 });
    expect(order?.effect).toBeCloseTo(10, 9);
    expect(order?.interval?.[0]).toBeGreaterThan(0);
  });

  test('first runs that are slow', () => {
    const slow = [Math.log(1.5), 0, 0];
    const tasks = ['a', 'b', 'c'].map((name, at) =>
      pairedTask(
        name,
        slow,
        slow.map((x) => x * (1 + at / 50)),
      ),
    );
    const { firstRuns } = diagnose(COST, tasks);
    expect(firstRuns?.effect).toBeGreaterThan(49);
    expect(firstRuns?.interval?.[0]).toBeGreaterThan(0);
  });
});

describe('A/A', () => {
  test('noise alone: effect and half width, and about 5 % false alarms over re-labellings', () => {
    const random = randomFrom(11, 'aa');
    const runs = (level: number) => Array.from({ length: 4 }, () => level * Math.exp(0.3 * random.normal()));
    const data = observations(
      Array.from({ length: 7 }, (_, task) => ({ baseline: runs(task + 1), tested: runs(task + 1) })),
    );
    for (const question of ['tasks', 'corpus'] as const) {
      const [floor] = noiseFloorOf(data, { ...DESIGN, question }, 'aa-1').metrics;
      expect(floor?.metric).toBe('costUsd');
      expect(floor?.halfWidth).toBeGreaterThan(0);
      expect(floor?.falseAlarms).toMatchObject({ of: 1000, all: false });
      // 5 % ± four standard errors of 1,000.
      expect(floor?.falseAlarms?.count).toBeGreaterThan(15);
      expect(floor?.falseAlarms?.count).toBeLessThan(78);
    }
  });

  test('few runs: all ways are gone through, by brute force over the 70 of one task × 4', () => {
    const values = [1, 1.3, 1.1, 1.7, 1.2, 0.9, 1.6, 1.4];
    const data = observations([{ baseline: values.slice(0, 4), tested: values.slice(4) }]);
    const [floor] = noiseFloorOf(data, { ...DESIGN, question: 'corpus' }, 'aa-1').metrics;
    const logs = values.map(Math.log);
    const mean = (all: number[]) => all.reduce((sum, one) => sum + one, 0) / all.length;
    const spread = (all: number[]) => all.reduce((sum, one) => sum + (one - mean(all)) ** 2, 0) / (all.length - 1);
    const ways = Array.from({ length: 256 }, (_, mask) => mask)
      .map((mask) => [0, 1].map((side) => logs.filter((_, bit) => ((mask >> bit) & 1) === side)))
      .filter(([a = []]) => a.length === 4)
      .map(([a = [], b = []]) => {
        const [va, vb] = [spread(a) / 4, spread(b) / 4];
        const df = (va + vb) ** 2 / ((va ** 2 + vb ** 2) / 3);
        return { effect: Math.abs(mean(b) - mean(a)), p: tTwoSided((mean(b) - mean(a)) / Math.sqrt(va + vb), df) };
      });
    const count = ways.filter(({ effect, p }) => {
      const rank = ways.filter((other) => other.effect >= effect - 1e-9).length;
      return p < 0.05 && rank / 70 <= 0.05;
    }).length;
    expect(floor?.falseAlarms).toEqual({ count, of: 70, all: true });
    // The most extreme way and its mirror image are all that an exact test at 5 % can have of 70.
    expect(count).toBeLessThanOrEqual(2);
  });

  test('control chart by hand: A/A of −1, 0, 1 has a deviation of 1, so the limits are ±3', () => {
    const chart = controlChart(
      [-1, 0, 1],
      [
        { id: 'mon', value: 2.9 },
        { id: 'tue', value: -3.1 },
      ],
    );
    expect(chart).toMatchObject({ center: 0, lower: -3, upper: 3 });
    expect(chart?.points.map((point) => point.alarm)).toEqual([false, true]);
    expect(controlChart([1], [])).toBeUndefined();
  });
});

describe('cache-neutral cost', () => {
  const request = (over: Partial<ModelRequest>): ModelRequest => ({
    id: 'm',
    model: 'x',
    inputTokens: 0,
    cacheReadTokens: 0,
    cacheCreationTokens: 0,
    outputTokens: 0,
    iterations: undefined,
    outputChars: 0,
    segment: 0,
    ...over,
  });

  test('by hand at 3 $ a million: 1,000 new, 40,000 written, 100,000 read, 2,000 out', () => {
    // 0.003 + 40,000 · 3.75 µ + 100,000 · 0.3 µ + 2,000 · 15 µ = 0.003 + 0.15 + 0.03 + 0.03 = 0.213; neutral 0.423 + 0.03.
    const requests = [
      request({ inputTokens: 1000, cacheCreationTokens: 40_000 }),
      request({ cacheReadTokens: 100_000 }),
    ];
    const found = cacheNeutralCost(requests, { costUsd: 0.213, outputTokens: 2000 }, PRICES);
    expect(found.costUsd).toBeCloseTo(0.453, 9);
    expect(found.cacheReadShare).toBeCloseTo(100 / 141, 12);
  });

  test('missing stays missing', () => {
    expect(cacheNeutralCost([], { costUsd: 1, outputTokens: 1 }, PRICES)).toEqual({
      costUsd: null,
      cacheReadShare: null,
    });
    expect(
      cacheNeutralCost([request({ inputTokens: 10 })], { costUsd: null, outputTokens: 1 }, PRICES).costUsd,
    ).toBeNull();
  });
});

describe('declared metrics', () => {
  test('defaults: cost decides, margins of 5', () => {
    const { metrics, unknown } = declareMetrics();
    expect(unknown).toEqual([]);
    expect(metrics[0]).toMatchObject({ name: 'costUsd', role: 'primary', margin: 5, better: 'lower', kind: 'ratio' });
    expect(metrics.filter((one) => one.role === 'primary')).toHaveLength(1);
    expect(metrics.find((one) => one.name === 'sufficiency')).toMatchObject({
      kind: 'pooled',
      better: 'higher',
      margin: 5,
    });
  });

  test('a name keeps its weightiest role; a misspelt one is reported', () => {
    const { metrics, unknown } = declareMetrics({
      primary: 'durationMs',
      secondary: ['durationMs', 'costs'],
      exploratory: [],
      margins: { durationMs: 10, nothing: 1 },
    });
    expect(metrics).toHaveLength(1);
    expect(metrics[0]).toMatchObject({ name: 'durationMs', role: 'primary', margin: 10 });
    expect(unknown).toEqual(['nothing', 'costs']);
    // Every name that a config may use is known here, with a label of its own.
    const all = declareMetrics({ exploratory: JUDGED_METRICS.map(({ name }) => name) });
    expect(all.unknown).toEqual([]);
    expect(new Set(all.metrics.map(({ label }) => label)).size).toBe(JUDGED_METRICS.length);
  });
});

test('random streams: the same by seed and name, another by either, uniform and normal enough', () => {
  const take = (seed: number, name: string) => {
    const random = randomFrom(seed, name);
    return Array.from({ length: 5 }, () => random.unit());
  };
  expect(take(1, 'a')).toEqual(take(1, 'a'));
  expect(take(1, 'a')).not.toEqual(take(1, 'b'));
  expect(take(1, 'a')).not.toEqual(take(2, 'a'));
  const random = randomFrom(3, 'many');
  const normals = Array.from({ length: 20_000 }, () => random.normal());
  const mean = normals.reduce((sum, one) => sum + one, 0) / normals.length;
  const square = normals.reduce((sum, one) => sum + one * one, 0) / normals.length;
  expect(Math.abs(mean)).toBeLessThan(4 / Math.sqrt(20_000));
  expect(Math.abs(square - 1)).toBeLessThan(4 * Math.sqrt(2 / 20_000));
  const counts = [0, 0, 0];
  for (let index = 0; index < 3000; index++) {
    const at = random.below(3);
    counts[at] = (counts[at] ?? 0) + 1;
  }
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(110);
});
