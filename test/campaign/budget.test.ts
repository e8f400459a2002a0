import { describe, expect, it } from 'vitest';
import { Budget } from '../../src/campaign/budget.js';
import { spentBefore } from '../../src/campaign/spent.js';
import type { SegmentRecord } from '../../src/model/trial.js';
import type { JournalEntry } from '../../src/store/index.js';

const never = new AbortController().signal;
const segment = {} as SegmentRecord;

describe('the campaign’s money', () => {
  it('lets no trial start that could, with the running ones, go beyond the limit', async () => {
    const budget = new Budget(10);
    expect(await budget.reserve('a', 4, never)).toBe(true);
    expect(await budget.reserve('b', 4, never)).toBe(true);
    let third: boolean | undefined;
    const waiting = budget.reserve('c', 4, never).then((granted) => {
      third = granted;
    });
    await Promise.resolve();
    expect(third).toBeUndefined();
    // a cost 1.5 of its 4: 1.5 spent, 4 reserved for b, 4 for c: 9.5.
    budget.settle('a', { costUsd: 1.5, segments: [segment] });
    await waiting;
    expect(third).toBe(true);
    expect(budget.spentUsd + budget.reservedUsd).toBe(9.5);
  });

  it('refuses at once what nothing that runs could make affordable', async () => {
    const budget = new Budget(10);
    budget.book(7);
    expect(await budget.reserve('a', 4, never)).toBe(false);
  });

  it('books an unknown cost as the most it may have been, and an attempt without a session as nothing', async () => {
    const budget = new Budget(undefined);
    await budget.reserve('a', 4, never);
    budget.settle('a', { costUsd: null, segments: [segment] });
    await budget.reserve('b', 4, never);
    budget.settle('b', { costUsd: null, segments: [] });
    expect(budget.spentUsd).toBe(4);
  });

  it('gives up waiting at an abort', async () => {
    const stop = new AbortController();
    const budget = new Budget(5);
    await budget.reserve('a', 4, stop.signal);
    const waiting = budget.reserve('b', 4, stop.signal);
    stop.abort();
    expect(await waiting).toBe(false);
  });
});

it('counts what an earlier start spent: known costs, lost and killed trials at their most', () => {
  const at = '2026-01-01T00:00:00Z';
  const start = (trialId: string): JournalEntry => ({ at, event: 'trial-start', trialId, tag: trialId, root: '/r' });
  const end = (trialId: string, costUsd: number | null): JournalEntry => ({
    at,
    event: 'trial-end',
    trialId,
    attempt: 1,
    outcome: 'ok',
    validity: 'valid',
    costUsd,
  });
  const journal: JournalEntry[] = [
    start('a'),
    end('a', 0.5),
    start('b'),
    end('b', null),
    start('c'),
    { at, event: 'trial-lost', trialId: 'c' },
    start('d'),
  ];
  // 0.5 for a; b's is unknown, c was lost, d still open: 3 × 4.
  expect(spentBefore(journal, () => 4)).toBe(12.5);
});
