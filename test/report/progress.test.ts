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

/** What a terminal shows in the end: newline, return, cursor up and erase-to-the-end as a terminal carries them out. */
function screen(written: string[]): string[] {
  const lines = [''];
  let [row, column] = [0, 0];
  // Split before each escape; a piece is a sequence and the text after it.
  const tokens = written
    .join('')
    .split('\u001b[')
    .flatMap((piece, index) => {
      if (index === 0) return [...piece];
      const sequence = /^\d*[A-Z]/.exec(piece)?.[0] ?? '';
      return [`\u001b[${sequence}`, ...piece.slice(sequence.length)];
    });
  for (const token of tokens) {
    if (token === '\n') {
      row += 1;
      column = 0;
      lines[row] ??= '';
    } else if (token === '\r') column = 0;
    else if (token.startsWith('\u001b[') && token.endsWith('A')) row -= Number(token.slice(2, -1));
    else if (token === '\u001b[J') {
      lines.splice(row + 1);
      lines[row] = (lines[row] ?? '').slice(0, column);
    } else {
      const line = lines[row] ?? '';
      lines[row] = line.slice(0, column) + token + line.slice(column + 1);
      column += 1;
    }
  }
  return lines;
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

  test('totals, then a line a running trial with phase, elapsed, cost, context and last call; nothing steers the terminal', () => {
    const heard = campaign.slice(0, 6);
    heard.push([
      5000,
      { type: 'activity', trialId, text: 'Bash npm\u001b[31m test\nx', costUsd: undefined, ctxTokens: 54_321 },
    ]);
    // 4 trials, 1 done before, 1 running, so 2 wait; no trial has ended yet, so nothing can be said of the end.
    expect(screen(run(true, heard, 120)).slice(-2)).toEqual([
      '[#####...............] 1/4 · $0.10 · 5s · ETA — · 1 before · 0 valid · 1 running · 2 waiting',
      ' express/new-1 · session · 4s · $0.100 · ctx 54k · Bash npm test x',
    ]);
  });

  test('it never grows wider or higher than the terminal', () => {
    const many = Array.from({ length: 30 }, (_, index): [number, CampaignEvent] => [
      0,
      { type: 'trial-start', trialId: `express/a-very-long-label-of-an-arm-${index}`, position: index + 1, of: 30 },
    ]);
    const lines = screen(run(true, many, 40));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(40);
    // A terminal of 24 rows: 23 lines, the last of which counts the rest: 30 less 21 shown.
    expect(lines).toHaveLength(23);
    expect(lines.at(-1)).toBe(' and 9 more running');
  });

  test.each([80, 60])('at %d columns, cost and time to the end stay, in the totals and for each trial', (columns) => {
    const long = 'a-task-with-a-long-name-of-forty-characters/baseline-12';
    const events: [number, CampaignEvent][] = [
      [0, { type: 'campaign-start', dir: 'd', trials: 560, done: 12, limitUsd: 224, spentUsd: 91 }],
      [0, { type: 'trial-start', trialId: 'a', position: 13, of: 560 }],
      [3_000_000, { type: 'trial-end', trialId: 'a', record: record({ trialId: 'a', costUsd: 9.1 }) }],
      [3_000_000, { type: 'trial-start', trialId: long, position: 14, of: 560 }],
      [3_000_000, { type: 'phase', trialId: long, phase: 'session' }],
      [3_999_000, { type: 'activity', trialId: long, text: 'Read RealCall.kt', costUsd: 10.5, ctxTokens: 154_321 }],
    ];
    const [totals = '', trial = ''] = screen(run(true, events, columns)).slice(-2);
    // $91 of earlier starts, $9.10 and $10.50; 560 less 12, 1 and 1 wait for 50 min each, the running one has 33 m 21 s left.
    expect(totals).toMatch(/^ 13\/560 · \$110\.60 of \$224\.00 · 66m 39s · ETA 27333m 21s/);
    expect(trial).toMatch(/^ …\S*\/baseline-12 · session · 16m 39s · \$10\.500 · ctx 154k/);
  });

  test('the step before the trials is shown with its time, then replaced by what came of it', () => {
    const step: [number, CampaignEvent] = [0, { type: 'step', text: 'checking the fence and the hook' }];
    expect(screen(run(true, [step], 80))).toEqual(['checking the fence and the hook … 0ms']);
    vi.clearAllTimers();
    const ended: [number, CampaignEvent] = [4000, { type: 'step-end', text: 'fence full', durationMs: 4000 }];
    expect(screen(run(true, [step, ended], 80))).toEqual(['fence full · 4s', '']);
    expect(run(false, [step, ended]).join('')).toBe('checking the fence and the hook …\nfence full · 4s\n');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('the end is estimated from the trials that ended, a pause is shown and added', () => {
    const start = (id: string, position: number): CampaignEvent => ({
      type: 'trial-start',
      trialId: id,
      position,
      of: 4,
    });
    const events: [number, CampaignEvent][] = [
      [0, { type: 'campaign-start', dir: 'd', trials: 4, done: 0 }],
      [0, start('a', 1)],
      [60_000, { type: 'trial-end', trialId: 'a', record: record({ trialId: 'a' }) }],
      [60_000, start('b', 2)],
      [80_000, { type: 'activity', trialId: 'b', text: 'Read', costUsd: undefined }],
    ];
    // One took 60 s: b has 40 s left, two wait for 60 s each.
    expect(screen(run(true, events, 120)).at(-2)).toContain(
      '1/4 · $0.25 · 1m 20s · ETA 2m 40s · 1 valid · 1 running · 2 waiting',
    );
    const until = new Date(80_000 + 600_000).toISOString();
    events.push([80_000, { type: 'pause', until, reason: 'plan limit of the host' }]);
    const paused = screen(run(true, events, 120));
    expect(paused.at(-2)).toBe(' PAUSED for 10m 0s: plan limit of the host');
    expect(paused.at(-3)).toContain('ETA 12m 40s');
  });

  test('money is shown against its limit; a campaign that stops says why, and its end is that of the running trials', () => {
    const start = (id: string, position: number): CampaignEvent => ({
      type: 'trial-start',
      trialId: id,
      position,
      of: 9,
    });
    const events: [number, CampaignEvent][] = [
      [0, { type: 'campaign-start', dir: 'd', trials: 9, done: 0, limitUsd: 5, spentUsd: 3.5 }],
      [0, start('a', 1)],
      [0, start('b', 2)],
      [60_000, { type: 'trial-end', trialId: 'a', record: record({ trialId: 'a' }) }],
      [60_000, { type: 'stop', reason: 'budget', message: '$3.75 of $5.00 are spent' }],
      [60_000, start('c', 3)],
      [70_000, { type: 'phase', trialId: 'c', phase: 'session' }],
    ];
    const lines = screen(run(true, events, 120));
    expect(lines).toContain('stopping (budget): $3.75 of $5.00 are spent');
    expect(lines.at(-3)).toBe(' STOPPING (budget): $3.75 of $5.00 are spent');
    // b is over its 60 s already, c has 50 s of them left; two are running.
    expect(lines.at(-4)).toContain('1/9 · $3.75 of $5.00 · 1m 10s · ETA 25s · 1 valid · 2 running · 6 waiting');
  });

  test('a trial that is run again counts once, by its last result', () => {
    const failure = { reason: 'session-infra' as const, message: 'rate limit' };
    const events: [number, CampaignEvent][] = [
      [0, { type: 'trial-start', trialId, position: 1, of: 2 }],
      [9, { type: 'trial-end', trialId, record: record({ outcome: 'failed', validity: 'infra', failure }) }],
      [9, { type: 'retry', trialId, attempt: 1, cause: 'infra:rate_limit' }],
      [9, { type: 'trial-start', trialId, position: 1, of: 2 }],
      [19, { type: 'trial-end', trialId, record: record() }],
      [19, { type: 'trial-start', trialId: 'express/baseline-1', position: 2, of: 2 }],
    ];
    const lines = screen(run(true, events, 120));
    expect(lines.at(-2)).toMatch(/^\[#{10}\.{10}\] 1\/2 · .* · 1 valid · 1 running · 0 waiting/);
    expect(lines).toContain('trial express/new-1: attempt 1 failed (infra:rate_limit); it is run again');
  });

  test('what is finished stays, the live view goes', () => {
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
    expect(screen(run(true, events, 120)).slice(-2)).toEqual([
      '[######..............] 1/3 · $0.75 · 0ms · ETA 0ms · 1 valid · 1 running · 1 waiting',
      ' express/baseline-1 · starting · 0ms · $0.250 · Grep',
    ]);
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

test('elsewhere than on a terminal: pause with its end and reason, retry and stop, a line each', () => {
  const until = '2026-01-01T03:00:00.000Z';
  const events: [number, CampaignEvent][] = [
    [0, { type: 'pause', until, reason: 'rate_limit: five-hour limit' }],
    [1, { type: 'retry', trialId, attempt: 1, cause: 'infra:rate_limit' }],
    [2, { type: 'stop', reason: 'budget', message: '$5.00 of $5.00 are spent' }],
  ];
  expect(run(false, events).join('').split('\n')).toEqual([
    `paused until ${until}: rate_limit: five-hour limit`,
    'trial express/new-1: attempt 1 failed (infra:rate_limit); it is run again',
    'stopping (budget): $5.00 of $5.00 are spent',
    '',
  ]);
});

test('a trial that does not count says why', () => {
  const failure = { reason: 'daemon-not-ready' as const, message: 'the daemon did not answer in 30 s' };
  const failed = record({ outcome: 'failed', validity: 'infra', costUsd: null, failure });
  const lines = run(false, [[0, { type: 'trial-end', trialId, record: failed }]]);
  // Its start was not heard: the recorded phases give the time, 61 + 2 s.
  expect(lines.join('')).toBe('trial express/new-1: failed, infra · 1m 3s · the daemon did not answer in 30 s\n');
});
