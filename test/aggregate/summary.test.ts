import { describe, expect, test } from 'vitest';
import { summarizeArm } from '../../src/aggregate/index.js';
import { allocationWith, engine, families, leaked, occupancyWith, runOf, sufficiencyWith, tools } from './measures.js';

const options = { includeRaced: false, includeContaminated: false, engine, tools };

describe('medians and ranges', () => {
  test('three runs: the middle one, with the ends', () => {
    const runs = [35_000, 18_000, 24_000].map((durationMs, i) => runOf(`r${i}`, { durationMs }));
    expect(summarizeArm('new', runs, options).figures.durationMs).toEqual({
      median: 24_000,
      min: 18_000,
      max: 35_000,
      n: 3,
    });
  });

  test('an even number: the mean of the middle two', () => {
    const runs = [0.4, 0.1, 0.3, 0.2].map((costUsd, i) => runOf(`r${i}`, { costUsd }));
    expect(summarizeArm('new', runs, options).figures.costUsd?.median).toBeCloseTo(0.25, 12);
  });

  test('a missing value is not a zero: it is not in the median, and n says so', () => {
    const runs = [runOf('a', { costUsd: null }), runOf('b', { costUsd: 2 })];
    const { figures } = summarizeArm('new', runs, options);
    expect(figures.costUsd).toEqual({ median: 2, min: 2, max: 2, n: 1 });
    expect(figures.duplicateShare).toBeNull();
  });

  test('the figure of a sum is the median of the sums, not the sum of the medians', () => {
    // tool 1, 5, 9 and file access 90, 10, 20: sums 91, 15, 29 → 29; the sum of the medians would be 5 + 20 = 25.
    const residuals = [
      families({ tool: 1, read: 80, bash: 10 }),
      families({ tool: 5, search: 10 }),
      families({ tool: 9, read: 20 }),
    ];
    const runs = residuals.map((residualTokens, i) =>
      runOf(`r${i}`, { occupancy: occupancyWith({ residualTokens, ctxFinalTokens: 100 }) }),
    );
    const { figures } = summarizeArm('new', runs, options);
    expect(figures.engineResidualTokens?.median).toBe(5);
    expect(figures.fileAccessResidualTokens?.median).toBe(20);
    expect(figures.retrievalResidualTokens).toEqual({ median: 29, min: 15, max: 91, n: 3 });
    expect(figures.retrievalShare?.median).toBeCloseTo(0.29, 12);
  });

  test('calls are counted by name, the tool by its own predicate', () => {
    const counts = {
      Read: 2,
      NotebookRead: 1,
      Grep: 3,
      Glob: 1,
      Bash: 4,
      mcp__codegraph__codegraph_explore: 5,
      Write: 7,
    };
    const { figures } = summarizeArm('new', [runOf('a', { counts })], options);
    expect(figures.reads?.median).toBe(3);
    expect(figures.searches?.median).toBe(4);
    expect(figures.bashCalls?.median).toBe(4);
    expect(figures.engineCalls?.median).toBe(5);
  });
});

describe('pooling', () => {
  test('sufficiency adds up calls over runs', () => {
    const buckets = { explore_again: 1, read_returned: 0, read_missed: 0, search: 0, sufficient: 2 };
    const runs = [
      runOf('a', { sufficiency: sufficiencyWith({ answered: 3, buckets, errored: 1 }) }),
      runOf('b', { sufficiency: sufficiencyWith({ answered: 3, buckets, noAnswer: 2 }) }),
    ];
    const { sufficiency } = summarizeArm('new', runs, options);
    expect(sufficiency.answered).toBe(6);
    expect(sufficiency.buckets).toEqual({
      explore_again: 2,
      read_returned: 0,
      read_missed: 0,
      search: 0,
      sufficient: 4,
    });
    expect([sufficiency.errored, sufficiency.noAnswer]).toEqual([1, 2]);
  });

  test('allocation pools characters; a run without sections or without an answer adds nothing', () => {
    const runs = [
      runOf('a', {
        allocation: allocationWith({ envelopeChars: 1000, usedChars: 900, usedPathChars: 500, efficiency: 0.9 }),
      }),
      runOf('b', {
        allocation: allocationWith({ envelopeChars: 3000, usedChars: 1500, usedPathChars: 300, efficiency: 0.5 }),
      }),
      runOf('no explore'),
      runOf('no answer', { allocation: allocationWith({ envelopeChars: 9000, hasAnswer: false }) }),
    ];
    const { allocation, figures } = summarizeArm('new', runs, options);
    // (900 + 1500) / (1000 + 3000) and (500 + 300) / 4000.
    expect(allocation.efficiency).toBeCloseTo(0.6, 12);
    expect(allocation.efficiencyPath).toBeCloseTo(0.2, 12);
    expect(allocation.runs).toBe(2);
    expect(figures.allocationEfficiency).toEqual({ median: 0.7, min: 0.5, max: 0.9, n: 2 });
  });

  test('adoption is the share of the kept runs that called the tool; an arm without it has none', () => {
    const called = { counts: { mcp__codegraph__codegraph_explore: 1 } };
    const runs = [runOf('a', called), runOf('b'), runOf('c', called), runOf('d', { ok: false })];
    expect(summarizeArm('with', runs, options).adoption).toEqual({ called: 2, of: 3 });
    expect(summarizeArm('without', [runOf('a', {}, { expectsEngine: false })], options).adoption).toBeNull();
  });
});

