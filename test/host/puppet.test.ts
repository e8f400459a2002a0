import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endProcess, isAlive, startLogged, TRIAL_ID_VARIABLE } from '../../src/process/index.js';
import { makeTrial, temporaryFolder } from './rig.js';

// The real CLI cannot be made to outlive its result at will, nor to ignore SIGINT.
const RESULT = JSON.stringify({
  type: 'result',
  subtype: 'success',
  is_error: false,
  num_turns: 1,
  result: 'answer',
  total_cost_usd: 0.5,
  session_id: '11111111-2222-4333-8444-555555555555',
});

function puppet(script: string): string {
  const file = join(temporaryFolder(), 'claude');
  writeFileSync(file, `#!/bin/sh\ncat >/dev/null\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

test('a process that stays after its result is ended, and its segment counts', async () => {
  const hostPath = puppet(`trap '' INT\nprintf '%s\\n' '${RESULT}'\nsleep 331`);
  const trial = await makeTrial({ script: () => ({}), prompts: ['One?', 'Two?'], hostPath });
  const costs: (number | undefined)[] = [];
  const run = await trial.run({ graceMs: 600, onActivity: ({ costUsd }) => costs.push(costUsd) });
  expect(run.failure).toBeUndefined();
  expect(run.segments.map(({ ended, signal }) => ({ ended, signal }))).toEqual([
    { ended: 'forced-after-result', signal: 'SIGKILL' },
    { ended: 'forced-after-result', signal: 'SIGKILL' },
  ]);
  expect(run.sessionIds).toEqual(['11111111-2222-4333-8444-555555555555']);
  expect(costs).toEqual([0.5, 1]);
  expect(trial.living()).toEqual([]);
});

test("ending a session spares a daemon of the trial's that was there before it", async () => {
  const trial = await makeTrial({ script: () => ({}), prompts: ['One?'], hostPath: puppet('sleep 332') });
  const folder = join(trial.root, 'daemon');
  mkdirSync(folder);
  const daemon = startLogged({
    argv: ['/bin/sleep', '333'],
    cwd: folder,
    env: { [TRIAL_ID_VARIABLE]: trial.isolation.trialId },
    stdoutFile: join(folder, 'out'),
    stderrFile: join(folder, 'err'),
  });
  const { identity } = daemon;
  if (!identity) throw new Error('sleep did not start');
  const run = await trial.run({ idleMs: 500 });
  expect(run.failure).toMatchObject({ reason: 'session-stalled' });
  expect(isAlive(identity)).toBe(true);
  expect(trial.living()).toEqual([identity.pid]);
  await endProcess(identity, [{ signal: 'SIGKILL', waitMs: 1_000 }]);
});

test('a program that is missing is a failure of the infrastructure; a log that is there already is never overwritten', async () => {
  const trial = await makeTrial({ script: () => ({}), prompts: ['One?'], hostPath: '/nowhere/claude' });
  expect((await trial.run()).failure).toMatchObject({ reason: 'session-infra' });
  expect((await trial.run()).failure).toMatchObject({ reason: 'io' });
});

test('an abort before the start starts nothing', async () => {
  const trial = await makeTrial({ script: () => ({}), prompts: ['One?'] });
  const run = await trial.run({ signal: AbortSignal.abort() });
  expect(run).toMatchObject({ segments: [], failure: { reason: 'interrupted' } });
});
