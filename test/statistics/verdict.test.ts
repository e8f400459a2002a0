import { describe, expect, test } from 'vitest';
import type { MetricDeclaration, MetricVerdict, Observation, VerdictDesign } from '../../src/model/verdict.js';
import { gateOf, verdictsOf } from '../../src/statistics/index.js';
import { COST, DESIGN, observation, observations } from './rig.js';

/** Seven tasks of very different size, on which the tested arm takes `share` of the cost, give or take a little. */
function costs(share: number, runs = 4, tasks = 7): Observation[] {
  const wobble = [1, 1.02, 0.98, 1.01, 0.99];
  return observations(
    Array.from({ length: tasks }, (_, task) => {
      const base = 0.2 * (task + 1);
      const baseline = Array.from({ length: runs }, (_, run) => base * (wobble[(run + task) % 5] ?? 1));
      const tested = Array.from({ length: runs }, (_, run) => base * share * (wobble[(run * 2 + task) % 5] ?? 1));
      return { baseline, tested };
    }),
  );
}

function only(data: Observation[], design: Partial<VerdictDesign> = {}): MetricVerdict {
  const [first] = verdictsOf(data, { ...DESIGN, ...design }).metrics;
  if (!first) throw new Error('no metric');
  return first;
}

describe('the five verdicts', () => {
  test('a fifth less on every task is better; the sentence has the word, the interval and the question', () => {
    const found = only(costs(0.8));
    expect(found.verdict).toBe('better');
    expect(found.unit).toBe('percent');
    expect(found.lead?.effect).toBeGreaterThan(-21);
    expect(found.lead?.effect).toBeLessThan(-19);
    expect(found).toMatchObject({ tasks: 7, clusters: 7, runs: [4, 4] });
    expect(found.signFlip).toMatchObject({ p: 2 / 128, smallest: 2 / 128, exact: true });
    expect(found.words).toMatch(
      /^cost: BETTER — (19|20)\.\d% LOWER \(95% interval −2\d\.\d% to −1\d\.\d%, for tasks like these\)/,
    );
  });

  test('the same the other way round is worse, and for a metric that should be high it is better', () => {
    expect(only(costs(1.25)).verdict).toBe('worse');
    expect(only(costs(1.25)).words).toContain('HIGHER');
    expect(only(costs(1.25), { metrics: [{ ...COST, better: 'higher' }] }).verdict).toBe('better');
  });

  test('equal within a percent or so is equivalent within 5 %, and not within a tenth of a percent', () => {
    const equal = only(costs(1));
    expect(equal.verdict).toBe('equivalent');
    const [low, high] = equal.lead?.interval90 ?? [-99, 99];
    expect(low).toBeGreaterThan(-5);
    expect(high).toBeLessThan(5);
    expect(only(costs(1), { metrics: [{ ...COST, margin: 0.1 }] }).verdict).toBe('inconclusive');
  });

  test('scattered effects are inconclusive, with what could have been seen and what would do; never "no difference"', () => {
    const scattered = observations(
      [0.5, 1.9, 0.8, 1.4, 0.6, 1.7, 1.0].map((share) => ({
        baseline: [1, 1.1, 0.9],
        tested: [share, share * 1.1, share * 0.9],
      })),
    );
    const found = only(scattered);
    expect(found.verdict).toBe('inconclusive');
    expect(found.detectable).toBeGreaterThan(5);
    expect(found.enough?.tasks).toBeGreaterThan(7);
    // The tasks differ so much among each other that no number of runs of these would show 5 %.
    expect(found.enough?.runs).toBeNull();
    expect(found.words).toContain('80% power');
    expect(found.words).not.toMatch(/no difference|no effect/i);
  });

  test('beyond 0 but inside the margin: better, and said so', () => {
    const found = only(costs(0.97));
    expect(found.verdict).toBe('better');
    expect(found.words).toContain('within the margin of 5%');
  });
});

