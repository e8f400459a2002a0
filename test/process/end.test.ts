import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  closeStartGroup,
  closeTrialGroup,
  openStartGroup,
  openTrialGroup,
  trialGroup,
} from '../../src/process/cgroup.js';
import {
  clearDeadStart,
  clearDeadStarts,
  endTrialProcesses,
  type LoggedProcess,
  processIdentity,
  removeTree,
  runCommand,
  startLogged,
} from '../../src/process/index.js';
import { BUNDLES } from '../../src/util/package.js';

let place: string;
let started: LoggedProcess[];
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'aeend-')));
  started = [];
});
afterEach(async () => {
  for (const { identity } of started) if (identity && isThere(identity.pid)) process.kill(identity.pid, 'SIGKILL');
  await removeTree(place);
});

const isThere = (pid: number | undefined) => pid !== undefined && processIdentity(pid) !== undefined;

/** A process of its own; returns its id. */
function start(argv: [string, ...string[]], how: { cwd?: string; env?: Record<string, string> } = {}): number {
  const stdoutFile = join(place, `out-${started.length}`);
  const env = { PATH: '/usr/bin:/bin', ...how.env };
  const child = startLogged({ argv, cwd: how.cwd ?? '/', env, stdoutFile, stderrFile: `${stdoutFile}.err` });
  started.push(child);
  return child.identity?.pid ?? 0;
}

/** Runs a script that leaves a process behind and prints its id. */
async function abandon(script: string, cwd: string, env: Record<string, string> = {}): Promise<number> {
  const argv: [string, ...string[]] = ['/bin/bash', '-c', `${script} </dev/null >/dev/null 2>&1 & echo $!`];
  const outcome = await runCommand({ argv, cwd, env: { PATH: '/usr/bin:/bin', ...env }, deadlineMs: 10_000 });
  return Number(outcome.stdout);
}

const START = '0123456789abcdef';
const pidNamespace = readlinkSync('/proc/self/ns/pid');

/** A start's folder. Its owner is dead unless `pid` is a living process and `startTime` its own. */
function startFolder(owner: Record<string, unknown> = {}): string {
  const dir = mkdtempSync(join(place, 'ae-'));
  const whole = { pid: 4_000_000, startTime: '1', host: hostname(), pidNamespace, start: START, ...owner };
  writeFileSync(join(dir, 'owner.json'), JSON.stringify(whole));
  return dir;
}

