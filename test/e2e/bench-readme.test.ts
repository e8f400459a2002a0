import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CampaignPlan } from '../../src/model/plan.js';
import type { CommandOutcome } from '../../src/process/index.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';

/** npm packages stand in for the repositories: nothing but the package registry's cache is needed. */
const CONFIG = ['--config', resolve('test/fixtures/look/stand-ins.config.ts')];
let user: Surroundings;
let outcome: CommandOutcome;
let dir: string;

beforeAll(async () => {
  user = makeSurroundings();
  outcome = await user.run([
    'bench-readme',
    ...CONFIG,
    '--rehearsal',
    '--repos',
    'gin,django',
    '--runs',
    '1',
    '--turns',
    '1',
  ]);
  dir = join(user.cwd, /agent-eval-results\/[^\s]+$/m.exec(outcome.stderr)?.[0] ?? '');
}, 300_000);
afterAll(() => user?.remove());

describe('bench-readme', () => {
  it('holds both arms on every repository, and writes the logs under the published names', () => {
    expect(`${outcome.exitCode} ${outcome.stderr}`).toMatch(/^0 /);
    for (const repo of ['gin', 'django']) {
      const names = readdirSync(join(dir, repo, 'run1')).filter((name) => name.endsWith('.jsonl'));
      expect(names.sort()).toEqual(['run-headless-with.jsonl', 'run-headless-without.jsonl']);
    }
    expect(outcome.stderr).toContain('4 valid, 0 invalid, 0 failed, 0 not run');
  });

  it('leads its report with the aggregate, in the published order', () => {
    const report = readFileSync(join(dir, 'report.txt'), 'utf8');
    const order = [
      'scripted model: the figures show the harness',
      'regime — read this before any number below',
      'contamination gate',
      'residual context occupancy',
      'throughput',
      'explore sufficiency and allocation',
      'fixed overhead',
      'every run',
      'excluded',
      'how to read these tables',
      'ARM COMPARISON',
    ].map((title) => report.indexOf(title));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order[0]).toBe(0);
    // Beside the verdicts there is no second estimate of the same figures.
    expect(report).not.toContain('AVERAGE');
    expect(report).toMatch(/clean: 0 calls around the MCP server returned output in any of 4 sessions/);
    expect(report).toMatch(/gin\/with-1 +\d+ +cg\d/);
  });

  it('gives the same figures as Markdown, CSV and JSON, and when read as a published folder', async () => {
    const markdown = await user.run(['report', dir, '--markdown']);
    expect(markdown.stdout).toMatch(/\| repo \| runs \| turns W→WO \|/);
    const csv = (await user.run(['report', dir, '--csv'])).stdout.trim().split('\n');
    expect(csv).toHaveLength(5);
    const published = JSON.parse((await user.run(['report', '--published', dir, '--json'])).stdout);
    const ours = JSON.parse((await user.run(['report', dir, '--json'])).stdout);
    const rows = (report: typeof ours) =>
      report.aggregate.rows
        .map((row: { repo: string; figures: unknown }) => ({ repo: row.repo, figures: row.figures }))
        .sort((a: { repo: string }, b: { repo: string }) => a.repo.localeCompare(b.repo));
    expect(rows(published)).toEqual(rows(ours));
  });

  it('adds repetitions from the one that is asked for', async () => {
    const plan = await user.run([
      ...['bench-readme', ...CONFIG, '--rehearsal', '--repos', 'django'],
      ...['--runs', '4', '--run-from', '3', '--arms', 'without', '--dry-run', '--json'],
    ]);
    expect(`${plan.exitCode} ${plan.stderr}`).toMatch(/^0 /);
    const { trials } = JSON.parse(plan.stdout) as CampaignPlan;
    expect(trials.map((trial) => trial.id)).toEqual(['django/without-3', 'django/without-4']);
  });

  it('names what is not there', async () => {
    const unknown = await user.run(['bench-readme', ...CONFIG, '--repos', 'vscode', '--rehearsal']);
    expect(unknown.exitCode).toBe(2);
    expect(unknown.stderr).toContain('no task on vscode');
    expect(unknown.stderr).toContain('gin, django');
    expect((await user.run(['campaign', 'nope', ...CONFIG, '--rehearsal'])).stderr).toContain('readme, adaptive');
  });

  it('takes a checked-out corpus in place of the sources of the shipped config', async () => {
    const corpus = join(user.root, 'corpus');
    mkdirSync(join(corpus, 'gin'), { recursive: true });
    for (const name of ['gin.go', 'tree.go']) {
      writeFileSync(
        join(corpus, 'gin', name),
        'package gin\n\n// Route finds the middleware of a request.\nfunc Route() {}\n',
      );
    }
    const args = ['bench-readme', '--rehearsal', '--repos', 'gin', '--runs', '1', '--turns', '1'];
    const own = await user.run(
      [...args, '--build', 'npm:@colbymchenry/codegraph@1.6.1', '--out', join(user.root, 'own')],
      {
        env: { CORPUS: corpus },
      },
    );
    expect(`${own.exitCode} ${own.stderr}`).toMatch(/^0 /);
    const [id = ''] = readdirSync(join(user.root, 'own')).filter((name) => name.startsWith('bench-readme'));
    const manifest = JSON.parse(readFileSync(join(user.root, 'own', id, 'manifest.json'), 'utf8'));
    expect(manifest.sources).toMatchObject([{ repo: 'gin', files: 2 }]);
  }, 240_000);
});

describe('campaign', () => {
  it('holds three arms that differ by build and engine environment', async () => {
    const three = await user.run(['campaign', 'adaptive', ...CONFIG, '--rehearsal', '--turns', '1']);
    expect(`${three.exitCode} ${three.stderr}`).toMatch(/^0 /);
    expect(three.stdout).toMatch(/^~ No verdict: a verdict compares two arms, and there are 3\./m);
    expect(three.stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(25);
    const folder = join(user.cwd, /agent-eval-results\/[^\s]+$/m.exec(three.stderr)?.[0] ?? '');
    expect(
      readdirSync(join(folder, 'django'))
        .filter((name) => name.endsWith('.jsonl'))
        .sort(),
    ).toEqual(['run-adaptive-1.jsonl', 'run-fixed-1.jsonl', 'run-without-1.jsonl']);
  }, 240_000);
});