describe('which question', () => {
  test('tasks that differ widely: no verdict for tasks like these, one for this corpus', () => {
    const shares = [0.5, 0.9, 0.95, 0.6, 1.3, 0.7, 1.02];
    const data = observations(
      shares.map((share) => ({ baseline: [1, 1.01, 0.99, 1], tested: [share, share * 1.01, share * 0.99, share] })),
    );
    const tasks = only(data);
    const corpus = only(data, { question: 'corpus' });
    expect(tasks.verdict).toBe('inconclusive');
    expect(corpus.verdict).toBe('better');
    expect(corpus.words).toContain('on this corpus');
    expect(corpus.lead?.effect).toBeCloseTo(tasks.lead?.effect ?? 0, 9);
    expect(corpus.other).toEqual(tasks.lead);
  });

  test('five tasks allow no verdict for tasks like these, and the report says why; on this corpus they do', () => {
    const few = only(costs(0.5, 4, 5));
    expect(few.verdict).toBe('none');
    expect(few.reason).toContain('below 6 tasks no 5% verdict is possible');
    expect(only(costs(0.5, 4, 6)).verdict).toBe('better');
    expect(only(costs(0.5, 4, 5), { question: 'corpus' }).verdict).toBe('better');
  });

  test('six tasks of five repos are five clusters', () => {
    const data = costs(0.5, 4, 6).map((one) => (one.task === 'q6' ? { ...one, repo: 'q5' } : one));
    const found = only(data);
    expect(found).toMatchObject({ tasks: 6, clusters: 5, verdict: 'none' });
  });

  test('one task: 3 runs cannot reach 5 % (0.10), 4 can (0.029); medians need 6 runs for an interval', () => {
    const three = only(costs(0.5, 3, 1), { question: 'corpus' });
    expect(three.verdict).toBe('none');
    expect(three.reason).toContain('0.10');
    expect(three.oneTask?.rank?.p).toBeCloseTo(0.1, 9);
    const four = only(costs(0.5, 4, 1), { question: 'corpus' });
    expect(four.verdict).toBe('better');
    expect(four.oneTask?.rank?.p).toBeCloseTo(2 / 70, 9);
    expect(four.oneTask?.medians.map((one) => one.interval)).toEqual([null, null]);
    expect(only(costs(0.5, 6, 1), { question: 'corpus' }).oneTask?.medians[0]?.interval).not.toBeNull();
  });

  test('one run a task has no noise to judge this corpus by', () => {
    const found = only(costs(0.5, 1), { question: 'corpus' });
    expect(found.verdict).toBe('none');
    expect(only(costs(0.5, 1)).verdict).not.toBe('none');
  });
});

describe('no verdict', () => {
  const good = costs(0.5, 4, 7);
  const invalid = (names: string[]) =>
    good.map((one): Observation => (names.includes(one.name) ? { ...one, validity: 'infra', counts: false } : one));

  test('more than a tenth of an arm is not valid: 3 of 28, not 2', () => {
    const two = invalid(['q1/new-1', 'q2/new-1']);
    expect(verdictsOf(two, DESIGN).refusals).toEqual([]);
    expect(only(two).verdict).toBe('better');
    expect(only(two).dropped).toHaveLength(2);
    expect(only(two).dropped[0]).toContain('q1/new-1: infra');
    expect(only(two).runs).toEqual([3, 4]);
    const three = invalid(['q1/new-1', 'q2/new-1', 'q3/new-1']);
    expect(only(three)).toMatchObject({ verdict: 'none', reason: expect.stringContaining('3 of 28 trials of new') });
  });

  test('validity differs between the arms (Fisher): 6 of 70 against none', () => {
    // Fisher exact of [[64, 6], [70, 0]]: p = 2·C(70,6)/C(140,6) = 0.0279.
    const large = costs(0.5, 10, 7);
    const names = ['q1/new-1', 'q2/new-1', 'q3/new-1', 'q4/new-1', 'q5/new-1', 'q6/new-1'];
    const data = large.map(
      (one): Observation => (names.includes(one.name) ? { ...one, validity: 'raced', counts: false } : one),
    );
    const report = verdictsOf(data, DESIGN);
    expect(report.validityDiffers).toBeCloseTo(0.0279, 3);
    expect(report.refusals).toHaveLength(1);
    expect(report.metrics[0]).toMatchObject({ verdict: 'none', reason: expect.stringContaining('Fisher') });
  });

  test('contamination that returned anything, even where it was asked to be kept', () => {
    const data = good.map((one) => (one.name === 'q1/new-1' ? { ...one, contaminationReturned: 1 } : one));
    expect(only(data)).toMatchObject({ verdict: 'none', reason: expect.stringContaining('around its server') });
  });

  test('regimes differ', () => {
    const found = only(good, { regimeDifferences: ['model: sonnet, opus'] });
    expect(found).toMatchObject({ verdict: 'none', reason: 'regimes differ: model: sonnet, opus' });
    // What was seen is still said.
    expect(found.words).toContain('seen: ');
  });

  test('a figure that only one arm has, runs that are all alike, and no runs at all', () => {
    const one = good.map((each) => (each.arm === 'new' ? each : { ...each, values: { costUsd: null } }));
    expect(only(one)).toMatchObject({ verdict: 'none', lead: null, tasks: 0, runs: [0, 0] });
    const alike = observations(Array.from({ length: 7 }, () => ({ baseline: [1, 1], tested: [2, 2] })));
    expect(only(alike).verdict).toBe('none');
    expect(only([]).verdict).toBe('none');
  });
});

