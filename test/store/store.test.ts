import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CampaignPlan, PlannedTrial } from '../../src/model/plan.js';
import type { TrialRecord } from '../../src/model/trial.js';
import {
  createCampaignDir,
  findRuns,
  noteTrialStart,
  readJournal,
  readRecord,
  saveRecord,
  segmentsOf,
  setEarlierAttemptAside,
  takeLock,
  trialFiles,
  unfinishedTrials,
} from '../../src/store/index.js';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'store-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function makePlan(command: CampaignPlan['command'], tasks: CampaignPlan['tasks']): CampaignPlan {
  return {
    formatVersion: 1,
    command,
    arms: [],
    repos: [],
    tasks,
    runs: 1,
    seed: 0,
    regime: {
      model: 'm',
      effort: 'high',
      maxBudgetUsd: 1,
      rehearsal: true,
      toolSearch: false,
      fence: 'auto',
      windowTokens: 1,
    },
    trials: [],
  };
}

const trial = (task: string, arm: string): PlannedTrial => ({ id: `${task}/${arm}-2`, task, arm, repetition: 2 });

const record: TrialRecord = {
  formatVersion: 1,
  trialId: 'ask/new-2',
  task: 'ask',
  arm: 'new',
  repetition: 2,
  attempt: 1,
  outcome: 'ok',
  validity: 'valid',
  startedAt: '2026-01-01T00:00:00.000Z',
  phasesMs: {},
  segments: [],
  sessionIds: [],
  environmentKeys: [],
  evidence: {},
  costUsd: 0.5,
};

describe('the layout', () => {
  it('names the logs of two builds as published', () => {
    const plan = makePlan('ab', [{ name: 'ask', repo: 'gin', prompts: ['1', '2'] }]);
    const files = trialFiles('/c', plan, trial('ask', 'new'));
    expect(files.logs).toEqual(['/c/ask/run-new-2.jsonl', '/c/ask/run-new-2.t2.jsonl']);
    expect(files.errs).toEqual(['/c/ask/run-new-2.err', '/c/ask/run-new-2.t2.err']);
    expect(files.record).toBe('/c/ask/run-new-2.trial.json');
  });

  it('names the logs of with and without as published, by repo', () => {
    const plan = makePlan('with-without', [{ name: 'ask', repo: 'gin', prompts: ['1'] }]);
    expect(trialFiles('/c', plan, trial('ask', 'with')).logs).toEqual(['/c/gin/run2/run-headless-with.jsonl']);
  });

  it('keeps two tasks of one repo apart', () => {
    const plan = makePlan('with-without', [
      { name: 'ask', repo: 'gin', prompts: ['1'] },
      { name: 'change', repo: 'gin', prompts: ['1'] },
    ]);
    expect(trialFiles('/c', plan, trial('change', 'with')).logs).toEqual(['/c/change/run2/run-headless-with.jsonl']);
  });
});

describe('runs on disk', () => {
  it('are found with their labels, segments in number order, earlier attempts left out', () => {
    for (const name of [
      'run-new-1.jsonl',
      'run-new-1.t10.jsonl',
      'run-new-1.t2.jsonl',
      'run-baseline.jsonl',
      'notes.jsonl',
    ]) {
      writeFileSync(join(dir, name), '');
    }
    mkdirSync(join(dir, 'gin', 'run1', 'attempts', 'attempt-1'), { recursive: true });
    writeFileSync(join(dir, 'gin', 'run1', 'run-headless-with.jsonl'), '');
    writeFileSync(join(dir, 'gin', 'run1', 'attempts', 'attempt-1', 'run-headless-with.jsonl'), '');
    const found = findRuns(dir);
    if (!found.ok) throw new Error(found.failure.message);
    expect(found.value.map(({ name, label, repetition, files }) => [name, label, repetition, files.length])).toEqual([
      ['gin/run1/run-headless-with.jsonl', 'with', undefined, 1],
      ['run-baseline.jsonl', 'baseline', undefined, 1],
      ['run-new-1.jsonl', 'new', 1, 3],
    ]);
    expect(found.value[2]?.files.map((file) => file.slice(dir.length + 1))).toEqual([
      'run-new-1.jsonl',
      'run-new-1.t2.jsonl',
      'run-new-1.t10.jsonl',
    ]);
    const segments = segmentsOf(join(dir, 'run-new-1.jsonl'));
    expect(segments.ok ? segments.value.length : 0).toBe(3);
  });

  it('that are not there are one clear failure', () => {
    expect(findRuns(dir)).toMatchObject({ ok: false, failure: { reason: 'bad-input' } });
    expect(segmentsOf(join(dir, 'none.jsonl'))).toMatchObject({ ok: false, failure: { reason: 'bad-input' } });
  });
});

describe('a campaign folder', () => {
  it('is never used twice', () => {
    const plan = makePlan('ab', []);
    const now = new Date('2026-05-01T10:20:30.000Z');
    const first = createCampaignDir(dir, plan, 'abcdef0123', now);
    const second = createCampaignDir(dir, plan, 'abcdef0123', now);
    expect(first.ok && first.value).toBe(join(dir, 'ab-2026-05-01-102030-abcdef01'));
    expect(second.ok && second.value).toBe(join(dir, 'ab-2026-05-01-102030-abcdef01-2'));
  });

  it('moves an earlier attempt aside instead of overwriting it', () => {
    const plan = makePlan('ab', [{ name: 'ask', repo: 'gin', prompts: ['1'] }]);
    const one = trial('ask', 'new');
    expect(setEarlierAttemptAside(dir, plan, one)).toEqual({ ok: true, value: 1 });
    const files = trialFiles(dir, plan, one);
    for (const attempt of [1, 2]) {
      writeFileSync(files.logs[0] ?? '', `log of attempt ${attempt}`);
      saveRecord(dir, plan, one, { ...record, attempt });
      expect(setEarlierAttemptAside(dir, plan, one)).toEqual({ ok: true, value: attempt + 1 });
      const kept = join(dir, 'ask', 'attempts', `attempt-${attempt}`, 'run-new-2.jsonl');
      expect(readFileSync(kept, 'utf8')).toBe(`log of attempt ${attempt}`);
    }
    expect(readRecord(dir, plan, one)).toEqual({ ok: true, value: undefined });
  });

  it('knows which trials began and did not end', () => {
    const plan = makePlan('ab', [{ name: 'ask', repo: 'gin', prompts: ['1'] }]);
    noteTrialStart(dir, { trialId: 'ask/new-2', tag: 'a', root: '/tmp/ae-1' });
    noteTrialStart(dir, { trialId: 'ask/new-3', tag: 'b', root: '/tmp/ae-2' });
    saveRecord(dir, plan, trial('ask', 'new'), record);
    writeFileSync(join(dir, 'journal.jsonl'), '{"event":"trial-sta', { flag: 'a' });
    expect(unfinishedTrials(readJournal(dir))).toEqual([{ trialId: 'ask/new-3', tag: 'b', root: '/tmp/ae-2' }]);
  });

  it('is locked against a second start, and a dead holder loses it', () => {
    const me = { pid: 1, startTime: '1', host: 'h' };
    const first = takeLock(dir, me, () => true);
    expect(first.ok).toBe(true);
    expect(takeLock(dir, me, () => true)).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining('process 1') },
    });
    const taken = takeLock(dir, { ...me, pid: 2 }, () => false);
    expect(taken.ok).toBe(true);
    if (taken.ok) taken.value();
    expect(takeLock(dir, me, () => true).ok).toBe(true);
  });
});
