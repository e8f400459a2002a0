import { render } from 'preact-render-to-string';
import { describe, expect, test } from 'vitest';
import { type ChartInput, contextCharts } from '../../../../src/report/html/charts/index.js';
import { STYLES } from '../../../../src/report/html/styles.js';
import { campaign, chartInput, chartRun, measureWith, step, timeline, windowTokens } from './rig.js';
import { byLabels, cornersOf, isHarmful, labelValue, rowsIn, svgsIn, textsIn } from './svg.js';

function markup(of: ChartInput): string {
  return render(contextCharts(of));
}

/** 10,000 · 14,000 with 4,000 of the tool · 16,000 with 2,000 of Read · after a compaction 9,000, Read alone. */
const STEPS = [
  step(1, 10_000, {}),
  step(2, 14_000, { tool: 4000 }),
  step(3, 16_000, { tool: 4000, read: 2000 }, { segment: 1 }),
  step(4, 9000, { read: 2000 }, { segment: 1, compactions: 1, compactedTokens: 4000 }),
];
const OTHER = [
  step(1, 10_000, {}),
  step(2, 20_000, { bash: 9000 }),
  step(3, 15_000, { bash: 3500 }, { shedTokens: 5500 }),
];
const limit = (tokens: number) => measureWith({ occupancy: windowTokens(tokens) });
const PAIR = chartInput({
  runs: [
    chartRun({ arm: 'new', timeline: timeline(STEPS), measure: limit(200_000) }),
    chartRun({ arm: 'baseline', timeline: timeline(OTHER), measure: limit(200_000) }),
  ],
});

/** Tokens at a height, by the labels of the left axis. */
function tokensAt(svg: string): (y: number) => number {
  const labels = textsIn(svg).filter(({ text, x }) => x === 34 && /k$/.test(text));
  const [first, last] = [labels[0], labels.at(-2)];
  if (!first || !last) throw new Error('no axis');
  // The baseline of a label lies 4 below its line.
  return byLabels([labelValue(first.text), first.y - 4], [labelValue(last.text), last.y - 4]);
}

function areas(svg: string): { fill: string; tops: number[] }[] {
  const at = tokensAt(svg);
  return [...svg.matchAll(/<path d="([^"]*)" fill="([^"]*)" stroke="var\(--bg\)"/g)].map(
    ([, path = '', fill = '']) => ({
      fill,
      tops: [...new Set(cornersOf(path).map(([, y]) => Math.round(at(y) / 100) * 100))],
    }),
  );
}

describe('the areas', () => {
  test('stacked steps at the heights of the given tokens, the tallest first', () => {
    const [baseline = '', tested = ''] = svgsIn(markup(PAIR));
    // From the bottom, which is the fixed context of the pair (7,000), the corners from left to right.
    expect(areas(tested)).toEqual([
      { fill: 'url(#part-read)', tops: [7000, 10_000, 14_000, 16_000, 9000] },
      { fill: 'var(--family-tool)', tops: [7000, 10_000, 14_000] },
      { fill: 'var(--family-base)', tops: [7000, 10_000] },
    ]);
    expect(areas(baseline)).toEqual([
      { fill: 'url(#part-bash)', tops: [7000, 10_000, 20_000, 15_000] },
      { fill: 'var(--family-base)', tops: [7000, 10_000, 11_000, 11_500] },
    ]);
  });

  test('a pair shares both scales; the baseline stands first', () => {
    const html = markup(PAIR);
    const [baseline = '', tested = ''] = svgsIn(html);
    expect(html.indexOf('express/baseline-1')).toBeLessThan(html.indexOf('express/new-1'));
    const axes = (svg: string) => textsIn(svg).filter(({ x, y }) => x === 34 || y === 199);
    expect(axes(baseline)).toEqual(axes(tested));
    // A step of the four is a quarter of the width: three requests end at three quarters.
    const ends = [baseline, tested].map((svg) =>
      Math.max(...cornersOf(/<path d="([^"]*)"[^>]*stroke="var\(--bg\)"/.exec(svg)?.[1] ?? '').map(([x]) => x)),
    );
    expect(ends).toEqual([248.5, 318]);
  });

  test('the fixed context is a number for each run, and the axis of a pair begins at the smaller one', () => {
    const html = markup(PAIR);
    expect(html).toContain('4 requests; fixed context 7,000 tokens; at the end 9k tokens');
    expect(html).toContain('3 requests; fixed context 10,000 tokens; at the end 15k tokens');
    for (const svg of svgsIn(html)) expect(textsIn(svg)).toContainEqual({ text: '7k', x: 34, y: 188 });
  });

  test('what is resident at the end is named at its area', () => {
    const [, tested = ''] = svgsIn(markup(PAIR));
    const texts = textsIn(tested).map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(['base 7k', 'Read 2k', 'codegraph 0']));
  });
});

