import { describe, expect, it } from 'vitest';
import { summarizeAnswers } from '../../src/aggregate/index.js';
import type { Grade } from '../../src/model/grade.js';
import { declareMetrics, totalsInterval, verdictsOf } from '../../src/statistics/index.js';
import { DESIGN, observation } from './rig.js';

/** Costs and facts of the runs of one task. */
type Sums = [number, number][];

function verdictOn(tasks: { baseline: Sums; new: Sums }[], question: 'corpus' | 'tasks') {
  const { metrics } = declareMetrics({ primary: 'costPerFact', secondary: [], exploratory: [] });
  const observations = tasks.flatMap((task, index) =>
    (['baseline', 'new'] as const).flatMap((arm) =>
      task[arm].map(([part, whole], run) =>
        observation({
          ...{ task: `q${index}`, repo: `q${index}`, arm, repetition: run + 1 },
          pooled: { costPerFact: { part, whole } },
        }),
      ),
    ),
  );
  return verdictsOf(observations, { ...DESIGN, question, metrics }).metrics[0];
}

const BASELINE: Sums = [
  [1, 2],
  [3, 2],
];

describe('the cost per fact', () => {
  it('has an interval from the influence of each run on the ratio of the totals', () => {
    // 4 $ for 4 facts. The runs move ln(cost per fact) by 1/4 − 2/4 and 3/4 − 2/4, so the error is √(2 · 0.125) = 0.5 with df 1,
    // and t(0.975, 1) is 12.706.
    const [low, high] = totalsInterval([BASELINE.map(([part, whole]) => ({ part, whole }))]) ?? [];
    expect(Math.log(low ?? 0)).toBeCloseTo(-6.353, 3);
    expect(Math.log(high ?? 0)).toBeCloseTo(6.353, 3);
  });

  it('has no interval where a task has one run, no fact was stated or the runs are equal', () => {
    expect(totalsInterval([[{ part: 1, whole: 2 }]])).toBeNull();
    expect(totalsInterval([[1, 2].map((part) => ({ part, whole: 0 }))])).toBeNull();
    expect(totalsInterval([[1, 1].map((part) => ({ part, whole: 2 }))])).toBeNull();
  });

  it('is compared as a ratio of ratios: a run that states nothing adds its cost', () => {
    const tested: Sums = [
      [1, 4],
      [1, 0],
    ];
    const verdict = verdictOn([{ baseline: BASELINE, new: tested }], 'corpus');
    // 2 $ for 4 facts against 4 $ for 4 facts. The tested runs move the logarithm by 1/2 − 1 and 1/2 − 0: their variance is 2 · 0.5,
    // and with the baseline's 0.25 the error is √1.25.
    expect(verdict).toMatchObject({ unit: 'percent', metric: { label: 'cost per fact', kind: 'totals' } });
    expect(verdict?.lead?.effect).toBeCloseTo(-50, 9);
    expect(verdict?.lead?.standardError).toBeCloseTo(Math.sqrt(1.25), 9);
    expect(verdict?.lead?.df).toBeCloseTo(1.25 ** 2 / (1 + 0.0625), 9);
  });

  it('resamples whole tasks where the question is about tasks like these', () => {
    const tasks = Array.from({ length: 8 }, (_, task): { baseline: Sums; new: Sums } => ({
      baseline: [
        [1 + task / 10, 4],
        [1.1 + task / 10, 5],
      ],
      new: [
        [0.5 + task / 20, 4 + (task % 2)],
        [0.6 + task / 20, 5],
      ],
    }));
    const total = (arm: 'baseline' | 'new') => {
      const [cost, facts] = [0, 1].map((at) =>
        tasks.flatMap((task) => task[arm]).reduce((sum, run) => sum + (run[at] ?? 0), 0),
      );
      return (cost ?? 0) / (facts ?? 0);
    };
    const verdict = verdictOn(tasks, 'tasks');
    expect(verdict?.lead).toMatchObject({ method: 'bootstrap-t' });
    expect(verdict?.lead?.effect).toBeCloseTo(100 * (total('new') / total('baseline') - 1), 9);
    expect(verdict?.verdict).toBe('better');
  });

  it('gets no verdict where an arm stated no fact', () => {
    const verdict = verdictOn(
      [
        {
          baseline: BASELINE,
          new: [
            [1, 0],
            [1, 0],
          ],
        },
      ],
      'corpus',
    );
    expect(verdict).toMatchObject({ verdict: 'none', lead: null });
  });

  it('stands with its interval in the summary of an arm', () => {
    const runs = BASELINE.map(([costUsd, factsSupported]) => ({
      ...{ task: 'q', arm: 'new', isInfra: false, costUsd },
      grade: { state: 'graded', figures: { factsSupported } } as unknown as Grade,
    }));
    const arm = summarizeAnswers(['new'], runs)?.arms[0];
    expect(arm?.costPerFactUsd).toBe(1);
    expect(Math.log(arm?.costPerFactInterval?.[1] ?? 0)).toBeCloseTo(6.353, 3);
  });
});
