import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Measure } from '../../src/model/measure.js';
import type { TrialRecord } from '../../src/model/trial.js';
import type { CommandOutcome } from '../../src/process/index.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';
import { PAGEBOOK, writePagebook } from '../rig/second-server.js';

/** A whole `with-without` of a server that nothing in the program knows, by the config alone. */
let user: Surroundings;
let outcome: CommandOutcome;
let campaign: string;

beforeAll(async () => {
  user = makeSurroundings({ privateCache: true });
  const server = writePagebook(join(user.root, 'server'));
  const target = join(user.cwd, 'target');
  mkdirSync(join(target, 'lib'), { recursive: true });
  writeFileSync(join(target, 'lib/settle.js'), 'export const settle = (order) => order.total;\n');
  // An index of somebody else's making must not reach a trial.
  mkdirSync(join(target, '.pagebook'));
  writeFileSync(join(target, '.pagebook/pages.json'), '[{"path":"stale.js","text":"settle in stale.js"}]');
  const config = {
    engine: { profile: PAGEBOOK, withBuild: `path:${server}` },
    repos: { target: { folder: './target' } },
    tasks: { settle: { repo: 'target', prompts: ['Where is an order settled?'] } },
  };
  writeFileSync(join(user.cwd, 'corpus.config.ts'), `export default ${JSON.stringify(config)};\n`);
  outcome = await user.run([
    ...['with-without', 'target', 'Where is an order settled?', '--runs', '1', '--fence', 'full', '--json'],
    ...['--rehearsal-script', resolve('test/rig/scripts/second-server.ts')],
  ]);
  campaign = join(user.cwd, 'agent-eval-results/latest');
}, 400_000);
afterAll(() => user?.remove());

function recordOf(arm: string): TrialRecord {
  const files = readdirSync(campaign, { recursive: true, encoding: 'utf8' });
  const file = files.find((name) => name.endsWith(`run-headless-${arm}.trial.json`)) ?? '';
  return JSON.parse(readFileSync(join(campaign, file), 'utf8'));
}

function measureOf(arm: string): Measure {
  const { runs } = JSON.parse(outcome.stdout) as { runs: { arm: string; measure: Measure }[] };
  const run = runs.find((one) => one.arm === arm);
  if (!run) throw new Error(`no run of ${arm}`);
  return run.measure;
}

describe('with-without of a described server', () => {
  it('runs both arms to a valid end inside the full fence', () => {
    expect(`${outcome.exitCode} ${outcome.stderr}`).toMatch(/^0 /);
    for (const arm of ['with', 'without']) {
      const { outcome: end, validity, evidence } = recordOf(arm);
      expect([arm, end, validity, evidence.fence, evidence.cause]).toEqual([arm, 'ok', 'valid', 'full', undefined]);
    }
  });

  it('starts the server once before the session, which must answer, and pins its project', () => {
    const { evidence } = recordOf('with');
    expect(evidence).toMatchObject({
      serverVersion: '7.8.9',
      serverTools: 'look_up, table_of_contents',
      engineSandbox: 'bubblewrap',
      'mcp.1': 'connected',
      'fence.mcpStarts': '1',
      'fence.foreignProjects': '1',
    });
    expect(recordOf('without').evidence.serverVersion).toBeUndefined();
    const log = readFileSync(join(campaign, 'target/run1/run-headless-with.jsonl'), 'utf8');
    expect(log).toContain('project_path must lie inside the project in which this session runs');
    // A folder below the workspace becomes the workspace itself.
    expect(log).toMatch(/in \/[^"]*\/w: lib\/settle\.js/);
  });

  it('indexes the files of the trial and no index that lay in the target', () => {
    const log = readFileSync(join(campaign, 'target/run1/run-headless-with.jsonl'), 'utf8');
    expect(log).toContain('lib/settle.js: export const settle');
    expect(log).not.toContain('stale.js');
  });

  it('denies the program and the index to the arm without it, and lets a mention pass', () => {
    expect(measureOf('without').contamination).toMatchObject({
      invoke: { blocked: 3, returned: 0 },
      data: { blocked: 1, returned: 0 },
    });
    const log = readFileSync(join(campaign, 'target/run1/run-headless-without.jsonl'), 'utf8');
    expect(log).toContain('"pagebook is only named');
    expect(measureOf('with').contamination.commands).toEqual([]);
  });

  it('counts its tools as the tool under test, and says why sufficiency and allocation are not measured', () => {
    const { counts, occupancy, sufficiency, allocation } = measureOf('with');
    expect(counts).toMatchObject({ mcp__pagebook__look_up: 2, mcp__pagebook__table_of_contents: 2, Read: 1 });
    expect(occupancy?.chars.tool).toBeGreaterThan(0);
    const reason = 'the answers of pagebook are not divided into files';
    expect(sufficiency).toMatchObject({ notMeasured: reason, answered: 0, calls: [], everAnswered: true });
    expect(allocation).toMatchObject({ notMeasured: reason, efficiency: null, calls: [] });
  });

  it('is reported again without the config, in the words of that server', async () => {
    writeFileSync(join(user.cwd, 'corpus.config.ts'), 'export default { repos: {}, tasks: {} };\n');
    const report = await user.run(['report', campaign, '--full']);
    expect(`${report.exitCode} ${report.stderr}`).toMatch(/^0 /);
    expect(report.stdout).toContain('scripted model: the figures show the harness, not pagebook');
    expect(report.stdout).toContain('not measured, because the answers of pagebook are not divided into files');
    expect(report.stdout).not.toContain('codegraph');
    const run = await user.run(['parse-run', join(campaign, 'target/run1/run-headless-with.jsonl'), '--json']);
    expect(JSON.parse(run.stdout).allocation.notMeasured).toContain('pagebook');
  });
});
