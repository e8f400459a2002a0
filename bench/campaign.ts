/**
 * What a campaign takes: the makespan of 24 trials side by side with a model that answers after 2 s, the overhead of a trial, and
 * the resumption of a campaign of 1,000 finished trials. docs/scale-measured.md shows its output.
 * usage: npm run build && npx jiti bench/campaign.ts [jobs=1,2,4,8] [repetitions=12] [finished=1000]   (0: leave that part out)
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CampaignPlan } from '../src/model/plan.js';
import { PHASES, type TrialRecord } from '../src/model/trial.js';
import type { CommandOutcome } from '../src/process/index.js';
import { folderBytes, trialFiles } from '../src/store/index.js';
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
  dir: string;
  /** The most that lay in the temporary folder at a time: workspaces, indexes, the trials' HOMEs. */
  peakBytes: number;
}

const begin = (out: string, runs: number, jobs: number) => [
  ...['with-without', '--tasks', 'ask', '--runs', `${runs}`, '--jobs', `${jobs}`, '--out', out],
  ...SCRIPT,
  ...ENGINE,
];

/** Kernel ticks a second, by which /proc counts processor time (100 on every Linux that we know). */
const TICKS = 100;

/**
 * One campaign. Its processor time is the machine's from its start event to its end event (the doctor before and the report after are
 * not in its makespan either), which is the campaign's on a machine that does nothing else.
 */
async function pass(user: Surroundings, jobs: number, runs: number): Promise<Pass> {
  const out = join(user.cwd, `jobs-${jobs}-${runs}`);
  const running = user.start(begin(out, runs, jobs));
  let ended = false;
  void running.exited.then(() => {
    ended = true;
  });
  const journal = join(out, 'latest', 'journal.jsonl');
  const has = (event: string) => existsSync(journal) && readFileSync(journal, 'utf8').includes(`"event":"${event}"`);
  let [before, after]: (number | undefined)[] = [];
  let peakBytes = 0;
  while (!ended) {
    const now = cpuMs();
    if (before === undefined && has('campaign-start')) before = now;
    if (!has('campaign-end')) after = now;
    if (before !== undefined) peakBytes = Math.max(peakBytes, folderBytes(user.env.TMPDIR ?? ''));
    await sleep(200);
  }
  const { exitCode } = await running.exited;
  if (exitCode !== 0) throw new Error(`jobs ${jobs}: exit code ${exitCode}, see ${user.root}`);
  const times = readFileSync(journal, 'utf8')
    .trim()
    .split('\n')
    .map((entry): number => Date.parse(JSON.parse(entry).at));
  const makespanMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return {
    jobs,
    makespanMs,
    cpuMs: (after ?? 0) - (before ?? 0),
    records: recordsOf(realpathSync(join(out, 'latest'))),
    dir: realpathSync(join(out, 'latest')),
    peakBytes,
  };
}

/** Processor time that the whole machine has spent so far, ms: that of daemons and of what a fence hides is in no parent's sum. */
function cpuMs(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = readFileSync('/proc/stat', 'utf8')
    .replace(/^cpu +/, '')
    .split('\n', 1)
    .flatMap((line) => line.split(' ').map(Number));
  return (1000 * (user + nice + system + irq + softirq)) / TICKS;
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

const total = (record: TrialRecord) => PHASES.reduce((sum, phase) => sum + (record.phasesMs[phase] ?? 0), 0);

/** What a campaign leaves on disk, and what it needs meanwhile. */
function disk({ dir, jobs, records, peakBytes }: Pass): void {
  const sizes = new Map<string, number>();
  for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
    const stats = statSync(join(dir, name));
    if (stats.isFile()) sizes.set(kindOf(name), (sizes.get(kindOf(name)) ?? 0) + stats.size);
  }
  const sum = [...sizes.values()].reduce((all, one) => all + one, 0);
  console.log(`\n| disk of ${records.length} trials | bytes | a trial |\n|---|---|---|`);
  for (const [kind, bytes] of [...sizes, ['all that is kept', sum] as const])
    console.log(`| ${kind} | ${bytes} | ${Math.round(bytes / records.length)} |`);
  console.log(`| most in the temporary folder, jobs ${jobs} | ${peakBytes} | |`);
}

