import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { planCampaign } from '../../src/plan/index.js';
import { processIdentity, runCommand } from '../../src/process/index.js';
import { REGIME } from '../rig/regime.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';

let user: Surroundings;
let dir: string;

beforeEach(() => {
  user = makeSurroundings();
  dir = mkdtempSync(join(tmpdir(), 'aewatch-'));
  writeFileSync(
    join(dir, 'plan.json'),
    JSON.stringify(
      planCampaign({
        ...{ command: 'ab', arms: [], tasks: [], repos: [], runs: 1, seed: 0 },
        regime: REGIME,
      }),
    ),
  );
});
afterEach(() => {
  user.remove();
  rmSync(dir, { recursive: true, force: true });
});

function log(at: string, msg: string, facts: object): void {
  const time = `2026-01-01T00:00:${at}.000Z`;
  appendFileSync(join(dir, 'campaign.log'), `${JSON.stringify({ level: 30, time, msg, ...facts })}\n`);
}

/** As a campaign in another process holds it: this test is that process. */
function hold(): void {
  const self = processIdentity(process.pid);
  writeFileSync(
    join(dir, 'lock.json'),
    JSON.stringify({ pid: self?.pid, startTime: self?.startTime, host: hostname() }),
  );
}

const RECORD = { outcome: 'ok', validity: 'valid', costUsd: 0.5, phasesMs: {} };

it('tells what happened, after the fact, with the times of then', async () => {
  log('00', 'campaign-start', { dir: 'out/x', trials: 1, done: 0 });
  log('01', 'trial-start', { trialId: 'gin/with-1', position: 1, of: 1 });
  log('09', 'trial-end', { trialId: 'gin/with-1', record: RECORD });
  log('10', 'campaign-end', { dir: 'out/x', interrupted: false });
  const seen = await user.run(['watch', dir]);
  expect(seen.exitCode).toBe(0);
  expect(seen.stdout.split('\n')).toEqual([
    'campaign out/x: 1 trial',
    'trial 1/1 gin/with-1: started',
    'trial 1/1 gin/with-1: ok · 8s · $0.500',
    'campaign ended: out/x',
    '',
  ]);
}, 60_000);

it('follows a campaign until it ends', async () => {
  hold();
  log('00', 'campaign-start', { dir: 'out/x', trials: 1, done: 0 });
  const watching = user.run(['watch', dir]);
  // However long it takes to start: what comes before and after are told alike.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  log('01', 'trial-start', { trialId: 'gin/with-1', position: 1, of: 1 });
  log('02', 'trial-end', { trialId: 'gin/with-1', record: RECORD });
  log('03', 'campaign-end', { dir: 'out/x', interrupted: false });
  rmSync(join(dir, 'lock.json'));
  const seen = await watching;
  expect(seen.exitCode).toBe(0);
  expect(seen.stdout).toContain('gin/with-1: ok · 1s');
}, 60_000);

it('says that a campaign was killed, and how to go on', async () => {
  log('00', 'campaign-start', { dir: 'out/x', trials: 2, done: 0 });
  log('01', 'trial-start', { trialId: 'gin/with-1', position: 1, of: 2 });
  const seen = await user.run(['watch', dir]);
  expect(seen.exitCode).toBe(3);
  expect(seen.stderr).toContain('it was killed');
  expect(seen.stderr).toContain(`resume with: agent-eval resume ${dir}`);
}, 60_000);

// A terminal of util-linux's `script`, where there is one.
it.skipIf(!existsSync('/usr/bin/script'))(
  'on a terminal it shows the live view: totals, pause, running trials',
  async () => {
    hold();
    log('00', 'campaign-start', { dir: 'out/x', trials: 3, done: 0, limitUsd: 9 });
    log('01', 'trial-start', { trialId: 'gin/with-1', position: 1, of: 3 });
    log('02', 'phase', { trialId: 'gin/with-1', phase: 'session' });
    log('03', 'activity', { trialId: 'gin/with-1', text: 'Read lib/send.js', costUsd: 0.125, ctxTokens: 31_000 });
    log('04', 'pause', { until: '2026-01-01T03:00:00.000Z', reason: 'rate_limit: five-hour limit' });
    const command = `stty cols 150 rows 30; exec '${process.execPath}' '${resolve('bin/agent-eval.js')}' watch '${dir}'`;
    const seen = runCommand({
      argv: ['/usr/bin/script', '-qec', command, '/dev/null'],
      cwd: user.cwd,
      env: { ...user.env, TERM: 'xterm' },
      deadlineMs: 50_000,
    });
    await new Promise((wake) => setTimeout(wake, 5000));
    log('05', 'campaign-end', { dir: 'out/x', interrupted: false });
    rmSync(join(dir, 'lock.json'));
    const { stdout, exitCode } = await seen;
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/\[\.{20}\] 0\/3 · \$0\.13 of \$9\.00 · .* · ETA — · 0 valid · 1 running · 2 waiting/);
    expect(stdout).toMatch(/gin\/with-1 · session · .* · \$0\.125 · ctx 31k · Read lib\/send\.js/);
    expect(stdout).toMatch(/PAUSED.*: rate_limit: five-hour limit/);
    expect(stdout).toContain('paused until 2026-01-01T03:00:00.000Z: rate_limit: five-hour limit');
    expect(stdout).toContain('campaign ended: out/x');
  },
  60_000,
);

it('refuses a folder that is no campaign', async () => {
  expect((await user.run(['watch', user.cwd])).exitCode).toBe(2);
}, 60_000);
