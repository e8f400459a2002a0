import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TrialRecord } from '../../src/model/trial.js';
import type { CommandOutcome } from '../../src/process/index.js';
import { runCommand } from '../../src/process/index.js';
import { makeEngineRepo } from '../rig/engine-repo.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';

const fixture = join(import.meta.dirname, '../fixtures/cases/mute-engine');

/** `ab` of two builds that pass the check of a build and answer no other question: one says nothing, one writes garbage. */
let user: Surroundings;
let outcome: CommandOutcome;
let records: TrialRecord[];
let report: string;

beforeAll(async () => {
  user = makeSurroundings({ privateCache: true });
  const { dir } = await makeEngineRepo(join(user.root, 'engine'));
  const commit = async (mode: string) => {
    writeFileSync(join(dir, 'src/tag.json'), JSON.stringify({ tag: mode, mode }));
    cpSync(join(fixture, 'engine-build.mjs'), join(dir, 'scripts/build.mjs'));
    const identity = ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.org', '-c', 'commit.gpgsign=false'];
    for (const args of [
      ['add', '--all'],
      ['commit', '--quiet', '-m', mode],
      ['tag', mode],
    ]) {
      const done = await runCommand({ argv: ['git', ...identity, '-C', dir, ...args], deadlineMs: 30_000 });
      if (!done.ok) throw new Error(done.command);
    }
  };
  await commit('none');
  await commit('garbage');
  const script = join(fixture, 'script.mjs');
  const typed = ['ab', '--head', 'garbage', '--baseline', 'none', '--runs', '1', '--turns', '1', '--yes'];
  outcome = await user.run([...typed, '--rehearsal-script', script], { cwd: dir });
  const campaign = join(dir, 'agent-eval-results/latest');
  report = readFileSync(join(campaign, 'report.txt'), 'utf8');
  records = readdirSync(campaign, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.trial.json'))
    .map((name) => JSON.parse(readFileSync(join(campaign, name), 'utf8')));
}, 400_000);
afterAll(() => user?.remove());

it('calls each trial invalid, with what came in place of an answer as its cause', () => {
  const found = new Map(records.map((record) => [record.arm, record]));
  expect(records.map(({ arm, validity, attempt }) => [arm, validity, attempt]).sort()).toEqual([
    ['baseline', 'no-answer', 1],
    ['new', 'no-answer', 1],
  ]);
  expect(found.get('baseline')?.evidence.cause).toContain('completed with no output');
  expect(found.get('new')?.evidence.cause).toContain('<<<this is no JSON>>>');
});

it('fails garbage on the wire within seconds, not after minutes of silence', () => {
  const garbage = records.find(({ arm }) => arm === 'new');
  expect(garbage?.phasesMs.session).toBeLessThan(100_000);
  expect(garbage?.evidence['fence.mcpBroken']).toContain('<<<this is no JSON>>>');
});

it('gives no verdict, and says why', () => {
  expect(outcome.stdout).toMatch(/^✗ No verdict: /m);
  expect(outcome.stdout).toMatch(/not\s+valid\s+\(more\s+than\s+10%\):\s+no-answer\s+1/);
  expect(report).toContain('the tool never answered in 1 of 1 trials of new');
});
