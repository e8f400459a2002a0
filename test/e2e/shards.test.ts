import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { type CommandOutcome, runCommand } from '../../src/process/index.js';
import { comparableReport } from '../rig/campaign-folder.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';

/** Two tasks and one repetition: two pairs, four trials. */
const BENCH = [
  ...['bench-readme', '--config', resolve('test/fixtures/look/stand-ins.config.ts')],
  ...['--rehearsal', '--runs', '1', '--turns', '1'],
];
/** Each machine has a home of its own; the last one takes the results together. */
let machines: Surroundings[];
let whole: string;
let parts: string[];

function campaignOf(user: Surroundings, place = 'agent-eval-results'): string {
  const out = join(user.cwd, place);
  const [name, ...others] = readdirSync(out).filter((one) => one.startsWith('bench-readme-'));
  expect(others).toEqual([]);
  return join(out, name ?? '');
}

/** Runs a command of an example as it stands there; `agent-eval` is on the PATH. */
async function shell(user: Surroundings, command: string, variables: Record<string, string>): Promise<CommandOutcome> {
  const bin = join(user.root, 'bin');
  mkdirSync(bin);
  symlinkSync(resolve('bin/agent-eval.js'), join(bin, 'agent-eval'));
  const env = { ...user.env, ...variables, PATH: `${bin}:${user.env.PATH}` };
  return await runCommand({ argv: ['/bin/sh', '-c', command], cwd: user.cwd, env, deadlineMs: 240_000 });
}

/** What makes an example's campaign the small one of this test; of a flag that is there twice the last one counts. */
const SMALL = [...BENCH.slice(1), '--build', 'npm:@colbymchenry/codegraph@1.6.1'].join(' ');

/** The shard's command of the workflow, the matrix filled in as the runner would. */
function workflowCommand(index: number, of: number): string {
  const { jobs } = parse(readFileSync('examples/github/bench.yml', 'utf8'));
  const step = jobs.shard.steps.find((one: { run?: string }) => one.run?.includes('--shard'));
  expect(step.run).toContain('--shard $' + '{{ matrix.index }}/$SHARDS');
  expect(jobs.shard.strategy.matrix.index).toHaveLength(5);
  expect(of).toBe(2);
  return `${step.run.trim().replace('$' + '{{ matrix.index }}', String(index))} ${SMALL}`;
}

/** The pod's script, its volumes in the machine's own folder. */
function jobCommand(user: Surroundings): string {
  const [, job] = parseAllDocuments(readFileSync('examples/kubernetes/job.yaml', 'utf8')).map((one) => one.toJS());
  const [script] = job.spec.template.spec.containers[0].args;
  return `${script.trim().replaceAll('/results/', `${user.cwd}/results/`)} ${SMALL}`;
}

beforeAll(async () => {
  machines = [makeSurroundings(), makeSurroundings(), makeSurroundings()];
  const [one, first, second] = machines;
  if (!one || !first || !second) throw new Error('three machines');
  const undivided = await one.run(BENCH);
  expect(`${undivided.exitCode} ${undivided.stderr}`).toMatch(/^0 /);
  const ofWorkflow = await shell(first, workflowCommand(1, 2), { SHARDS: '2' });
  expect(`${ofWorkflow.exitCode} ${ofWorkflow.stderr}`).toMatch(/^0 /);
  const ofJob = await shell(second, jobCommand(second), { JOB_COMPLETION_INDEX: '1', JOB_COMPLETION_COUNT: '2' });
  expect(`${ofJob.exitCode} ${ofJob.stderr}`).toMatch(/^0 /);
  whole = campaignOf(one);
  parts = [campaignOf(first, 'results'), campaignOf(second, 'results/shard-1')];
}, 500_000);
afterAll(() => {
  for (const machine of machines ?? []) machine.remove();
});

