import { render } from 'preact-render-to-string';
import { describe, expect, test } from 'vitest';
import type { Bucket } from '../../../../src/model/families.js';
import type { AllocationFile, Measure, SufficiencyCall } from '../../../../src/model/measure.js';
import {
  allocationCharts,
  type ChartInput,
  type ChartRun,
  runExplores,
  sufficiencyCharts,
} from '../../../../src/report/html/charts/index.js';
import { campaign, chartInput, chartRun, measureWith } from './rig.js';
import { bottomLabels, byLabels, isHarmful, labelValue, rowsIn, svgsIn, textsIn } from './svg.js';

function call(bucket: Bucket, over: Partial<SufficiencyCall> = {}): SufficiencyCall {
  return {
    thread: null,
    query: 'how are routes matched',
    files: ['lib/router.js'],
    chars: 5000,
    bucket,
    next: 'Grep',
    ...over,
  };
}

function explored(calls: SufficiencyCall[], over: Partial<Measure['sufficiency']> = {}): Measure {
  const measure = measureWith();
  for (const one of calls) {
    measure.sufficiency.answered++;
    measure.sufficiency.buckets[one.bucket]++;
    if (one.noAnswer) measure.sufficiency.noAnswer++;
    if (one.undelivered) measure.sufficiency.undelivered++;
  }
  return { ...measure, sufficiency: { ...measure.sufficiency, calls, ...over } };
}

/** `answered` false: nothing could be cited. */
function returned(files: AllocationFile[], answered = true): Measure {
  const envelopeChars = files.reduce((sum, file) => sum + file.chars, 0);
  const usedChars = files.reduce((sum, file) => sum + (file.via ? file.chars : 0), 0);
  const measure = measureWith();
  const efficiency = answered ? usedChars / envelopeChars : null;
  return { ...measure, allocation: { ...measure.allocation, files, envelopeChars, usedChars, efficiency } };
}

function ownList(run: ChartRun): string {
  const list = runExplores(run);
  return list === null ? '' : render(list);
}

const FLOWS = chartInput({
  runs: [
    chartRun({
      measure: explored(
        [
          ...[
            call('sufficient', { next: '(final answer)' }),
            call('sufficient'),
            call('search'),
            call('search', { noAnswer: true, files: [] }),
          ],
          ...[call('read_missed', { next: 'Read x.js', named: true }), call('explore_again', { undelivered: true })],
        ],
        { errored: 1, denied: 2, concurrent: 3 },
      ),
    }),
    chartRun({ repetition: 2, counts: false, why: 'raced', measure: explored([call('search')]) }),
    chartRun({ arm: 'baseline', measure: explored([]) }),
  ],
});

describe('what followed each explore', () => {
  test('counts by bucket, and by what the explore gave; an arm without explores says so', () => {
    const html = render(sufficiencyCharts(FLOWS));
    const svgs = svgsIn(html);
    expect(svgs).toHaveLength(1);
    // 2, 2, 1, 0 and 1 of 6, without a word at what nothing followed.
    expect(textsIn(svgs[0] ?? '').map(({ text }) => text)).toEqual(['33%', '33%', '17%', '17%']);
    const rows = rowsIn(html);
    expect(rows).toContainEqual([' moved on (sufficient)', '—', '2 (33%)']);
    expect(rows).toContainEqual([' read a returned file', '—', '0 (0%)']);
    expect(html).toContain(
      '6 explores answered in 1 run; 1 errored, not drawn; 2 denied calls stepped over; 1 run left out',
    );
    expect(html).toContain('none of its 1 run has an answered explore');
  });

  test('the bar is divided by the counts, in the order of the buckets, and each part says what was given', () => {
    const [svg = ''] = svgsIn(render(sufficiencyCharts(FLOWS)));
    const parts = [
      ...svg.matchAll(/<rect x="([\d.]+)" y="1" width="([\d.]+)"[^>]*?(stroke-dasharray="3,2")?><title>([^<]*)</g),
    ];
    // 423 units for 6 explores.
    expect(parts.map(([, x, width, dashes, says]) => [Number(x), Number(width), dashes !== undefined, says])).toEqual([
      [1, 141, false, 'an answer → moved on (sufficient): 2'],
      [142, 70.5, false, 'an answer → searched: 1'],
      [212.5, 70.5, true, 'no answer → searched: 1'],
      [283, 70.5, false, 'an answer → read another file: 1'],
      [353.5, 70.5, true, 'undelivered → explored again: 1'],
    ]);
  });

  test('the tables have the same counts, by arm and by task', () => {
    const rows = rowsIn(render(sufficiencyCharts(FLOWS)));
    expect(rows).toContainEqual([' searched', '—', '2 (33%)']);
    expect(rows).toContainEqual(['of these without an answer', '0', '1']);
    expect(rows).toContainEqual(['of these undelivered', '0', '1']);
    expect(rows).toContainEqual(['errored (in no bucket)', '0', '1']);
    expect(rows).toContainEqual(['express', 'new', '6', '1', '0', '1', '2', '2']);
  });

  test('every explore is listed with its query, files, bucket and what came next, also of runs that do not count', () => {
    const rows = rowsIn(render(sufficiencyCharts(FLOWS)));
    const query = 'how are routes matched';
    const came = '5,000 characters; 1 file: lib/router.js';
    expect(rows).toContainEqual(['express/new-1', query, came, 'moved on (sufficient): (final answer)']);
    expect(rows).toContainEqual(['express/new-1', query, came, 'read another file: Read x.js (named, not returned)']);
    expect(rows).toContainEqual(['express/new-1', query, 'no answer; 5,000 characters; no file', 'searched: Grep']);
    expect(rows).toContainEqual(['express/new-2', query, came, 'searched: Grep']);
  });

  test('a run’s own list names more files; a run without explores has none', () => {
    const files = Array.from({ length: 25 }, (_, n) => `src/f${n}.ts`);
    const html = ownList(chartRun({ measure: explored([call('search', { files })]) }));
    expect(html).toContain('src/f19.ts, and 5 more');
    expect(runExplores(chartRun({ measure: null }))).toBeNull();
  });
});

