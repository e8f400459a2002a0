import { existsSync, mkdirSync, readFileSync, realpathSync, statfsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../src/process/index.js';
import { ENGINE, faultsOf, recordsOf, writeCorpus } from '../rig/campaign-folder.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';

let user: Surroundings;
let mounted: string[];
beforeEach(() => {
  user = makeSurroundings();
  mkdirSync(join(user.root, 'tmp'));
  Object.assign(user.env, { TMPDIR: join(user.root, 'tmp'), TEST_ROOT: user.root });
  writeCorpus(user, 20);
  mounted = [];
});
afterEach(async () => {
  for (const dir of mounted) await runCommand({ argv: ['umount', '-l', dir], deadlineMs: 10_000 });
  user.remove();
});

/** A disk of its own; false where mounting is not allowed. */
async function ownDisk(dir: string, size: string): Promise<boolean> {
  mkdirSync(dir, { recursive: true });
  const argv: [string, ...string[]] = ['mount', '-t', 'tmpfs', '-o', `size=${size}`, 'none', dir];
  const done = await runCommand({ argv, deadlineMs: 10_000 });
  if (done.ok) mounted.push(dir);
  return done.ok;
}

/** Leaves not a byte free; the returned function gives the disk its size back. */
async function fill(dir: string, size: string): Promise<() => Promise<void>> {
  const remount = async (bytes: string) => {
    const argv: [string, ...string[]] = ['mount', '-o', `remount,size=${bytes}`, dir];
    const done = await runCommand({ argv, deadlineMs: 10_000 });
    if (!done.ok) throw new Error(done.stderr);
  };
  // What is written between the look and the remount makes it fail.
  for (let left = 20; ; left--) {
    const { blocks, bfree, bsize } = statfsSync(dir);
    try {
      await remount(String((blocks - bfree) * bsize));
      return () => remount(size);
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

const begin = (out: string) => [
  ...['with-without', '--tasks', 'ask', '--runs', '1', '--out', out],
  ...['--rehearsal-script', resolve('test/rig/scripts/slow.ts'), ...ENGINE],
];

async function until(out: string, sign: string): Promise<void> {
  const log = join(out, 'latest', 'campaign.log');
  const isThere = () => existsSync(log) && readFileSync(log, 'utf8').includes(sign);
  for (const end = Date.now() + 120_000; Date.now() < end && !isThere(); ) await sleep(2);
}

/** Every line of the journal is whole but perhaps the last, which the disk cut. */
function journalOf(out: string): { event: string }[] {
  const lines = readFileSync(join(out, 'latest', 'journal.jsonl'), 'utf8')
    .split('\n')
    .slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}

describe('a disk that fills up in mid-trial', () => {
  it('under the campaign: stops with the reason, keeps a whole journal, and a resume completes it', async (context) => {
    const out = join(user.cwd, 'disk');
    if (!(await ownDisk(out, '8m'))) context.skip('a disk of its own needs root and the right to mount');
    const running = user.start(begin(out));
    await until(out, '"phase":"session"');
    const makeRoom = await fill(out, '8m');
    expect((await running.exited).exitCode).toBe(3);
    const told = readFileSync(join(user.root, 'started-1.err'), 'utf8');
    expect(told).toMatch(/stopped: .*ENOSPC/);
    expect(told).toMatch(/resume with: agent-eval resume/);
    await makeRoom();
    const entries = journalOf(out);
    expect(entries.map(({ event }) => event).slice(0, 2)).toEqual(['campaign-start', 'trial-start']);
    const dir = realpathSync(join(out, 'latest'));
    const again = await user.run(['resume', dir]);
    expect(`${again.exitCode} ${again.stderr}`).toMatch(/^0 /);
    expect(again.stderr).toContain('2 valid, 0 invalid, 0 failed, 0 not run');
    expect(faultsOf(dir, user)).toEqual([]);
    journalOf(out);
  }, 240_000);

  it('under the trials while a session runs: the trial is infra, although its session ends well', async (context) => {
    const out = join(user.cwd, 'results');
    const tmp = join(user.root, 'tmp');
    if (!(await ownDisk(tmp, '4g'))) context.skip('a disk of its own needs root and the right to mount');
    const script = ['--rehearsal-script', resolve('test/rig/scripts/late-answer.ts'), '--arms', 'without'];
    const running = user.start([...begin(out), ...script]);
    // The session's own files are written by then: the model has been asked.
    const asked = join(user.root, 'asked');
    for (const end = Date.now() + 120_000; Date.now() < end && !existsSync(asked); ) await sleep(20);
    await fill(tmp, '4g');
    writeFileSync(join(user.root, 'go'), '');
    expect((await running.exited).exitCode).toBe(3);
    const [record] = recordsOf(realpathSync(join(out, 'latest')));
    expect(record).toMatchObject({ outcome: 'failed', validity: 'infra', failure: { cause: 'io' } });
    expect(record?.segments[0]?.exitCode).toBe(0);
  }, 240_000);

  it('under the trials: the trial fails as infra, named, and is run again by a resume', async (context) => {
    const out = join(user.cwd, 'results');
    const tmp = join(user.root, 'tmp');
    if (!(await ownDisk(tmp, '4g'))) context.skip('a disk of its own needs root and the right to mount');
    const running = user.start(begin(out));
    // Early: what a finished trial gives back would be room enough for the next.
    await until(out, '"msg":"trial-start"');
    const makeRoom = await fill(tmp, '4g');
    expect((await running.exited).exitCode).toBe(3);
    await makeRoom();
    expect(readFileSync(join(user.root, 'started-1.err'), 'utf8')).toMatch(/stopped: .*(ENOSPC|no space left)/i);
    const ends = journalOf(out).filter(({ event }) => event === 'trial-end');
    expect(ends.at(-1)).toMatchObject({ outcome: 'failed', validity: 'infra', cause: 'io' });
    const dir = realpathSync(join(out, 'latest'));
    const again = await user.run(['resume', dir]);
    expect(`${again.exitCode} ${again.stderr}`).toMatch(/^0 /);
    expect(again.stderr).toContain('2 valid, 0 invalid, 0 failed, 0 not run');
    expect(faultsOf(dir, user)).toEqual([]);
  }, 240_000);
});
