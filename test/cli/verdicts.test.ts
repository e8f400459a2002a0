import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readXml } from '../rig/naive-xml.js';
import { costs, writeReportCampaign } from '../rig/report-campaigns.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';
import { writeCampaign } from '../rig/written-campaign.js';
import { faultsOf } from './schemas.js';

// Most of these start the program several times.
vi.setConfig({ testTimeout: 120_000 });

let user: Surroundings;
let out: string;

const dir = (name: string) => join(out, name);
const TWICE = [
  { label: 'baseline-again', pin: '1.0.0' },
  { label: 'baseline', pin: '1.0.0' },
];

beforeAll(() => {
  user = makeSurroundings();
  out = join(user.cwd, 'out');
  mkdirSync(out);
  for (const name of ['worse', 'better', 'faulty', 'low'] as const) writeReportCampaign(out, name);
  writeCampaign(dir('alone'), {
    costUsd: costs(1),
    tasks: ['one'],
    arms: [{ label: 'odd', pin: '1.0.0' }, ...TWICE.slice(1)],
  });
});
afterAll(() => user?.remove());

describe('--gate', () => {
  it('says no with 1, yes with 0, and prints what it decided', async () => {
    const no = await user.run(['report', dir('worse'), '--gate', 'costUsd', '--full']);
    expect(no.exitCode).toBe(1);
    expect(no.stdout).toMatch(/^gate costUsd \(not worse\): FAIL — cost: WORSE — 5\d\.\d% HIGHER/m);
    const yes = await user.run(['report', dir('better'), '--gate', 'costUsd', '--gate-without-answers', '--json']);
    expect(yes.exitCode).toBe(0);
    expect(faultsOf('report', yes.stdout)).toEqual([]);
    expect(JSON.parse(yes.stdout).gate).toMatchObject({ metric: 'costUsd', rule: 'not-worse', result: 'pass' });
  });

  it('could not be measured: 3', async () => {
    // One of eight runs of an arm is more than a tenth.
    const none = await user.run(['report', dir('faulty'), '--gate', 'costUsd', '--full']);
    expect(none.exitCode).toBe(3);
    expect(none.stdout).toMatch(/^gate costUsd \(not worse\): NO-VERDICT — cost: NO VERDICT — 1 of 8 trials of new/m);
  });

  it('of the config holds for the campaign that is merged of shards', async () => {
    // Not below --out: later tests pool what lies there.
    const shard = (name: string) => join(user.cwd, 'shards', name);
    const verdict = { gate: { metric: 'costUsd', rule: 'not-worse' as const } };
    const { trials } = writeCampaign(shard('undivided'), { costUsd: costs(1.5), plan: { verdict } });
    const parts = ['one', 'two'].map((task) => {
      const own = trials.filter((trial) => trial.task === task);
      writeCampaign(shard(`part-${task}`), { costUsd: costs(1.5), plan: { verdict, trials: own } });
      return shard(`part-${task}`);
    });
    const merged = await user.run(['merge', shard('merged'), ...parts]);
    expect(merged.stdout).toContain('gate costUsd (not worse): FAIL');
    expect(merged.exitCode).toBe(1);
  });

  it('of the config holds without a flag; the flag names another metric, the rule stays', async () => {
    const verdict = { gate: { metric: 'tokensProcessed', rule: 'shown' as const } };
    writeCampaign(dir('gated'), { costUsd: costs(0.5), plan: { verdict } });
    // Every run has the same tokens: there is no noise, so no verdict.
    expect((await user.run(['report', dir('gated')])).exitCode).toBe(3);
    const flag = await user.run(['report', dir('gated'), '--gate', 'costUsd', '--gate-without-answers']);
    expect(flag.exitCode).toBe(0);
    expect(flag.stdout).toContain('gate costUsd (better or equivalent): PASS');
  });

  it('refuses a metric that there is not, with the names, and one that was not declared', async () => {
    const unknown = await user.run(['report', dir('better'), '--gate', 'costs']);
    expect(unknown.exitCode).toBe(2);
    expect(unknown.stderr).toMatch(/no such metric[\s\S]*costUsd, cacheNeutralCostUsd/);
    const undeclared = await user.run(['report', dir('better'), '--gate', 'reads']);
    expect(undeclared.exitCode).toBe(2);
    expect(undeclared.stderr).toContain('declares no verdict on it');
  });

  it('is checked before a campaign begins', async () => {
    const typed = ['ab', '--baseline', 'npm:x@1.0.0', '--head', 'npm:x@2.0.0', '--gate', 'speed', '--rehearsal'];
    const outcome = await user.run(typed);
    expect(outcome.exitCode).toBe(2);
    expect(outcome.stderr).toContain('--gate speed: there is no such metric');
  });
});