describe('missing values', () => {
  const good = costs(0.5, 4, 7);
  const without = (names: string[], data = good) =>
    data.map((one): Observation => (names.includes(one.name) ? { ...one, values: { costUsd: null } } : one));

  test('2 of 28 pairs lost are tolerated, 3 are more than a tenth: no verdict, although every trial is valid', () => {
    expect(only(without(['q1/new-1', 'q2/baseline-1']))).toMatchObject({ verdict: 'better', runs: [3, 4] });
    const three = only(without(['q1/new-1', 'q2/baseline-1', 'q3/new-1']));
    expect(three).toMatchObject({ verdict: 'none', pairs: { of: 28, lostTested: 2, lostBaseline: 1 } });
    expect(three.reason).toContain('3 of 28 pairs lost a side (more than 10%)');
    expect(verdictsOf(without(['q1/new-1', 'q2/baseline-1', 'q3/new-1']), DESIGN).refusals).toEqual([]);
  });

  test('both sides of one pair are one lost pair', () => {
    expect(only(without(['q1/new-1', 'q1/baseline-1', 'q2/new-2'])).verdict).toBe('better');
  });

  test('cost missing in half of an arm: no verdict', () => {
    const half = good.filter(({ arm, repetition }) => arm === 'new' && repetition > 2).map(({ name }) => name);
    const found = only(without(half));
    expect(found).toMatchObject({ verdict: 'none', pairs: { lostTested: 14, lostBaseline: 0 } });
    expect(gateOf(verdictsOf(without(half), DESIGN), 'costUsd', 'not-worse')?.result).toBe('no-verdict');
  });

  test('losses that differ between the arms: 6 of 70 against none has Fisher p = 2·C(70,6)/C(140,6) = 0.0279', () => {
    const large = costs(0.5, 10, 7);
    const six = [1, 2, 3, 4, 5, 6].map((task) => `q${task}/new-1`);
    const found = only(without(six, large));
    expect(found).toMatchObject({ verdict: 'none', reason: expect.stringContaining('p = 0.028') });
    expect(found.reason).toContain('6 of 70 in new, 0 of 70 in baseline');
    expect(only(without(six.slice(0, 5), large)).verdict).toBe('better');
  });

  test('a run that was cut off before it had a value is a bound all the same: what is left cannot be better', () => {
    const cut = without(['q1/new-1']).map(
      (one): Observation =>
        one.name === 'q1/new-1' ? { ...one, validity: 'agent-failed', counts: false, censored: 'deadline' } : one,
    );
    expect(only(cut)).toMatchObject({ verdict: 'none', censored: { runs: ['q1/new-1'], bound: 'at-least' } });
    const unfenced = cut.map((one) => (one.name === 'q1/new-1' ? { ...one, validity: 'unfenced' as const } : one));
    expect(only(unfenced)).toMatchObject({ censored: null });
  });

  test('half of the tested runs cut off, of a metric that has no bound: no verdict from the survivors', () => {
    const context: MetricDeclaration = { ...COST, cumulative: false };
    const cut = good.map(
      (one): Observation =>
        one.arm === 'new' && one.repetition > 2
          ? { ...one, validity: 'agent-failed', counts: false, censored: 'budget' }
          : one,
    );
    expect(verdictsOf(cut, DESIGN).refusals).toEqual([]);
    expect(only(cut, { metrics: [context] })).toMatchObject({ verdict: 'none', censored: null });
  });
});

