import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PairedFigure, RepoAggregate, RunDetail } from '../../src/model/repos.js';
import { renderCsv, renderRepos, renderReposMarkdown } from '../../src/report/index.js';

const sufficiency = {
  answered: 26,
  errored: 0,
  concurrent: 0,
  noAnswer: 1,
  undelivered: 0,
  denied: 0,
  buckets: { explore_again: 21, read_returned: 0, read_missed: 1, search: 1, sufficient: 3 },
};
const allocation = {
  envelopeChars: 442_000,
  usedChars: 279_344,
  usedPathChars: 0,
  efficiency: 0.632,
  efficiencyPath: 0,
  runs: 4,
};
const spread = (median: number, min = median, max = median) => ({ median, min, max, n: 4 });
const pair = (withOne: number, without: number, words: string): PairedFigure => ({
  with: spread(withOne),
  without: spread(without),
  percent: 1,
  words,
});
const run: RunDetail = {
  repo: 'vscode',
  arm: 'with',
  name: 'vscode/with-4',
  cause: null,
  values: {
    requests: 13,
    ...{ engineCalls: 2, reads: 1, searches: 0, bashCalls: 5, delegations: 0, otherCalls: 0 },
    retrievalResidualTokens: 67_400,
    ctxFinalTokens: 113_000,
    tokensProcessed: 940_000,
    costUsd: 1.21,
    durationMs: 179_000,
    answeredExplores: 7,
    allocationEfficiency: 0.632,
    cliReturned: 0,
    cliBlocked: 3,
  },
};
/** The same run without its calls and its cost. */
const NO_CALLS_NO_COST = {
  ...run.values,
  ...{ engineCalls: null, reads: null, searches: null, bashCalls: null, delegations: null, otherCalls: null },
  costUsd: null,
};
const figures: Record<string, PairedFigure> = {
  requests: pair(12.5, 44, '72% LOWER'),
  ctxFinalTokens: pair(113_000, 53_000, '113% HIGHER'),
  retrievalResidualTokens: { ...pair(67_400, 17_926, '276% HIGHER'), with: spread(67_400, 60_100, 70_900) },
  retrievalShare: pair(0.597, 0.36, '66% HIGHER'),
  durationMs: pair(179_000, 119_000, '50% HIGHER'),
  toolCalls: pair(8, 60, '87% LOWER'),
  tokensProcessed: pair(940_000, 1_600_000, '41% LOWER'),
  costUsd: pair(1.21, 1.62, '25% LOWER'),
};
const average = (words: string) => ({ percent: 1, words, of: 1 });
const aggregate: RepoAggregate = {
  toolLabel: 'codegraph',
  labels: { with: 'with', without: 'without' },
  gate: {
    arms: [
      { label: 'with', sessions: 4, returned: 0, sessionsReturned: 0, blocked: 3, sessionsBlocked: 2 },
      { label: 'without', sessions: 4, returned: 1, sessionsReturned: 1, blocked: 26, sessionsBlocked: 4 },
    ],
    droppedContaminated: 1,
    keptOnRequest: 0,
  },
  rows: [
    {
      repo: 'vscode',
      runs: { with: [4, 4], without: [3, 4] },
      figures,
      windowShare: { with: 0.337, without: 0.09 },
      sufficiency,
      allocation,
      fixedOverheadTokens: 546,
    },
  ],
  averages: {
    requests: average('72% LOWER'),
    ctxFinalTokens: average('113% HIGHER'),
    retrievalResidualTokens: average('82% HIGHER'),
    retrievalShare: average('27% HIGHER'),
    durationMs: average('20% LOWER'),
    toolCalls: average('84% LOWER'),
    tokensProcessed: average('56% LOWER'),
    costUsd: average('24% LOWER'),
  },
  pooled: { sufficiency, allocation },
  fixedOverheadTokens: 546,
  adoption: { called: 4, of: 4 },
  runs: [run, { ...run, arm: 'without', name: '=evil,"x"', cause: 'contaminated', values: NO_CALLS_NO_COST }],
  excluded: [
    { repo: 'vscode', arm: 'without', name: 'vscode/without-2', cause: 'contaminated', detail: '1 shell call' },
  ],
  warnings: [{ repo: 'vscode', code: 'runs-differ', message: 'the arms differ', advice: 'run more' }],
  caveats: ['Shares do not transfer.'],
};
const options = {
  dir: 'bench-1',
  regime: [['model', 'sonnet, effort high']] as [string, string][],
  shown: { directions: true, averages: true },
};

describe('the aggregate in print', () => {
  const file = (name: string) => join(import.meta.dirname, '../fixtures/report/printed', name);

  // Worked out by hand: 21/26 = 81% and 3/26 = 12% of the explores; +546 tokens of fixed overhead; cg2 rd1 bs5 of the run's calls.
  it('holds the published rows, with directions and averages in words, never as a negative saving', async () => {
    const text = renderRepos(aggregate, options);
    await expect(text).toMatchFileSnapshot(file('repos.txt'));
    expect(text).not.toMatch(/-\d+%/);
  });

  it('prints medians alone where a verdict estimates the same values', async () => {
    const text = renderRepos(aggregate, { ...options, shown: { directions: false, averages: false } });
    await expect(text).toMatchFileSnapshot(file('repos-beside-a-verdict.txt'));
    expect(text).not.toMatch(/HIGHER|LOWER|AVERAGE/);
  });

  it('holds the same in Markdown', async () => {
    await expect(renderReposMarkdown(aggregate, options)).toMatchFileSnapshot(file('repos.md'));
  });
});

describe('CSV', () => {
  it('rounds to six decimals, which leaves nothing of binary fractions', () => {
    const [run] = aggregate.runs;
    if (!run) throw new Error('no run');
    const [, line] = renderCsv([
      { ...run, values: { ...run.values, costUsd: 0.7885139999999999, allocationEfficiency: 2 / 3 } },
    ]).split('\n');
    expect(line?.split(',')[19]).toBe('0.788514');
    expect(line?.split(',')[22]).toBe('0.666667');
  });

  it('has a header and a line a run; what is missing is empty, and a name cannot be a formula', () => {
    const [head, first, second, ...rest] = renderCsv(aggregate.runs).split('\n');
    expect(rest).toEqual([]);
    expect(head?.split(',').slice(0, 6)).toEqual(['task', 'arm', 'run', 'excluded_because', 'turns', 'engine_calls']);
    expect(first).toBe('vscode,with,vscode/with-4,,13,2,1,0,5,0,0,,,,,,67400,113000,940000,1.21,179000,7,0.632,0,3,');
    expect(second).toBe(
      `vscode,without,"'=evil,""x""",contaminated,13,,,,,,,,,,,,67400,113000,940000,,179000,7,0.632,0,3,`,
    );
  });
});