describe('signs', () => {
  test('borders of segments, compactions and evictions with what they dropped', () => {
    const [baseline = '', tested = ''] = svgsIn(markup(PAIR));
    const of = (svg: string) => textsIn(svg).map(({ text }) => text);
    expect(of(tested)).toEqual(expect.arrayContaining(['segment 1', 'segment 2', 'compacted −4k']));
    expect(tested.match(/stroke-dasharray="3,3"/g)).toHaveLength(1);
    // The border lies before the third of four requests: in the middle.
    expect(tested).toContain('<path d="M179,2V184"');
    expect(of(baseline)).toContain('evicted −6k');
    expect(of(baseline).some((text) => text.startsWith('segment'))).toBe(false);
  });

  test('signs that stand close together leave no word on another', () => {
    const drops = [2, 3, 5, 6, 10].map((request) => ({ request, shedTokens: 1000 * request }));
    const steps = Array.from({ length: 12 }, (_, index) => {
      const over = drops.find(({ request }) => request === index + 1);
      return step(index + 1, 10_000, { tool: 2000 }, over ? { shedTokens: over.shedTokens } : {});
    });
    const [svg = ''] = svgsIn(markup(chartInput({ runs: [chartRun({ timeline: timeline(steps) })] })));
    const words = [...svg.matchAll(/<text x="([\d.]+)" y="[\d.]+"( text-anchor="end")?>(evicted [^<]*)</g)];
    // A character of 12 pixels is at least 5 wide.
    const spans = words.map(([, x, isEnd, text = '']) => {
      const [at, width] = [Number(x), 5 * text.length];
      return isEnd ? [at - width, at] : [at, at + width];
    });
    const sorted = spans.toSorted(([a = 0], [b = 0]) => a - b);
    expect(sorted.length).toBeGreaterThan(0);
    for (const [index, [, end = 0]] of sorted.slice(0, -1).entries()) {
      expect(end).toBeLessThanOrEqual(sorted[index + 1]?.[0] ?? 0);
    }
    // Every sign is drawn, and the table has what each dropped.
    expect(svg.match(/<g transform="translate\([\d.]+,0\)" stroke="var\(--fg\)"/g)).toHaveLength(5);
  });

  test('the limit is drawn where it is on the scale, else told', () => {
    expect(svgsIn(markup(PAIR)).join('')).not.toContain('limit');
    expect(markup(PAIR)).toContain('at the end 9k tokens, 5% of 200k');
    const near = { ...PAIR, runs: PAIR.runs.map((run) => ({ ...run, measure: limit(25_000) })) };
    for (const svg of svgsIn(markup(near))) expect(textsIn(svg).map(({ text }) => text)).toContain('limit 25k');
  });
});

test('the tables have every request’s tokens', () => {
  const rows = rowsIn(markup(PAIR));
  expect(rows).toContainEqual(['request', 'segment', 'window', 'base', 'codegraph', 'Read', 'dropped']);
  expect(rows).toContainEqual(['3', '2', '16,000', '10,000', '4,000', '2,000', '']);
  expect(rows).toContainEqual(['4', '2', '9,000', '7,000', '0', '2,000', 'compacted 4,000']);
  expect(rows).toContainEqual(['3', '1', '15,000', '11,500', '3,500', 'evicted 5,500']);
});