describe('shares have bounds', () => {
  const share: MetricDeclaration = { ...COST, name: 'share', label: 'share', kind: 'share', better: 'higher' };
  const data = (tasks: { baseline: number[]; tested: number[] }[]) => observations(tasks, 'share');

  test('an interval ends at +100 points: by hand 50 ± 63.5 points, from two tasks of 45 and 55 points', () => {
    // d = 0.45 and 0.55: SE = 0.05, t.975 with 1 df = 12.706.
    const found = only(
      data([
        { baseline: [0.2], tested: [0.65] },
        { baseline: [0.2], tested: [0.75] },
      ]),
      { metrics: [share] },
    );
    expect(found.lead?.interval?.[0]).toBeCloseTo(50 - 63.531, 2);
    expect(found.lead?.interval?.[1]).toBe(100);
  });

  test('an interval that would cover every possible difference is none: too few to say', () => {
    const wild = data([
      { baseline: [0, 1], tested: [1, 0.4] },
      { baseline: [1, 0.1], tested: [0, 0.3] },
    ]);
    for (const question of ['tasks', 'corpus'] as const) {
      const found = only(wild, { metrics: [share], question });
      expect(found.lead).toMatchObject({ interval: null, interval90: null });
      expect(found.lead?.why).toContain('too few tasks or runs to say');
      expect(found).toMatchObject({ verdict: 'none', detectable: null });
    }
  });

  test('pooled shares of two tasks and calls that disagree stay between −100 and +100 points', () => {
    const pooled: MetricDeclaration = { ...share, name: 'sufficiency', kind: 'pooled' };
    const wild = observations([{ baseline: [1, 1], tested: [1, 1] }]).map((one, index) => ({
      ...one,
      pooled: { sufficiency: { part: [0, 3, 3, 1][index] ?? 0, whole: 3 } },
    }));
    const found = only(wild, { metrics: [pooled], question: 'corpus' });
    expect(found.lead).toMatchObject({ interval: null, why: expect.stringContaining('too few') });
    expect(found.words).not.toMatch(/\d{3,}\.\d points/);
  });
});

describe('where the methods disagree', () => {
  test('t is beyond 0 and sign-flip is not: 2 · 2 of 64 patterns reach the sum seen, p = 0.0625', () => {
    // Only turning −0.01 around gives a larger sum, so 4 of the 64 patterns count.
    const data = observations(
      [0.3, 0.31, 0.25, 0.35, 0.28, -0.01].map((d) => ({ baseline: [1], tested: [Math.exp(d)] })),
    );
    const found = only(data, { metrics: [{ ...COST, role: 'secondary' }] });
    expect(found.holm).toBeLessThan(0.01);
    expect(found.signFlip?.p).toBe(4 / 64);
    expect(found.verdict).toBe('inconclusive');
    expect(found.words).toMatch(/the methods disagree: .*\(t p = 0\.00\d+\).*\(sign-flip p = 0\.063\)/);
  });

  test('on this corpus the exact test exchanges runs: 4 of the 70 ways reach the sum seen, p = 0.057', () => {
    // In ln: only exchanging 1.30 and 1.31 gives a larger sum, and the mirror images of both.
    const [baseline, tested] = [
      [0.1, 0.12, 0.14, 1.31],
      [1.3, 1.9, 1.92, 1.95],
    ].map((values) => values.map((value) => Math.exp(value)));
    const found = only(observations([{ baseline: baseline ?? [], tested: tested ?? [] }]), { question: 'corpus' });
    expect(found.exchange?.p).toBeCloseTo(4 / 70, 12);
    expect(found.lead?.p).toBeLessThan(0.05);
    expect(found.verdict).toBe('inconclusive');
    expect(found.words).toContain('(exchange of runs p = 0.057)');
  });

  test('a difference in every task is not a disagreement', () => {
    expect(only(costs(0.5), { question: 'corpus' })).toMatchObject({ verdict: 'better', exchange: { exact: false } });
    expect(only(costs(0.5)).exchange).toBeNull();
  });
});

