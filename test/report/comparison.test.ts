import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { averageDirections, compareArms } from '../../src/aggregate/index.js';
import { renderAverage, renderComparison, renderMarkdown } from '../../src/report/index.js';
import { of3, summaryWith } from './summaries.js';

const published = readFileSync(new URL('../fixtures/report/arm-comparison.published.txt', import.meta.url), 'utf8');
/** Two of the published rows are set off by a blank or two, against the right-aligned columns of the other nineteen. */
const aligned = published
  .replace(/(moved on \/ answered .*60%)( +0 {2}0%)/, '$1 $2')
  .replace(/(per-run efficiency) {2}( .*100\.0%\])( +81\.9%)/, '$1$2  $3');

const dir = '/private/tmp/cg22/ab-express';

/** The figures of the published table, typed in. */
function publishedArms() {
  const sufficiency = summaryWith({}).sufficiency;
  const fresh = summaryWith(
    {
      label: 'new',
      sufficiency: {
        ...sufficiency,
        answered: 5,
        buckets: { explore_again: 2, read_returned: 0, read_missed: 0, search: 0, sufficient: 3 },
      },
      allocation: { ...summaryWith({}).allocation, efficiency: 0.969 },
    },
    {
      durationMs: of3(24_000, 18_000, 35_000),
      reads: of3(0),
      engineCalls: of3(2, 1, 2),
      engineResidualTokens: of3(11_549, 7_193, 12_591),
      fileAccessResidualTokens: of3(231, 0, 242),
      retrievalResidualTokens: of3(11_780, 7_193, 12_833),
      retrievalShare: of3(0.233, 0.158, 0.249),
      allocationEfficiency: of3(1, 0.925, 1),
      costUsd: of3(0.25),
    },
  );
  const baseline = summaryWith(
    {
      label: 'baseline',
      sufficiency: {
        ...sufficiency,
        answered: 6,
        buckets: { explore_again: 3, read_returned: 3, read_missed: 0, search: 0, sufficient: 0 },
      },
      allocation: { ...summaryWith({}).allocation, efficiency: 0.82 },
    },
    {
      durationMs: of3(26_000, 24_000, 30_000),
      reads: of3(1),
      engineCalls: of3(2),
      engineResidualTokens: of3(10_388, 10_373, 10_447),
      fileAccessResidualTokens: of3(1_661, 1_306, 1_663),
      retrievalResidualTokens: of3(12_034, 11_753, 12_051),
      retrievalShare: of3(0.238, 0.234, 0.239),
      allocationEfficiency: of3(0.819, 0.819, 0.82),
      costUsd: of3(0.5),
    },
  );
  return [fresh, baseline];
}

/** Rows that the published table does not have. */
const OURS = [
  'Grep/Glob calls',
  'Bash',
  'tool calls',
  'turns',
  'tokens processed',
  'output tokens',
  'cost ($)',
  'adoption (called codegraph)',
  'final context (tok)',
  'of which fixed (tok)',
  'compactions',
  'pooled, path-cited alone',
  'source delivered twice',
  'index/daemon reads that RETURNED',
  'index/daemon reads blocked',
];