describe('shards', () => {
  it('hold their own pairs, both arms together', () => {
    const trials = parts.map((dir) =>
      JSON.parse(readFileSync(join(dir, 'plan.json'), 'utf8'))
        .trials.map((trial: { id: string }) => trial.id)
        .sort(),
    );
    expect(trials).toEqual([
      ['gin/with-1', 'gin/without-1'],
      ['django/with-1', 'django/without-1'],
    ]);
  });

  it('merge into the campaign that was never divided, but for ids, times and durations', async () => {
    const [user] = machines;
    if (!user) throw new Error('a machine');
    const merged = join(user.cwd, 'merged');
    const done = await user.run(['merge', merged, ...parts.toReversed()]);
    expect(`${done.exitCode} ${done.stderr}`).toMatch(/^0 /);
    expect(comparableReport(merged)).toEqual(comparableReport(whole));
    const read = (dir: string, name: string) => JSON.parse(readFileSync(join(dir, name), 'utf8'));
    expect(read(merged, 'plan.json')).toEqual(read(whole, 'plan.json'));
    expect(read(merged, 'manifest.json').planHash).toBe(read(whole, 'manifest.json').planHash);
    // What is printed, with its folder's name, times and durations taken out.
    const words = (dir: string) =>
      readFileSync(join(dir, 'report.txt'), 'utf8')
        .replaceAll(dir.split('/').at(-1) ?? '', '<campaign>')
        // The verdict on duration with its details, and the p's that hang on it.
        .replaceAll(/\n {4}duration: [^\n]*(\n {8}[^\n]*)*/g, '')
        .replaceAll(/Holm p = [\d.<]+ · /g, '')
        .replaceAll(/\d+m \d+s|\d+ms|\b\d+s\b|\d{4}-\d\d-\d\dT\d\d:\d\d/g, '<time>')
        .split('\n')
        .filter((line) => !/duration|time/i.test(line))
        .map((line) => line.replaceAll(/\s+/g, ' '));
    expect(words(merged)).toEqual(words(whole));
  }, 120_000);

  it('are refused where one is missing, there twice, unfinished, or the target is not new', async () => {
    const [user] = machines;
    const [first = '', second = ''] = parts;
    if (!user) throw new Error('a machine');
    const target = join(user.cwd, 'refused');
    const missing = await user.run(['merge', target, first]);
    expect(`${missing.exitCode} ${missing.stderr}`).toMatch(/^2 .*in no part: django\/with(out)?-1/s);
    const copy = join(user.cwd, 'copy');
    cpSync(second, copy, { recursive: true });
    const twice = await user.run(['merge', target, first, second, copy]);
    expect(`${twice.exitCode} ${twice.stderr}`).toMatch(/^2 .*in two parts: django\/with(out)?-1/s);
    const unfinished = await user.run(['merge', target, first, stripped(copy)]);
    expect(`${unfinished.exitCode} ${unfinished.stderr}`).toMatch(/^2 .*is not finished: 1 of 2 trials/s);
    const occupied = await user.run(['merge', copy, first, second]);
    expect(`${occupied.exitCode} ${occupied.stderr}`).toMatch(/^2 .*is not empty/s);
    expect(existsSync(target)).toBe(false);
  }, 120_000);

  it('are refused where the environment names none', async () => {
    const [user] = machines;
    const outcome = await user?.run([...BENCH, '--shard', 'auto', '--dry-run']);
    expect(`${outcome?.exitCode} ${outcome?.stderr}`).toMatch(/^2 .*JOB_COMPLETION_INDEX/s);
    const none = await user?.run([...BENCH, '--shard', '3/2', '--dry-run']);
    expect(`${none?.exitCode} ${none?.stderr}`).toMatch(/^2 .*3\/2/s);
  }, 60_000);
});

/** The campaign without the record of one trial. */
function stripped(dir: string): string {
  const record = readdirSync(dir, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('.trial.json'));
  rmSync(join(dir, record ?? ''));
  return dir;
}