describe('several metrics', () => {
  const metric = (name: string, role: MetricDeclaration['role']): MetricDeclaration => ({
    ...COST,
    name,
    label: name,
    role,
  });

  test('Holm over the secondary ones: p = 0.033 stands alone and falls among two; the primary is not corrected', () => {
    // The differences of the t test in estimate.test.ts, p = 0.0326 (SciPy), as ratios of cost.
    const differences = [0.3, -0.1, 0.25, 0.4, 0.12, 0.05, 0.2];
    const data = differences.flatMap((d, index) =>
      ['baseline', 'new'].map((arm) => {
        const x = Math.exp(arm === 'new' ? d : 0);
        return observation({ task: `q${index}`, arm, values: { one: x, two: x, three: x } });
      }),
    );
    const design = { ...DESIGN, metrics: [metric('two', 'secondary'), metric('one', 'primary')] };
    const alone = verdictsOf(data, design).metrics;
    expect(alone.map((one) => [one.metric.name, one.verdict])).toEqual([
      ['one', 'worse'],
      ['two', 'worse'],
    ]);
    expect(alone[0]?.lead?.p).toBeCloseTo(0.0326016505798459, 9);
    const metrics = [metric('one', 'primary'), metric('two', 'secondary'), metric('three', 'secondary')];
    const both = verdictsOf(data, { ...DESIGN, metrics }).metrics;
    expect(both.map((one) => one.verdict)).toEqual(['worse', 'inconclusive', 'inconclusive']);
    expect(both[1]?.holm).toBeCloseTo(2 * 0.0326016505798459, 9);
    expect(both[1]?.reason).toContain('Holm');
  });

  test('pooled shares: the difference in points, by bootstrap-t and sign-flip of whole tasks', () => {
    const share: MetricDeclaration = {
      ...COST,
      name: 'sufficiency',
      label: 'sufficiency',
      kind: 'pooled',
      better: 'higher',
    };
    const data = Array.from({ length: 8 }, (_, task) => task).flatMap((task) =>
      ['baseline', 'new'].flatMap((arm) =>
        [1, 2, 3].map((repetition) => {
          const part = arm === 'new' ? 4 - ((task + repetition) % 2) : 2 - ((task * repetition) % 2);
          return observation({ task: `q${task}`, arm, repetition, pooled: { sufficiency: { part, whole: 5 } } });
        }),
      ),
    );
    const found = only(data, { metrics: [share] });
    const sum = (arm: string) =>
      data.filter((one) => one.arm === arm).reduce((total, one) => total + (one.pooled.sufficiency?.part ?? 0), 0);
    expect(found.lead?.method).toBe('bootstrap-t');
    expect(found.lead?.effect).toBeCloseTo((100 * (sum('new') - sum('baseline'))) / 120, 9);
    expect(found.signFlip?.p).toBe(2 / 256);
    expect(found).toMatchObject({ verdict: 'better', unit: 'points', percentile: null });
  });

  test('a pooled share’s p is never below that of the exact test, also in Holm; few calls on the other side are a caution', () => {
    const share: MetricDeclaration = {
      ...COST,
      name: 'sufficiency',
      label: 'sufficiency',
      kind: 'pooled',
      better: 'higher',
      role: 'secondary',
    };
    // 97 % and 100 %: 4 calls of 140 are not sufficient, all in the baseline, in 4 of 7 tasks.
    const data = [1, 1, 1, 1, 0, 0, 0].flatMap((misses, task) => [
      observation({ task: `q${task}`, arm: 'baseline', pooled: { sufficiency: { part: 20 - misses, whole: 20 } } }),
      observation({ task: `q${task}`, arm: 'new', pooled: { sufficiency: { part: 20, whole: 20 } } }),
    ]);
    const found = only(data, { metrics: [share] });
    // All four differences have one sign: 2 of 16 sign patterns.
    expect(found.signFlip?.p).toBeCloseTo(2 / 16, 12);
    expect(found.lead?.p).toBe(found.signFlip?.p);
    expect(found.holm).toBe(found.lead?.p);
    expect(found.lead?.caution).toContain('0 on the other side');
    expect(['better', 'worse', 'equivalent']).not.toContain(found.verdict);
    // Equal shares near 100 %: the interval is too narrow to call them equivalent.
    const equal = data.map((one) =>
      one.arm === 'new' ? { ...one, pooled: { sufficiency: { part: one.task === 'q4' ? 19 : 20, whole: 20 } } } : one,
    );
    expect(only(equal, { metrics: [share] }).verdict).not.toBe('equivalent');
  });

  test('0/1 a run: Wilson by arm and McNemar with one run a task; 6 against 0 discordant has p = 2/64', () => {
    const right: MetricDeclaration = { ...COST, name: 'right', label: 'right', kind: 'binary', better: 'higher' };
    const data = Array.from({ length: 10 }, (_, task) => task).flatMap((task) => [
      observation({ task: `q${task}`, arm: 'baseline', values: { right: task < 4 ? 1 : 0 } }),
      observation({ task: `q${task}`, arm: 'new', values: { right: 1 } }),
    ]);
    const found = only(data, { metrics: [right] });
    expect(found.mcnemar).toBeCloseTo(2 / 64, 12);
    expect(found.proportions?.map(({ arm, share }) => [arm, share.count, share.of])).toEqual([
      ['new', 10, 10],
      ['baseline', 4, 10],
    ]);
    expect(found.lead?.effect).toBeCloseTo(60, 9);
    expect(found.verdict).toBe('better');
    const less = data.map((one) => (one.task === 'q9' ? { ...one, values: { right: 0 } } : one));
    // 5 against 0: 2/32 = 0.0625, although the t interval may lie beyond 0.
    expect(only(less, { metrics: [right] }).verdict).toBe('inconclusive');
  });
});

