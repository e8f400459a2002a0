import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CommandOutcome } from '../../src/process/index.js';
import { endProcess } from '../../src/process/index.js';
import { type ReplayReport, replayReportSchema } from '../../src/replay/report-schema.js';
import { makeEngineRepo } from '../rig/engine-repo.js';
import { processesWith } from '../rig/processes.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';

/** Real servers of two commits: the new one has half the budget of characters, so it loses source on purpose. */
let user: Surroundings;
let engine: string;
const against = ['--against', 'main'];

const SUITE = {
  format: 1,
  name: 'send',
  repo: 'express',
  cases: [
    {
      id: 'prose',
      calls: [
        { tool: 'codegraph_explore', arguments: { query: 'How does res.send settle the Content-Type and the ETag?' } },
      ],
      gold: {
        files: ['lib/response.js'],
        symbols: ['lib/response.js:res.send'],
        lines: ['lib/utils.js:exports.wetag'],
      },
    },
    {
      id: 'session',
      calls: ['res.send res.json', 'application settings etag'].map((query) => ({
        tool: 'codegraph_explore',
        arguments: { query },
      })),
      gold: { files: ['lib/response.js', 'lib/application.js'], incidental: { globs: ['History.md'], maxShare: 0.1 } },
    },
    { id: 'unlisted', calls: [{ tool: 'codegraph_search', arguments: { query: 'etag' } }] },
    { id: 'broken', calls: [{ tool: 'codegraph_explore', arguments: { query: '' } }] },
  ],
};

beforeAll(async () => {
  user = makeSurroundings();
  // Everything that a replay starts then has the test's own folder in its command line or environment.
  user.env.TMPDIR = join(user.root, 't');
  mkdirSync(user.env.TMPDIR);
  engine = (await makeEngineRepo(join(user.root, 'engine'))).dir;
  mkdirSync(join(user.cwd, 'suites'));
  writeFileSync(join(user.cwd, 'suites/send.replay.json'), JSON.stringify(SUITE));
}, 200_000);
afterAll(() => user?.remove());

const replayArguments = (...args: string[]): string[] => {
  return ['replay', 'suites', '--config', join(engine, 'corpus.config.ts'), '--engine', engine, ...args];
};
const replay = (...args: string[]): Promise<CommandOutcome> => user.run(replayArguments(...args));
const serving = () => processesWith('serve').filter((line) => line.includes('--mcp') && line.includes(user.root));
const reportOf = ({ stdout }: CommandOutcome): ReplayReport => replayReportSchema.parse(JSON.parse(stdout));

/** The report without its times, which are all that may vary. */
function timeless(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(timeless);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (key.endsWith('Ms') ? [] : [[key, timeless(inner)]])),
  );
}

it('finds what a worse build lost, twice the same, until each loss is accepted with a reason', async () => {
  const first = await replay(...against, '--json');
  expect([first.exitCode, first.stderr]).toEqual([1, expect.not.stringContaining('teardown')]);
  const report = reportOf(first);
  const states = Object.fromEntries(report.suites[0]?.cases.map(({ id, state }) => [id, state]) ?? []);
  expect(states).toEqual({ prose: 'worse', session: 'worse', unlisted: 'equal', broken: 'unanswered' });
  expect(report.gate.result).toBe('fail');
  const [prose] = report.suites[0]?.cases ?? [];
  const { new: ours, baseline } = prose?.calls[0] ?? {};
  expect(ours?.sourceChars).toBeLessThan(baseline?.sourceChars ?? 0);
  expect(prose?.findings.map(({ rule }) => rule)).toContain('less-source');
  // The published engine accounts for the files of its responses.
  expect(ours?.account?.[0]).toMatchObject({ path: 'lib/response.js', rank: 1 });
  expect(report.suites[0]?.cases[3]?.calls[0]?.new.error?.kind).toBe('server');

  const second = await replay(...against, '--json');
  expect(timeless(JSON.parse(second.stdout))).toEqual(timeless(JSON.parse(first.stdout)));

  for (const id of ['prose', 'session']) {
    const accepted = await user.run(['replay', 'accept', id, '--because', 'a smaller budget is wanted']);
    expect([accepted.exitCode, accepted.stderr]).toEqual([0, '']);
  }
  expect((await user.run(['replay', 'accept', 'unlisted', '--because', 'x'])).exitCode).toBe(2);
  const lock = JSON.parse(readFileSync(join(user.cwd, 'suites/replay.lock.json'), 'utf8'));
  expect(lock.accepted.map((entry: { case: string; because: string }) => [entry.case, entry.because])).toEqual([
    ['prose', 'a smaller budget is wanted'],
    ['session', 'a smaller budget is wanted'],
  ]);
  const last = await replay(...against);
  expect(last.stdout).toContain('gate: PASS');
  expect(last.exitCode).toBe(0);
  expect(last.stdout).toContain('(accepted: a smaller budget is wanted)');
  expect(last.stdout).toContain('It says nothing about savings');
  expect(last.stdout.split('\n').length).toBeLessThanOrEqual(41);
}, 300_000);

