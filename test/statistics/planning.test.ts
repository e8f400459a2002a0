import { describe, expect, test } from 'vitest';
import { configSchema } from '../../src/config/schema.js';
import type { Question } from '../../src/model/estimate.js';
import { admissibility, evenShape } from '../../src/statistics/admissible.js';
import { normalQuantile } from '../../src/statistics/distributions.js';
import { corpusEstimate, tasksEstimate, tInterval } from '../../src/statistics/estimate.js';
import { contradicts, exchangeTest, type Summands, signFlipTest } from '../../src/statistics/exact.js';
import { verdictsOf } from '../../src/statistics/index.js';
import { intervalName, isLastLook, lookRefusal, reachedLook, tailAt } from '../../src/statistics/looks.js';
import { differenceOf } from '../../src/statistics/pairs.js';
import {
  DEFAULT_SIGMA,
  detectableEffect,
  plannedError,
  proposeDesigns,
  runsFor,
  sigmaOf,
  smallestAnswersMargin,
  tasksFor,
} from '../../src/statistics/planning.js';
import { detectableErrors } from '../../src/statistics/power.js';
import { randomFrom } from '../../src/statistics/random.js';
import { decreaseInUnit, decreaseOnScale } from '../../src/statistics/scale.js';
import { DESIGN, observations, pairedTask } from './rig.js';

const shape = (question: Question, tasks: number, runs: number, repos = tasks) =>
  evenShape(question, { tasks, runs, repos });

describe('what can be decided at all', () => {
  // Ways to exchange runs within tasks: 70; 20 · 20; 6 · 6 · 6. With one run fewer 20; 6 · 6; 2 · 2 · 2: p = 0.1, 0.056, 0.25.
  test.each([
    [1, 4, 2 / 70],
    [2, 3, 2 / 400],
    [3, 2, 2 / 216],
  ])('on this corpus %i tasks take %i runs an arm', (tasks, runs, smallest) => {
    expect(admissibility(shape('corpus', tasks, runs))).toMatchObject({ isPossible: true, reason: null });
    expect(admissibility(shape('corpus', tasks, runs)).smallest).toBeCloseTo(smallest, 12);
    const fewer = admissibility(shape('corpus', tasks, runs - 1));
    expect(fewer.isPossible).toBe(false);
    expect(fewer.remedy).toBe(`${runs} runs an arm of ${tasks === 1 ? 'this task' : 'these tasks'}`);
  });

  test('for tasks like these it takes 6 clusters (2/64 = 0.031), and 7 for Pocock’s 0.029 of two looks', () => {
    expect(admissibility(shape('tasks', 6, 1)).isPossible).toBe(true);
    expect(admissibility(shape('tasks', 5, 9))).toMatchObject({
      isPossible: false,
      reason:
        '5 tasks: the smallest two-sided p of the sign-flip test is 0.063; below 6 tasks no 5% verdict is possible',
    });
    const pocock = admissibility({
      ...shape('tasks', 6, 4),
      tail: tailAt({ planned: 2, look: 1, rule: 'pocock' }) ?? 0,
    });
    expect(pocock.reason).toContain('below 7 tasks no 2.9% verdict is possible');
    expect(admissibility(shape('tasks', 30, 4, 5))).toMatchObject({
      reason: expect.stringContaining('below 6 repos'),
      remedy: 'tasks in 6 repos',
    });
  });

  test('the default number of runs decides one task on this corpus', () => {
    const { defaults } = configSchema.parse({ repos: {}, tasks: {} });
    expect(admissibility(shape('corpus', 1, defaults.runs)).isPossible).toBe(true);
    expect(admissibility(shape('corpus', 1, defaults.runs - 1)).isPossible).toBe(false);
  });

  test.each([
    ['corpus', 1, 3],
    ['corpus', 2, 2],
    ['corpus', 7, 1],
    ['tasks', 5, 4],
    ['corpus', 1, 4],
    ['corpus', 3, 2],
    ['tasks', 6, 1],
  ] as const)('plan and verdict agree on %s, %i × %i', (question, tasks, runs) => {
    const random = randomFrom(5, 'agree');
    const values = () => Array.from({ length: runs }, () => Math.exp(0.01 * random.normal()));
    const half = () => values().map((value) => value / 2);
    const data = observations(Array.from({ length: tasks }, () => ({ baseline: values(), tested: half() })));
    const [verdict] = verdictsOf(data, { ...DESIGN, question }).metrics;
    const { isPossible } = admissibility(shape(question, tasks, runs));
    expect(verdict?.verdict).toBe(isPossible ? 'better' : 'none');
    expect(Number.isFinite(detectableEffect(DEFAULT_SIGMA, shape(question, tasks, runs)))).toBe(isPossible);
  });
});

