import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../../src/process/index.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';

let user: Surroundings;
beforeAll(() => {
  user = makeSurroundings();
});
afterAll(() => user?.remove());

it('the packed program, installed in an empty folder, comes from init to a first experiment', async () => {
  const { env, cwd, root } = user;
  const step = async (argv: [string, ...string[]], place = cwd) => {
    const outcome = await runCommand({ argv, cwd: place, env, deadlineMs: 180_000 });
    return { ...outcome, all: `${outcome.exitCode}\n${outcome.stdout}\n${outcome.stderr}` };
  };
  // The test's global setup has built the program.
  const packed = await step(['npm', 'pack', '--ignore-scripts', '--json', '--pack-destination', root], resolve('.'));
  const [{ filename, files }] = JSON.parse(packed.stdout) as [{ filename: string; files: { path: string }[] }];
  const paths = files.map(({ path }) => path);
  // What the documentation links to ships with it.
  expect(paths).toEqual(expect.arrayContaining(['docs/campaigns.md', 'examples/github/bench.yml', 'README.md']));
  expect(paths.filter((path) => /^(src|test)\//.test(path))).toEqual([]);
  writeFileSync(join(cwd, 'package.json'), '{"private":true}');
  const installed = await step(['npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', join(root, filename)]);
  expect(installed.all).toMatch(/^0\n/);

  const service = join(root, 'my-service');
  mkdirSync(service);
  writeFileSync(join(service, 'server.js'), 'export function handle(request) {\n  return request.url;\n}\n');
  const program = join(cwd, 'node_modules', '.bin', 'agent-eval');
  const build = 'npm:@colbymchenry/codegraph@1.6.1';
  const prompts = ['--prompts', 'How is a request handled?||And where?'];
  const init = await step([program, 'init', '../my-service', ...prompts, '--build', build, '--rehearsal']);
  expect(init.all).toMatch(/^0\n/);
  expect(init.stdout).toContain('with-without: 1.6.1 against no engine: 1 task × 4 runs × 2 arms = 8 sessions');
  expect(init.stdout).toContain('costs nothing: the model is scripted');
  expect(init.stderr).toContain('try it for nothing:  agent-eval with-without --rehearsal --runs 1');
  const written = readFileSync(join(cwd, 'corpus.config.ts'), 'utf8');

  // A config is never overwritten unasked.
  const again = await step([program, 'init', '../my-service', ...prompts, '--build', build]);
  expect([again.exitCode, again.stderr]).toEqual([2, expect.stringContaining('corpus.config.ts exists already')]);
  expect(readFileSync(join(cwd, 'corpus.config.ts'), 'utf8')).toBe(written);

  const doctor = await step([program, 'doctor', '--rehearsal']);
  expect(doctor.all).toMatch(/^0\n/);
  const first = await step([program, 'with-without', '--rehearsal', '--runs', '1']);
  expect(first.all).toMatch(/^0\n/);
  expect(first.stderr).toContain('2 valid, 0 invalid, 0 failed, 0 not run');
  const [campaign] = readdirSync(join(cwd, 'agent-eval-results')).filter((name) => name.startsWith('with-without'));
  const names = readdirSync(join(cwd, 'agent-eval-results', campaign ?? ''));
  expect(names).toEqual(expect.arrayContaining(['report.txt', 'report.html', 'report.json']));
}, 300_000);
