import { describe, expect, test } from 'vitest';
import { isLastLook, tailAt } from '../../src/statistics/looks.js';
import {
  DEFAULT_SIGMA,
  detectableEffect,
  plannedError,
  proposeDesigns,
  runsFor,
  sigmaOf,
  tasksFor,
} from '../../src/statistics/planning.js';
import { decreaseInUnit, decreaseOnScale } from '../../src/statistics/scale.js';
import { pairedTask } from './rig.js';

describe('what a design can see', () => {
  // The illustration of spec/statistics.md 5.
  test.each([
    [7, 34],
    [10, 28],
    [20, 19],
    [40, 14],
  ])('%i tasks × 4 runs with 0.25 and 0.30: %i %', (tasks, percent) => {
    const effect = detectableEffect(DEFAULT_SIGMA, { tasks, runs: 4 }, 'tasks');
    expect(Math.round(decreaseInUnit('ratio', effect))).toBe(percent);
  });

  test('7 × 4 by hand: SE² = (0.0625 + 0.0225 + 0.0225)/7, times 2.44691 + 0.90570', () => {
    expect(plannedError(DEFAULT_SIGMA, { tasks: 7, runs: 4 }, 'tasks')).toBeCloseTo(Math.sqrt(0.1075 / 7), 12);
    expect(detectableEffect(DEFAULT_SIGMA, { tasks: 7, runs: 4 }, 'tasks')).toBeCloseTo(
      3.352615 * Math.sqrt(0.1075 / 7),
      5,
    );
  });

  test('on this corpus the tasks’ own differences do not count, and a single run has no noise', () => {
    expect(plannedError(DEFAULT_SIGMA, { tasks: 7, runs: 4 }, 'corpus')).toBeCloseTo(Math.sqrt(0.045 / 7), 12);
    expect(detectableEffect(DEFAULT_SIGMA, { tasks: 7, runs: 1 }, 'corpus')).toBe(Number.POSITIVE_INFINITY);
    expect(detectableEffect(DEFAULT_SIGMA, { tasks: 1, runs: 9 }, 'tasks')).toBe(Number.POSITIVE_INFINITY);
  });

  test('the percent and the scale undo each other', () => {
    expect(decreaseInUnit('ratio', decreaseOnScale('ratio', 20))).toBeCloseTo(20, 12);
    expect(decreaseOnScale('ratio', 20)).toBeCloseTo(-Math.log(0.8), 12);
    expect(decreaseOnScale('pooled', 5)).toBe(0.05);
  });
});

describe('--detect', () => {
  test('each proposal does, and one task fewer would not; more runs come only where they save tasks', () => {
    const effect = decreaseOnScale('ratio', 10);
    const proposals = proposeDesigns(effect, DEFAULT_SIGMA, { question: 'tasks', sessionUsd: 0.5 });
    expect(proposals.length).toBeGreaterThan(2);
    for (const { tasks, runs, sessions, costUsd, detectable } of proposals) {
      expect(detectable).toBeLessThanOrEqual(effect);
      expect(detectableEffect(DEFAULT_SIGMA, { tasks: tasks - 1, runs }, 'tasks')).toBeGreaterThan(effect);
      expect(sessions).toBe(2 * tasks * runs);
      expect(costUsd).toBe(sessions / 2);
    }
    const tasks = proposals.map((one) => one.tasks);
    expect(tasks).toEqual(tasks.toSorted((a, b) => b - a));
    expect(proposals.filter((one) => one.cheapest)).toHaveLength(1);
    expect(proposals.find((one) => one.cheapest)?.sessions).toBe(Math.min(...proposals.map((one) => one.sessions)));
  });

  test('never below 6 tasks for tasks like these; no number of runs mends differing tasks', () => {
    expect(tasksFor(5, DEFAULT_SIGMA, 4, 'tasks')).toBe(6);
    expect(tasksFor(5, DEFAULT_SIGMA, 4, 'corpus')).toBe(1);
    // With endless runs of 7 tasks: 3.3526 · 0.25/√7 = 0.317 is the least that can be seen.
    expect(runsFor(0.3, DEFAULT_SIGMA, 7, 'tasks')).toBeNull();
    expect(runsFor(0.33, DEFAULT_SIGMA, 7, 'tasks')).not.toBeNull();
    expect(runsFor(1, DEFAULT_SIGMA, 5, 'tasks')).toBeNull();
  });
});

test('σ of a campaign, by hand', () => {
  // Within: A {0, 0.2} has variance 0.02 in both tasks, B {0, 0.4} 0.08. d = 0.1 and 0.9: s² = 0.32; less (0.02 + 0.08)/2.
  const tasks = [pairedTask('a', [0, 0.2], [0, 0.4]), pairedTask('b', [0, 0.2], [0.8, 1.2])];
  const sigma = sigmaOf(tasks);
  expect(sigma?.baseline).toBeCloseTo(Math.sqrt(0.02), 12);
  expect(sigma?.tested).toBeCloseTo(Math.sqrt(0.08), 12);
  expect(sigma?.task).toBeCloseTo(Math.sqrt(0.27), 12);
  expect(sigma?.source).toBe('campaign');
  expect(sigmaOf([pairedTask('a', [1], [2]), pairedTask('b', [1], [3])])).toBeNull();
  // More noise within than between leaves nothing for the tasks, and no less.
  expect(sigmaOf([pairedTask('a', [0, 9], [0, 9]), pairedTask('b', [0, 9], [0, 9])])?.task).toBe(0);
});

describe('looks', () => {
  // Normal tails of the limits of spec/statistics.md 6, by SciPy 1.17.1 norm.sf.
  test.each([
    [2, 0.014703018376],
    [3, 0.011039676193],
    [4, 0.009112865307],
    [5, 0.00791090978],
  ])('Pocock, %i looks', (planned, tail) => {
    for (let look = 1; look <= planned; look++) {
      expect(tailAt({ planned, look, rule: 'pocock' })).toBeCloseTo(tail, 10);
    }
  });

  test('O’Brien–Fleming: C·√(K/k), nearly the whole 5 % left for the last look', () => {
    // 2.04·√5 = 4.5616 and 2.04, one tail (SciPy norm.sf: 2.54e-6, 0.020675).
    expect(tailAt({ planned: 5, look: 1, rule: 'obrien-fleming' })).toBeCloseTo(2.54e-6, 8);
    expect(tailAt({ planned: 5, look: 5, rule: 'obrien-fleming' })).toBeCloseTo(0.020675, 5);
  });

  test('a fixed n takes 2.5 %; an undeclared look takes nothing', () => {
    expect(tailAt(undefined)).toBe(0.025);
    expect(tailAt({ planned: 1, look: 1, rule: 'pocock' })).toBe(0.025);
    expect(tailAt({ planned: 1, look: 2, rule: 'pocock' })).toBeUndefined();
    expect(tailAt({ planned: 3, look: 4, rule: 'pocock' })).toBeUndefined();
    expect(tailAt({ planned: 6, look: 1, rule: 'pocock' })).toBeUndefined();
    expect(isLastLook({ planned: 3, look: 2, rule: 'pocock' })).toBe(false);
  });
});
