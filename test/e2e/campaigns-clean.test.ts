import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CampaignPlan, PlannedTrial } from '../../src/model/plan.js';
import type { TrialRecord } from '../../src/model/trial.js';
import { processIdentity, runCommand } from '../../src/process/index.js';
import { createCampaignDir, saveRecord, trialFiles } from '../../src/store/index.js';
import { takeLease } from '../../src/util/lease.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';

const DAY_MS = 86_400_000;
let user: Surroundings;
let out: string;
let cache: string;

beforeEach(() => {
  user = makeSurroundings({ privateCache: true });
  // Starts of other tests on this machine are none of this one's.
  mkdirSync(join(user.root, 'tmp'));
  user.env.TMPDIR = join(user.root, 'tmp');
  out = join(user.cwd, 'results');
  cache = join(user.root, 'cache', 'agent-eval');
});
afterEach(() => user.remove());

const trial = (arm: string): PlannedTrial => ({ id: `ask/${arm}-1`, task: 'ask', arm, repetition: 1 });
const PLAN: CampaignPlan = {
  formatVersion: 1,
  command: 'with-without',
  arms: ['with', 'without'].map((label) => ({ label, build: null, environment: {} })),
  repos: [],
  tasks: [{ name: 'ask', repo: 'small', prompts: ['Why?'] }],
  runs: 1,
  seed: 0,
  regime: {
    ...{ model: 'sonnet', effort: 'high', maxBudgetUsd: 4, rehearsal: false },
    ...{ toolSearch: false, fence: 'auto', windowTokens: 200_000 },
  },
  trials: [trial('with'), trial('without')],
};

const MANIFEST = {
  ...{ formatVersion: 1, command: 'with-without', argv: [], cwd: '/', planHash: 'abc', regime: PLAN.regime },
  versions: { agentEval: '0', node: '20', claude: '2', git: '2' },
  host: { platform: 'linux', arch: 'x64', cores: 2, memoryBytes: 1, root: false },
  ...{ fence: 'none', builds: [], sources: [], environmentKeys: [] },
};

/** A campaign as the program leaves it: begun so many days ago, with a log of `bytes` for each record. */
function campaign(daysAgo: number, bytes: number, records: Partial<TrialRecord>[]): string {
  const begun = new Date(Date.now() - daysAgo * DAY_MS);
  const dir = createCampaignDir(out, PLAN, 'abcdef0123456789', begun);
  if (!dir.ok) throw new Error(dir.failure.message);
  for (const [index, values] of records.entries()) {
    const planned = PLAN.trials[index];
    if (!planned) continue;
    const files = trialFiles(dir.value, PLAN, planned);
    mkdirSync(files.folder, { recursive: true });
    writeFileSync(files.logs[0] ?? '', 'x'.repeat(bytes));
    const saved = saveRecord(dir.value, PLAN, planned, { ...recordOf(planned), ...values });
    if (!saved.ok) throw new Error(saved.failure.message);
  }
  const startedAt = begun.toISOString();
  writeFileSync(join(dir.value, 'manifest.json'), JSON.stringify({ ...MANIFEST, startedAt, endedAt: startedAt }));
  for (const name of readdirSync(dir.value)) utimesSync(join(dir.value, name), begun, begun);
  return dir.value;
}

function recordOf(planned: PlannedTrial): TrialRecord {
  return {
    ...{ formatVersion: 1, trialId: planned.id, task: 'ask', arm: planned.arm, repetition: 1, attempt: 1 },
    ...{ outcome: 'ok', validity: 'valid', startedAt: '2026-01-01T00:00:00.000Z', phasesMs: {}, segments: [] },
    ...{ sessionIds: [], environmentKeys: [], evidence: {}, costUsd: 0.5 },
  };
}

/** As a campaign that runs holds its folder; this test is the process. */
function hold(dir: string): void {
  const self = processIdentity(process.pid);
  const holder = { pid: self?.pid, startTime: self?.startTime, host: hostname() };
  writeFileSync(join(dir, 'lock.json'), JSON.stringify(holder));
}

