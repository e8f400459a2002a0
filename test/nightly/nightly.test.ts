import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { NoiseFloor } from '../../src/model/verdict.js';
import { readHistory } from '../../src/nightly/index.js';
import { chartOf } from '../../src/nightly/nightly-chart.js';
import { lookOf, nightlyMetrics } from '../../src/nightly/nightly-compare.js';
import { type NightlyEntry, type NightlyMetric, renderNightly } from '../../src/report/index.js';
import { COST } from '../statistics/rig.js';

function metric(over: Partial<NightlyMetric> = {}): NightlyMetric {
  return {
    ...{ arm: 'with', metric: 'costUsd', label: 'cost', unit: 'percent', margin: 10, effect: 3, interval: [-1, 7] },
    ...{ verdict: 'inconclusive', result: 'within', reason: null, level: 0, chart: null },
    ...over,
  };
}

function night(over: Partial<NightlyEntry> = {}): NightlyEntry {
  return {
    ...{ formatVersion: 2, at: '2026-01-01T00:00:00Z', regime: 'r', builds: [], exitCode: 0, name: 'n', look: null },
    ...{ verdict: 'green', campaign: '/out/c', baseline: '/out/b', metrics: [], gate: null },
    ...over,
  };
}

function floor(effect: number): NoiseFloor {
  const metrics = [{ metric: 'costUsd', unit: 'percent' as const, effect, halfWidth: 1, falseAlarms: null }];
  return { campaign: 'aa', tasks: 1, runs: [4, 4], metrics };
}

describe('looks of nights', () => {
  const looks = { planned: 3, rule: 'pocock' as const };

  it('are numbered by the nights of the regime that were compared: first and unmeasured ones are none', () => {
    const history = [
      night({ verdict: 'first' }),
      night(),
      night({ verdict: 'not-measured' }),
      night({ regime: 'other' }),
      night({ verdict: 'regression' }),
    ];
    expect(lookOf({ looks }, history, 'r')).toEqual({ planned: 3, rule: 'bonferroni', look: 3 });
    expect(lookOf({ looks }, [], 'r')).toMatchObject({ look: 1 });
  });

  it('are none where none were declared', () => {
    expect(lookOf({}, [night()], 'r')).toBeUndefined();
  });
});

it('judges the declared metrics, with the nightly margins; a margin alone makes a secondary metric', () => {
  const metrics = nightlyMetrics(
    { primary: 'costUsd', margins: { costUsd: 3, durationMs: 4 } },
    { costUsd: 10, reads: 20 },
  );
  const marginOf = (name: string) => metrics.find((one) => one.name === name)?.margin;
  expect([marginOf('costUsd'), marginOf('durationMs'), marginOf('reads')]).toEqual([10, 4, 20]);
  expect(metrics.find(({ name }) => name === 'reads')?.role).toBe('secondary');
  expect(metrics.filter(({ role }) => role === 'primary').map(({ name }) => name)).toEqual(['costUsd']);
});

describe('the control chart', () => {
  const at = { arm: 'with', metric: COST, effect: 3.5, level: 0, earlier: [], floors: [] };

  it('holds the effect against A/A campaigns: −1, 0, 1 have a deviation of 1, so 3.5 is outside ± 3', () => {
    const floors = [floor(-1), floor(0), floor(1)];
    expect(chartOf({ ...at, floors })).toEqual({ by: 'aa', of: 3, value: 3.5, lower: -3, upper: 3, isAlarm: true });
    expect(chartOf({ ...at, floors, effect: 2.9 })?.isAlarm).toBe(false);
  });

  it('else the level against the earlier nights by their moving range, in percent of their centre', () => {
    // ln levels alternate by 0.02: sigma 0.02 / 1.128, limits ± 0.05319 around 0.01.
    const earlier = Array.from({ length: 8 }, (_, index) =>
      night({ metrics: [metric({ level: (index % 2) * 0.02 })] }),
    );
    const chart = chartOf({ ...at, earlier, level: 0.07 });
    expect(chart).toMatchObject({ by: 'moving-range', of: 8, isAlarm: true });
    expect(chart?.upper).toBeCloseTo(100 * Math.expm1(0.053_191_5), 3);
    expect(chart?.value).toBeCloseTo(100 * Math.expm1(0.06), 6);
    expect(chartOf({ ...at, earlier, level: 0.06 })?.isAlarm).toBe(false);
    expect(chartOf({ ...at, earlier: earlier.slice(1), level: 0.07 })).toBeNull();
  });

  it('reads histories that held no levels', () => {
    const { metrics: _, ...old } = night();
    expect(chartOf({ ...at, earlier: Array.from({ length: 9 }, () => old as NightlyEntry) })).toBeNull();
  });

  it('is worded as an alarm, which is no verdict, and names cannot steer the terminal', () => {
    const chart = { by: 'aa' as const, of: 3, value: 3.5, lower: -3, upper: 3, isAlarm: true };
    const text = renderNightly(night({ name: 'n\u001b[31m', metrics: [metric({ chart })] }));
    expect(text).toContain(
      '  ! ALARM: with: cost is +3.5% off its centre, outside −3.0% to +3.0% (3 sigma, 3 A/A campaigns): a reason to look, no verdict',
    );
    expect(text).toContain('NIGHTLY n — GREEN');
    expect(text).not.toContain('\u001b');
    expect(renderNightly(night({ metrics: [metric({ chart: { ...chart, isAlarm: false } })] }))).not.toContain('ALARM');
  });
});

it('refuses a history that a newer version wrote, and leaves out a line that was cut off', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ae-history-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (...lines: string[]) => writeFileSync(join(folder, 'history.jsonl'), lines.join('\n'));
  write(JSON.stringify(night()), '{"formatVersion":2,"at"');
  expect(readHistory(folder)).toEqual({ ok: true, value: [night()] });
  write(JSON.stringify(night()), JSON.stringify({ ...night(), formatVersion: 3 }));
  const refused = readHistory(folder);
  expect(refused.ok ? '' : refused.failure.message).toBe(
    `${join(folder, 'history.jsonl')}, line 2, was written by a newer agent-eval: formatVersion 3, this one reads 2`,
  );
});