describe('what a design can see', () => {
  test.each([
    [10, 28],
    [20, 19],
    [40, 14],
  ])('%i tasks × 4 runs with 0.25 and 0.30: %i %', (tasks, percent) => {
    const effect = detectableEffect(DEFAULT_SIGMA, shape('tasks', tasks, 4));
    expect(Math.round(decreaseInUnit('ratio', effect))).toBe(percent);
  });

  test('10 × 4 by hand: SE² = (0.0625 + 0.0225 + 0.0225)/10, times 2.26216 + 0.88340', () => {
    expect(plannedError(DEFAULT_SIGMA, shape('tasks', 10, 4))).toBeCloseTo(Math.sqrt(0.1075 / 10), 12);
    expect(detectableEffect(DEFAULT_SIGMA, shape('tasks', 10, 4))).toBeCloseTo(3.14556 * Math.sqrt(0.1075 / 10), 4);
  });

  test('few clusters need more than the formula says, since all the signs have to agree: 6 need a quarter more', () => {
    // 2.57058 + 0.91954 by the formula. The sign-flip test of six passes only when all six have one sign: P(z > −δ)⁶ = 0.8 gives
    // δ = 1.788 a task, √6 · 1.788 = 4.38, and the interval has to agree.
    expect(detectableErrors(shape('tasks', 6, 4))).toBeGreaterThan(4.25);
    expect(detectableErrors(shape('tasks', 6, 4))).toBeLessThan(4.65);
    expect(detectableErrors(shape('tasks', 30, 4, 6))).toBeCloseTo(detectableErrors(shape('tasks', 6, 4)), 12);
    expect(detectableErrors(shape('tasks', 30, 4))).toBeCloseTo(2.04523 + 0.8542, 3);
  });

  test('on this corpus the tasks’ own differences do not count, and a single run has no noise', () => {
    expect(plannedError(DEFAULT_SIGMA, shape('corpus', 7, 4))).toBeCloseTo(Math.sqrt(0.045 / 7), 12);
    expect(detectableEffect(DEFAULT_SIGMA, shape('corpus', 7, 1))).toBe(Number.POSITIVE_INFINITY);
    expect(detectableEffect(DEFAULT_SIGMA, shape('tasks', 1, 9))).toBe(Number.POSITIVE_INFINITY);
  });

  test.each([
    ['corpus', 1, 4],
    ['corpus', 3, 2],
    ['tasks', 6, 2],
  ] as const)(
    '%s, %i × %i: the verdict finds the stated effect four times out of five (500 campaigns, seed 9)',
    (question, tasks, runs) => {
      const sigma = { ...DEFAULT_SIGMA, task: question === 'tasks' ? 0.25 : 0 };
      const effect = detectableEffect(sigma, shape(question, tasks, runs));
      const random = randomFrom(9, `${question} ${tasks}`);
      const name = 'x';
      let found = 0;
      for (let campaign = 0; campaign < 500; campaign++) {
        const paired = Array.from({ length: tasks }, (_, index) => {
          const own = sigma.task * random.normal() - effect;
          const values = (level: number) => Array.from({ length: runs }, () => level + 0.3 * random.normal());
          return pairedTask(`q${index}`, values(0), values(own));
        });
        const estimate = question === 'tasks' ? tasksEstimate(paired) : corpusEstimate(paired);
        if ('why' in estimate) throw new Error(estimate.why);
        const all = paired.flatMap(({ pairs }) => pairs.flatMap(({ tested, baseline }) => [tested.x, baseline.x]));
        const total = all.reduce((sum, one) => sum + one, 0);
        const sides = paired.map(({ pairs }) => [
          ...pairs.map((one) => one.tested.x),
          ...pairs.map((one) => one.baseline.x),
        ]);
        const exact =
          question === 'tasks'
            ? signFlipTest(paired.map(differenceOf), 1)
            : exchangeTest(
                sides.map((own) => own.map((x): Summands => [x, 0])),
                ([tested]) => 2 * tested - total,
                { seed: 1, name },
              );
        if (tInterval(estimate, 0.025)[1] < 0 && !contradicts(exact, 0.05)) found++;
      }
      // Three standard errors of 500 campaigns, and of the 1,000 that the plan is made with.
      expect(Math.abs(found / 500 - 0.8)).toBeLessThan(3 * Math.sqrt(0.16 / 500 + 0.16 / 1000));
    },
  );

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
    for (const { tasks, repos, runs, sessions, costUsd, detectable } of proposals) {
      expect(detectable).toBeLessThanOrEqual(effect);
      expect(detectableEffect(DEFAULT_SIGMA, shape('tasks', tasks - 1, runs))).toBeGreaterThan(effect);
      expect(sessions).toBe(2 * tasks * runs);
      expect(repos).toBe(tasks);
      expect(costUsd).toBe(sessions / 2);
    }
    const tasks = proposals.map((one) => one.tasks);
    expect(tasks).toEqual(tasks.toSorted((a, b) => b - a));
    expect(proposals.filter((one) => one.cheapest)).toHaveLength(1);
    expect(proposals.find((one) => one.cheapest)?.sessions).toBe(Math.min(...proposals.map((one) => one.sessions)));
  });

  test('with five tasks to a repo the repos decide: as many proposals’ repos as 6 or more', () => {
    const proposals = proposeDesigns(2, DEFAULT_SIGMA, { question: 'tasks', tasksPerRepo: 5 });
    expect(proposals[0]?.repos).toBe(6);
    expect(proposals[0]?.tasks).toBeGreaterThan(25);
  });

  test('never below 6 tasks for tasks like these, nor below 4 runs of one task; no number of runs mends differing tasks', () => {
    const [tasks, corpus] = [{ question: 'tasks' as const }, { question: 'corpus' as const }];
    expect(tasksFor(5, DEFAULT_SIGMA, 4, tasks)).toBe(6);
    expect(tasksFor(5, DEFAULT_SIGMA, 4, corpus)).toBe(1);
    expect(tasksFor(5, DEFAULT_SIGMA, 2, corpus)).toBe(3);
    expect(runsFor(50, DEFAULT_SIGMA, 1, corpus)).toBe(4);
    // With endless runs of 10 tasks: 3.14556 · 0.25/√10 = 0.249 is the least that can be seen.
    expect(runsFor(0.24, DEFAULT_SIGMA, 10, tasks)).toBeNull();
    expect(runsFor(0.26, DEFAULT_SIGMA, 10, tasks)).not.toBeNull();
    expect(runsFor(1, DEFAULT_SIGMA, 5, tasks)).toBeNull();
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
  // What the tasks of one repo have in common counts as a difference between tasks: d = 1, 1 | 2, 2 in two repos has
  // residual sums −1 and 1, CR2 SE² = (1 + 1)/(1 − 1/2)/16 = 0.25, four times that is 1.
  const repos = [1, 1, 2, 2].map((d, index) => pairedTask(`q${index}`, [0, 0], [d, d], index < 2 ? 'r' : 's'));
  expect(sigmaOf(repos)?.task).toBeCloseTo(1, 12);
  // More noise within than between leaves nothing for the tasks, and no less.
  expect(sigmaOf([pairedTask('a', [0, 9], [0, 9]), pairedTask('b', [0, 9], [0, 9])])?.task).toBe(0);
});

