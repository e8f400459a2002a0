import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RIGHT, WRONG, writeGradedCampaign, writeGradedCorpus } from '../rig/graded-campaign.js';
import { readXml } from '../rig/naive-xml.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';
import { faultsOf } from './schemas.js';

vi.setConfig({ testTimeout: 240_000 });

let user: Surroundings;
const dir = (name: string) => join(user.cwd, 'out', name);
const noise = [1, 1.04, 0.97, 1.01];
const costs = (arm: string, task: number, repetition: number) =>
  (task + 1) * (noise[repetition - 1] ?? 1) * (arm === 'new' ? 0.5 + repetition / 400 : 1);

beforeAll(async () => {
  user = makeSurroundings({ privateCache: true });
  const folder = writeGradedCorpus(user.cwd);
  const half = [RIGHT[0] ?? '', WRONG[1] ?? ''];
  // The new arm is wrong in all of its runs, but for a part of one.
  const wrong = (arm: string, task: string, run: number) =>
    arm !== 'new' ? RIGHT : task === 'one' && run === 1 ? half : WRONG;
  await writeGradedCampaign(dir('wrong'), folder, { costUsd: costs, answers: wrong });
  await writeGradedCampaign(dir('ungraded'), folder, { costUsd: costs, answers: () => RIGHT });
  const arms = [
    { label: 'baseline-again', pin: '1.0.0' },
    { label: 'baseline', pin: '1.0.0' },
  ];
  // The same arm twice: nothing differs but chance, in cost and answers alike.
  await writeGradedCampaign(dir('aa'), folder, {
    arms,
    costUsd: (_, task, repetition) => (task + 1) * (noise[repetition - 1] ?? 1),
    answers: (arm, _, repetition) => ((repetition + arm.length) % 3 === 0 ? half : RIGHT),
  });
  for (const name of ['wrong', 'aa']) {
    const graded = await user.run(['grade', dir(name)]);
    if (graded.exitCode !== 0) throw new Error(graded.stderr);
  }
}, 240_000);
afterAll(() => user?.remove());

describe('an arm that is cheaper and wrong', () => {
  const said = 'CHEAPER AND WORSE';

  it('is called so in every form of the report, and answers stand before cost', async () => {
    const forms = { text: ['--full'], markdown: ['--markdown'], json: ['--json'], junit: ['--junit'] };
    const shown: Record<string, string> = {};
    for (const [form, flags] of Object.entries(forms))
      shown[form] = (await user.run(['report', dir('wrong'), ...flags])).stdout;
    const { text = '', markdown = '', json = '', junit = '' } = shown;
    expect(text).toMatch(/^ {2}cost CHEAPER AND WORSE, −\d/m);
    expect(text).toMatch(/^ {2}answers: WORSE — −9\d\.\d points of facts stated/m);
    expect(text).not.toMatch(/cost: BETTER|BETTER —/);
    expect(text.indexOf('====== ANSWERS')).toBeLessThan(text.indexOf(said));
    expect(text.indexOf('answers: WORSE')).toBeLessThan(text.indexOf('a run, '));
    expect(markdown.split('\n')[0]).toMatch(/^### new against baseline: cost CHEAPER AND WORSE, −\d/);
    expect(faultsOf('report', json)).toEqual([]);
    const { verdicts, answers } = JSON.parse(json);
    expect(verdicts.headline).toMatch(/^cost CHEAPER AND WORSE, −/);
    expect(answers.arms).toMatchObject([
      { arm: 'new', graded: 8, of: 8, passed: { count: 0, of: 8 } },
      {
        arm: 'baseline',
        graded: 8,
        of: 8,
        factRecall: 1,
        passed: { count: 8, of: 8 },
        fabricatedCitations: 0,
        costPerFactUsd: expect.closeTo(1.005, 3),
      },
    ]);
    const suites = JSON.stringify(readXml(junit));
    expect(suites).toContain(said);
    expect(junit.indexOf('classname="answers"')).toBeLessThan(junit.indexOf('classname="verdict.primary"'));
    const page = readFileSync(join(dir('wrong'), 'report.html'), 'utf8');
    expect(page).toContain(said);
    expect(page.indexOf('Were the answers right?')).toBeLessThan(page.indexOf(said));
    expect(page).toContain('✕ lib/sender.js:12');
    expect(page).toContain('returns what it gave.');
    expect(readFileSync(join(dir('wrong'), 'report.txt'), 'utf8')).toContain(said);
    const csv = (await user.run(['report', dir('wrong'), '--csv'])).stdout.split('\n');
    const at = (name: string) => (csv[0] ?? '').split(',').indexOf(name);
    const row = (csv.find((line) => line.includes('two/new-2')) ?? '').split(',');
    expect(at('facts_stated_share')).toBeLessThan(at('cost_usd'));
    expect(
      ['facts_stated_share', 'passed', 'false_claims', 'citations_found_share', 'citations_invented'].map(
        (name) => row[at(name)],
      ),
    ).toEqual(['0', '0', '1', '0', '2']);
  });

  it('does not pass a gate on cost', async () => {
    const gated = await user.run(['report', dir('wrong'), '--gate', 'costUsd', '--gate-without-answers', '--full']);
    expect(gated.exitCode).toBe(1);
    expect(gated.stdout).toMatch(/^gate costUsd \(not worse\): FAIL — cost: CHEAPER AND WORSE/m);
  });
});

describe('answers that are not graded', () => {
  it('allow no claim, and a gate on cost only where it is asked for', async () => {
    const shown = await user.run(['report', dir('ungraded'), '--gate', 'costUsd', '--full']);
    expect(shown.exitCode).toBe(3);
    expect(shown.stdout).toMatch(/^ {2}cost CHEAPER, ANSWERS NOT GRADED, −\d/m);
    expect(shown.stdout).toMatch(/^gate costUsd \(not worse\): NO-VERDICT — .*--gate-without-answers/m);
    const brief = await user.run(['report', dir('ungraded'), '--gate', 'costUsd']);
    expect(brief.exitCode).toBe(3);
    expect(brief.stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(25);
    expect(brief.stdout).toMatch(/^~ CHEAPER, ANSWERS NOT GRADED: cost \$\d/m);
    expect(brief.stdout).toMatch(/^gate costUsd \(not worse\): NO VERDICT \(.*--gate-without-answers\)$/m);
    expect(brief.stdout).toMatch(/^more {2}agent-eval report \S+ --full$/m);
    const excused = await user.run([
      'report',
      dir('ungraded'),
      '--gate',
      'costUsd',
      '--gate-without-answers',
      '--json',
    ]);
    expect(excused.exitCode).toBe(0);
    expect(faultsOf('report', excused.stdout)).toEqual([]);
    expect(JSON.parse(excused.stdout).gate).toMatchObject({ result: 'pass', withoutAnswers: true });
  });
});

describe('an A/A campaign of graded answers', () => {
  it('claims nothing', async () => {
    const { verdicts } = JSON.parse((await user.run(['report', dir('aa'), '--json'])).stdout);
    expect(verdicts.aa).toBe(true);
    for (const { verdict } of verdicts.metrics) expect(['inconclusive', 'equivalent', 'none']).toContain(verdict);
    expect(verdicts.answers.state).not.toBe('worse');
  });
});
