import { describe, expect, it } from 'vitest';
import { aggregateRepos, compareArms, type RepoRuns, summarizeArm } from '../../src/aggregate/index.js';
import type { Measure } from '../../src/model/measure.js';
import type { RepoAggregate } from '../../src/model/repos.js';
import type { ArmRun } from '../../src/model/summary.js';
import { allocationWith, engine, families, leaked, occupancyWith, runOf, sufficiencyWith, tools } from './measures.js';

const OPTIONS = { includeRaced: false, includeContaminated: false, engine, tools };

function repo(name: string, withRuns: ArmRun[], withoutRuns: ArmRun[]): RepoRuns {
  const without = withoutRuns.map((run) => ({ ...run, expectsEngine: false }));
  return {
    repo: name,
    comparison: compareArms([summarizeArm('with', withRuns, OPTIONS), summarizeArm('without', without, OPTIONS)]),
    runs: [...withRuns.map((run) => ({ arm: 'with', run })), ...without.map((run) => ({ arm: 'without', run }))],
  };
}

function aggregate(...repos: RepoRuns[]): RepoAggregate {
  const made = aggregateRepos(repos, engine, tools);
  if (!made) throw new Error('these are no pairs of arms');
  return made;
}

function residual(tool: number, file: number, values: Partial<Measure> = {}, base = 10_000): Partial<Measure> {
  const residualTokens = families({ tool, read: file });
  return { occupancy: occupancyWith({ residualTokens, ctxBaseTokens: base, ctxFinalTokens: 50_000 }), ...values };
}

/**
 * The published residual table. Medians in tokens that print as published, both in thousands and as a share of 200,000: where the table
 * gives 33.7% of the window and +276%, 67,400 and 17,926 do (67,400 / 17,926 = 3.760).
 */
const PUBLISHED: [string, number, number, number][] = [
  ['vscode', 67_400, 17_926, 276],
  ['excalidraw', 43_000, 25_080, 71],
  ['django', 17_520, 10_240, 71],
  ['tokio', 45_400, 31_400, 45],
  ['okhttp', 20_200, 15_940, 27],
  ['gin', 14_600, 8_160, 79],
  ['alamofire', 33_800, 31_600, 7],
];

describe('the published residual table, from its own medians', () => {
  const table = aggregate(
    ...PUBLISHED.map(([name, withTokens, withoutTokens]) =>
      repo(name, [runOf('w', residual(withTokens, 0))], [runOf('o', residual(0, withoutTokens))]),
    ),
  );

  it.each(PUBLISHED)('%s', (name, _with, _without, percent) => {
    const row = table.rows.find((one) => one.repo === name);
    expect(row?.figures.retrievalResidualTokens?.words).toBe(`${percent}% HIGHER`);
  });

  it('averages to 82% HIGHER: the mean of the rounded percentages, (276+71+71+45+27+79+7)/7 = 82.3', () => {
    const average = table.averages.retrievalResidualTokens;
    expect(average).toMatchObject({ words: '82% HIGHER', of: 7 });
    expect(average?.percent).toBeCloseTo(576 / 7, 10);
  });

  it('gives the shares of the window as published', () => {
    expect(
      table.rows.map(
        ({ windowShare }) =>
          `${((windowShare.with ?? 0) * 100).toFixed(1)}→${((windowShare.without ?? 0) * 100).toFixed(1)}`,
      ),
    ).toEqual(['33.7→9.0', '21.5→12.5', '8.8→5.1', '22.7→15.7', '10.1→8.0', '7.3→4.1', '16.9→15.8']);
  });
});

describe('the published throughput table', () => {
  // Tokens in thousands and dollars as printed.
  const printed: [string, number, number, number, number][] = [
    ['vscode', 940, 1600, 1.21, 1.62],
    ['django', 362, 715, 0.52, 0.45],
  ];
  const table = aggregate(
    ...printed.map(([name, tokens, tokensWithout, cost, costWithout]) =>
      repo(
        name,
        [runOf('w', residual(1, 0, { tokensProcessed: tokens * 1000, costUsd: cost }))],
        [runOf('o', residual(0, 1, { tokensProcessed: tokensWithout * 1000, costUsd: costWithout }))],
      ),
    ),
  );

  it('spells out a saving and its opposite: 41% LOWER tokens and 25% LOWER cost, 16% HIGHER cost', () => {
    // 940/1600 = 0.5875; 1.21/1.62 = 0.747; 362/715 = 0.506; 0.52/0.45 = 1.156 (printed −17% from unrounded medians).
    expect(table.rows.map(({ figures }) => [figures.tokensProcessed?.words, figures.costUsd?.words])).toEqual([
      ['41% LOWER', '25% LOWER'],
      ['49% LOWER', '16% HIGHER'],
    ]);
    // (−25 + 16) / 2 = −4.5
    expect(table.averages.costUsd?.percent).toBe(-4.5);
    expect(table.averages.tokensProcessed?.words).toBe('45% LOWER');
  });
});

