import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CampaignEvent, TrialRecord } from '../../src/model/trial.js';
import { createProgress } from '../../src/report/index.js';

function record(values: Partial<TrialRecord> = {}): TrialRecord {
  return {
    formatVersion: 1,
    trialId: 'express/new-1',
    task: 'express',
    arm: 'new',
    repetition: 1,
    attempt: 1,
    outcome: 'ok',
    validity: 'valid',
    startedAt: '2026-01-01T00:00:00.000Z',
    phasesMs: { session: 61_000, daemon: 2000 },
    segments: [],
    sessionIds: [],
    environmentKeys: [],
    evidence: {},
    costUsd: 0.25,
    ...values,
  };
}

const trialId = 'express/new-1';
const campaign: [number, CampaignEvent][] = [
  [0, { type: 'campaign-start', dir: 'out/ab-1', trials: 4, done: 1 }],
  [0, { type: 'build', title: 'main (abc)', fromCache: false, durationMs: 12_400 }],
  [0, { type: 'index', repo: 'express', title: 'main (abc)', fromCache: true, durationMs: 3 }],
  [1000, { type: 'trial-start', trialId, position: 2, of: 4 }],
  [1000, { type: 'phase', trialId, phase: 'session' }],
  [5000, { type: 'activity', trialId, text: 'Bash npm\u001b[31m test\nx', costUsd: 0.1 }],
  [66_000, { type: 'trial-end', trialId, record: record() }],
  [66_000, { type: 'note', text: 'one retry' }],
  [66_000, { type: 'campaign-end', dir: 'out/ab-1', interrupted: false }],
];

function run(isTTY: boolean, events: [number, CampaignEvent][], columns?: number): string[] {
  const written: string[] = [];
  let time = 0;
  const stream = { write: (text: string) => written.push(text), columns };
  const tell = createProgress({ stream, isTTY, now: () => time });
  for (const [at, event] of events) {
    time = at;
    tell(event);
  }
  return written;
}

/** What a terminal shows in the end: a rewritten line holds what was written to it last. */
function screen(written: string[]): string[] {
  return written
    .join('')
    .split('\n')
    .map((line) => line.split('\r\u001b[2K').at(-1) ?? '');
}

test('elsewhere than on a terminal: one plain line for each event that matters', () => {
  expect(run(false, campaign).join('')).toBe(
    [
      'campaign out/ab-1: 4 trials, 1 of them done already',
      'build main (abc): made in 12s',
      'index express by main (abc): from the cache',
      'trial 2/4 express/new-1: started',
      'trial 2/4 express/new-1: ok · 1m 5s · $0.250',
      'one retry',
      'campaign ended: out/ab-1',
      '',
    ].join('\n'),
  );
});

describe('on a terminal', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('the status line tells trial, phase, elapsed, cost and the last call, and nothing steers the terminal', () => {
    const status = screen(run(true, campaign.slice(0, 6), 120)).at(-1);
    expect(status).toBe('[2/4] express/new-1 · session · 4s · $0.100 · Bash npm test x');
  });

  test('it never grows wider than the terminal', () => {
    expect(screen(run(true, campaign.slice(0, 6), 40)).at(-1)?.length).toBeLessThan(40);
  });

  test('what is finished stays, the status line goes', () => {
    expect(screen(run(true, campaign, 120))).toEqual([
      'campaign out/ab-1: 4 trials, 1 of them done already',
      'build main (abc): made in 12s',
      'index express by main (abc): from the cache',
      'trial 2/4 express/new-1: ok · 1m 5s · $0.250',
      'one retry',
      'campaign ended: out/ab-1',
      '',
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('cost adds up over trials; a trial without a bill counts what was last heard', () => {
    const other = 'express/baseline-1';
    const events: [number, CampaignEvent][] = [
      [0, { type: 'trial-start', trialId, position: 1, of: 3 }],
      [0, { type: 'activity', trialId, text: 'Read a.js', costUsd: 0.5 }],
      [0, { type: 'trial-end', trialId, record: record({ costUsd: null }) }],
      [0, { type: 'trial-start', trialId: other, position: 2, of: 3 }],
      [0, { type: 'activity', trialId: other, text: 'Grep', costUsd: 0.25 }],
    ];
    expect(screen(run(true, events, 120)).at(-1)).toBe('[2/3] express/baseline-1 · starting · 0ms · $0.750 · Grep');
  });

  test('time goes on while nothing is heard, as long as a trial runs', () => {
    const written: string[] = [];
    let time = 0;
    const tell = createProgress({ stream: { write: (text) => written.push(text) }, isTTY: true, now: () => time });
    tell({ type: 'trial-start', trialId, position: 1, of: 1 });
    time = 9000;
    vi.advanceTimersByTime(9000);
    expect(screen(written).at(-1)).toContain(' · 9s · ');
    tell({ type: 'campaign-end', dir: 'd', interrupted: true });
    expect(screen(written).slice(-2)).toEqual(['campaign interrupted: d', '']);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('a trial that does not count says why', () => {
  const failure = { reason: 'daemon-not-ready' as const, message: 'the daemon did not answer in 30 s' };
  const failed = record({ outcome: 'failed', validity: 'infra', costUsd: null, failure });
  const lines = run(false, [[0, { type: 'trial-end', trialId, record: failed }]]);
  // Its start was not heard: the recorded phases give the time, 61 + 2 s.
  expect(lines.join('')).toBe('trial express/new-1: failed, infra · 1m 3s · the daemon did not answer in 30 s\n');
});
