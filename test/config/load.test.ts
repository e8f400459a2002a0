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
    const readme = loaded.config.tasks.filter((task) => task.repo !== 'express' && !task.name.endsWith('-long'));
    expect(readme.map((task) => task.prompts.length)).toEqual([3, 3, 3, 3, 3, 3, 3]);
    const long = loaded.config.tasks.filter((task) => task.name.endsWith('-long'));
    expect(long.map((task) => task.repo).sort()).toEqual([
      'alamofire',
      'excalidraw',
      'express',
      'gin',
      'okhttp',
      'tokio',
    ]);
    for (const { name, prompts } of long) {
      const facts = loaded.config.expects[name]?.facts ?? [];
      expect(prompts, name).toHaveLength(9);
      // The seventh and eighth prompt ask for facts of the first and second again, the ninth for something new.
      const recalled = facts.filter((fact) => fact.recalls !== undefined);
      expect([...new Set(recalled.map((fact) => fact.prompt))], name).toEqual([6, 7]);
      for (const { recalls, prompt, accept, vital } of recalled) {
        const first = facts.find((fact) => fact.id === recalls);
        expect([first?.prompt, first?.accept, vital], name).toEqual([prompt - 6, accept, false]);
      }
      expect(
        facts.filter((fact) => fact.prompt === 8 && fact.vital),
        name,
      ).toHaveLength(1);
    }
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
          primary: 'costs',
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
    expect(primary?.message).toContain('"costs" is no metric (there are: durationMs, reads, searches');
  });

  it('accept the label or the table row under which a metric is printed, and refuse two margins for one metric', () => {
    const verdict = {
      primary: 'cost',
      secondary: ['Tokens processed', 'turns'],
      margins: { 'facts stated': 8 },
      gate: { metric: 'final context' },
    };
    expect(checkConfig({ ...base, verdict }, '/c/corpus.config.ts')).toMatchObject({
      ok: true,
      config: {
        verdict: {
          primary: 'costUsd',
          secondary: ['tokensProcessed', 'requests'],
          margins: { factRecall: 8 },
          gate: { metric: 'ctxFinalTokens' },
        },
      },
    });
    const twice = checkConfig({ ...base, verdict: { margins: { cost: 5, costUsd: 6 } } }, '/c/corpus.config.ts');
    expect(twice).toMatchObject({ ok: false, faults: [{ path: 'verdict.margins.costUsd' }] });
  });

  it('pass when they are spelt right', () => {
    const verdict = { primary: 'durationMs', secondary: ['costUsd'], margins: { durationMs: 8 } };
    expect(checkConfig({ ...base, verdict }, '/c/corpus.config.ts')).toMatchObject({ ok: true, config: { verdict } });
  });
});

describe('expects', () => {
  const fact = { id: 'a', vital: true, claim: 'A calls B', accept: [['a', 'b']] };
  const config = (expects: unknown, prompts = ['Why?']) => ({
    repos: { small: { npm: 'small@1.0.0' } },
    tasks: { ask: { repo: 'small', prompts, expects } },
  });

  it('is read from the config or from a JSON file that it names, with defaults, and never stands in a task', () => {
    writeFileSync(
      join(dir, 'ask.json'),
      JSON.stringify({ facts: [fact], files: 'tests', commands: [{ run: 'npm test' }] }),
    );
    for (const expects of ['ask.json', { facts: [fact], files: 'tests', commands: [{ run: 'npm test' }] }]) {
      const checked = checkConfig(config(expects), join(dir, 'corpus.config.ts'));
      if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
      expect(checked.config.tasks).toEqual([{ name: 'ask', repo: 'small', prompts: ['Why?'] }]);
      expect(checked.config.expects.ask).toMatchObject({
        facts: [{ ...fact, prompt: 0, at: [] }],
        commands: [{ run: 'npm test', weight: 1, regression: false }],
        files: join(dir, 'tests'),
        deadlineMs: 300_000,
      });
      expect(checked.config.expectsFiles).toEqual(expects === 'ask.json' ? { ask: join(dir, 'ask.json') } : {});
    }
  });

  it('tells every fault at once, with the file that it stands in', () => {
    const faulty = {
      facts: [
        { id: 'a', claim: '', prompt: 3 },
        { id: 'a', claim: 'twice', vital: true },
        { id: 'b', claim: 'odd', accept: [[]] },
      ],
      reference: 'x.patch',
      prompts: ['Another?'],
      commit: '2.0.0',
      calibration: [{ prompt: 0, kind: 'right', text: 'x', labels: { nowhere: 'supported' } }],
      nonsense: 1,
    };
    writeFileSync(join(dir, 'ask.json'), JSON.stringify(faulty));
    const checked = checkConfig(config('ask.json'), join(dir, 'corpus.config.ts'));
    const faults = checked.ok ? [] : checked.faults.map(({ path, message }) => `${path}: ${message}`);
    const file = join(dir, 'ask.json');
    expect(faults).toEqual(
      expect.arrayContaining([
        `tasks.ask.expects.facts[0].claim: must not be empty (${file})`,
        `tasks.ask.expects.facts[2].accept[0]: an alternative needs at least one string (${file})`,
        expect.stringMatching(/^tasks\.ask\.expects: Unrecognized key: "nonsense"/),
      ]),
    );
    // What the single fields allow is checked as a whole.
    const sound = {
      ...faulty,
      nonsense: undefined,
      facts: [
        { ...fact, prompt: 3 },
        { ...fact, accept: [] },
      ],
    };
    const whole = checkConfig(config(sound), join(dir, 'corpus.config.ts'));
    const more = whole.ok ? [] : whole.faults.map(({ path, message }) => `${path}: ${message}`);
    expect(more).toEqual(
      expect.arrayContaining([
        'tasks.ask.expects.facts[1].id: "a" names two facts or wrong claims',
        expect.stringMatching(/^tasks\.ask\.expects\.facts\[1\]\.accept: the vital fact "a" needs `accept`/),
        'tasks.ask.expects.calibration[0].labels.nowhere: names no fact',
        'tasks.ask.expects.reference: is only of use with `commands`',
      ]),
    );
    const other = checkConfig(config({ facts: [{ ...fact, prompt: 3 }], prompts: ['Another?'], commit: '2.0.0' }), 'x');
    expect(other.ok ? [] : other.faults.map(({ path }) => path)).toEqual([
      'tasks.ask.expects.facts[0].prompt',
      'tasks.ask.expects.prompts',
      'tasks.ask.expects.commit',
    ]);
  });

  it('names a file that cannot be read, beside the other faults', () => {
    const checked = checkConfig(config('nowhere.json', []), join(dir, 'corpus.config.ts'));
    expect(checked.ok ? [] : checked.faults.map(({ path }) => path)).toEqual([
      'tasks.ask.expects',
      'tasks.ask.prompts',
    ]);
  });
});