describe('any shape of campaign', () => {
  test('no run; one run; three arms', () => {
    expect(markup(chartInput())).toContain('nothing to draw');
    const one = chartRun({ timeline: timeline([step(1, 5000, {})]) });
    expect(svgsIn(markup(chartInput({ arms: ['new'], runs: [one] })))).toHaveLength(1);
    const arms = ['a', 'b', 'c'];
    const three = arms.map((arm) => chartRun({ arm, timeline: timeline(STEPS) }));
    expect(svgsIn(markup(chartInput({ arms, runs: three })))).toHaveLength(3);
  });

  test('a run without a window has no area and says why', () => {
    const runs = [
      chartRun({ timeline: timeline(STEPS) }),
      chartRun({ arm: 'baseline', measure: null, counts: false, why: 'the daemon did not start' }),
      chartRun({ repetition: 2, timeline: null }),
    ];
    const html = markup(chartInput({ runs }));
    expect(svgsIn(html)).toHaveLength(1);
    expect(html).toContain('No window to draw: the daemon did not start.');
    expect(html).toContain('left out: the daemon did not start');
    expect(html).toContain('No window to draw: no request told its size.');
  });

  test('runs of which no repetition is known are paired in their order', () => {
    const names = ['a/run-new', 'b/run-new', 'a/run-baseline'];
    const runs = names.map((name) =>
      chartRun({
        name,
        task: null,
        repetition: null,
        arm: name.endsWith('new') ? 'new' : 'baseline',
        timeline: timeline(STEPS),
      }),
    );
    const html = markup(chartInput({ runs }));
    expect(html.match(/<div class="panels">/g)).toHaveLength(2);
  });
});

test('begins with the medians of all runs that count', () => {
  const shorter = STEPS.slice(0, 1);
  const runs = [
    chartRun({ timeline: timeline(STEPS) }),
    chartRun({ repetition: 2, timeline: timeline(shorter) }),
    chartRun({ repetition: 3, timeline: timeline(shorter), counts: false, why: 'raced' }),
  ];
  const rows = rowsIn(markup(chartInput({ runs })));
  expect(rows).toContainEqual(['runs', '0', '2']);
  // The mean of the middle two: 1 request and all of them.
  expect(rows).toContainEqual(['requests', '—', String(Math.round((1 + STEPS.length) / 2))]);
});

test('no token family has the colour of an arm', () => {
  const colours = [...STYLES.matchAll(/--(arm|family)-(\w+):(#[0-9a-f]{6})/g)];
  const of = (kind: string) => colours.filter((found) => found[1] === kind).map(([, , , colour]) => colour);
  // Four arms and six parts, light and dark.
  expect([of('arm').length, of('family').length]).toEqual([8, 12]);
  expect(of('family').filter((colour) => of('arm').includes(colour))).toEqual([]);
});

test('hostile names do nothing', () => {
  const bad = '"><img src=x onerror=alert(1)>\u202e\u001b]0;x\u0007';
  const runs = [chartRun({ name: bad, task: bad, arm: bad, why: bad, counts: false, timeline: timeline(STEPS) })];
  const html = markup(chartInput({ arms: [bad], toolLabel: bad, runs }));
  expect(isHarmful(html)).toBe(false);
  expect(html).not.toMatch(/<[^>"]*("[^"]*"[^>"]*)*\sonerror=/);
});

test('56 sessions stay small; ids are there once', { timeout: 120_000 }, () => {
  const html = markup(campaign());
  expect(svgsIn(html)).toHaveLength(56);
  expect(html.length).toBeLessThan(620_000);
  const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('of more than 200 runs each task is drawn once, and the page says so', { timeout: 120_000 }, () => {
  // 7 tasks x 15 runs x 2 arms: 210 runs.
  const html = markup(campaign(7, 15));
  expect(svgsIn(html)).toHaveLength(14);
  expect(html).toContain('Drawn is the first repetition of each task: with 210 runs');
  expect(markup(campaign(1, 2))).not.toContain('Drawn is the first repetition');
});
