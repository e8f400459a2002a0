import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkConfig, loadConfig } from '../../src/config/index.js';

const library = resolve('src/index.ts');
let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'config-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function write(text: string): string {
  const file = join(dir, 'corpus.config.ts');
  writeFileSync(file, text);
  return file;
}

describe('a config file', () => {
  it('outside this package imports defineConfig from agent-eval', async () => {
    const file = write(`
      import { defineConfig } from 'agent-eval';
      export default defineConfig({
        repos: { small: { folder: './small', exclude: ['docs'] } },
        tasks: { ask: { repo: 'small', prompts: ['Why?'] } },
        defaults: { runs: 3 },
      });`);
    const loaded = await loadConfig(file, library);
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
    expect(loaded.config.repos).toEqual([
      { name: 'small', exclude: ['docs'], source: { kind: 'folder', dir: join(dir, 'small') } },
    ]);
    expect(loaded.config.tasks).toEqual([{ name: 'ask', repo: 'small', prompts: ['Why?'] }]);
    expect(loaded.config.defaults).toMatchObject({ runs: 3, model: 'sonnet', effort: 'high', maxBudgetUsd: 4 });
  });

  it('tells every fault at once, each with its path', async () => {
    const file = write(`
      export default {
        repos: { gin: { git: 'x', commit: 'main' }, odd: { svn: 'y' }, express: { npm: 'express' } },
        tasks: { 'a b': { repo: 'gin', prompts: ['?'] }, ask: { repo: 'nowhere', prompts: [] } },
        defaults: { runs: 0, modell: 'sonnet', tasks: ['ask'] },
      };`);
    const loaded = await loadConfig(file, library);
    expect(loaded.ok).toBe(false);
    const paths = loaded.ok ? [] : loaded.faults.map((fault) => fault.path);
    for (const path of [
      'repos.gin.commit',
      'repos.odd',
      'repos.express.npm',
      'tasks.a b',
      'tasks.ask.prompts',
      'defaults.runs',
      'defaults',
    ]) {
      expect(paths).toContain(path);
    }
  });

  it('that names a repo or task which is not there is faulty', () => {
    const checked = checkConfig(
      { repos: {}, tasks: { ask: { repo: 'nowhere', prompts: ['?'] } }, defaults: { tasks: ['other'] } },
      '/x/corpus.config.ts',
    );
    expect(checked.ok ? [] : checked.faults.map((fault) => fault.path)).toEqual([
      'tasks.ask.repo',
      'defaults.tasks[0]',
    ]);
  });

  it('that names a repo like a property of every object is faulty', async () => {
    const named = await loadConfig(resolve('test/fixtures/cases/prototype-name/h4p.config.ts'), library);
    expect(named).toMatchObject({
      ok: false,
      faults: [{ path: 'tasks.t.repo', message: '"constructor" names no repo of this config (there are: one)' }],
    });
    const tasks = { t: { repo: 'one', prompts: ['?'] } };
    const repos = { one: { folder: './one' } };
    const faulty = checkConfig(
      {
        ...{ repos, tasks, defaults: { tasks: ['toString'] } },
        campaigns: { c: { tasks: ['valueOf'], arms: [{ label: 'hasOwnProperty' }, { label: 'b', build: null }] } },
      },
      '/x/corpus.config.ts',
    );
    expect(faulty.ok ? [] : faulty.faults.map(({ path }) => path).sort()).toEqual([
      'campaigns.c.arms[0].label',
      'campaigns.c.tasks[0]',
      'defaults.tasks[0]',
    ]);
  });

  it('refuses names that no file name has room for, each with its path and its length', async () => {
    const labelled = await loadConfig(resolve('test/fixtures/cases/long-arm-label/h4a.config.ts'), library);
    expect(labelled).toMatchObject({
      ok: false,
      faults: [{ path: 'campaigns.c.arms[0].label', message: 'has 300 characters; 100 are allowed' }],
    });
    const long = 'r'.repeat(101);
    const named = checkConfig(
      { repos: { [long]: { folder: '.' } }, tasks: { 'a b': { repo: long, prompts: ['?'] } } },
      '/x/corpus.config.ts',
    );
    expect(named).toMatchObject({
      ok: false,
      faults: [
        { path: `repos.${'r'.repeat(40)}…`, message: 'has 101 characters; 100 are allowed' },
        { path: 'tasks.a b', message: 'use letters, digits, ".", "_" and "-": it becomes a folder name' },
      ],
    });
  });

  it('with a syntax error is a fault, not a crash', async () => {
    const loaded = await loadConfig(write('export default {'), library);
    expect(loaded.ok ? '' : loaded.faults[0]?.message).toContain('could not be loaded');
  });

  it('that is shipped is sound and holds express and the seven README repos', async () => {
    const loaded = await loadConfig(resolve('corpus.config.ts'), library);
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
    expect(loaded.config.repos.map((repo) => repo.name)).toEqual([
      'express',
      'vscode',
      'excalidraw',
      'django',
      'tokio',
      'okhttp',
      'gin',
      'alamofire',
    ]);
    const readme = loaded.config.tasks.filter((task) => task.repo !== 'express');
    expect(readme.map((task) => task.prompts.length)).toEqual([3, 3, 3, 3, 3, 3, 3]);
  });
});

