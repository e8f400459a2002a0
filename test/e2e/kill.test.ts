import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { comparableReport, ENGINE, faultsOf, writeCorpus } from '../rig/campaign-folder.js';
import { killOnce, type Moment, nextCommand, seeded } from '../rig/kill.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';

let user: Surroundings;
beforeAll(() => {
  user = makeSurroundings();
  mkdirSync(join(user.root, 'tmp'));
  user.env.TMPDIR = join(user.root, 'tmp');
  writeCorpus(user, 20, { limitPauseMs: 1_000 });
});
afterAll(() => user?.remove());

const begin = (out: string, ...more: string[]) => [
  ...['with-without', '--tasks', 'ask', '--runs', '1', '--jobs', '2', '--out', out],
  ...(more.length > 0 ? more : ['--rehearsal']),
  ...ENGINE,
];
const latest = (out: string) => realpathSync(join(out, 'latest'));

describe('a campaign that is killed again and again', () => {
  it('ends with every trial once, whole logs, nothing left, and the report of an undisturbed one', async () => {
    const [killed, calm] = [join(user.cwd, 'killed'), join(user.cwd, 'calm')];
    const random = seeded(11);
    const hit: Moment[] = [];
    // Beside it, so that what clears the dead one's leavings is seen to spare a living neighbour's.
    const undisturbed = user.run(begin(calm));
    for (const moment of ['index', 'session', 'teardown'] as const) {
      const kill = await killOnce(user, nextCommand(killed, begin(killed)), killed, moment, random);
      hit.push(...(kill?.hit ?? []));
    }
    expect(hit.length).toBeGreaterThan(0);
    const last = await user.run(nextCommand(killed, begin(killed)));
    expect(`${last.exitCode} ${last.stderr}`).toMatch(/^0 /);
    expect(last.stderr).toMatch(/2 valid, 0 invalid, 0 failed, 0 not run/);
    expect((await undisturbed).exitCode).toBe(0);
    expect(faultsOf(latest(killed), user)).toEqual([]);
    expect(comparableReport(latest(killed))).toEqual(comparableReport(latest(calm)));
  }, 300_000);
});

describe('what goes wrong around a trial', () => {
  it('is tried again: a limit of the host pauses the campaign first, and nobody’s figures show it', async () => {
    const out = join(user.cwd, 'limit');
    const script = ['--rehearsal-script', resolve('test/rig/scripts/disasters.ts')];
    const outcome = await user.run(begin(out, ...script), { env: { DISASTER: 'limit' } });
    expect(`${outcome.exitCode} ${outcome.stderr}`).toMatch(/^0 /);
    const journal = readFileSync(join(latest(out), 'journal.jsonl'), 'utf8');
    expect(journal).toMatch(/"event":"pause".*rate_limit/);
    expect(journal).toMatch(/"event":"retry".*infra:rate_limit/);
    expect(faultsOf(latest(out), user)).toEqual([]);
  }, 300_000);
});

describe('money and time', () => {
  it('a real campaign is not started without a terminal and without --yes', async () => {
    const outcome = await user.run(begin(join(user.cwd, 'real'), '--effort', 'high'));
    expect(outcome.exitCode).toBe(2);
    expect(outcome.stderr).toMatch(/2 trials to run.*at most \$8\.00/);
    expect(outcome.stderr).toMatch(/--yes/);
  });

  it('a deadline that is over stops the campaign, which names what is not run and can be resumed', async () => {
    const out = join(user.cwd, 'late');
    const outcome = await user.run(begin(out, '--rehearsal', '--deadline', '2020-01-01T00:00:00Z'));
    expect(outcome.exitCode).toBe(3);
    expect(outcome.stderr).toMatch(/0 valid, 0 invalid, 0 failed, 2 not run/);
    expect(outcome.stderr).toMatch(/deadline/);
    expect(outcome.stderr).toMatch(/agent-eval resume/);
  }, 120_000);

  it('money that would not do for a trial stops it too', async () => {
    const outcome = await user.run(begin(join(user.cwd, 'poor'), '--rehearsal', '--max-campaign-usd', '3'));
    expect(outcome.exitCode).toBe(3);
    expect(outcome.stderr).toMatch(/may cost up to \$4\.00/);
  }, 120_000);
});
