import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../../src/process/index.js';
import { makeEngineRepo } from '../rig/engine-repo.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';

/** probe, index diff, stress and replay bisect on the tests' engine. */
let user: Surroundings;
let engine: string;
let place: string[];

const git = async (dir: string, ...args: string[]): Promise<string> => {
  const identity = ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.org', '-c', 'commit.gpgsign=false'];
  const outcome = await runCommand({ argv: ['git', ...identity, '-C', dir, ...args], deadlineMs: 30_000 });
  if (!outcome.ok) throw new Error(`${outcome.command}: ${outcome.stderr}`);
  return outcome.stdout.trim();
};

beforeAll(async () => {
  user = makeSurroundings();
  engine = (await makeEngineRepo(join(user.root, 'engine'))).dir;
  place = ['--config', join(engine, 'corpus.config.ts'), '--engine', engine];
  const query = 'How does res.send settle the Content-Type and the ETag?';
  const calls = [{ tool: 'codegraph_explore', arguments: { query } }];
  const suite = { format: 1, name: 'send', repo: 'express', cases: [{ id: 'prose', calls }] };
  writeFileSync(join(user.cwd, 'send.replay.json'), JSON.stringify(suite));
}, 200_000);
afterAll(() => user?.remove());

it('probe asks any tool with any arguments', async () => {
  const build = ['--build', 'main', ...place];
  const search = await user.run([
    'probe',
    'express',
    '--tool',
    'codegraph_search',
    '--arguments',
    '{"query":"wetag"}',
    ...build,
    '--json',
  ]);
  expect([search.exitCode, search.stderr]).toEqual([0, '']);
  const found = JSON.parse(search.stdout);
  expect(found).toMatchObject({ tool: 'codegraph_search', arguments: { query: 'wetag' } });
  expect(found.text).toContain('lib/utils.js');
  const wrong = await user.run(['probe', 'express', '--tool', 'codegraph_search', '--arguments', '[1]', ...build]);
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('expected a JSON object, got [1]')]);
}, 120_000);

it('index diff finds nodes and edges that only one index has, and drift over commits', async () => {
  const same = await user.run(['index', 'diff', 'HEAD', 'main', '--repo', 'express', ...place]);
  expect(same.stdout).toContain('the same nodes and edges');
  expect(same.exitCode).toBe(0);

  const npm = (version: string) => `npm:@colbymchenry/codegraph@${version}`;
  const differ = await user.run(['index', 'diff', npm('1.6.1'), npm('1.4.1'), '--repo', 'express', '--json', ...place]);
  expect(differ.exitCode).toBe(1);
  const { nodes } = JSON.parse(differ.stdout);
  expect(nodes.onlyNew).toContain('function lib/utils.js|isAbsolute|function');
  expect(nodes.new - nodes.baseline).toBe(nodes.onlyNew.length - nodes.onlyBaseline.length);

  // A repository whose second commit changes a file, adds one and removes one.
  const repo = join(user.root, 'history');
  mkdirSync(repo);
  writeFileSync(join(repo, 'a.js'), 'function one() { return two(); }\nfunction two() { return 2; }\n');
  writeFileSync(join(repo, 'gone.js'), 'function gone() { return 0; }\n');
  await git(repo, 'init', '--quiet');
  await git(repo, 'add', '--all');
  await git(repo, 'commit', '--quiet', '-m', 'first');
  writeFileSync(join(repo, 'a.js'), 'function one() { return three(); }\nfunction three() { return 3; }\n');
  writeFileSync(join(repo, 'b.js'), 'function four() { return 4; }\n');
  await git(repo, 'rm', '--quiet', 'gone.js');
  await git(repo, 'add', '--all');
  await git(repo, 'commit', '--quiet', '-m', 'second');
  const drift = await user.run(['index', 'diff', 'main', '--repo', repo, '--drift', '1', ...place]);
  expect([drift.exitCode, drift.stdout]).toEqual([0, expect.stringContaining('synced over 1 commits against rebuilt')]);
  expect(await git(repo, 'status', '--porcelain', '--ignored')).toBe('');
  expect((await user.run(['index', 'diff', 'main', '--repo', repo, '--drift', '2', ...place])).exitCode).toBe(2);
}, 300_000);

it('stress gets right answers from one daemon', async () => {
  const outcome = await user.run([
    'stress',
    'send.replay.json',
    '--build',
    'main',
    '--clients',
    '3',
    '--calls',
    '2',
    ...place,
    '--json',
  ]);
  expect(outcome.exitCode).toBe(0);
  expect(JSON.parse(outcome.stdout)).toMatchObject({
    clients: 3,
    calls: 2,
    answered: 6,
    timeouts: 0,
    errors: 0,
    wrong: 0,
  });
}, 120_000);

it('ab --replay-first starts no paid run where the replay is red, or where all responses are equal', async () => {
  const rehearsal = [
    '--rehearsal',
    '--runs',
    '1',
    '--turns',
    '1',
    '--yes',
    '--out',
    join(user.cwd, 'results'),
    ...place,
  ];
  const red = await user.run(['ab', '--baseline', 'main', '--replay-first', 'send.replay.json', ...rehearsal]);
  expect(red.exitCode).toBe(1);
  expect(red.stderr).toContain('gate: FAIL');
  expect(red.stderr).toContain('the paid runs were not started, because the gate of the replay does not pass');
  // A commit whose build differs by a comment, and answers alike.
  writeFileSync(join(engine, 'src/budget.json'), JSON.stringify({ maxOutputChars: 7_000, note: 'the same' }));
  await git(engine, 'commit', '--quiet', '--all', '-m', 'The same budget');
  const equal = await user.run(['ab', '--baseline', 'HEAD~1', '--replay-first', ...rehearsal]);
  expect(equal.exitCode).toBe(2);
  expect(equal.stderr).toContain('all responses are equal, so these tasks cannot see the change');
  expect(existsSync(join(user.cwd, 'results'))).toBe(false);
}, 300_000);

it('replay bisect finds the commit that made a case worse, and skips one that cannot be built', async () => {
  const commit = async (budget: number, message: string, script?: string) => {
    writeFileSync(join(engine, 'src/budget.json'), JSON.stringify({ maxOutputChars: budget }));
    if (script !== undefined) writeFileSync(join(engine, 'scripts/build.mjs'), script);
    await git(engine, 'add', '--all');
    await git(engine, 'commit', '--quiet', '-m', message);
    return await git(engine, 'rev-parse', 'HEAD');
  };
  await git(engine, 'checkout', '--quiet', '-b', 'history', 'main');
  await commit(12_999, 'as good');
  await commit(12_998, 'broken', 'process.exit(3);\n');
  await git(engine, 'checkout', '--quiet', 'HEAD~1', '--', 'scripts/build.mjs');
  const worse = await commit(6_500, 'worse');
  await commit(6_499, 'as bad');
  const outcome = await user.run([
    'replay',
    'bisect',
    'main..HEAD',
    'send.replay.json',
    '--case',
    'prose',
    ...place,
    '--json',
  ]);
  expect([outcome.exitCode, outcome.stderr]).toEqual([0, expect.stringContaining('skipped')]);
  const result = JSON.parse(outcome.stdout);
  expect(result.commit).toBe(worse);
  expect(result.skipped.length).toBe(1);
  expect(result.findings[0].rule).toBe('less-source');
}, 400_000);