describe('compare', () => {
  it('holds each arm against the arm of the same label, with a verdict', async () => {
    const outcome = await user.run(['compare', dir('worse'), dir('better')]);
    expect(outcome.exitCode).toBe(0);
    expect(outcome.stdout).toContain('their regimes are the same');
    // 1.5 against 0.5 of the same: three times, 200 % more. The baselines have the same costs.
    expect(outcome.stdout).toMatch(/new in A against new in B[\s\S]*cost: WORSE — 200\.0% HIGHER/);
    expect(outcome.stdout).toMatch(/baseline in A against baseline in B[\s\S]*cost: EQUIVALENT|INCONCLUSIVE/);
    const gated = await user.run(['compare', dir('worse'), dir('better'), '--gate', 'costUsd', '--json']);
    expect(gated.exitCode).toBe(1);
    expect(faultsOf('compared', gated.stdout)).toEqual([]);
    const json = JSON.parse(gated.stdout);
    expect(json).toMatchObject({ differences: [], a: { id: 'worse' }, b: { id: 'better' } });
    expect(json.arms.map((arm: { label: string }) => arm.label)).toEqual(['new', 'baseline']);
    expect(json.arms[0].verdicts.metrics[0]).toMatchObject({ metric: { name: 'costUsd' }, verdict: 'worse' });
    // Trials of two campaigns have no common blocks.
    expect(json.arms[0].verdicts.metrics[0].diagnostics.order).toBeNull();
  });

  it('refuses other regimes, and names every difference', async () => {
    const outcome = await user.run(['compare', dir('better'), dir('low')]);
    expect(outcome.exitCode).toBe(2);
    expect(outcome.stdout).toBe('');
    for (const line of ['effort: high / low', 'concurrency (--jobs): 1 / 4', 'claude: 2.1.0 / 2.2.0']) {
      expect(outcome.stderr).toContain(line);
    }
  });

  it('shows other regimes side by side without a verdict, and says so', async () => {
    const outcome = await user.run(['compare', dir('better'), dir('low'), '--across-regimes', '--gate', 'costUsd']);
    expect(outcome.exitCode).toBe(3);
    expect(outcome.stdout).toContain('! NO VERDICT: their regimes differ');
    expect(outcome.stdout).toContain('!   effort: high / low');
    expect(outcome.stdout).not.toMatch(/BETTER|WORSE|EQUIVALENT|HIGHER|LOWER/);
    expect(outcome.stdout).toContain('ARM COMPARISON — one · new');
    const markdown = await user.run(['compare', dir('better'), dir('low'), '--across-regimes', '--markdown']);
    expect(markdown.exitCode).toBe(0);
    expect(markdown.stdout).toContain('NO VERDICT: their regimes differ');
    const json = await user.run(['compare', dir('better'), dir('low'), '--across-regimes', '--json']);
    expect(faultsOf('compared', json.stdout)).toEqual([]);
    expect(JSON.parse(json.stdout).arms[0]).toEqual({ label: 'new', verdicts: null });
  });

  it('takes another set of tasks for another regime', async () => {
    const outcome = await user.run(['compare', dir('better'), dir('alone')]);
    expect(outcome.exitCode).toBe(2);
    expect(outcome.stderr).toMatch(/task two: on small: How\? \|\| And then\? \/ \(none\)/);
  });
});