describe('what is left out', () => {
  test('each run that does not count is named with one cause, the gravest', () => {
    const runs = [
      runOf('good'),
      runOf('failed', { ok: false }),
      runOf('raced', { raced: true }),
      runOf('leaked', leaked),
      runOf('leaked and raced', { ...leaked, raced: true, ok: false }),
      runOf('stalled', { ok: false }, { validity: 'infra', cause: 'the daemon did not answer' }),
      runOf('unfenced', {}, { validity: 'unfenced' }),
    ];
    const summary = summarizeArm('new', runs, options);
    expect(summary.runs.total).toBe(7);
    expect(summary.runs.kept).toEqual(['good']);
    expect(summary.runs.dropped.map(({ name, cause }) => [name, cause])).toEqual([
      ['failed', 'not-ok'],
      ['raced', 'raced'],
      ['leaked', 'contaminated'],
      ['leaked and raced', 'contaminated'],
      ['stalled', 'infra'],
      ['unfenced', 'unfenced'],
    ]);
    expect(summary.runs.byCause).toEqual({ 'not-ok': 1, raced: 1, contaminated: 2, infra: 1, unfenced: 1 });
    expect(summary.runs.dropped[4]?.detail).toBe('the daemon did not answer');
  });

  test('a trial that never had a session is dropped like any other', () => {
    const early = { ...runOf('early'), measure: null, validity: 'infra' as const, cause: 'the daemon was not ready' };
    const unknown = { ...runOf('unknown'), measure: null };
    const summary = summarizeArm('new', [runOf('good'), early, unknown], options);
    expect(summary.runs.total).toBe(3);
    expect(summary.runs.dropped).toEqual([
      { name: 'early', cause: 'infra', detail: 'the daemon was not ready' },
      { name: 'unknown', cause: 'not-ok', detail: 'it has no session' },
    ]);
  });

  test('an arm without the tool cannot be raced', () => {
    const summary = summarizeArm('without', [runOf('a', { raced: true }, { expectsEngine: false })], options);
    expect(summary.runs.kept).toEqual(['a']);
  });

  test('what was asked for is kept and said; a second cause still drops', () => {
    const runs = [runOf('raced', { raced: true }), runOf('leaked', leaked), runOf('both', { ...leaked, raced: true })];
    const raced = summarizeArm('new', runs, { ...options, includeRaced: true });
    expect(raced.runs.kept).toEqual(['raced']);
    expect(raced.runs.keptOnRequest).toEqual([{ name: 'raced', cause: 'raced' }]);
    expect(raced.runs.dropped.map(({ name }) => name)).toEqual(['leaked', 'both']);
    const all = summarizeArm('new', runs, { ...options, includeRaced: true, includeContaminated: true });
    expect(all.runs.kept).toEqual(['raced', 'leaked', 'both']);
  });

  test('a failed run is not kept by either option', () => {
    const runs = [runOf('leaked', { ...leaked, ok: false })];
    const summary = summarizeArm('new', runs, { ...options, includeRaced: true, includeContaminated: true });
    expect(summary.runs.dropped.map(({ cause }) => cause)).toEqual(['not-ok']);
  });

  test('contamination is counted over all runs, the dropped ones too', () => {
    const runs = [
      runOf('leaked', leaked),
      runOf('looked', {
        contamination: { invoke: { blocked: 2, returned: 0 }, data: { blocked: 1, returned: 0 }, commands: [] },
      }),
    ];
    expect(summarizeArm('new', runs, options).contamination).toEqual({
      invoke: { blocked: 3, returned: 1 },
      data: { blocked: 1, returned: 0 },
      runsReturned: 1,
      runsBlocked: 2,
    });
  });

  test('an arm of which nothing is left has no figures, and does not fail', () => {
    const summary = summarizeArm('new', [runOf('a', { ok: false })], options);
    expect(Object.values(summary.figures).every((figure) => figure === null)).toBe(true);
    expect(summary.allocation.efficiency).toBeNull();
  });
});