describe('runs that were cut off', () => {
  const cut = (data: Observation[], name: string) =>
    data.map(
      (one): Observation =>
        one.name === name ? { ...one, validity: 'agent-failed', counts: false, censored: 'budget' } : one,
    );

  test('of the tested arm are lower bounds: worse stands, better does not', () => {
    const worse = only(cut(costs(1.5), 'q1/new-1'));
    expect(worse).toMatchObject({ verdict: 'worse', censored: { runs: ['q1/new-1'], bound: 'at-least' } });
    expect(worse.words).toContain('at least +');
    expect(only(cut(costs(0.5), 'q1/new-1')).verdict).toBe('none');
    expect(only(cut(costs(0.5), 'q1/baseline-1')).verdict).toBe('better');
    expect(only(cut(costs(1), 'q1/new-1')).verdict).not.toBe('equivalent');
  });

  test('have no share to give', () => {
    const share: MetricDeclaration = { ...COST, kind: 'share', cumulative: false };
    const found = only(cut(costs(0.5), 'q1/new-1'), { metrics: [share] });
    expect(found.censored).toBeNull();
    expect(found.dropped).toEqual(['q1 #1 (q1/new-1: cut off by its budget)']);
  });
});

describe('the rest', () => {
  test('the same data and seed give the same report, in whatever order the observations come', () => {
    const data = costs(0.8);
    expect(verdictsOf(data, DESIGN)).toEqual(verdictsOf(data, DESIGN));
    expect(only(data.toReversed()).lead?.effect).toBeCloseTo(only(data).lead?.effect ?? 0, 9);
  });

  test('cost in cents is the same verdict; the totals’ ratio stands beside the mean ratio', () => {
    const cents = costs(0.8).map((one) => ({ ...one, values: { costUsd: 100 * (one.values.costUsd ?? 0) } }));
    const [dollars, same] = [only(costs(0.8)), only(cents)];
    expect(same.lead?.effect).toBeCloseTo(dollars.lead?.effect ?? 0, 9);
    expect(dollars.ratioOfSums?.effect).toBeGreaterThan(-21);
    expect(dollars.ratioOfSums?.effect).toBeLessThan(-19);
    // No interval of the totals below ten clusters.
    expect(dollars.ratioOfSums?.interval).toBeNull();
    expect(only(costs(0.8, 4, 9)).ratioOfSums?.interval).toBeNull();
    expect(only(costs(0.8, 4, 10)).ratioOfSums?.interval).not.toBeNull();
  });

  test('declared looks ask for more: 6 tasks cannot have Pocock’s 0.029 (2/64 = 0.031), 7 can; equivalence waits for the last', () => {
    const looks = { planned: 2, look: 1, rule: 'pocock' as const };
    expect(only(costs(0.5, 4, 6), { looks })).toMatchObject({ verdict: 'none' });
    expect(only(costs(0.5, 4, 7), { looks })).toMatchObject({ verdict: 'better' });
    expect(only(costs(1), { looks }).verdict).toBe('inconclusive');
    expect(only(costs(1), { looks: { ...looks, look: 2 } }).verdict).toBe('equivalent');
    const beyond = only(costs(0.5), { looks: { ...looks, look: 3 } });
    expect(beyond).toMatchObject({
      verdict: 'none',
      reason: expect.stringContaining('all 2 declared looks are used up'),
    });
    expect(beyond.words).not.toContain('look 3 of 2');
    expect(only(costs(0.5, 4, 6), { looks }).reason).toContain('below 7 tasks no 2.9% verdict is possible');
  });

  test('the gate: worse fails, what is not shown passes only where that is enough', () => {
    const [worse, open] = [
      verdictsOf(costs(1.5), DESIGN),
      verdictsOf(costs(1), { ...DESIGN, metrics: [{ ...COST, margin: 0.1 }] }),
    ];
    const none = verdictsOf(costs(1, 4, 5), DESIGN);
    expect(gateOf(worse, 'costUsd', 'not-worse')?.result).toBe('fail');
    expect(gateOf(open, 'costUsd', 'not-worse')?.result).toBe('pass');
    expect(gateOf(open, 'costUsd', 'shown')?.result).toBe('fail');
    expect(gateOf(none, 'costUsd', 'not-worse')?.result).toBe('no-verdict');
    expect(gateOf(worse, 'durationMs', 'not-worse')).toBeUndefined();
  });
});

