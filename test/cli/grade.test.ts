import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Grade } from '../../src/model/grade.js';
import { RIGHT, WRONG, writeGradedCampaign, writeGradedCorpus } from '../rig/graded-campaign.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';
import { faultsOf } from './schemas.js';

vi.setConfig({ testTimeout: 120_000 });

let user: Surroundings;
let dir: string;

beforeAll(async () => {
  user = makeSurroundings({ privateCache: true });
  dir = join(user.cwd, 'out', 'campaign');
  const folder = writeGradedCorpus(user.cwd);
  await writeGradedCampaign(dir, folder, {
    costUsd: () => 1,
    runs: 2,
    failed: { 'two/new-1': 'the daemon died' },
    answers: (arm, task) => (arm === 'new' && task === 'one' ? WRONG : RIGHT),
  });
  const file = join(dir, 'two', 'run-new-2.trial.json');
  const record = JSON.parse(readFileSync(file, 'utf8'));
  const failure = { reason: 'session-agent', message: 'error_max_budget_usd' };
  writeFileSync(file, JSON.stringify({ ...record, outcome: 'failed', validity: 'agent-failed', failure }));
});
afterAll(() => user?.remove());

const grades = (): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.grade.json'))
    .sort();
const gradeOf = (name: string): Grade => JSON.parse(readFileSync(join(dir, name), 'utf8'));
const recordTexts = () =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.trial.json'))
    .map((name) => readFileSync(join(dir, name), 'utf8'));

describe('grade <campaign>', () => {
  it('grades every trial that held a session, beside its log, and leaves the records as they are', async () => {
    const before = recordTexts();
    const outcome = await user.run(['grade', dir]);
    expect(`${outcome.exitCode} ${outcome.stderr}`).toMatch(/^0 7 graded, 0 graded before, 1 without a session/);
    expect(recordTexts()).toEqual(before);
    expect(grades()).toHaveLength(7);
    for (const name of grades()) expect(faultsOf('grade', readFileSync(join(dir, name), 'utf8'))).toEqual([]);
    const right = gradeOf('one/run-baseline-1.grade.json');
    expect(right).toMatchObject({ state: 'graded', trialId: 'one/baseline-1', costUsd: 0 });
    expect(right.figures).toEqual({
      ...{ factRecall: 1, passed: 1, falseClaims: 0, factsSupported: 3 },
      ...{ groundedShare: 1, fabricatedCitations: 0 },
    });
    expect(right.facts.find(({ id }) => id === 'escape')).toMatchObject({
      cited: true,
      own: { state: 'supported', quote: RIGHT[0] },
    });
    expect(right.facts.find(({ id }) => id === 'returns')).toMatchObject({ cited: false, own: { state: 'supported' } });
    expect(right.facts.find(({ id }) => id === 'empty')).toMatchObject({ cited: true, own: { state: 'supported' } });
    // The page shows both arms of a repetition, with the sentence that states each fact and whether each citation was found.
    const page = readFileSync(join(dir, 'report.html'), 'utf8');
    const repetition = /<h3>one, run 1<\/h3>[\s\S]*?<\/details>/.exec(page)?.[0] ?? '';
    expect(repetition.match(/<article class="answer">/g)).toHaveLength(2);
    expect(repetition).toContain('baseline: facts 100.0%');
    expect(repetition).toContain('new: facts 0.0%');
    expect(repetition).toContain('<mark title="escape, returns"> the function escapeBody turns the body into text');
    expect(repetition).toContain('<span class="cite" title="found in the source">send.js:2 ✓</span>');
    expect(repetition).toContain('<span class="cite bad" title="not found: path-not-found">lib/sender.js:12 ✕</span>');
    expect(repetition).toContain('<mark title="false claim as-is">');
    expect(repetition).toContain('Vital facts not stated: escape, returns, empty.');
    const wrong = gradeOf('one/run-new-1.grade.json');
    expect(wrong.figures).toMatchObject({
      factRecall: 0,
      passed: 0,
      falseClaims: 1,
      groundedShare: 0,
      fabricatedCitations: 2,
    });
    expect(wrong.citations?.map(({ text, state }) => `${text} ${state}`)).toEqual([
      'lib/sender.js:12 path-not-found',
      'send.js:90 beyond-end',
    ]);
    // The answers are right, and yet the agent did not come to its end.
    const failed = gradeOf('two/run-new-2.grade.json');
    expect(failed).toMatchObject({ state: 'agent-failed', reason: 'error_max_budget_usd' });
    expect(failed.figures).toMatchObject({ factRecall: 0, passed: 0 });
    expect(outcome.stdout).toContain('absent: escape');
    expect(outcome.stdout).toContain('two/new-1: no session to grade');
    const report = readFileSync(join(dir, 'report.txt'), 'utf8');
    expect(report).toMatch(/new: 3 of 3 runs graded · facts 0\.0% · passed 0\/3/);
    expect(report.indexOf('ANSWERS')).toBeLessThan(report.indexOf('VERDICT'));
  });

  it('grades only what is missing or has changed, and again with --regrade', async () => {
    const times = grades().map((name) => statSync(join(dir, name)).mtimeMs);
    rmSync(join(dir, 'one/run-new-2.grade.json'));
    const again = await user.run(['grade', dir, '--json']);
    expect(again.stderr).toMatch(/^1 graded, 6 graded before/);
    expect(faultsOf('grades', again.stdout)).toEqual([]);
    const kept = grades().filter((name) => name !== 'one/run-new-2.grade.json');
    const keptTimes = kept.map((name) => statSync(join(dir, name)).mtimeMs);
    expect(keptTimes).toEqual(times.filter((_, index) => grades()[index] !== 'one/run-new-2.grade.json'));
    const regraded = await user.run(['grade', dir, '--regrade', '--task', 'one']);
    expect(regraded.stderr).toMatch(/^4 graded, 0 graded before/);
  });

  it('grades no facts under other prompts, and no citations on other files, and says so', async () => {
    const config = readFileSync(join(user.cwd, 'corpus.config.ts'), 'utf8');
    writeFileSync(join(user.cwd, 'other.config.ts'), config.replace('"And then?"', '"And before?"'));
    writeFileSync(join(user.cwd, 'small', 'later.js'), 'changed\n');
    const outcome = await user.run(['grade', dir, '--config', 'other.config.ts', '--task', 'one', '--json']);
    rmSync(join(user.cwd, 'small', 'later.js'));
    const [grade] = JSON.parse(outcome.stdout).grades;
    expect(grade).toMatchObject({
      state: 'not-graded',
      citations: null,
      figures: { factRecall: null, groundedShare: null },
    });
    expect(grade.reason).toMatch(/^the prompts of one in .* are other ones/);
    expect(grade.sourceProblem).toMatch(/^the files of small are others than those of the campaign/);
    expect((await user.run(['grade', dir])).exitCode).toBe(0);
  });

  it('refuses what it cannot grade', async () => {
    const nothing = await user.run(['grade']);
    expect(`${nothing.exitCode} ${nothing.stderr}`).toMatch(/^2 .*nothing to grade was named/);
    const noTask = await user.run(['grade', dir, '--task', 'three']);
    expect(`${noTask.exitCode} ${noTask.stderr}`).toMatch(/^2 .*the campaign has no task three/);
  });
});

