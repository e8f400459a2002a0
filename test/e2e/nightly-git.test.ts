import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../../src/process/index.js';
import type { NightlyEntry } from '../../src/report/index.js';
import { faultsOf } from '../cli/schemas.js';
import { type EngineRepo, engineSettings, makeEngineRepo } from '../rig/engine-repo.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';

let user: Surroundings;
let engine: EngineRepo;
let bare: string;

async function git(dir: string, ...args: string[]): Promise<string> {
  const identity = ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.org', '-c', 'commit.gpgsign=false'];
  const outcome = await runCommand({ argv: ['git', ...identity, '-C', dir, ...args], deadlineMs: 30_000 });
  if (!outcome.ok) throw new Error(`${outcome.command}: ${outcome.stderr}`);
  return outcome.stdout.trim();
}

beforeAll(async () => {
  user = makeSurroundings();
  engine = await makeEngineRepo(join(user.root, 'engine'));
  bare = join(user.root, 'engine.git');
  // HEAD is the branch `work`, whose engine answers within 7,000 characters.
  await git(user.root, 'clone', '--quiet', '--bare', engine.dir, bare);
  await git(engine.dir, 'remote', 'add', 'origin', bare);
  writeFileSync(
    join(user.cwd, 'corpus.config.ts'),
    `import { defineConfig } from 'agent-eval';
     export default defineConfig({
       engine: ${JSON.stringify({ ...(await engineSettings()), checkout: engine.dir })},
       repos: { express: { npm: 'express@4.21.2' } },
       tasks: { send: { repo: 'express', prompts: ['How does res.send settle the ETag of a response?'] } },
       campaigns: { nightly: { runs: 4, margins: { tokensProcessed: 1 } } },
     });`,
  );
});
afterAll(() => user?.remove());

const night = (...more: string[]) =>
  user.run([
    ...['nightly', '--campaign', 'nightly', '--arms', 'with', '--jobs', '2', '--ref', 'HEAD', ...more],
    ...['--rehearsal-script', resolve('test/rig/scripts/explores.ts')],
  ]);

function history(): NightlyEntry[] {
  const file = join(user.cwd, 'agent-eval-results', 'nightly', 'nightly', 'history.jsonl');
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

it('fetches, builds HEAD, runs and holds a later HEAD against it: one that answers twice as long is a regression', async () => {
  const first = await night();
  expect(`${first.exitCode} ${first.stderr}`).toMatch(/^0 /);
  expect(first.stderr).toContain(`fetched HEAD: ${engine.head}`);
  expect(first.stdout).toContain('NIGHTLY nightly — FIRST of its regime');

  // The next day's HEAD answers within 13,000 characters again.
  writeFileSync(join(engine.dir, 'src', 'budget.json'), `${JSON.stringify({ maxOutputChars: 13_000 })}\n`);
  await git(engine.dir, 'commit', '--quiet', '--all', '-m', 'A budget of 13,000 characters again');
  await git(engine.dir, 'push', '--quiet', 'origin', 'work');
  const head = await git(engine.dir, 'rev-parse', 'HEAD');
  const second = await night('--json');
  expect(`${second.exitCode} ${second.stderr}`).toMatch(/^1 /);
  expect(second.stderr).toContain(`fetched HEAD: ${head}`);
  expect(faultsOf('nightly', second.stdout)).toEqual([]);

  const [before, now] = history();
  expect(before).toMatchObject({ verdict: 'first', exitCode: 0, builds: [{ arm: 'with', pin: engine.head }] });
  expect(now).toMatchObject({
    ...{ verdict: 'regression', exitCode: 1, baseline: before?.campaign, regime: before?.regime, look: null },
    builds: [{ arm: 'with', pin: head }],
  });
  const tokens = now?.metrics.find(({ metric }) => metric === 'tokensProcessed');
  expect(tokens).toMatchObject({ arm: 'with', margin: 1, verdict: 'worse', result: 'regression', unit: 'percent' });
  // The whole interval lies beyond the margin of 1 %; about 6,000 characters more in two of three requests.
  expect(tokens?.interval?.[0]).toBeGreaterThan(1);
  expect(tokens?.level).toBeGreaterThan(Math.log(10_000));
  const written = readFileSync(join(now?.campaign ?? '', 'nightly.txt'), 'utf8');
  expect(written).toMatch(
    /! with: tokens processed \+\d+\.\d% .* margin 1%: REGRESSION, the whole interval lies beyond/,
  );
  expect(written).toContain('VERDICT — with tonight against with before');
}, 300_000);
