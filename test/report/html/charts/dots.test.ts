import { render } from 'preact-render-to-string';
import { describe, expect, test } from 'vitest';
import type { MetricDeclaration, Observation } from '../../../../src/model/verdict.js';
import { type ChartInput, pairedDots } from '../../../../src/report/html/charts/index.js';
import { verdictsOf } from '../../../../src/statistics/index.js';
import { COST, DESIGN, observation, observations } from '../../../statistics/rig.js';
import { campaign, chartInput } from './rig.js';
import { bottomLabels, byLabels, isHarmful, labelValue, pointsIn, rowsIn, svgsIn, textsIn } from './svg.js';

function input(data: Observation[], metrics: MetricDeclaration[] = [COST], over: Partial<ChartInput> = {}): ChartInput {
  const verdicts = verdictsOf(data, { ...DESIGN, metrics });
  return chartInput({ observations: data, metrics, verdicts, ...over });
}

function markup(of: ChartInput): string {
  return render(pairedDots(of));
}

/** Labels of the axis of the runs' values: those in the left of the two axes, by place. */
function valueAt(svg: string): (x: number) => number {
  const left = bottomLabels(svg).filter(({ x }) => x <= 572);
  const [first, last] = [left[0], left.at(-1)];
  if (!first || !last) throw new Error('no axis');
  return byLabels([labelValue(first.text), first.x], [labelValue(last.text), last.x]);
}

// Geometric means: q1 2 → 1 (−50 %), q2 1 → 1.1 (+10 %).
const TWO = observations([
  { baseline: [1, 4], tested: [0.5, 2] },
  { baseline: [1, 1], tested: [1.21, 1] },
]);

describe('every run is a point at its value', () => {
  test('as many as there are, linked to their pages, at the place of their value', () => {
    const [svg = ''] = svgsIn(markup(input(TWO)));
    const points = pointsIn(svg);
    expect(points.map(({ href }) => href)).toEqual([
      ...['#run-q1--baseline-1', '#run-q1--baseline-2', '#run-q1--new-1', '#run-q1--new-2'],
      ...['#run-q2--baseline-1', '#run-q2--baseline-2', '#run-q2--new-1', '#run-q2--new-2'],
    ]);
    const at = valueAt(svg);
    // A tenth of a pixel is 0.001 here.
    for (const [index, value] of [1, 4, 0.5, 2, 1, 1, 1.21, 1].entries()) {
      expect(Math.abs(at(points[index]?.x ?? Number.NaN) - value)).toBeLessThan(0.005);
    }
  });

  test('the arms differ in colour, shape and height; equal values do not hide each other', () => {
    const points = pointsIn(svgsIn(markup(input(TWO)))[0] ?? '');
    const [baseline, tested] = [points.slice(0, 2), points.slice(2, 4)];
    expect(new Set(baseline.map(({ fill }) => fill))).toEqual(new Set(['var(--arm-0)']));
    expect(new Set(tested.map(({ fill }) => fill))).toEqual(new Set(['var(--arm-1)']));
    expect(baseline[0]?.path).not.toBe(tested[0]?.path);
    expect(new Set(points.map(({ x, y }) => `${x} ${y}`)).size).toBe(points.length);
    expect(Math.max(...baseline.map(({ y }) => y))).toBeLessThan(Math.min(...tested.map(({ y }) => y)));
  });

  test('values orders of magnitude apart stand on a logarithmic axis, and it says so', () => {
    const wide = observations([{ baseline: [0.01, 0.01], tested: [1, 1] }]);
    const [svg = ''] = svgsIn(markup(input(wide)));
    expect(svg).toContain('cost of each run, US$, logarithmic');
    const [a, b] = [pointsIn(svg)[0]?.x, pointsIn(svg)[2]?.x];
    // Two decades over 390 units.
    expect((b ?? 0) - (a ?? 0)).toBeCloseTo(390, 0);
  });
});

describe('effects', () => {
  test('each task’s effect, and over all tasks the verdict’s, with its interval and its question', () => {
    const of = input(TWO);
    const html = markup(of);
    const texts = textsIn(svgsIn(html)[0] ?? '').map(({ text }) => text);
    expect(texts).toContain('−50.0%');
    expect(texts).toContain('+10.0%');
    // ln 0.5 and ln 1.1 in the middle: √0.55 = 0.7416.
    expect(texts).toContain('−25.8%');
    expect(texts).toContain('all tasks');
    expect(texts.some((text) => /^95% interval −\d.*, for tasks like these$/.test(text))).toBe(true);
    expect(html).toContain(of.verdicts?.metrics[0]?.words);
  });

  test('the table has every run’s value, the means and the effects', () => {
    const rows = rowsIn(markup(input(TWO)));
    expect(rows).toContainEqual(['q1', '$2.00', '$1.00', '−50.0%']);
    expect(rows).toContainEqual(['q2', '$1.00', '$1.10', '+10.0%']);
    expect(rows).toContainEqual(['all tasks', '', '', '−25.8%']);
    for (const one of TWO) {
      const value = `$${one.values.costUsd?.toPrecision(3)}`;
      expect(rows).toContainEqual([one.task, one.name, one.arm, value, '']);
    }
  });

  test('pooled shares: parts over wholes, in points', () => {
    const share: MetricDeclaration = {
      ...COST,
      name: 'sufficiency',
      label: 'sufficiency',
      kind: 'pooled',
      better: 'higher',
      cumulative: false,
    };
    const data = ['baseline', 'new'].flatMap((arm) =>
      [1, 2].map((repetition) =>
        observation({
          arm,
          repetition,
          pooled: { sufficiency: arm === 'new' ? { part: 3, whole: 4 } : { part: repetition, whole: 2 * repetition } },
        }),
      ),
    );
    const html = markup(input(data, [share]));
    expect(rowsIn(html)).toContainEqual(['q1', '50.0%', '75.0%', '+25.0 points']);
    expect(textsIn(svgsIn(html)[0] ?? '').map(({ text }) => text)).toContain('the one task');
  });
});

