import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAlive, type LoggedProcess } from '../../src/process/index.js';
import { ENGINE, recordsOf, writeCorpus } from '../rig/campaign-folder.js';
import { processesWith } from '../rig/processes.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';

let user: Surroundings;
/** A number that no other test's processes sleep for. */
let seconds: string;
let running: LoggedProcess | undefined;
beforeEach(() => {
  user = makeSurroundings();
  mkdirSync(join(user.root, 'tmp'));
  seconds = String(40_000_000 + process.pid);
  Object.assign(user.env, { TMPDIR: join(user.root, 'tmp'), STRAY_SECONDS: seconds });
  writeCorpus(user, 5);
});
afterEach(async () => {
  // A test that failed leaves its program running.
  if (running?.identity && isAlive(running.identity)) process.kill(running.identity.pid, 'SIGKILL');
  await until(() => living().length === 0, 15_000);
  user.remove();
});

async function until(isSo: () => boolean, ms: number): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end && !isSo(); ) await sleep(50);
  return isSo();
}

/** Starts two repetitions of one arm at fence none, and waits until the agent's command of the second one runs. */
async function startAndWait(arm: 'with' | 'without') {
  running = user.start([
    ...[
      'with-without',
      '--tasks',
      'ask',
      '--runs',
      '2',
      '--arms',
      arm,
      '--fence',
      'none',
      '--out',
      join(user.cwd, 'out'),
    ],
    ...['--rehearsal-script', resolve('test/rig/scripts/strays.ts'), ...ENGINE],
  ]);
  const hasStarted = await until(() => sleeping('2').length > 0, 120_000);
  expect(`${hasStarted} ${readFileSync(join(user.root, 'started-1.err'), 'utf8')}`).toMatch(/^true/);
  return running.identity?.pid ?? 0;
}

/** The processes that are nothing but this `sleep`. */
const sleeping = (last: string) =>
  processesWith(`sleep ${seconds}${last}`).filter((line) => /^\d+ sleep \d+$/.test(line));

/** The agent's processes, the engine's, and whatever else has the test's folder in its command line or environment. */
const living = () => [...processesWith(`sleep ${seconds}`), ...processesWith(user.root)];

describe('at fence none', () => {
  it('kill -9 ends everything within seconds: claude, its command, and a process that has dropped its environment', async () => {
    const pid = await startAndWait('without');
    // The first repetition is over, and with it the process that it left behind. The second one's is there.
    expect(sleeping('1')).toHaveLength(1);
    const [first] = recordsOf(join(user.cwd, 'out', 'latest'));
    expect(first?.evidence.leftOverProcesses).toBe('1');
    process.kill(pid, 'SIGKILL');
    await running?.exited;
    const killedAt = Date.now();
    expect(await until(() => living().length === 0, 15_000)).toBe(true);
    expect(Date.now() - killedAt).toBeLessThan(15_000);
    // Its temporary folder goes too.
    expect(await until(() => readdirSync(join(user.root, 'tmp')).length === 0, 15_000)).toBe(true);
  }, 240_000);

  it('a second Ctrl-C ends the program at once, and the daemon of the engine with everything else', async () => {
    const pid = await startAndWait('with');
    expect(processesWith('CODEGRAPH_DAEMON_INTERNAL=1').length).toBeGreaterThan(0);
    process.kill(pid, 'SIGINT');
    await until(() => /once more/.test(readFileSync(join(user.root, 'started-1.err'), 'utf8')), 10_000);
    process.kill(pid, 'SIGINT');
    expect((await running?.exited)?.exitCode).toBe(130);
    expect(await until(() => living().length === 0, 15_000)).toBe(true);
    expect(existsSync(join(user.cwd, 'out', 'latest', 'journal.jsonl'))).toBe(true);
  }, 240_000);
});