describe('--aa', () => {
  it('is found by later reports of the same regime and stands beside their verdicts', async () => {
    writeCampaign(dir('aa'), { costUsd: costs(1), arms: TWICE });
    const own = await user.run(['report', dir('aa'), '--json']);
    expect(faultsOf('report', own.stdout)).toEqual([]);
    const { verdicts } = JSON.parse(own.stdout);
    expect(verdicts).toMatchObject({ aa: true, noise: { campaign: 'aa', tasks: 2, runs: [4, 4] } });
    expect(verdicts.noise.metrics[0]).toMatchObject({
      metric: 'costUsd',
      effect: 0,
      falseAlarms: { of: 4900, all: true },
    });
    // As a campaign leaves it.
    writeFileSync(join(dir('aa'), 'report.json'), own.stdout);
    const later = await user.run(['report', dir('better'), '--full']);
    expect(later.stdout).toMatch(
      /A\/A: the same arm twice gave \+0\.0% ± \d\.\d%; \d+ of all 4,900 relabelings would alarm \(2 tasks × 4 of aa\)/,
    );
    // Another regime has another noise.
    expect((await user.run(['report', dir('low'), '--full'])).stdout).not.toContain('A/A:');
    const named = await user.run(['report', dir('low'), '--noise', dir('aa')]);
    expect(named.exitCode).toBe(2);
    expect(named.stderr).toContain('effort: high / low');
    const noAa = await user.run(['report', dir('better'), '--noise', 'worse']);
    expect(noAa.exitCode).toBe(2);
    expect(noAa.stderr).toContain('it is no A/A campaign');
    expect((await user.run(['report', dir('better'), '--noise', 'aa', '--full'])).stdout).toContain('of aa)');
  });

  it('plans the baseline twice; with and without takes the arm with the engine, or the one that is named', async () => {
    const plan = async (...args: string[]) => {
      const outcome = await user.run([...args, '--aa', '--dry-run', '--json', '--rehearsal']);
      expect(faultsOf('plan', outcome.stdout)).toEqual([]);
      const { arms } = JSON.parse(outcome.stdout) as { arms: { label: string; build: { title: string } | null }[] };
      return arms.map(({ label, build }) => `${label} ${build?.title ?? 'none'}`);
    };
    const engine = 'npm:@colbymchenry/codegraph@1.6.1';
    const twice = ['baseline-again 1.6.1', 'baseline 1.6.1'];
    expect(await plan('ab', '--baseline', engine)).toEqual(twice);
    expect(await plan('with-without', '--build', engine)).toEqual(twice);
    expect(await plan('bench-readme', '--build', engine, '--repos', 'gin')).toEqual(twice);
    expect(await plan('with-without', '--build', engine, '--arms', 'without')).toEqual([
      'baseline-again none',
      'baseline none',
    ]);
  });
});