const FILES = chartInput({
  runs: [
    chartRun({
      measure: returned([
        { path: 'lib/router.js', chars: 4000, calls: 1, via: 'path' },
        { path: 'lib/layer.js', chars: 3000, calls: 1, via: 'symbol', symbol: 'Layer' },
        { path: 'lib/view.js', chars: 3000, calls: 1, via: null },
      ]),
    }),
    chartRun({ repetition: 2, measure: returned([{ path: 'lib/router.js', chars: 1000, calls: 1, via: null }]) }),
    chartRun({
      repetition: 3,
      measure: returned([{ path: 'lib/router.js', chars: 9000, calls: 1, via: null }], false),
    }),
  ],
});

describe('allocation', () => {
  test('bars from 0 on by path, symbol and not cited, at the characters given, in their order', () => {
    const [svg = ''] = svgsIn(render(allocationCharts(FILES)));
    const ticks = bottomLabels(svg);
    const [first, last] = [ticks[0], ticks.at(-1)];
    const at = byLabels([labelValue(first?.text ?? ''), first?.x ?? 0], [labelValue(last?.text ?? ''), last?.x ?? 0]);
    const bars = [...svg.matchAll(/<rect([^>]*)>/g)].map(([, attributes = '']) => {
      const value = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
      const [left, wide] = [Number(value('x')), Number(value('width'))];
      const ends = [at(left), at(left + wide)].map((end) => Math.round(end / 20) * 20);
      return [value('fill'), value('fill-opacity') === '0.45', ...ends];
    });
    expect(bars).toEqual([
      ['var(--arm-1)', false, 0, 4000],
      ['var(--bg)', false, 4000, 5000],
      ['var(--arm-1)', true, 0, 3000],
      ['var(--bg)', false, 0, 3000],
    ]);
  });

  test('cited or not and why, in words and in the table; runs without an answer are left out and counted', () => {
    const html = render(allocationCharts(FILES));
    const rows = rowsIn(html);
    expect(rows).toContainEqual(['lib/router.js', 'new', '4,000', '—', '1,000', 'cited 1 of 2 runs: path 1']);
    expect(rows).toContainEqual(['lib/layer.js', 'new', '—', '3,000', '—', 'cited 1 of 1 run: symbol 1 (Layer)']);
    expect(rows).toContainEqual(['lib/view.js', 'new', '—', '—', '3,000', 'not cited in 1 run']);
    expect(html).toContain('new: 11,000 characters in 2 runs, 64% of them in cited files');
    expect(html).toContain('1 run left out');
  });

  test('more than 40 long names: the largest, and the rest as one, their number stated', () => {
    const files = Array.from({ length: 45 }, (_, n): AllocationFile => {
      return {
        path: `packages/${'deep/'.repeat(20)}file-${n}.ts`,
        chars: 100 * (45 - n),
        calls: 1,
        via: n === 44 ? 'path' : null,
      };
    });
    const html = render(allocationCharts(chartInput({ runs: [chartRun({ measure: returned(files) })] })));
    expect(html).toContain('The 15 largest of 45 files, the others as one.');
    const texts = textsIn(svgsIn(html)[0] ?? '').map(({ text }) => text);
    expect(texts).toContain('the other 30 files');
    // 3,000 + 2,900 + … + 100.
    expect(texts).toContain('46,500 characters in all');
    expect(texts).toContain('cited 1 of 30 times it came: path 1');
    expect(texts.filter((text) => text.endsWith('/file-3.ts'))).toEqual([expect.stringMatching(/^….{39}$/)]);
  });

  test('nothing to draw: no explore, no answer, no run', () => {
    for (const runs of [[], [chartRun()], [chartRun({ measure: null })], FILES.runs.slice(2)]) {
      expect(render(allocationCharts(chartInput({ runs })))).toContain('nothing to draw');
    }
  });
});

test('hostile queries, files, symbols and reactions do nothing', () => {
  const bad = '</svg></table><script>alert(1)</script>\u202e\u001b[2J\u0000';
  const measure = {
    ...explored([call('search', { query: bad, files: [bad], next: bad })]),
    allocation: returned([{ path: bad, chars: 10, calls: 1, via: 'symbol', symbol: bad }]).allocation,
  };
  const of: ChartInput = chartInput({
    arms: [bad],
    toolLabel: bad,
    runs: [chartRun({ name: bad, task: bad, arm: bad, measure })],
  });
  for (const made of [sufficiencyCharts(of), allocationCharts(of)]) {
    expect(isHarmful(render(made))).toBe(false);
  }
  expect(isHarmful(ownList(chartRun({ measure })))).toBe(false);
});

test('56 sessions stay small', { timeout: 120_000 }, () => {
  const of = campaign();
  expect(render(sufficiencyCharts(of)).length).toBeLessThan(120_000);
  expect(render(allocationCharts(of)).length).toBeLessThan(160_000);
});