describe('campaigns', () => {
  it('lists them, the oldest first, with state, counts that add up, cost and size; links and other folders are none', async () => {
    const old = campaign(9, 100, [{}, { outcome: 'failed', validity: 'infra', costUsd: 0.25 }]);
    const open = campaign(3, 2_000_000, [{ validity: 'raced' }]);
    const running = campaign(1, 0, []);
    hold(running);
    mkdirSync(join(out, 'nightly'));
    mkdirSync(join(out, 'broken'));
    writeFileSync(join(out, 'broken', 'plan.json'), '{"formatVersion":9}');
    const listed = await user.run(['campaigns', '--out', out]);
    expect(listed.exitCode).toBe(0);
    expect(listed.stderr).toMatch(
      /left out, cannot be read: .*broken\/plan\.json was written by a newer agent-eval: formatVersion 9/,
    );
    const lines = listed.stdout.trim().split('\n');
    expect(lines.map((line) => line.split('  ').slice(0, 4))).toEqual([
      [basename(old), 'complete', '1 valid, 0 invalid, 1 failed, 0 not run', '$0.75'],
      [basename(open), 'incomplete', '0 valid, 1 invalid, 0 failed, 1 not run', '$0.50'],
      [basename(running), 'running', '0 valid, 0 invalid, 0 failed, 2 not run', '$0.00'],
    ]);
    expect(lines[1]).toMatch(/ {2}2\.0 MB$/);
    const json = JSON.parse((await user.run(['campaigns', '--out', out, '--json'])).stdout);
    expect(json.map((one: { id: string; bytes: number }) => one.bytes > 2_000_000)).toEqual([false, true, false]);
  }, 60_000);

  it('says so where there are none', async () => {
    const listed = await user.run(['campaigns', '--out', join(user.cwd, 'nowhere')]);
    expect([listed.exitCode, listed.stdout]).toEqual([0, '']);
    expect(listed.stderr).toContain('no campaigns below');
  }, 60_000);
});