describe('the values that an effect compares', () => {
  test('are geometric means of a ratio, each task weighing the same, and their quotient is the effect', () => {
    // Task means 2 and 18 make 6 (√(2 · 18)); 4 and 9 make 6 as well; the second task has twice the runs.
    const data = observations([
      { baseline: [1, 4], tested: [2, 8] },
      { baseline: [18, 18, 18, 18], tested: [9, 9, 9, 9] },
    ]);
    const found = only(data, { question: 'corpus' });
    expect(found.armValues?.baseline).toBeCloseTo(6, 10);
    expect(found.armValues?.tested).toBeCloseTo(6, 10);
    expect(found.lead?.effect).toBeCloseTo(0, 10);
    const doubled = only(observations([{ baseline: [1, 4], tested: [2, 8] }]), { question: 'corpus' });
    expect(doubled.armValues).toEqual({ baseline: expect.closeTo(2, 10), tested: expect.closeTo(4, 10) });
    expect(doubled.lead?.effect).toBeCloseTo(100, 8);
  });

  test('are one total over another for a pooled share', () => {
    const data = [
      [3, 4],
      [1, 6],
    ].flatMap(([part = 0, whole = 0], index) => [
      observation({ arm: 'baseline', repetition: index + 1, pooled: { sufficiency: { part, whole } } }),
      observation({ arm: 'new', repetition: index + 1, pooled: { sufficiency: { part: whole - 1, whole } } }),
    ]);
    const metric: MetricDeclaration = { ...COST, name: 'sufficiency', kind: 'pooled', better: 'higher' };
    // 4 of 10 and 8 of 10.
    expect(only(data, { question: 'corpus', metrics: [metric] }).armValues).toEqual({ baseline: 0.4, tested: 0.8 });
  });

  test('a design that can never decide names the runs that would do; one that can names none', () => {
    expect(only(costs(0.8, 2, 1), { question: 'corpus' }).remedy).toMatchObject({ runs: 4 });
    expect(only(costs(0.8, 4, 3)).remedy).toMatchObject({ runs: null, text: expect.stringContaining('6 tasks') });
    expect(only(costs(0.8)).remedy).toBeNull();
  });
});