describe('grade --task --answers', () => {
  it('prints a line for each loose answer, with the states of its facts', async () => {
    const file = join(user.cwd, 'answers.jsonl');
    const lines = [
      { prompt: 0, text: RIGHT[0], id: 'a' },
      { prompt: 1, text: RIGHT[1] },
      { prompt: 0, text: WRONG[0] },
    ];
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const outcome = await user.run(['grade', '--task', 'one', '--answers', file, '--json']);
    expect(outcome.exitCode).toBe(0);
    const printed = outcome.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(printed).toMatchObject([
      {
        id: 'a',
        prompt: 0,
        state: 'graded',
        facts: { escape: 'supported', returns: 'supported' },
        wrong: [],
        factRecall: 1,
      },
      { prompt: 1, facts: { empty: 'supported', status: 'supported' }, groundedShare: 1 },
      { prompt: 0, facts: { escape: 'absent', returns: 'absent' }, wrong: ['as-is'], fabricatedCitations: 2 },
    ]);
    for (const line of outcome.stdout.trim().split('\n')) expect(faultsOf('loose-grade', line)).toEqual([]);
  });

  it('names every faulty line at once', async () => {
    const file = join(user.cwd, 'faulty.jsonl');
    writeFileSync(file, '{"prompt": 2, "text": "x"}\nno json\n{"prompt": 0}\n');
    const outcome = await user.run(['grade', '--task', 'one', '--answers', file]);
    expect(outcome.exitCode).toBe(2);
    expect(outcome.stderr).toMatch(/:1: `prompt` is 2, and the task has 2 prompts, counted from 0/);
    expect(outcome.stderr).toMatch(/:2: is not JSON/);
    expect(outcome.stderr).toMatch(/:3: `text` is not a string/);
  });
});
