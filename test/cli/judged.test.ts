import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { extract } from 'tar';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Grade } from '../../src/model/grade.js';
import { runCommand } from '../../src/process/index.js';
import { RIGHT, WRONG, writeGradedCampaign, writeGradedCorpus } from '../rig/graded-campaign.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';
import { faultsOf } from './schemas.js';

vi.setConfig({ testTimeout: 300_000 });

let user: Surroundings;
let dir: string;
const TASKS = ['one', 'prose', 'forged', 'yes'];
const SCRIPT = resolve('test/rig/scripts/judges.ts');

beforeAll(async () => {
  user = makeSurroundings({ privateCache: true });
  dir = join(user.cwd, 'out', 'campaign');
  const extra = { grading: { judge: { votes: 1 } } };
  const folder = writeGradedCorpus(user.cwd, TASKS, extra);
  await writeGradedCampaign(dir, folder, {
    costUsd: () => 1,
    runs: 1,
    tasks: TASKS,
    answers: (arm) => (arm === 'new' ? WRONG : RIGHT),
  });
}, 120_000);
afterAll(() => user?.remove());

const gradeOf = (name: string): Grade => JSON.parse(readFileSync(join(dir, name), 'utf8'));

describe('grade with a judge that the real CLI asks', () => {
  it('judges facts beside what is matched, and ends every bad judge in a clear state', async () => {
    const outcome = await user.run(['grade', dir, '--rehearsal-script', SCRIPT], { deadlineMs: 280_000 });
    expect(`${outcome.exitCode} ${outcome.stderr}`).toMatch(
      /^0 [\s\S]*judge: 2 judged, 0 judged before, 6 failed; \$0\.\d\d/,
    );
    const right = gradeOf('one/run-baseline-1.grade.json');
    expect(faultsOf('grade', JSON.stringify(right))).toEqual([]);
    expect(right.judge).toMatchObject({
      state: 'judged',
      model: 'haiku',
      votes: 1,
      figures: { factRecall: 1, passed: 1 },
    });
    expect(right.costUsd).toBeGreaterThan(0);
    expect(right.judge?.statements.find(({ id }) => id === 'escape')).toMatchObject({
      own: 'supported',
      quote: RIGHT[0],
    });
    expect(gradeOf('one/run-new-1.grade.json').judge).toMatchObject({
      state: 'judged',
      figures: { factRecall: 0, falseClaims: 1 },
    });
    const reasons = {
      prose: /without the JSON that was asked for/,
      forged: /the quote does not stand in the answer/,
      yes: /found a statement in the answer that no answer makes/,
    };
    for (const [task, reason] of Object.entries(reasons)) {
      const { judge, figures } = gradeOf(`${task}/run-baseline-1.grade.json`);
      expect(judge).toMatchObject({ state: 'failed', figures: { factRecall: null } });
      expect(judge?.reason).toMatch(reason);
      // What was matched stands as it was.
      expect(figures.factRecall).toBe(1);
    }
    // The answers’ costs are the arms’ own.
    const report = readFileSync(join(dir, 'report.json'), 'utf8');
    expect(faultsOf('report', report)).toEqual([]);
    for (const { measure } of JSON.parse(report).runs) expect(measure.costUsd).toBe(2);
  });

  it('asks again only for what failed, keeps judgements when no judge is asked, and leaves nothing behind', async () => {
    const before = gradeOf('one/run-baseline-1.grade.json').judge;
    const again = await user.run(['grade', dir, '--task', 'one', '--rehearsal-script', SCRIPT]);
    expect(again.stderr).toMatch(/judge: 0 judged, 2 judged before, 0 failed; \$0\.00/);
    const without = await user.run(['grade', dir, '--no-judge', '--regrade', '--task', 'one']);
    expect(without.stderr).not.toMatch(/judge:/);
    expect(gradeOf('one/run-baseline-1.grade.json').judge).toEqual(before);
    expect(readdirSync(dir).filter((name) => name.startsWith('ask-'))).toEqual([]);
  });

  it('needs a key for a real model', async () => {
    const refused = await user.run(['grade', dir, '--judge', '--task', 'one']);
    expect(`${refused.exitCode} ${refused.stderr}`).toMatch(/^4 .*reads no OAuth login/);
  });
});

describe('grade label', () => {
  const label = (stdin: string) =>
    runCommand({
      argv: [process.execPath, resolve('bin/agent-eval.js'), 'grade', 'label', dir, '--task', 'one'],
      ...{ cwd: user.cwd, env: user.env, stdin, deadlineMs: 60_000 },
    });
  const labels = () => JSON.parse(readFileSync(join(dir, 'labels.json'), 'utf8')).labels;

  it('asks about each fact with the arm hidden, saves every reply at once, and goes on where it was left', async () => {
    const first = await label('y\nwhat?\nn\np\nq\n');
    expect(`${first.exitCode} ${first.stderr}`).toMatch(/^0 [\s\S]*3 labels added, 5 facts left/);
    expect(first.stderr).not.toMatch(/baseline|\bnew\b/);
    expect(labels().map(({ state }: { state: string }) => state)).toEqual(['supported', 'absent', 'partial']);
    const second = await label('s\nn\nn\nn\nn\n');
    expect(second.stderr).toMatch(/4 labels added, 1 facts left/);
    expect(labels()).toHaveLength(7);
    expect(new Set(labels().map((one: { trialId: string; fact: string }) => `${one.trialId} ${one.fact}`)).size).toBe(
      7,
    );
    expect(second.stdout).toMatch(
      /judge \(haiku, effort low, 1 vote, prompt 1, claude .*exploratory \(7 of at least 30 labels/,
    );
    const report = JSON.parse(readFileSync(join(dir, 'report.json'), 'utf8'));
    expect(report.answers.judge).toMatchObject({ state: 'exploratory', labels: 7, of: 8, judged: 2 });
    expect(readFileSync(join(dir, 'report.html'), 'utf8')).toContain('exploratory (7 of at least 30 labels');
  });

  it('is shared only with the facts, and then a bundle holds both', async () => {
    const refused = await user.run(['report', dir, '--share', 'plain.tar.gz']);
    expect(`${refused.exitCode} ${refused.stderr}`).toMatch(/^2 .*rests on 7 labels of a person.*--with-facts/);
    expect(existsSync(join(user.cwd, 'plain.tar.gz'))).toBe(false);
    const shared = await user.run(['report', dir, '--share', 'whole.tar.gz', '--with-facts']);
    expect(`${shared.exitCode} ${shared.stderr}`).toBe('0 ');
    await extract({ file: join(user.cwd, 'whole.tar.gz'), cwd: user.root });
    const facts = JSON.parse(readFileSync(join(user.root, 'campaign', 'facts.json'), 'utf8'));
    expect(Object.keys(facts.tasks)).toEqual(TASKS);
    expect(facts.tasks.one.facts[0]).toMatchObject({ id: 'escape', claim: 'escapeBody turns the body into text' });
    expect(JSON.parse(readFileSync(join(user.root, 'campaign', 'labels.json'), 'utf8')).labels).toEqual(labels());
  });
});