function kindOf(name: string): string {
  if (/\/run-[^/]*\.jsonl$/.test(name)) return 'logs of the sessions';
  if (/\.trial\.json$|\.err$/.test(name)) return 'records, standard error';
  return name.startsWith('report.') ? 'reports' : 'journal, campaign.log, plan, manifest';
}

async function makespans(user: Surroundings): Promise<void> {
  const passes: Pass[] = [];
  for (const jobs of jobsText.split(',').map(Number)) passes.push(await pass(user, jobs, repetitions));
  // How long a trial takes alone: from the pass of one job, else from a few trials of their own.
  const one = passes.find(({ jobs }) => jobs === 1) ?? (await pass(user, 1, Math.min(2, repetitions)));
  const alone = mean(one.records.map(total));
  const trials = 2 * repetitions;
  console.log('ΣCPU is that of the whole machine: run this where nothing else runs.\n');
  console.log(
    `| jobs | makespan s | ΣCPU / ${cores} cores s | longest chain s | makespan / the greater | wanted ≤ 1.3 | valid |\n|---|---|---|---|---|---|---|`,
  );
  for (const { jobs, makespanMs, cpuMs, records } of passes) {
    const chainMs = Math.ceil(trials / jobs) * alone;
    const bound = Math.max(cpuMs / cores, chainMs);
    const cells = [makespanMs, cpuMs / cores, chainMs].map((ms) => (ms / 1000).toFixed(1));
    const valid = records.filter((one) => one.validity === 'valid').length;
    console.log(
      `| ${jobs} | ${cells.join(' | ')} | ${(makespanMs / bound).toFixed(2)} | ${makespanMs <= 1.3 * bound ? 'yes' : 'NO'} | ${valid} of ${trials} |`,
    );
  }
  console.log(
    `\nThe longest chain: ⌈${trials} / jobs⌉ trials in one slot, each as long as the mean trial alone (${(alone / 1000).toFixed(1)} s).`,
  );
  for (const each of passes.slice(0, 1)) disk(each);
  const { records } = one;
  const segment = (record: TrialRecord) => record.segments.reduce((sum, one) => sum + one.durationMs, 0);
  console.log(`\n| median ms of a trial, jobs 1 (${records.length} trials) | |\n|---|---|`);
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
  // What is printed holds more than the plan does.
  const printed: CampaignPlan = JSON.parse(dry.stdout);
  const plan = Object.fromEntries(
    Object.keys(seedPlan).map((key) => [key, Reflect.get(printed, key)]),
  ) as unknown as CampaignPlan;
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

async function resumes(user: Surroundings): Promise<void> {
  const dir = await finishedCampaign(user, Number(finishedText));
  console.log(`\n| resume of ${finishedText} finished trials | ms, three times | exit codes |\n|---|---|---|`);
  // Once to have a saved report; what happened since makes the next ones stale.
  const again: CommandOutcome[] = [];
  for (let index = 0; index < 3; index++) {
    const now = new Date(Date.now() + 1);
    utimesSync(join(dir, 'journal.jsonl'), now, now);
    again.push(await user.run(['resume', dir]));
  }
  const saved = [await user.run(['resume', dir]), await user.run(['resume', dir]), await user.run(['resume', dir])];
  const version = await user.run(['--version']);
  const row = (what: string, runs: CommandOutcome[]) =>
    console.log(
      `| ${what} | ${runs.map((run) => run.durationMs).join(', ')} | ${runs.map((run) => run.exitCode).join(', ')} |`,
    );
  row('its saved report shown', saved);
  row('its report made again from all logs', again);
  row('for comparison: --version', [version]);
}

const user = makeSurroundings();
try {
  writeCorpus(user, 60);
  mkdirSync(join(user.root, 'tmp'));
  user.env.TMPDIR = join(user.root, 'tmp');
  console.log(
    `machine: ${cores} × ${cpus()[0]?.model}, node ${process.version}, ${new Date().toISOString().slice(0, 10)}\n`,
  );
  if (repetitions > 0) await makespans(user);
  if (Number(finishedText) > 0) await resumes(user);
} finally {
  user.remove();
}
