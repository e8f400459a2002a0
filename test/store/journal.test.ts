import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appendJournal, droppedTrials, failedAttempts, readJournal, unfinishedTrials } from '../../src/store/index.js';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'journal-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const start = (trialId: string) =>
  appendJournal(dir, { event: 'trial-start', trialId, tag: `${trialId}#1`, root: '/tmp/ae-x' });
const end = (trialId: string, outcome: 'ok' | 'failed', cause?: string) =>
  appendJournal(dir, {
    event: 'trial-end',
    trialId,
    attempt: 1,
    outcome,
    validity: outcome === 'ok' ? 'valid' : 'infra',
    costUsd: 0,
    ...(cause === undefined ? {} : { cause }),
  });

describe('the journal', () => {
  it('only grows, and a line that was cut takes no other with it', () => {
    start('a');
    const before = readFileSync(join(dir, 'journal.jsonl'), 'utf8');
    writeFileSync(join(dir, 'journal.jsonl'), '{"at":"2026","event":"trial-e', { flag: 'a' });
    end('a', 'ok');
    expect(readFileSync(join(dir, 'journal.jsonl'), 'utf8').startsWith(before)).toBe(true);
    expect(readJournal(dir).map(({ event }) => event)).toEqual(['trial-start', 'trial-end']);
    expect(unfinishedTrials(readJournal(dir))).toEqual([]);
  });

  it('knows what a kill left open until it is cleared', () => {
    start('a');
    start('b');
    expect(unfinishedTrials(readJournal(dir)).map(({ trialId }) => trialId)).toEqual(['a', 'b']);
    appendJournal(dir, { event: 'trial-lost', trialId: 'a' });
    expect(unfinishedTrials(readJournal(dir)).map(({ trialId }) => trialId)).toEqual(['b']);
  });

  it('counts failures by cause, from anew once the user dropped the result', () => {
    end('a', 'failed', 'session-stalled');
    end('a', 'failed', 'rate_limit');
    end('b', 'ok');
    const counts = () => Object.fromEntries(failedAttempts(readJournal(dir), (cause) => cause !== 'rate_limit'));
    expect(counts()).toEqual({ a: 1 });
    appendJournal(dir, { event: 'trial-dropped', trialId: 'a', cause: 'infra:session-stalled' });
    expect(counts()).toEqual({});
    expect([...droppedTrials(readJournal(dir))]).toEqual(['a']);
    end('a', 'ok');
    expect([...droppedTrials(readJournal(dir))]).toEqual([]);
  });

  it('that cannot be written is a failure that says what to do', () => {
    expect(appendJournal(join(dir, 'nowhere'), { event: 'campaign-end', interrupted: false })).toMatchObject({
      ok: false,
      failure: { reason: 'io', advice: expect.stringContaining('disk') },
    });
  });
});
