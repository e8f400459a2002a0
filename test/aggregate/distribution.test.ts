import { expect, test } from 'vitest';
import { distributionOf } from '../../src/aggregate/index.js';
import type { ArmRun } from '../../src/model/summary.js';
import { allocationWith, leaked, runOf, sufficiencyWith } from './measures.js';

const options = { includeRaced: false, includeContaminated: false };

function scored(name: string, usedChars: number, prompts: number): ArmRun {
  const segments = Array.from({ length: prompts }, () => ({ sessionId: 's', subtype: 'success', isError: false }));
  const run = runOf(name, {
    files: segments.map((_, index) => `${name}.t${index + 1}.jsonl`),
    allocation: allocationWith({
      envelopeChars: 1000,
      usedChars,
      usedPathChars: 100,
      efficiency: usedChars / 1000,
      efficiencyPath: 0.1,
      calls: [{ envelopeChars: 1000, usedChars, efficiency: usedChars / 1000, files: 3, filesUsed: 1 }],
    }),
    sufficiency: sufficiencyWith({ answered: 1 }),
  });
  run.measure.diagnostics.segments = segments;
  return run;
}

test('slices by number of prompts, with interpolated quartiles', () => {
  const runs = [
    scored('a', 200, 1),
    scored('b', 400, 1),
    scored('c', 600, 3),
    scored('d', 1000, 3),
    runOf('no explore'),
    runOf('leaked', leaked),
  ];
  const distribution = distributionOf(runs, options);
  expect(distribution.sessions).toBe(6);
  expect(distribution.without).toBe(1);
  expect(distribution.dropped.map(({ name, cause }) => [name, cause])).toEqual([['leaked', 'contaminated']]);
  expect([distribution.calls, distribution.fileSections]).toEqual([4, 12]);
  const [all, one, several] = distribution.slices;
  // 0.2 0.4 0.6 1.0: ranks 0.75, 1.5 and 2.25 of 0 … 3.
  expect(all?.n).toBe(4);
  expect(all?.pooled).toBeCloseTo(2200 / 4000, 12);
  expect(all?.p25).toBeCloseTo(0.35, 12);
  expect(all?.median).toBeCloseTo(0.5, 12);
  expect(all?.p75).toBeCloseTo(0.7, 12);
  expect(all?.min).toBeCloseTo(0.2, 12);
  expect(all?.pathOnly).toBeCloseTo(0.1, 12);
  expect([one?.n, several?.n]).toEqual([2, 2]);
  expect(one?.median).toBeCloseTo(0.3, 12);
  expect(several?.pooled).toBeCloseTo(0.8, 12);
  expect(distribution.sufficiency.answered).toBe(4);
});

test('nothing to count is null, not 0', () => {
  const distribution = distributionOf([], options);
  expect(distribution.slices[0]).toEqual({
    name: 'all',
    n: 0,
    pooled: null,
    median: null,
    p25: null,
    p75: null,
    min: null,
    pathOnly: null,
  });
});
