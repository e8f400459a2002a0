import { expect, it } from 'vitest';
import { movementsOf, summarizeArm } from '../../src/aggregate/index.js';
import { allocationWith, engine, runOf } from './measures.js';

const OPTIONS = { includeRaced: false, includeContaminated: false, engine };

function arm(costUsd: number, efficiency = 0.5) {
  const allocation = allocationWith({ envelopeChars: 1000, usedChars: efficiency * 1000, efficiency });
  return summarizeArm('with', [runOf('r', { costUsd, allocation })], OPTIONS);
}

it('calls an average that is worse by more than the margin a regression', () => {
  // +20% and +2%: 11% on average.
  const tasks = [
    { task: 'a', now: arm(1.2), before: arm(1) },
    { task: 'b', now: arm(1.02), before: arm(1) },
  ];
  expect(movementsOf('with', tasks, { costUsd: 10 })[0]).toMatchObject({
    percent: 11,
    words: '11% HIGHER',
    isRegression: true,
    of: 2,
  });
  expect(movementsOf('with', tasks, { costUsd: 11 })[0]?.isRegression).toBe(false);
});

it('knows of which figures more is better', () => {
  // Efficiency from 50% to 40% is 20% lower: worse. Cost 20% lower: better.
  const tasks = [{ task: 'a', now: arm(0.8, 0.4), before: arm(1, 0.5) }];
  const [efficiency, cost] = movementsOf('with', tasks, { allocationEfficiency: 10, costUsd: 10 });
  expect(efficiency).toMatchObject({ words: '20% LOWER', isRegression: true });
  expect(cost).toMatchObject({ words: '20% LOWER', isRegression: false });
});

it('says nothing of a figure that no task has', () => {
  expect(movementsOf('with', [], { costUsd: 10 })[0]).toMatchObject({ percent: null, words: '—', isRegression: false });
});
