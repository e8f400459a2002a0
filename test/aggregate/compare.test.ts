import { describe, expect, test } from 'vitest';
import { averageDirections, compareArms, summarizeArm } from '../../src/aggregate/index.js';
import type { ArmRun, Comparison } from '../../src/model/summary.js';
import { engine, families, leaked, measureWith, occupancyWith, runOf, sufficiencyWith, tools } from './measures.js';

const options = { includeRaced: false, includeContaminated: false, engine, tools };
const called = { mcp__codegraph__codegraph_explore: 1 };

function pair(first: ArmRun[], second: ArmRun[]): Comparison {
  return compareArms([summarizeArm('with', first, options), summarizeArm('without', second, options)]);
}

function residual(tokens: number): Parameters<typeof runOf>[1] {
  return { counts: called, occupancy: occupancyWith({ residualTokens: families({ tool: tokens }) }) };
}

function words(comparison: Comparison, figure: string): string | undefined {
  return comparison.directions.find((direction) => direction.figure === figure)?.words;
}

const codes = (comparison: Comparison) => comparison.warnings.map((warning) => warning.code);

describe('direction', () => {
  test('a larger residual is HIGHER, never a negative saving', () => {
    // 18,200 against 10,000: 82 % more.
    const comparison = pair([runOf('a', residual(18_200))], [runOf('b', residual(10_000))]);
    expect(words(comparison, 'retrievalResidualTokens')).toBe('82% HIGHER');
  });

  test('a smaller one is LOWER, equal ones are equal, a sliver is no 0%', () => {
    const lower = pair([runOf('a', { costUsd: 0.75 })], [runOf('b', { costUsd: 1 })]);
    expect(words(lower, 'costUsd')).toBe('25% LOWER');
    expect(words(pair([runOf('a')], [runOf('b')]), 'costUsd')).toBe('equal');
    const sliver = pair([runOf('a', { tokensProcessed: 100_001 })], [runOf('b', { tokensProcessed: 100_000 })]);
    expect(words(sliver, 'tokensProcessed')).toBe('less than 1% HIGHER');
  });

  test('there is no percentage of nothing', () => {
    const comparison = pair([runOf('a', residual(500))], [runOf('b', residual(0))]);
    expect(words(comparison, 'retrievalResidualTokens')).toBe('HIGHER, no percentage: 0 in without');
    const missing = pair([runOf('a', { costUsd: null })], [runOf('b')]);
    expect(words(missing, 'costUsd')).toBeUndefined();
  });

  test('ranges that touch are said to overlap', () => {
    const cost = (...usd: number[]) => usd.map((costUsd, i) => runOf(`r${i}`, { costUsd }));
    const find = (comparison: Comparison) => comparison.directions.find(({ figure }) => figure === 'costUsd');
    expect(find(pair(cost(1, 3), cost(3, 5)))?.rangesOverlap).toBe(true);
    expect(find(pair(cost(1, 2), cost(3, 5)))?.rangesOverlap).toBe(false);
  });

  test('only two arms have a direction; any number has a table', () => {
    const arms = ['a', 'b', 'c'].map((label) => summarizeArm(label, [runOf('r')], options));
    expect(compareArms(arms).directions).toEqual([]);
    expect(compareArms(arms).arms.map((arm) => arm.label)).toEqual(['a', 'b', 'c']);
  });

  test('the average over repositories is the mean of their rounded percentages', () => {
    // The published residual column: +276 +71 +71 +45 +27 +79 +7 = 576, over 7 = 82.3.
    const increases = [276, 71, 71, 45, 27, 79, 7];
    const comparisons = increases.map((percent) =>
      pair([runOf('a', residual(10_000 + percent * 100 + 20))], [runOf('b', residual(10_000))]),
    );
    const average = averageDirections(comparisons).find(({ figure }) => figure === 'retrievalResidualTokens');
    expect(average?.words).toBe('82% HIGHER');
    expect(average?.percent).toBeCloseTo(576 / 7, 12);
    expect(average?.of).toBe(7);
  });
});

describe('warnings', () => {
  const three = (rest?: Parameters<typeof runOf>[1]) =>
    ['1', '2', '3'].map((name) => runOf(name, { counts: called, ...rest }));

  test('a sound comparison has none', () => {
    expect(codes(pair(three(), three()))).toEqual([]);
  });

  test('one run has no range, and the advice says what to do', () => {
    const comparison = pair(three().slice(0, 1), three().slice(0, 1));
    expect(comparison.warnings).toEqual([
      { code: 'one-run', message: 'RUNS=1 in with, without: no range', advice: 'use --runs 4' },
    ]);
  });

  test('runs dropped unevenly, and what follows from it', () => {
    const comparison = pair([...three().slice(0, 2), runOf('x', { ok: false })], three());
    expect(codes(comparison)).toEqual(['validity-differs', 'runs-differ']);
    expect(comparison.warnings[0]?.message).toContain('1 of 3 in with, 0 of 3 in without');
  });

  test('contamination leads, even when its runs were kept on request', () => {
    const kept = { includeRaced: false, includeContaminated: true, engine, tools };
    const leaky = [...three().slice(0, 2), runOf('3', { counts: called, ...leaked })];
    const comparison = compareArms([summarizeArm('new', leaky, kept), summarizeArm('baseline', three(), kept)]);
    expect(codes(comparison)).toEqual(['contaminated', 'kept-on-request']);
    expect(comparison.warnings[1]?.message).toContain('3 (contaminated)');
  });

  test('an arm without any run', () => {
    expect(codes(pair([], three()))).toEqual(['no-runs', 'runs-differ']);
  });

  test('a tool that some runs did not call', () => {
    const comparison = pair(three({ counts: {} }), three());
    expect(codes(comparison)).toEqual(['adoption']);
    expect(comparison.warnings[0]?.message).toContain('only 0 of 3 runs called codegraph');
  });

  test('single prompts, mixed windows, an assumed ratio, a model fallback', () => {
    const segments = [{ sessionId: 's', subtype: 'success', isError: false }];
    const { diagnostics } = measureWith();
    const single = three({ files: ['run-with.jsonl'], diagnostics: { ...diagnostics, segments } });
    expect(codes(pair(single, three()))).toEqual(['single-prompt']);
    expect(codes(pair(three({ occupancy: occupancyWith({ windowTokens: 1_000_000 }) }), three()))).toEqual([
      'windows-differ',
    ]);
    expect(codes(pair(three({ occupancy: occupancyWith({ calibrated: false }) }), three()))).toEqual(['uncalibrated']);
    expect(codes(pair(three({ sufficiency: sufficiencyWith({ everAnswered: false }) }), three()))).toEqual([
      'never-answered',
    ]);
    const unknown = { ...measureWith().diagnostics, unknownTools: ['Telepathy'] };
    expect(codes(pair(three({ diagnostics: unknown }), three()))).toEqual(['unknown-tools']);
    const fallback = three({ diagnostics: { ...diagnostics, fallbackModels: ['other'] } });
    expect(codes(pair(fallback, three()))).toEqual(['model-fallback']);
  });

  test('one arm alone compares nothing', () => {
    expect(codes(compareArms([summarizeArm('with', three(), options)]))).toEqual(['no-comparison']);
  });
});