describe('clean', () => {
  it('without a terminal shows what would go and removes nothing until --yes; by age', async () => {
    const [old, middle, recent] = [campaign(40, 10, [{}]), campaign(31, 10, [{}]), campaign(2, 10, [{}])];
    const asked = await user.run(['clean', '--campaigns', '--older-than', '30d', '--out', out]);
    expect(asked.exitCode).toBe(2);
    expect(
      asked.stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.split('  ')[0]),
    ).toEqual([old, middle]);
    expect(asked.stderr).toMatch(/remove these 2 folders.*Nothing was removed[\s\S]*--yes/);
    expect([old, middle, recent].every((dir) => existsSync(dir))).toBe(true);
    const done = await user.run(['clean', '--campaigns', '--older-than', '30d', '--out', out, '--yes']);
    expect(done.exitCode).toBe(0);
    expect([old, middle, recent].map((dir) => existsSync(dir))).toEqual([false, false, true]);
    expect(realpathSync(join(out, 'latest'))).toBe(recent);
  }, 60_000);

  it('by size: the oldest go until the rest fits; the link to the newest follows', async () => {
    const [old, middle, recent] = [3, 2, 1].map((days) => campaign(days, 1_000_000, [{}]));
    const limit = ['clean', '--campaigns', '--out', out, '--yes', '--max-size'];
    expect((await user.run([...limit, '2100KB'])).exitCode).toBe(0);
    expect([old, middle, recent].map((dir) => existsSync(dir ?? ''))).toEqual([false, true, true]);
    expect((await user.run([...limit, '0.1MB'])).exitCode).toBe(0);
    expect(readdirSync(out)).toEqual([]);
  }, 60_000);

  it('a campaign that somebody works in stays, however old and large; a dead holder protects nothing', async () => {
    const [busy, dead] = [campaign(90, 10, [{}]), campaign(80, 10, [{}])];
    hold(busy);
    const corpse = { pid: process.pid, startTime: 'long ago', host: hostname() };
    writeFileSync(join(dead, 'lock.json'), JSON.stringify(corpse));
    utimesSync(join(dead, 'lock.json'), new Date(0), new Date(0));
    const done = await user.run(['clean', '--campaigns', '--older-than', '1d', '--out', out, '--yes']);
    expect(done.exitCode).toBe(0);
    expect([existsSync(busy), existsSync(dead)]).toEqual([true, false]);
    // What was linked as the newest is gone: the link goes to the newest that is left.
    expect(readlinkSync(join(out, 'latest'))).toBe(basename(busy));
  }, 60_000);

  it('touches nothing else: other folders, files, and what links point to', async () => {
    const outside = join(user.root, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'plan.json'), '{}');
    const old = campaign(60, 10, [{}]);
    symlinkSync(outside, join(out, 'linked-campaign'));
    symlinkSync(outside, join(old, 'linked-inside'));
    mkdirSync(join(out, 'notes'));
    writeFileSync(join(out, 'notes', 'mine.txt'), 'mine');
    const done = await user.run(['clean', '--campaigns', '--max-size', '0.000001KB', '--out', out, '--yes']);
    expect(done.exitCode).toBe(0);
    expect(existsSync(old)).toBe(false);
    expect(readdirSync(outside)).toEqual(['plan.json']);
    expect(lstatSync(join(out, 'linked-campaign')).isSymbolicLink()).toBe(true);
    expect(existsSync(join(out, 'notes', 'mine.txt'))).toBe(true);
  }, 60_000);

  it('caches: entries by age; one that is being made stays, and all of them while a campaign runs', async () => {
    const aged = new Date(Date.now() - 60 * DAY_MS);
    const entry = (kind: string, name: string) => {
      const dir = join(cache, kind, name);
      mkdirSync(dir, { recursive: true });
      writeFileSync(join(dir, 'file'), 'x');
      utimesSync(dir, aged, aged);
      return dir;
    };
    const [build, making] = [entry('builds', '1.0.0-abc'), entry('indexes', 'def')];
    writeFileSync(`${making}.lock`, '');
    const recent = entry('sources', 'new');
    utimesSync(recent, new Date(), new Date());
    // This test is a campaign that works from the cache. Its TMPDIR and its results lie elsewhere.
    const self = { pid: process.pid, startTime: processIdentity(process.pid)?.startTime ?? '', host: hostname() };
    const release = takeLease(cache, 'use', self);
    takeLease(cache, 'use', { ...self, startTime: 'long ago' });
    const words = ['clean', '--caches', '--older-than', '30d', '--out', out, '--yes'];
    const other = join(user.root, 'other-tmp');
    mkdirSync(other);
    const busy = await user.run(words, { env: { TMPDIR: other } });
    expect([busy.exitCode, existsSync(build)]).toEqual([0, true]);
    expect(busy.stderr).toContain(`caches stay: a campaign is running, which works from them: process ${process.pid}`);
    release();
    const done = await user.run(words);
    expect(done.exitCode).toBe(0);
    expect([build, making, recent].map((dir) => existsSync(dir))).toEqual([false, true, true]);
  }, 60_000);

  it('needs to be told what and how much, one clear message each', async () => {
    for (const [words, message] of [
      [['--campaigns'], '--older-than'],
      [['--older-than', '1d'], '--caches'],
      [['--campaigns', '--older-than', 'soon'], '"soon" is no length of time'],
      [['--campaigns', '--max-size', 'much'], '"much" is no size'],
    ] as const) {
      const refused = await user.run(['clean', ...words, '--out', out]);
      expect([refused.exitCode, refused.stderr.includes(message)]).toEqual([2, true]);
    }
  }, 60_000);

  it.skipIf(!existsSync('/usr/bin/script'))(
    'asks on a terminal, and takes anything but a yes for a no',
    async () => {
      const old = campaign(60, 10, [{}]);
      const answer = async (text: string) => {
        const words = [process.execPath, join(process.cwd(), 'bin/agent-eval.js')];
        const typed = [...words, 'clean', '--campaigns', '--older-than', '30d', '--out', out];
        const command = `(sleep 4; echo ${text}) | script -qec "${typed.map((word) => `'${word}'`).join(' ')}" /dev/null`;
        return await runCommand({ argv: ['bash', '-c', command], cwd: user.cwd, env: user.env, deadlineMs: 60_000 });
      };
      const no = await answer('n');
      expect(no.stdout).toMatch(/remove these 1 folders, .*\[y\/N\]/);
      expect(existsSync(old)).toBe(true);
      await answer('y');
      expect(existsSync(old)).toBe(false);
    },
    120_000,
  );
});
