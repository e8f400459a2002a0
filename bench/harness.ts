/**
 * The harness's own time: `demo` with an empty cache and again with a full one, phase by phase, from the trials' records.
 * The model is scripted and answers at once, so all that is measured is ours, the CLI's and the engine's.
 * usage: npm run build && npx jiti bench/harness.ts [repetitions an arm]
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PHASES, type TrialRecord } from '../src/model/trial.js';
import { runCommand } from '../src/process/index.js';

const runs = process.argv[2] ?? '3';
const root = mkdtempSync(join(tmpdir(), 'bench-'));

interface Pass {
  name: string;
  totalMs: number;
  beforeFirstSessionMs: number;
  records: TrialRecord[];
}

async function pass(name: string): Promise<Pass> {
  const out = join(root, name);
  const startedAt = Date.now();
  const outcome = await runCommand({
    argv: [process.execPath, resolve('bin/agent-eval.js'), 'demo', '--runs', runs, '--out', out],
    env: {
      ...(process.env as Record<string, string>),
      PATH: `${resolve('node_modules/.bin')}:${process.env.PATH}`,
      XDG_CACHE_HOME: join(root, 'cache'),
    },
    cwd: root,
    deadlineMs: 20 * 60_000,
  });
  if (!outcome.ok) throw new Error(outcome.stderr);
  const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.trial.json'));
  const records = files.map((file): TrialRecord => JSON.parse(readFileSync(join(out, file), 'utf8')));
  const firstSession = Math.min(
    ...records.flatMap((record) => record.segments.map((one) => Date.parse(one.startedAt))),
  );
  return { name, totalMs: outcome.durationMs, beforeFirstSessionMs: firstSession - startedAt, records };
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return Number.isInteger(middle)
    ? ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
    : (sorted[Math.floor(middle)] ?? Number.NaN);
}

try {
  const passes = [await pass('cold'), await pass('warm')];
  console.log(
    `machine: ${cpus().length} × ${cpus()[0]?.model}, node ${process.version}, ${new Date().toISOString().slice(0, 10)}`,
  );
  console.log(`\n| median ms of a trial (${passes[0]?.records.length} trials) | cold | warm |\n|---|---|---|`);
  for (const phase of PHASES) {
    const cells = passes.map(({ records }) => Math.round(median(records.map((record) => record.phasesMs[phase] ?? 0))));
    console.log(`| ${phase} | ${cells.join(' | ')} |`);
  }
  const ours = (record: TrialRecord) =>
    PHASES.filter((phase) => phase !== 'session').reduce((sum, phase) => sum + (record.phasesMs[phase] ?? 0), 0);
  console.log(
    `| all but the session | ${passes.map(({ records }) => Math.round(median(records.map(ours)))).join(' | ')} |`,
  );
  console.log(
    `| before the first session | ${passes.map((one) => Math.round(one.beforeFirstSessionMs)).join(' | ')} |`,
  );
  console.log(`| whole command | ${passes.map((one) => Math.round(one.totalMs)).join(' | ')} |`);
  const [cold, warm] = passes;
  if (cold && warm) console.log(`\ncold / warm, whole command: ${(cold.totalMs / warm.totalMs).toFixed(2)}`);
} finally {
  rmSync(root, { recursive: true, force: true });
}