describe('the folder of a start that was killed', () => {
  it('is removed with the processes that carry its mark, and with no other', async () => {
    const dir = startFolder();
    writeFileSync(join(dir, 'log'), '');
    const own = start(['sleep', '500'], { env: { AGENT_EVAL_START: START } });
    const reader = start(['tail', '-f', join(dir, 'log')]);
    const visitor = start(['sleep', '500'], { cwd: dir, env: { PWD: dir, OLDPWD: dir, NOTE: `${START} ${dir}` } });
    const other = start(['sleep', '500'], { env: { AGENT_EVAL_START: `${START}0` } });
    expect(await clearDeadStarts(place)).toEqual([]);
    expect([own, reader, visitor, other].map(isThere)).toEqual([false, true, true, true]);
    expect(namesIn(place)).not.toContain(dir);
  });

  it('is cleared by a program whose own ancestor carries the mark, which is spared', async () => {
    const dir = startFolder();
    // The watchdog takes the end of its input for the death of the program.
    const script = '"$0" "$1" "$2" </dev/null; echo survived';
    const outcome = await runCommand({
      argv: ['/bin/bash', '-c', script, process.execPath, BUNDLES.watchdog, dir],
      env: { PATH: '/usr/bin:/bin', AGENT_EVAL_START: START },
      deadlineMs: 30_000,
    });
    expect(outcome.stdout).toBe('survived\n');
    expect(namesIn(place)).not.toContain(dir);
  });

  it('stays where its start lives, where its processes cannot be seen, and where it is no folder of ours', async () => {
    const me = processIdentity(process.pid);
    const kept = [
      startFolder({ ...me }),
      startFolder({ host: 'elsewhere' }),
      startFolder({ pidNamespace: 'pid:[1]' }),
      startFolder({ pid: '1' }),
    ];
    const elsewhere = join(place, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(
      join(elsewhere, 'owner.json'),
      JSON.stringify({ pid: 4_000_000, startTime: '1', host: hostname(), pidNamespace }),
    );
    symlinkSync(elsewhere, join(place, 'ae-link'));
    const pipe = mkdtempSync(join(place, 'ae-'));
    await runCommand({ argv: ['mkfifo', join(pipe, 'owner.json')], deadlineMs: 5_000 });
    expect(await clearDeadStarts(place)).toEqual([]);
    expect(await clearDeadStart(elsewhere)).toBeUndefined();
    for (const dir of [...kept, elsewhere, pipe, join(place, 'ae-link')]) expect(namesIn(place)).toContain(dir);
  });

  it('is a note where it cannot be removed', async (context) => {
    const dir = startFolder();
    const inner = join(dir, 'mounted');
    mkdirSync(inner);
    const mounted = await runCommand({ argv: ['mount', '-t', 'tmpfs', 'none', inner], deadlineMs: 5_000 });
    if (!mounted.ok) context.skip('mounting needs root');
    expect(await clearDeadStarts(place)).toEqual([expect.stringContaining(`${dir} could not be removed`)]);
    await runCommand({ argv: ['umount', inner], deadlineMs: 5_000 });
  });
});

describe('a process that has dropped its environment and its parent', () => {
  it('is found in the control group of its trial, wherever it works', async (context) => {
    openStartGroup(START);
    openTrialGroup('trial-1');
    if (trialGroup('trial-1') === undefined) context.skip('no control group can be made here');
    const pid = await abandon('env -i setsid sleep 500', '/', { AGENT_EVAL_TRIAL: 'trial-1' });
    const { found, left } = await endTrialProcesses('trial-1');
    expect(await closeTrialGroup('trial-1')).toBe(true);
    expect(await closeStartGroup(START)).toBe(true);
    expect([found.length, left, isThere(pid)]).toEqual([1, [], false]);
  });

  it('is found by its working directory and its open files where there is no control group', async () => {
    const [folder, log] = [join(place, 'trial'), join(place, 'trial', 'log')];
    mkdirSync(folder);
    writeFileSync(log, '');
    const inFolder = await abandon('env -i setsid sleep 500', folder);
    const withFile = await abandon(`cd /; env -i setsid tail -f ${log}`, folder);
    // Started by a living process that has nothing to do with the trial.
    const visitor = start(['tail', '-f', log], { cwd: folder });
    const { left } = await endTrialProcesses('trial-2', { folder });
    expect([left, ...[inFolder, withFile, visitor].map(isThere)]).toEqual([[], false, false, true]);
  });
});

describe('a folder of which an agent made anything', () => {
  it('is removed: read-only folders, a tree that is 3,000 deep and names that are no UTF-8, and no link is followed', async () => {
    const [tree, outside] = [startFolder(), join(place, 'outside')];
    mkdirSync(outside);
    writeFileSync(join(outside, 'kept'), '');
    const script = `cd "$0" && mkdir -p closed/inner && touch closed/inner/file "$(printf 'a\\xff')" && ln -s "$1" link &&
      chmod 500 closed/inner && chmod 0 closed`;
    const made = await runCommand({ argv: ['/bin/bash', '-c', script, tree, outside], deadlineMs: 60_000 });
    const deepen = "for (let i = 0; i < 3000; i++) { require('fs').mkdirSync('dd'); process.chdir('dd'); }";
    await runCommand({ argv: [process.execPath, '-e', deepen], cwd: tree, deadlineMs: 60_000 });
    expect(made.stderr).toBe('');
    if (process.getuid?.() === 0)
      await runCommand({ argv: ['chown', '-hR', 'nobody', tree, place], deadlineMs: 60_000 });
    // Root may do what it likes in a read-only folder.
    const asUser = process.getuid?.() === 0 ? ['setpriv', '--reuid=nobody', '--clear-groups'] : [];
    const [program = '', ...args] = [...asUser, process.execPath, BUNDLES.watchdog, tree];
    const removed = await runCommand({ argv: [program, ...args], cwd: '/', deadlineMs: 120_000 });
    expect(`${removed.exitCode} ${removed.stderr}`).toBe('0 ');
    expect(namesIn(place)).not.toContain(tree);
    expect(namesIn(outside)).toEqual([join(outside, 'kept')]);
    rmSync(outside, { recursive: true });
  }, 240_000);
});

function namesIn(folder: string): string[] {
  return readdirSync(folder).map((name) => join(folder, name));
}
