import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TrialRecord } from '../../src/model/trial.js';
import { processesWith } from '../rig/processes.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';

const SCRIPT = ['--rehearsal-script', resolve('test/rig/scripts/faults.ts')];
const BUILD = ['--build', 'npm:@colbymchenry/codegraph@1.6.1'];
const CONFIG = (defaults: object) => `import { defineConfig } from 'agent-eval';
  export default defineConfig({ repos: { small: { folder: '../small' } }, tasks: {}, defaults: ${JSON.stringify(defaults)} });
`;

function makeUser(defaults: object): Surroundings {
  const user = makeSurroundings();
  mkdirSync(join(user.root, 'small'));
  writeFileSync(join(user.root, 'small', 'index.js'), 'exports.send = function send(body) { return body; };\n');
  writeFileSync(join(user.cwd, 'corpus.config.ts'), CONFIG(defaults));
  return user;
}
// The idle time is longer than a loaded machine's start of claude.
const DEFAULTS = { runs: 1, segmentIdleMs: 12_000, segmentDeadlineMs: 60_000, retries: 0 };

function onlyRecord(user: Surroundings, out: string): TrialRecord {
  const dir = join(user.cwd, out);
  const file = readdirSync(dir, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('.trial.json'));
  return JSON.parse(readFileSync(join(dir, file ?? 'none'), 'utf8'));
}

const ask = (prompt: string, out: string) => [
  'with-without',
  'small',
  prompt,
  '--arms',
  'with',
  '--out',
  out,
  ...SCRIPT,
  ...BUILD,
];

// These trials mostly wait. Each has a user's surroundings of its own, so that they can run at the same time.
describe.concurrent('what goes wrong in a trial', () => {
  const users: Surroundings[] = [];
  const newUser = (defaults: object = DEFAULTS) => {
    const user = makeUser(defaults);
    users.push(user);
    return user;
  };
  afterAll(() => {
    for (const user of users) user.remove();
  });

  it('a CLI that hangs is ended by the watchdog, and the campaign is incomplete', async ({ expect }) => {
    const user = newUser();
    const outcome = await user.run(ask('hang, please', 'hang'));
    expect(outcome.exitCode).toBe(3);
    expect(onlyRecord(user, 'hang')).toMatchObject({
      outcome: 'failed',
      validity: 'infra',
      failure: { reason: 'session-stalled' },
    });
    expect(processesWith(user.root)).toEqual([]);
  }, 120_000);

  it('an agent that works until its deadline is cut off: a result of its own, never run again', async ({ expect }) => {
    const user = newUser({ runs: 1, segmentDeadlineMs: 25_000, retries: 1 });
    const outcome = await user.run([
      ...['with-without', 'small', 'How does send work?', '--arms', 'with', '--out', 'cut-off', ...BUILD],
      ...['--rehearsal-script', resolve('test/fixtures/cases/deadline-as-infra/d10.mjs')],
    ]);
    expect(outcome.exitCode).toBe(0);
    expect(onlyRecord(user, 'cut-off')).toMatchObject({
      ...{ attempt: 1, outcome: 'failed', validity: 'agent-failed', failure: { reason: 'session-deadline' } },
      segments: [{ ended: 'deadline' }],
    });
    expect(outcome.stderr).toContain('small/with-1: cut off');
    expect(outcome.stderr).not.toContain('run again');
    expect(processesWith(user.root)).toEqual([]);
  }, 180_000);

  it('a storm of 529 is a failure of the infrastructure, not of the agent', async ({ expect }) => {
    const user = newUser();
    const outcome = await user.run(ask('overload, please||and on', 'storm'));
    expect(outcome.exitCode).toBe(3);
    const record = onlyRecord(user, 'storm');
    expect(record).toMatchObject({ outcome: 'failed', validity: 'infra', failure: { reason: 'session-infra' } });
    // No prompt after a failed one.
    expect(record.segments).toHaveLength(1);
  }, 120_000);

  it('a daemon that dies in mid-session voids the trial', async ({ expect }) => {
    const user = newUser();
    const outcome = await user.run(ask('kill the daemon, please', 'daemon'));
    expect(outcome.exitCode).toBe(3);
    expect(onlyRecord(user, 'daemon')).toMatchObject({ validity: 'infra', failure: { reason: 'daemon-died' } });
  }, 120_000);

  it('Ctrl-C in the middle of a tool call ends everything within seconds, and the campaign can be resumed', async ({
    expect,
  }) => {
    const user = newUser();
    const running = user.start(ask('sleep, please', 'stopped'));
    const deadline = Date.now() + 90_000;
    while (processesWith('sleep 321').length === 0 && Date.now() < deadline) await sleep(200);
    expect(processesWith('sleep 321')).not.toEqual([]);
    const interruptedAt = Date.now();
    process.kill(running.identity?.pid ?? 0, 'SIGINT');
    const { exitCode } = await running.exited;
    expect(exitCode).toBe(130);
    expect(Date.now() - interruptedAt).toBeLessThan(15_000);
    expect(processesWith('sleep 321')).toEqual([]);
    expect(processesWith(user.root)).toEqual([]);
    expect(onlyRecord(user, 'stopped').outcome).toBe('interrupted');
    // The counts and the line that goes on, and no report.
    expect(readFileSync(join(user.root, 'started-1.out'), 'utf8')).toBe('');
    expect(readFileSync(join(user.root, 'started-1.err'), 'utf8')).toMatch(
      /\d+ valid, \d+ invalid, \d+ failed, \d+ not run: \S+\n(.*\n)*resume with: agent-eval resume \S+\n/,
    );
  }, 150_000);
});

describe('bad input', () => {
  let user: Surroundings;
  beforeAll(() => {
    user = makeUser(DEFAULTS);
  });
  afterAll(() => user.remove());

  const cases: [string, string[], number, RegExp][] = [
    ['an unknown command', ['bench'], 2, /unknown command/],
    [
      'a number that is none',
      ['with-without', 'small', 'Why?', '--runs', 'three', ...BUILD],
      2,
      /--runs: "three" is no whole number/,
    ],
    [
      'a repo that is not there',
      ['with-without', 'nowhere', 'Why?', ...BUILD],
      2,
      /neither a repo of the config nor a folder/,
    ],
    ['no baseline', ['ab', 'small', 'Why?'], 2, /--baseline/],
    ['a log that is not there', ['parse-run', 'none.jsonl'], 2, /no such file/],
    ['a file that is no log', ['parse-run', 'corpus.config.ts'], 2, /no line of it is an event/],
    ['a folder without logs', ['compare-arms', '../small', 'new', 'baseline'], 2, /no run logs/],
    ['a checkout that is none', ['ab', 'small', 'Why?', '--baseline', 'main', '--rehearsal'], 2, /git/],
  ];
  it.each(cases)('%s is one clear message and exit code 2', async (_name, args, exitCode, message) => {
    const outcome = await user.run(args);
    expect(`${outcome.exitCode} ${outcome.stderr}`).toMatch(new RegExp(`^${exitCode} `));
    expect(outcome.stderr).toMatch(message);
    expect(outcome.stdout).toBe('');
  });
});