describe('pooling over repositories', () => {
  const sufficiency = (again: number, moved: number, noAnswer = 0) =>
    sufficiencyWith({
      answered: again + moved,
      noAnswer,
      buckets: { explore_again: again, read_returned: 0, read_missed: 0, search: 0, sufficient: moved },
    });
  const allocation = (used: number, envelope: number) =>
    allocationWith({
      envelopeChars: envelope,
      usedChars: used,
      usedPathChars: 0,
      efficiency: used / envelope,
      efficiencyPath: 0,
    });
  const table = aggregate(
    repo(
      'a',
      [
        runOf('a1', {
          ...residual(1, 0, {}, 10_500),
          sufficiency: sufficiency(3, 1),
          allocation: allocation(900, 1000),
        }),
        runOf('a2', {
          ...residual(1, 0, {}, 10_700),
          sufficiency: sufficiency(1, 1, 1),
          allocation: allocation(100, 1000),
        }),
      ],
      [runOf('a3', residual(0, 1)), runOf('a4', residual(0, 1))],
    ),
    repo(
      'b',
      [
        runOf('b1', {
          ...residual(1, 0, {}, 10_200),
          sufficiency: sufficiency(0, 2),
          allocation: allocation(500, 8000),
        }),
      ],
      [runOf('b2', residual(0, 1))],
    ),
  );

  it('adds calls and characters: 4 of 8 calls were followed by another, 1,500 of 10,000 characters were cited', () => {
    expect(table.pooled.sufficiency).toMatchObject({
      answered: 8,
      noAnswer: 1,
      buckets: { explore_again: 4, sufficient: 4 },
    });
    expect(table.pooled.allocation).toMatchObject({
      usedChars: 1500,
      envelopeChars: 10_000,
      efficiency: 0.15,
      runs: 3,
    });
    expect(table.rows[0]?.allocation.efficiency).toBe(0.5);
  });

  it('averages the fixed overhead over repositories: (600 + 200) / 2 tokens', () => {
    // a: median of 10,500 and 10,700 is 10,600, less 10,000; b: 10,200 less 10,000.
    expect(table.rows.map((row) => row.fixedOverheadTokens)).toEqual([600, 200]);
    expect(table.fixedOverheadTokens).toBe(400);
  });
});

describe('the gate and what is left out', () => {
  const table = aggregate(
    repo(
      'a',
      [
        runOf(
          'fine',
          residual(1, 0, { counts: { mcp__codegraph__codegraph_explore: 2, Read: 1, Bash: 5, ToolSearch: 1 } }),
        ),
        runOf('raced', residual(1, 0, { raced: true })),
      ],
      [runOf('leaked', residual(0, 1, leaked)), runOf('clean', residual(0, 1))],
    ),
  );

  it('counts calls over all sessions, the dropped ones too', () => {
    expect(table.gate.arms).toEqual([
      { label: 'with', sessions: 2, returned: 0, sessionsReturned: 0, blocked: 0, sessionsBlocked: 0 },
      { label: 'without', sessions: 2, returned: 1, sessionsReturned: 1, blocked: 1, sessionsBlocked: 1 },
    ]);
    expect(table.gate.droppedContaminated).toBe(1);
  });

  it('names what is excluded, and gives its line in the detail a cause', () => {
    expect(table.excluded.map(({ repo: where, arm, name, cause }) => [where, arm, name, cause])).toEqual([
      ['a', 'with', 'raced', 'raced'],
      ['a', 'without', 'leaked', 'contaminated'],
    ]);
    expect(table.runs.map(({ name, cause }) => [name, cause])).toEqual([
      ['fine', null],
      ['raced', 'raced'],
      ['leaked', 'contaminated'],
      ['clean', null],
    ]);
  });

  it('counts calls by family, bookkeeping left out', () => {
    const counts = { engineCalls: 2, reads: 1, searches: 0, bashCalls: 5, delegations: 0, otherCalls: 0 };
    expect(table.runs[0]?.values).toMatchObject(counts);
  });

  it('has no figure where an arm has no run that counts, and no aggregate of three arms', () => {
    const lost = aggregate(repo('x', [runOf('w', residual(1, 0, { raced: true }))], [runOf('o', residual(0, 1))]));
    expect(lost.rows[0]?.figures.costUsd).toMatchObject({ with: null, percent: null });
    expect(lost.averages.costUsd).toEqual({ percent: null, words: '—', of: 0 });
    expect(lost.fixedOverheadTokens).toBeNull();
    const arms = ['a', 'b', 'c'].map((label) => summarizeArm(label, [runOf(label)], OPTIONS));
    expect(aggregateRepos([{ repo: 'x', comparison: compareArms(arms), runs: [] }], engine, tools)).toBeNull();
  });
});