describe('looks', () => {
  // Normal tails of the published limits, by SciPy 1.17.1 norm.sf.
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

  test('comparisons of their own share the 5 %: five nightly runs against the last green one, nothing there, 4,000 times (seed 2)', () => {
    // The estimates have known errors, so only the rule is tried. Each run is compared with the last one that was not worse.
    const alarmsOf = (rule: 'pocock' | 'bonferroni') => {
      const random = randomFrom(2, 'nights');
      let alarms = 0;
      for (let series = 0; series < 4_000; series++) {
        let before = random.normal();
        let isAlarm = false;
        for (let look = 1; look <= 5; look++) {
          const now = random.normal();
          const limit = normalQuantile(1 - (tailAt({ planned: 5, look, rule }) ?? 0));
          const z = (now - before) / Math.SQRT2;
          if (Math.abs(z) > limit) isAlarm = true;
          if (z <= limit) before = now;
        }
        if (isAlarm) alarms++;
      }
      return alarms / 4_000;
    };
    const error = Math.sqrt((0.05 * 0.95) / 4_000);
    expect(alarmsOf('bonferroni')).toBeLessThan(0.05 + 2 * error);
    // Pocock's limits are made for looks at growing data, which resemble each other.
    expect(alarmsOf('pocock')).toBeGreaterThan(0.05 + 2 * error);
  });

  test('the look is read off the pairs that are there; the words never count beyond the declared ones', () => {
    expect([0, 7, 8, 15, 16, 39, 40].map((done) => reachedLook(5, done, 40))).toEqual([0, 0, 1, 1, 2, 4, 5]);
    expect(intervalName({ planned: 5, look: 2, rule: 'pocock' })).toBe('interval for look 2 of 5');
    expect(intervalName({ planned: 5, look: 6, rule: 'pocock' })).toBe('95% interval');
    expect(intervalName({ planned: 5, look: 2, rule: 'bonferroni' })).toBe('99% interval, 5 comparisons declared');
    expect(lookRefusal({ planned: 5, look: 6, rule: 'bonferroni' })).toContain(
      'all 5 declared comparisons are used up',
    );
    expect(lookRefusal({ planned: 5, look: 0, rule: 'pocock' })).toContain('1/5 of the pairs');
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

describe('smallestAnswersMargin', () => {
  // Standard error from the spread of 5 points between tasks and 15 between runs (40 for passed), times t(0.95) + t(0.80) of the df.
  test.each([
    // √(2 · 0.15² / 4 / 30), 180 df: 1.6534 + 0.8438.
    ['factRecall', 'corpus', 30, 4, 0.019365, 2.4972],
    // √((0.05² + 2 · 0.15² / 4) / 40), 39 df: 1.6849 + 0.8512.
    ['factRecall', 'tasks', 40, 4, 0.01854, 2.5361],
    // √(2 · 0.4² / 4 / 30), 180 df.
    ['passed', 'corpus', 30, 4, 0.05164, 2.4972],
  ] as const)('of %s, question %s, %i tasks × %i runs', (metric, question, tasks, runs, error, quantiles) => {
    const margin = smallestAnswersMargin(metric, shape(question, tasks, runs));
    // Welch's df of estimated variances, and simulated small designs, differ by a few percent from this arithmetic.
    expect(margin / (100 * error * quantiles)).toBeGreaterThan(0.97);
    expect(margin / (100 * error * quantiles)).toBeLessThan(1.05);
  });

  test('no margin is kept where no bound is possible', () => {
    expect(smallestAnswersMargin('factRecall', shape('tasks', 1, 4))).toBe(Number.POSITIVE_INFINITY);
  });
});