describe('plan', () => {
  it('says what a design can detect by the spread of earlier campaigns, and else by the stated defaults', async () => {
    const typed = [
      ...['ab', '--head', 'npm:engine@2.0.0', '--baseline', 'npm:engine@1.0.0', '--tasks', 'gin', '--runs', '4'],
      ...['--dry-run', '--detect', '10%'],
    ];
    const nothing = ['--out', join(user.cwd, 'nothing')];
    const defaults = await user.run([...typed, ...nothing, '--full']);
    expect(defaults.stdout).toContain('0.25 between tasks, 0.30 between runs; assumed: no earlier campaign');
    const saved = await user.run(['report', dir('better'), '--json']);
    writeFileSync(join(dir('better'), 'report.json'), saved.stdout);
    const pooled = await user.run([...typed, '--out', out, '--full']);
    expect(pooled.stdout).toMatch(
      /as a decrease of cost\n.*0\.00 between tasks, 0\.03 between runs; pooled over 1 earlier campaign of these settings: better\)/,
    );
    const json = JSON.parse((await user.run([...typed, '--out', out, '--json'])).stdout);
    expect(json.design).toMatchObject({ metric: 'costUsd', campaigns: ['better'], sigma: { source: 'earlier' } });
    expect(json.design.detect.percent).toBe(10);
  });

  it('fits one screen: each prompt once, sessions, cost, what is at hand and what the design can show', async () => {
    const typed = ['plan', '--head', 'npm:engine@2.0.0', '--baseline', 'npm:engine@1.0.0', '--tasks', 'gin'];
    const { stdout, stderr } = await user.run([...typed, '--out', join(user.cwd, 'nothing')]);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length, stdout + stderr).toBeLessThanOrEqual(25);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines[0]).toBe('ab: 2.0.0 against 1.0.0: 1 task × 4 runs × 2 arms = 8 sessions');
    const json = JSON.parse((await user.run([...typed, '--json'])).stdout);
    const [{ prompts }] = json.tasks as [{ prompts: string[] }];
    for (const prompt of prompts) expect(stdout.split(prompt.slice(0, 40))).toHaveLength(2);
    // Eight sessions of these prompts, $4 each.
    expect(stdout).toContain(`at most $${(32 * prompts.length).toFixed(2)} ($4 a prompt); no earlier campaign`);
    expect(stdout).toContain('builds: 2.0.0, 1.0.0 to make');
    expect(stdout).toContain('sources: gin to fetch');
    expect(stdout).toMatch(/can show with 80 % power: cost −\d+ % or more on these tasks \(assumed spread\)/);
    expect(stdout).not.toContain('claude -p');
    expect((await user.run([...typed, '--full'])).stdout).toContain('environment of every session');
  });

  it('promises nothing that the verdict cannot say, and names what would decide', async () => {
    const typed = ['ab', '--head', 'npm:engine@2.0.0', '--baseline', 'npm:engine@1.0.0', '--dry-run'];
    const two = await user.run([...typed, '--tasks', 'gin,express-send', '--runs', '2', '--full']);
    expect(two.stdout).toContain(
      'on this corpus (the question of this verdict): no verdict is possible: 2 tasks × 2 runs: the smallest two-sided p of exchanging runs is 0.056; no 5% verdict is possible; it takes 3 runs an arm of these tasks',
    );
    expect(two.stdout).toMatch(/for tasks like these: no verdict is possible: 2 tasks: .* it takes 6 tasks/);
    expect(two.stdout).not.toMatch(/\d+ %$/m);
    const screen = (await user.run([...typed, '--tasks', 'gin,express-send', '--runs', '2'])).stdout;
    expect(screen).toContain('! this design can decide nothing about these tasks: it takes 3 runs an arm');
    expect(screen).toContain('nothing about other tasks: it takes 6 tasks');
    // Without --runs the shipped default decides one task.
    const json = JSON.parse((await user.run([...typed, '--tasks', 'gin', '--json'])).stdout);
    expect(json.design).toMatchObject({
      ...{ question: 'corpus', tasks: 1, repos: 1, runs: 4 },
      admissible: { corpus: { isPossible: true, reason: null, remedy: null }, tasks: { isPossible: false } },
      detectable: { corpus: expect.any(Number), tasks: null },
    });
  });
});

describe('report', () => {
  it('as JUnit: verdicts are cases, a trial that failed is an error, whatever its message holds', async () => {
    const outcome = await user.run(['report', dir('faulty'), '--junit']);
    expect(outcome.exitCode).toBe(0);
    const root = readXml(outcome.stdout);
    expect(root.children.map(({ attributes }) => attributes.name)).toEqual([
      'verdicts: new against baseline',
      'task one',
      'task two',
    ]);
    const failed = root.children[1]?.children.find(({ attributes }) => attributes.name === 'one/new-1');
    expect(failed?.children[0]).toMatchObject({ name: 'error', attributes: { type: 'infra' } });
    expect(failed?.children[0]?.attributes.message).toContain('the daemon </died>␛[31m');
    const worse = readXml((await user.run(['report', dir('worse'), '--junit'])).stdout);
    expect(Number(worse.attributes.failures)).toBeGreaterThanOrEqual(1);
  });

  it('as Markdown begins with the verdict and folds the rest', async () => {
    const { stdout } = await user.run(['report', dir('worse'), '--markdown']);
    const [open = ''] = stdout.split('<details>');
    expect(open).toMatch(/^### new against baseline: cost WORSE, \+5\d\.\d%\n/);
    expect(open).toContain('| **cost** | WORSE | +5');
    expect(open.split('\n').length).toBeLessThan(25);
    expect(open).not.toMatch(/^> *\n>? *\n/m);
    // Tokens and duration are the same in every written run: one reason, said once for both.
    const reasons = [...open.matchAll(/^- [^:]+: (.+)$/gm)].map(([, reason]) => reason);
    expect(reasons.length).toBeGreaterThan(0);
    expect(new Set(reasons).size).toBe(reasons.length);
    expect(stdout.match(/<details>/g)?.length).toBe(stdout.match(/<\/details>/g)?.length);
    expect(readFileSync(join(dir('worse'), 'plan.json'), 'utf8')).toContain('"command":"ab"');
  });
});
