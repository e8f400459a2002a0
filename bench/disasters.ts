import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { descendantsOf, runCommand } from '../src/process/index.js';
import { ENGINE, faultsOf, recordsOf } from '../test/rig/campaign-folder.js';
import type { Surroundings } from '../test/rig/run-cli.js';

/** One disaster: what the campaign made of it, and how it stood after it was resumed. */
export interface Disaster {
  name: string;
  happened: string;
  after: string;
  isGood: boolean;
}

const SCRIPT = ['--rehearsal-script', resolve('test/rig/scripts/disasters.ts')];
const begin = (out: string) => [
  'with-without',
  '--tasks',
  'ask',
  '--runs',
  '2',
  '--jobs',
  '2',
  '--out',
  out,
  ...SCRIPT,
  ...ENGINE,
];

/** Each disaster by the word that picks it. */
const DISASTERS: Record<string, (user: Surroundings) => Promise<Disaster>> = {
  disk: fullDisk,
  readonly: readOnlyFolder,
  daemon: (user) => striking(user, 'daemon', 'a daemon killed in mid-session', /daemon-died/),
  network: (user) => striking(user, 'network', 'a network that drops every connection for a while', /infra:/),
  limit: (user) => striking(user, 'limit', 'a limit of the host (429)', /pause/),
  suspended,
  clock: clockJump,
};

/** Plays the named disasters, or all, with campaigns of four trials; one that cannot be played here is named as not tried. */
export async function disasters(user: Surroundings, names: string[]): Promise<Disaster[]> {
  const played: Disaster[] = [];
  for (const [name, play] of Object.entries(DISASTERS)) {
    if (names.length === 0 || names.includes(name)) played.push(await play(user));
  }
  return played;
}

async function mount(dir: string, options: string): Promise<boolean> {
  mkdirSync(dir, { recursive: true });
  const done = await runCommand({ argv: ['mount', '-t', 'tmpfs', '-o', options, 'none', dir], deadlineMs: 10_000 });
  return done.ok;
}

const remount = (dir: string, options: string) =>
  runCommand({ argv: ['mount', '-o', `remount,${options}`, dir], deadlineMs: 10_000 });
const unmount = (dir: string) => runCommand({ argv: ['umount', '-l', dir], deadlineMs: 10_000 });

const notTried = (name: string, why: string): Disaster => ({
  name,
  happened: `not tried: ${why}`,
  after: '—',
  isGood: true,
});

async function fullDisk(user: Surroundings): Promise<Disaster> {
  const name = 'a full disk under the campaign folder';
  const out = join(user.root, 'disk');
  if (!(await mount(out, 'size=128k'))) return notTried(name, 'mounting needs root');
  try {
    const first = await user.run(begin(out));
    const told = lineOf(first.stderr, /ENOSPC/);
    await remount(out, 'size=64m');
    return await resumed(user, name, out, `exit ${first.exitCode}: ${told}`, first.exitCode === 3);
  } finally {
    await unmount(out);
  }
}

/** A read-only mount of the folder over itself: what is open goes on, what is opened from now on by its path fails. */
async function readOnlyFolder(user: Surroundings): Promise<Disaster> {
  const name = 'the campaign folder becomes read-only';
  const out = join(user.root, 'readonly');
  mkdirSync(out);
  const running = user.start(begin(out));
  await waitFor(() => readLog(out).includes('"phase":"session"'));
  const bound = await runCommand({ argv: ['mount', '--bind', out, out], deadlineMs: 10_000 });
  const isStruck = bound.ok && (await remount(out, 'ro,bind')).ok;
  const { exitCode } = await running.exited;
  if (bound.ok) await unmount(out);
  if (!isStruck) return notTried(name, 'mounting needs root');
  const told = lineOf(readFileSync(newestErr(user), 'utf8'), /^stopped: .*(EROFS|read-only)/);
  return await resumed(user, name, out, `exit ${exitCode}: ${told}`, exitCode === 3);
}

async function striking(user: Surroundings, mode: string, name: string, sign: RegExp): Promise<Disaster> {
  const out = join(user.cwd, mode);
  const first = await user.run(begin(out), { env: { DISASTER: mode } });
  const journal = readFileSync(join(out, 'latest', 'journal.jsonl'), 'utf8');
  const retries = journal.split('\n').filter((line) => line.includes('"retry"')).length;
  const pauses = journal.split('\n').filter((line) => line.includes('"pause"')).length;
  return await resumed(
    user,
    name,
    out,
    `exit ${first.exitCode}, ${retries} tried again, ${pauses} pauses`,
    first.exitCode === 0 && sign.test(journal),
  );
}

/** Stopped for longer than the watchdog's patience, with everything that it started. */
async function suspended(user: Surroundings): Promise<Disaster> {
  const name = 'a machine suspended in mid-session for 15 s (watchdog 12 s)';
  const out = join(user.cwd, 'suspended');
  const running = user.start(begin(out));
  await waitFor(() => readLog(out).includes('"phase":"session"'));
  const pid = running.identity?.pid ?? 0;
  const all = [pid, ...descendantsOf(pid).map((one) => one.pid)];
  for (const one of all) signal(one, 'SIGSTOP');
  await sleep(15_000);
  for (const one of all.reverse()) signal(one, 'SIGCONT');
  const { exitCode } = await running.exited;
  return await resumed(user, name, out, `exit ${exitCode}`, exitCode === 0);
}

async function clockJump(user: Surroundings): Promise<Disaster> {
  const name = 'a clock that jumps an hour ahead';
  const library = ['/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1', '/usr/lib/faketime/libfaketime.so.1'].find(
    existsSync,
  );
  if (library === undefined) return notTried(name, 'libfaketime is not installed');
  const out = join(user.cwd, 'clock');
  const times = join(user.root, 'faketime');
  writeFileSync(times, '+0');
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: times,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  const run = user.run(begin(out), { env });
  await waitFor(() => readLog(out).includes('"phase":"session"'));
  writeFileSync(times, '+1h');
  const first = await run;
  return await resumed(user, name, out, `exit ${first.exitCode}`, first.exitCode === 0);
}

async function resumed(
  user: Surroundings,
  name: string,
  out: string,
  happened: string,
  asWanted: boolean,
): Promise<Disaster> {
  const dir = realpathSync(join(out, 'latest'));
  const again = await user.run(['resume', dir]);
  const faults = faultsOf(dir, user);
  const valid = recordsOf(dir).filter((record) => record.validity === 'valid').length;
  const after = `exit ${again.exitCode}, ${valid} of 4 valid, ${faults.length === 0 ? 'nothing left' : faults.join('; ')}`;
  return { name, happened, after, isGood: asWanted && again.exitCode === 0 && faults.length === 0 };
}

function readLog(out: string): string {
  const log = join(out, 'latest', 'campaign.log');
  return existsSync(log) ? readFileSync(log, 'utf8') : '';
}

async function waitFor(condition: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline && !condition(); ) await sleep(50);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone already.
  }
}

function lineOf(text: string, pattern: RegExp): string {
  const line = text.split('\n').find((one) => pattern.test(one)) ?? 'said nothing of it';
  // Folders of this machine are no part of what is shown.
  return line
    .trim()
    .replaceAll(/\/\S*\//g, '…/')
    .slice(0, 120);
}

/** Standard error of the program that was started last. */
function newestErr(user: Surroundings): string {
  const names = readdirSync(user.root).filter((name) => /^started-\d+\.err$/.test(name));
  const number = (name: string) => Number(/\d+/.exec(name)?.[0]);
  return join(user.root, names.toSorted((a, b) => number(b) - number(a))[0] ?? '');
}