describe('the ARM COMPARISON table', () => {
  test('without our own rows it is the published table, character by character, its columns aligned', () => {
    const lines = renderComparison(compareArms(publishedArms()), { dir }).split('\n');
    const table = lines.slice(0, lines.indexOf('  direction — median of new against baseline') - 1);
    const isOurs = (line: string) => OURS.some((label) => line.startsWith(`    ${label}  `));
    expect(table.filter(isOurs)).toHaveLength(OURS.length);
    expect(`${table.filter((line) => !isOurs(line)).join('\n')}\n`).toBe(aligned);
  });

  test('our rows stand at the end of their section', () => {
    const lines = renderComparison(compareArms(publishedArms()), { dir }).split('\n');
    const labels = lines
      .slice(2)
      .filter((line) => line.startsWith('    '))
      .map((line) => line.slice(4, 38).trim());
    expect(labels.slice(0, 5)).toEqual(['duration (s)', 'Read', 'codegraph calls', 'Grep/Glob calls', 'Bash']);
  });

  test('directions in words, warnings with advice, then the caveats', () => {
    const text = renderComparison(compareArms(publishedArms()), { dir });
    // 11,780 against 12,034 is 2.1 % less; 96.9 against 82.0 is pooled, the medians are 100 against 81.9: 22.1 % more.
    expect(text).toContain('    retrieval residual: 2% LOWER (the ranges overlap)\n');
    expect(text).toContain('    cost: 50% LOWER\n');
    expect(text).toContain('    per-run efficiency: 22% HIGHER\n');
    expect(text).not.toMatch(/-\d+%/);
    expect(text.indexOf('how to read this table')).toBeGreaterThan(text.indexOf('direction —'));
    for (const words of ['do not transfer', 'relative', 'Small n', 'single-prompt']) expect(text).toContain(words);
  });

  test('dropped runs are named, and runs says how many are left', () => {
    const [fresh, baseline] = publishedArms();
    if (!fresh || !baseline) throw new Error('two arms');
    const dropped = [{ name: 'run-new-3.jsonl', cause: 'infra' as const, detail: 'the daemon\ndid not answer' }];
    const runs = { ...fresh.runs, kept: ['1', '2'], dropped, byCause: { infra: 1 } };
    const text = renderComparison(compareArms([{ ...fresh, runs }, baseline]), { dir });
    expect(text).toMatch(/^ {2}runs +2 of 3 +3$/m);
    expect(text).toContain('    new: 1 of 3 (1 infra)\n      run-new-3.jsonl: infra — the daemon did not answer\n');
    expect(text).toMatch(/! runs were dropped unevenly[^\n]*\n {6}→ run the missing ones again/);
    // Three values were typed in for two runs: the mismatch is shown, not hidden.
    expect(text).toContain('24 [18–35] (n=3)');
  });

  test('what is missing is a dash; half a call and cents are not rounded away', () => {
    const one = summaryWith(
      { label: 'with' },
      { toolCalls: { median: 1.5, min: 1, max: 2, n: 3 }, costUsd: of3(0.0333, 0.0331, 0.0334) },
    );
    const two = summaryWith({ label: 'without', expectsEngine: false, adoption: null });
    const text = renderComparison(compareArms([one, two]), { dir });
    const rowOf = (label: string) => text.split('\n').find((line) => line.startsWith(`    ${label} `));
    expect(rowOf('tool calls')).toMatch(/ 1\.5 \[1–2\] +—$/);
    expect(rowOf('cost ($)')).toMatch(/ 0\.033$|—$/);
    expect(rowOf('adoption (called codegraph)')).toMatch(/3\/3 {2}100% +—$/);
  });

  test('columns widen for long labels, and three arms stand side by side without directions', () => {
    const label = 'a-label-that-is-longer-than-its-column';
    const text = renderComparison(compareArms([summaryWith({ label }), summaryWith({}), summaryWith({})]), { dir });
    const [, header, runs] = text.split('\n');
    expect(header?.endsWith(`  ${label}${'new'.padStart(24)}${'new'.padStart(24)}`)).toBe(true);
    expect(runs?.length).toBe(header?.length);
    expect(text).not.toContain('direction');
  });

  test('a label cannot steer the terminal', () => {
    const text = renderComparison(compareArms([summaryWith({ label: 'new\u001b[31m\u0007' })]), {
      dir: 'x\u001b]0;t\u0007',
    });
    expect(text).not.toMatch(/\p{Cc}(?<!\n)/u);
  });
});

test('the average over tasks is named what it is', () => {
  const text = renderAverage(
    averageDirections([compareArms(publishedArms()), compareArms(publishedArms())]),
    'codegraph',
  );
  expect(text).toMatch(/^PUBLISHED AVERAGE — mean of the rounded percentages of medians, no verdict$/m);
  expect(text).toContain('  cost: 50% LOWER (mean of 2 tasks’ percentages)');
  expect(renderAverage([], 'codegraph')).toBe('');
});

test('directions of medians have a name of their own beside a verdict, or are left out', () => {
  const comparison = compareArms(publishedArms());
  const published = renderComparison(comparison, { dir, directions: 'published' });
  expect(published).toContain('  PUBLISHED direction — median of new against baseline\n');
  expect(renderMarkdown(comparison, 'published')).toContain('**PUBLISHED direction — median of new against baseline**');
  expect(renderComparison(comparison, { dir, directions: 'none' })).not.toMatch(/direction|LOWER|HIGHER/);
  expect(renderMarkdown(comparison, 'none')).not.toMatch(/direction|LOWER|HIGHER/);
});

test('Markdown holds the same rows, and every line of the table has the same columns', () => {
  const text = renderMarkdown(compareArms(publishedArms()));
  expect(text).toContain('| → retrieval residual (tok) | 11,780 [7,193–12,833] | 12,034 [11,753–12,051] |');
  expect(text).toContain('| runs | 3 | 3 |');
  const table = text.split('\n').filter((line) => line.startsWith('|'));
  expect(new Set(table.map((line) => line.split('|').length))).toEqual(new Set([5]));
  expect(text).toContain('- retrieval residual: 2% LOWER (the ranges overlap)');
});