it('replays a build against itself, and reports a suite whose repository is gone', async () => {
  const gone = { ...SUITE, name: 'gone', source: { folder: 'nowhere' } };
  mkdirSync(join(user.cwd, 'more'));
  writeFileSync(join(user.cwd, 'more/gone.replay.json'), JSON.stringify(gone));
  const outcome = await replay('more', '--build', 'main', ...against, '--json');
  expect(outcome.exitCode).toBe(3);
  expect(outcome.stderr).toContain('both builds are the same files');
  const report = reportOf(outcome);
  expect(report.gate).toEqual({ result: 'incomplete', text: 'not run: gone' });
  expect(report.suites.map(({ name, failure }) => [name, failure?.reason ?? null])).toEqual([
    ['send', null],
    ['gone', 'workspace-failed'],
  ]);
  expect(report.suites[0]?.cases.map(({ state }) => state)).toEqual(['equal', 'equal', 'equal', 'unanswered']);
}, 200_000);

it('refuses one index for two builds of different extraction versions', async () => {
  const builds = ['--build', 'npm:@colbymchenry/codegraph@1.6.1', '--against', 'npm:@colbymchenry/codegraph@1.4.1'];
  const outcome = await replay(...builds, '--index', 'baseline', '--json');
  expect(outcome.exitCode).toBe(3);
  expect(reportOf(outcome).suites[0]?.failure).toEqual({
    reason: 'index-failed',
    message:
      '1.6.1 cannot answer from the index of the other build: it extracts by version 27, and the index was extracted by version 24',
  });
}, 200_000);

it('refuses gold that the repository does not have, and a checkout with uncommitted changes, before any server is started', async () => {
  const cases = [{ ...SUITE.cases[0], gold: { files: ['lib/respond.js'], symbols: ['lib/response.js:res.nothing'] } }];
  mkdirSync(join(user.cwd, 'wrong'));
  writeFileSync(join(user.cwd, 'wrong/a.replay.json'), JSON.stringify({ ...SUITE, name: 'wrong', cases }));
  const outcome = await replay('wrong', ...against);
  expect(outcome.exitCode).toBe(2);
  expect(outcome.stderr).toContain('the gold has 2 errors');
  expect(outcome.stderr).toContain('case prose: files: the repository has no file "lib/respond.js"');

  const source = join(engine, 'src/budget.json');
  const committed = readFileSync(source, 'utf8');
  writeFileSync(source, JSON.stringify({ maxOutputChars: 1 }));
  const dirty = await replay(...against);
  writeFileSync(source, committed);
  expect([dirty.exitCode, dirty.stderr]).toEqual([
    2,
    expect.stringContaining('has uncommitted changes: src/budget.json'),
  ]);
}, 60_000);

it('gives the same report, or none, when a daemon is killed in the middle', async () => {
  const before = reportOf(await replay('--build', 'main', ...against, '--json'));
  const started = user.start(replayArguments('--build', 'main', ...against, '--repeats', '8', '--json'));
  const daemons = () => processesWith('CODEGRAPH_DAEMON_INTERNAL=1').filter((line) => line.includes(user.root));
  for (let waited = 0; waited < 600 && serving().length === 0; waited++) await sleep(100);
  await sleep(1_500);
  const [daemon] = daemons();
  expect(daemon).toBeDefined();
  process.kill(Number.parseInt(daemon ?? '', 10), 'SIGKILL');
  const exit = await started.exited;
  const report = replayReportSchema.parse(JSON.parse(readFileSync(join(user.root, 'started-1.out'), 'utf8')));
  const states = (text: ReplayReport) => text.suites[0]?.cases.map(({ id, state }) => [id, state]);
  // Between two calls the engine starts its daemon again. Within a call the case cannot be compared, and the replay says so.
  if (report.gate.result === 'incomplete') {
    expect([exit.exitCode, report.gate.text, states(report)]).toEqual([3, expect.stringMatching(/^not run: /), []]);
  } else {
    expect([exit.exitCode, report.gate.result]).toEqual([0, 'pass']);
    expect(states(report)).toEqual(states(before));
  }
  expect(processesWith(user.root)).toEqual([]);
}, 200_000);

it('leaves nothing behind when it is interrupted', async () => {
  const started = user.start(replayArguments(...against, '--repeats', '50'));
  for (let waited = 0; waited < 600 && serving().length === 0; waited++) await sleep(100);
  if (!started.identity) throw new Error('it was not started');
  expect(serving()).not.toEqual([]);
  process.kill(started.identity.pid, 'SIGINT');
  const exit = await Promise.race([started.exited, sleep(30_000)]);
  await endProcess(started.identity);
  expect(exit).toEqual({ exitCode: 130, signal: null });
  expect(processesWith(user.root)).toEqual([]);
}, 120_000);