describe('campaigns', () => {
  const base = { repos: { r: { npm: 'x@1.0.0' } }, tasks: { t: { repo: 'r', prompts: ['?'] } } };
  const check = (campaigns: unknown) => checkConfig({ ...base, campaigns }, '/c/corpus.config.ts');

  it('hold every task, with and without the engine, where they say nothing else', () => {
    expect(check({ nightly: { margins: { costUsd: 10 } } })).toMatchObject({
      ok: true,
      config: { campaigns: [{ name: 'nightly', tasks: ['t'], arms: [], runs: undefined, margins: { costUsd: 10 } }] },
    });
  });

  it('tell apart arms by build and environment, and refuse those that nothing tells apart', () => {
    const arms = [
      { label: 'a' },
      { label: 'b', environment: { X: '0' } },
      { label: 'c', build: null },
      { label: 'd', build: 'main' },
    ];
    expect(check({ x: { arms } }).ok).toBe(true);
    const twice = check({
      x: { arms: [...arms, { label: 'e', build: 'main', environment: {} }, { label: 'a', build: 'v1' }] },
    });
    expect(twice).toMatchObject({
      ok: false,
      faults: [
        { path: 'campaigns.x.arms[4]', message: '"e" is the same engine and environment as "d"' },
        { path: 'campaigns.x.arms[5]', message: '"a" names two arms' },
      ],
    });
  });

  it('name tasks, figures and numbers of arms that are there', () => {
    const faulty = check({ x: { tasks: ['nope'], arms: [{ label: 'a' }], margins: { speed: 3 } } });
    expect(faulty.ok ? [] : faulty.faults.map(({ path }) => path)).toEqual([
      'campaigns.x.arms',
      'campaigns.x.margins.speed',
      'campaigns.x.tasks[0]',
    ]);
    const unknown = check({ x: { tasks: ['nope'] } });
    expect(unknown).toMatchObject({ ok: false, faults: [{ path: 'campaigns.x.tasks[0]' }] });
  });
});

describe('verdicts', () => {
  const base = { repos: { r: { npm: 'x@1.0.0' } }, tasks: { t: { repo: 'r', prompts: ['?'] } } };

  it('name metrics that there are; every misspelt one is a fault, all at once, with the names', () => {
    const checked = checkConfig(
      {
        ...base,
        verdict: {
          primary: 'cost',
          secondary: ['durationMs', 'tokens'],
          exploratory: ['reeds'],
          margins: { costUsd: 5, time: 5 },
          gate: { metric: 'costs' },
        },
      },
      '/c/corpus.config.ts',
    );
    const faults = checked.ok ? [] : checked.faults;
    expect(faults.map(({ path }) => path).sort()).toEqual([
      'verdict.exploratory[0]',
      'verdict.gate.metric',
      'verdict.margins.time',
      'verdict.primary',
      'verdict.secondary[1]',
    ]);
    const primary = faults.find(({ path }) => path === 'verdict.primary');
    expect(primary?.message).toContain('"cost" is no metric (there are: costUsd, cacheNeutralCostUsd, tokensProcessed');
  });

  it('pass when they are spelt right', () => {
    const verdict = { primary: 'durationMs', secondary: ['costUsd'], margins: { durationMs: 8 } };
    expect(checkConfig({ ...base, verdict }, '/c/corpus.config.ts')).toMatchObject({ ok: true, config: { verdict } });
  });
});