describe('runs that are not like the others', () => {
  const data = [...TWO];
  const at = (name: string) => data.findIndex((one) => one.name === name);
  data[at('q1/new-2')] = { ...observation({ ...TWO[at('q1/new-2')] }), validity: 'raced', counts: false };
  data[at('q2/baseline-1')] = { ...observation({ ...TWO[at('q2/baseline-1')] }), counts: false, censored: 'deadline' };
  data[at('q2/new-2')] = { ...observation({ ...TWO[at('q2/new-2')] }), values: {} };

  test('left out: hollow; its partner too; cut off: an arrow; each with its reason', () => {
    const html = markup(input(data));
    const points = pointsIn(svgsIn(html)[0] ?? '');
    const of = (name: string) => points.find(({ title }) => title.startsWith(`${name}:`));
    expect(of('q1/new-2')).toMatchObject({ fill: 'var(--bg)', title: 'q1/new-2: $2.00 (left out: raced)' });
    expect(of('q1/baseline-2')).toMatchObject({ fill: 'var(--bg)', title: expect.stringContaining('no other side') });
    expect(of('q1/new-1')?.fill).toBe('var(--arm-1)');
    expect(of('q2/baseline-1')?.title).toBe('q2/baseline-1: $1.00 (cut off by its deadline: at least this)');
    expect(of('q2/baseline-1')?.path).not.toBe(of('q1/baseline-1')?.path);
  });

  test('without a value: no point, and the table says why', () => {
    const html = markup(input(data));
    expect(pointsIn(svgsIn(html)[0] ?? '')).toHaveLength(7);
    expect(html).toContain('missing is not zero: 1 run');
    expect(rowsIn(html)).toContainEqual(['q2', 'q2/new-2', 'new', '—', 'no value']);
  });

  test('the means are over what the effect is made of', () => {
    // q1: only the first pair, 1 → 0.5. q2: the first pair, 1 (a bound) → 1.21.
    const rows = rowsIn(markup(input(data)));
    expect(rows).toContainEqual(['q1', '$1.00', '$0.500', '−50.0%']);
    expect(rows).toContainEqual(['q2', '$1.00', '$1.21', '+21.0%']);
  });
});

describe('any shape of campaign', () => {
  test('no run', () => {
    expect(markup(chartInput())).toContain('No finished run');
  });

  test('one run of one arm: a point, no effect', () => {
    const one = chartInput({
      arms: ['new'],
      observations: TWO.filter(({ name }) => name === 'q1/new-1'),
      metrics: [COST],
    });
    const [svg = ''] = svgsIn(markup(one));
    expect(pointsIn(svg)).toHaveLength(1);
    expect(svg).not.toContain('all tasks');
  });

  test('three arms: points and means of each, no effect', () => {
    const third = TWO.filter(({ arm }) => arm === 'new').map((one) => ({ ...one, arm: 'third', name: `${one.name}x` }));
    const of = chartInput({ arms: ['baseline', 'new', 'third'], observations: [...TWO, ...third], metrics: [COST] });
    const html = markup(of);
    expect(pointsIn(svgsIn(html)[0] ?? '')).toHaveLength(12);
    expect(rowsIn(html)).toContainEqual(['q1', '$2.00', '$1.00', '$1.00']);
  });

  test('a metric that no run has: no chart, and a word', () => {
    const of = input(TWO, [COST, { ...COST, name: 'outputTokens', label: 'output tokens', role: 'secondary' }]);
    const html = markup(of);
    // Once for wide screens, once for phones.
    expect(svgsIn(html)).toHaveLength(2);
    expect(html).toContain('Not drawn, since fewer than two arms have a value: output tokens.');
  });
});

test('hostile names do nothing', () => {
  const bad = '</svg><script>alert(1)</script>"onload="x\u202e\u0007\u001b[2J';
  const data = TWO.map((one) => ({
    ...one,
    task: one.task === 'q1' ? bad : one.task,
    name: one.task === 'q1' ? `${bad}/${one.arm}-${one.repetition}` : one.name,
  }));
  const html = markup(input(data));
  expect(isHarmful(html)).toBe(false);
  expect(html).not.toMatch(/<[^>]*\sonload=/);
  expect(pointsIn(svgsIn(html)[0] ?? '').every(({ href }) => /^#run-[A-Za-z0-9._-]+$/.test(href))).toBe(true);
});

test('56 sessions and eight metrics stay small, and the same data give the same bytes', {
  timeout: 120_000,
}, () => {
  const of = campaign();
  const html = markup(of);
  // Each metric once for wide screens and once for phones.
  expect(svgsIn(html)).toHaveLength(16);
  expect(html.length).toBeLessThan(450_000);
  expect(markup(of)).toBe(html);
});
