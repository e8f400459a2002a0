import { describe, expect, test } from 'vitest';
import type { Observation, VerdictDesign } from '../../src/model/verdict.js';
import { renderVerdicts } from '../../src/report/verdicts.js';
import { verdictsOf } from '../../src/statistics/index.js';
import { COST, DESIGN, observations } from '../statistics/rig.js';

function data(share: number, tasks = 7): Observation[] {
  return observations(
    Array.from({ length: tasks }, (_, task) => ({
      baseline: [1, 1.02, 0.98, 1.01].map((value) => value * (task + 1)),
      tested: [1.01, 0.99, 1, 1.02].map((value) => value * (task + 1) * (share + task / 200)),
    })),
  );
}

function text(from: Observation[], design: Partial<VerdictDesign> = {}): string {
  return renderVerdicts(verdictsOf(from, { ...DESIGN, ...design }));
}

describe('verdicts as text', () => {
  test('the question, validity and adoption first; then the sentence, design, tests and the other question', () => {
    const lines = text(data(0.8)).split('\n');
    expect(lines[0]).toContain('new against baseline: would it, for tasks like these?');
    expect(lines[1]).toBe('  cost BETTER, −18.3%');
    expect(lines[2]).toBe(
      '  new: 28 of 28 trials valid; called the tool in 28 of 28 (100%, 95% interval 87.9% to 100.0%)',
    );
    expect(lines[3]).toBe('  baseline: 28 of 28 trials valid');
    expect(lines[4]).toMatch(
      /^ {2}new: \$\d\.\d{4} a run, — cache-neutral, — of its input read from the cache \(means of 28 runs\)$/,
    );
    expect(lines.at(-1)).toBe('  resampled with seed 7: the same runs give the same lines');
    const at = lines.findIndex((line) => line.startsWith('    cost: BETTER'));
    expect(at).toBeGreaterThan(2);
    expect(lines[at + 1]).toContain('7 tasks × 4 runs · valid 28/28 new, 28/28 baseline · sees ');
    expect(lines[at + 2]).toContain('sign-flip p = 0.016 (exact over 7 tasks, smallest possible 0.016)');
    expect(lines[at + 3]).toContain('on this corpus: −');
  });

  test('why there is no verdict stands above all of them', () => {
    const out = text(data(0.8), { regimeDifferences: ['effort: high, low'] });
    expect(out).toContain('  ! no verdict: regimes differ: effort: high, low');
    expect(out).toContain('cost: NO VERDICT — regimes differ');
  });

  test('few tasks, scripted model, declared looks, A/A beside it', () => {
    expect(text(data(0.8, 4))).toContain('below 6 tasks no 5% verdict is possible');
    expect(text(data(0.8), { scripted: true })).toContain('verdict on the script');
    expect(text(data(0.8), { looks: { planned: 3, look: 1, rule: 'pocock' } })).toContain(
      'look 1 of 3 declared (pocock)',
    );
    const falseAlarms = { count: 2, of: 70, all: true };
    const noise = {
      campaign: 'ab-1',
      tasks: 7,
      runs: [4, 4] as [number, number],
      metrics: [{ metric: 'costUsd', unit: 'percent' as const, effect: 0.4, halfWidth: 2.1, falseAlarms }],
    };
    expect(text(data(0.8), { noise })).toContain(
      'A/A: the same arm twice gave +0.4% ± 2.1%; 2 of all 70 relabelings would alarm (7 tasks × 4 of ab-1)',
    );
  });

  test('cache and order: both costs with the share that was read from the cache; the order of the primary metric always', () => {
    const withCache = data(0.8).map((one) => ({
      ...one,
      values: { ...one.values, cacheNeutralCostUsd: 0.5, cacheReadShare: one.arm === 'new' ? 0.714 : 0.2 },
    }));
    const out = text(withCache);
    expect(out).toMatch(/ {2}new: \$\d\.\d{4} a run, \$0\.5000 cache-neutral, 71\.4% of its input read from the cache/);
    expect(out).toMatch(/ {2}baseline: .* 20\.0% of its input/);
    expect(out).toMatch(
      /! order effect, more than chance: .* in blocks where the baseline ran first \(14\), compared with blocks where it ran second \(14\)/,
    );
  });

  test('the same arm twice is said to be', () => {
    expect(text(data(1), { aa: true })).toContain('  A/A: both arms are the same, so any difference is noise');
  });

  test('names cannot steer the terminal', () => {
    const hostile = data(0.8).map((one) => ({ ...one, name: `${one.name}\u001b[31m\u202e` }));
    const broken = hostile.map(
      (one): Observation =>
        one.task === 'q1' && one.arm === 'new' && one.repetition === 1
          ? { ...one, validity: 'infra', counts: false }
          : one,
    );
    const out = text(broken);
    expect(out).toContain('pairs that lost a side: 1: q1 #1 (q1/new-1: infra)');
    expect(out).not.toContain('\u001b');
    expect(out).not.toContain('\u202e');
  });

  test('nothing declared, nothing said', () => {
    expect(text(data(0.8), { metrics: [] })).toBe('');
    expect(text(data(0.8), { metrics: [{ ...COST, role: 'exploratory' }] })).toContain('exploratory');
  });
});
