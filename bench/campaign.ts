/**
 * What a campaign takes: the makespan of 24 trials side by side with a model that answers after 2 s, the overhead of a trial, and
 * the resumption of a campaign of 1,000 finished trials. docs/scale-measured.md shows its output.
 * usage: npm run build && npx jiti bench/campaign.ts [jobs=1,2,4,8] [repetitions=12] [finished=1000]
 */
import { copyFileSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { CampaignPlan } from '../src/model/plan.js';
import { PHASES, type TrialRecord } from '../src/model/trial.js';
import { runCommand } from '../src/process/index.js';
import { trialFiles } from '../src/store/index.js';
import { ENGINE, recordsOf, writeCorpus } from '../test/rig/campaign-folder.js';
import { makeSurroundings, type Surroundings } from '../test/rig/run-cli.js';

const [jobsText = '1,2,4,8', repetitionsText = '12', finishedText = '1000'] = process.argv.slice(2);
const repetitions = Number(repetitionsText);
const SCRIPT = ['--rehearsal-script', resolve('test/rig/scripts/slow.ts')];
const cores = cpus().length;

interface Pass {
  jobs: number;
  makespanMs: number;
  cpuMs: number;
  records: TrialRecord[];
}

const begin = (out: string, runs: number, jobs: number) => [
  ...['with-without', '--tasks', 'ask', '--runs', `${runs}`, '--jobs', `${jobs}`, '--out', out],
  ...SCRIPT,
  ...ENGINE,
];

/** CPU time as bash tells it of what it waited for: all but daemons, which nobody waits for. */
async function pass(user: Surroundings, jobs: number): Promise<Pass> {
  const out = join(user.cwd, `jobs-${jobs}`);
  const words = [process.execPath, resolve('bin/agent-eval.js'), ...begin(out, repetitions, jobs)];
  const line = `TIMEFORMAT='cpu %U %S'; time ${words.map((word) => `'${word}'`).join(' ')} >/dev/null`;
  const outcome = await runCommand({ argv: ['bash', '-c', line], cwd: user.cwd, env: user.env, deadlineMs: 3_600_000 });
  const [, user_ = '0', system = '0'] = /^cpu ([\d.]+) ([\d.]+)$/m.exec(outcome.stderr) ?? [];
  const journal = readFileSync(join(out, 'latest', 'journal.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const times = journal.map((entry): number => Date.parse(JSON.parse(entry).at));
  const makespanMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
  const records = recordsOf(realpathSync(join(out, 'latest')));
  return { jobs, makespanMs, cpuMs: 1000 * (Number(user_) + Number(system)), records };
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

const total = (record: TrialRecord) => PHASES.reduce((sum, phase) => sum + (record.phasesMs[phase] ?? 0), 0);

async function makespans(user: Surroundings): Promise<void> {
  const passes: Pass[] = [];
  for (const jobs of jobsText.split(',').map(Number)) passes.push(await pass(user, jobs));
  const alone = median(passes[0]?.records.map(total) ?? []);
  const trials = 2 * repetitions;
  console.log(
    `| jobs | makespan s | ΣCPU / ${cores} cores s | longest chain s | makespan / the greater | valid |\n|---|---|---|---|---|---|`,
  );
  for (const { jobs, makespanMs, cpuMs, records } of passes) {
    const chainMs = Math.ceil(trials / jobs) * alone;
    const bound = Math.max(cpuMs / cores, chainMs);
    const cells = [makespanMs, cpuMs / cores, chainMs].map((ms) => (ms / 1000).toFixed(1));
    const valid = records.filter((one) => one.validity === 'valid').length;
    console.log(`| ${jobs} | ${cells.join(' | ')} | ${(makespanMs / bound).toFixed(2)} | ${valid} of ${trials} |`);
  }
  const records = passes[0]?.records ?? [];
  const segment = (record: TrialRecord) => record.segments.reduce((sum, one) => sum + one.durationMs, 0);
  console.log(`\n| median ms of a trial, jobs ${passes[0]?.jobs} | |\n|---|---|`);
  for (const phase of PHASES)
    console.log(`| ${phase} | ${Math.round(median(records.map((one) => one.phasesMs[phase] ?? 0)))} |`);
  console.log(
    `| overhead: all but claude itself | ${Math.round(median(records.map((one) => total(one) - segment(one))))} |`,
  );
}

/** A finished campaign of many trials, made of copies of two real ones. */
async function finishedCampaign(user: Surroundings, trials: number): Promise<string> {
  const [seedOut, out] = [join(user.cwd, 'seed'), join(user.cwd, 'many')];
  const seeds = await user.run(begin(seedOut, 1, 2));
  if (!seeds.ok) throw new Error(seeds.stderr);
  const seedDir = realpathSync(join(seedOut, 'latest'));
  const seedPlan: CampaignPlan = JSON.parse(readFileSync(join(seedDir, 'plan.json'), 'utf8'));
  const typed = begin(out, trials / 2, 2);
  const dry = await user.run([...typed, '--dry-run', '--json']);
  const plan: CampaignPlan = JSON.parse(dry.stdout);
  const dir = join(out, 'finished');
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'plan.json'), JSON.stringify(plan));
  const manifest = JSON.parse(readFileSync(join(seedDir, 'manifest.json'), 'utf8'));
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify({ ...manifest, argv: typed, regime: plan.regime }));
  const journal: string[] = [];
  for (const trial of plan.trials) {
    const seed = seedPlan.trials.find(({ arm }) => arm === trial.arm);
    if (!seed) continue;
    const [from, to] = [trialFiles(seedDir, seedPlan, seed), trialFiles(dir, plan, trial)];
    mkdirSync(dirname(to.record), { recursive: true });
    const record: TrialRecord = JSON.parse(readFileSync(from.record, 'utf8'));
    writeFileSync(to.record, JSON.stringify({ ...record, trialId: trial.id, repetition: trial.repetition }));
    for (const [index, log] of from.logs.entries()) copyFileSync(log, to.logs[index] ?? '');
    const at = record.startedAt;
    journal.push(JSON.stringify({ at, event: 'trial-start', trialId: trial.id, tag: trial.id, root: '/none' }));
    journal.push(
      JSON.stringify({
        at,
        event: 'trial-end',
        trialId: trial.id,
        attempt: 1,
        outcome: 'ok',
        validity: 'valid',
        costUsd: 0,
      }),
    );
  }
  writeFileSync(join(dir, 'journal.jsonl'), `${journal.join('\n')}\n`);
  return dir;
}

const user = makeSurroundings();
try {
  writeCorpus(user, 60);
  console.log(
    `machine: ${cores} × ${cpus()[0]?.model}, node ${process.version}, ${new Date().toISOString().slice(0, 10)}\n`,
  );
  if (repetitions > 0) await makespans(user);
  const dir = await finishedCampaign(user, Number(finishedText));
  const resumes = [await user.run(['resume', dir]), await user.run(['resume', dir]), await user.run(['resume', dir])];
  console.log(`\n| resume of ${finishedText} finished trials, with the report made again | ms |\n|---|---|`);
  for (const { durationMs, exitCode } of resumes) console.log(`| exit ${exitCode} | ${durationMs} |`);
} finally {
  user.remove();
}
