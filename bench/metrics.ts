/**
 * Reading logs: time and peak memory against the floor (read, split, decode and JSON.parse every line), each in a process of
 * its own, on single files and on a campaign of many. Prints a table. The logs are made on the fly and removed.
 * usage: npx jiti bench/metrics.ts [--quick]   (--quick: without the 2 GB file)
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand, tailLines } from '../src/process/index.js';
import { writeLog } from './log-file.js';

interface Reading {
  wallMs: number;
  cpuMs: number;
  rssMb: number;
  lines: number;
}

const MB = 1_000_000;
const SESSIONS = 1_000;
const SESSION_BYTES = 300_000;
const cores = availableParallelism();
// Inside the package, so that the compiled code finds its dependencies.
const compiled = 'node_modules/.cache/agent-eval-bench';

async function run(argv: [string, ...string[]]): Promise<string> {
  const outcome = await runCommand({ argv, deadlineMs: 20 * 60_000 });
  if (!outcome.ok) throw new Error(`${outcome.command}\n${tailLines(outcome).join('\n')}`);
  return outcome.stdout;
}

async function read(mode: 'floor' | 'measure' | 'many', files: string[]): Promise<Reading> {
  return JSON.parse(await run([process.execPath, `${compiled}/bench/reader.js`, mode, ...files])) as Reading;
}

/** The best of several readings, one of each kind in turn: what else the machine does only ever adds. */
async function best(rounds: number, kinds: (() => Promise<Reading>)[]): Promise<Reading[]> {
  const found: Reading[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const [kind, make] of kinds.entries()) {
      const one = await make();
      const known = found[kind] ?? one;
      const lower = (field: keyof Reading) => Math.min(known[field], one[field]);
      found[kind] = {
        wallMs: lower('wallMs'),
        cpuMs: lower('cpuMs'),
        rssMb: Math.max(known.rssMb, one.rssMb),
        lines: one.lines,
      };
    }
  }
  return found;
}

/** The floor on as many cores: the files dealt to one process each. */
async function floorOnCores(files: string[]): Promise<Reading> {
  const hands = Array.from({ length: cores }, (_, hand) => files.filter((_file, index) => index % cores === hand));
  const readings = await Promise.all(hands.map((hand) => read('floor', hand)));
  const sum = (field: keyof Reading) => readings.reduce((total, one) => total + one[field], 0);
  return {
    wallMs: Math.max(...readings.map(({ wallMs }) => wallMs)),
    cpuMs: sum('cpuMs'),
    rssMb: sum('rssMb'),
    lines: sum('lines'),
  };
}

function row(name: string, floor: Reading, ours: Reading): string {
  if (floor.lines !== ours.lines) throw new Error(`${name}: ${floor.lines} lines, and we read ${ours.lines}`);
  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
  const cpu = [seconds(floor.cpuMs), seconds(ours.cpuMs), (ours.cpuMs / floor.cpuMs).toFixed(2)];
  const wall = [seconds(floor.wallMs), seconds(ours.wallMs), (ours.wallMs / floor.wallMs).toFixed(2)];
  return `| ${[name, ...cpu, ...wall, `${floor.rssMb.toFixed(0)} MB`, `${ours.rssMb.toFixed(0)} MB`].join(' | ')} |`;
}

const folder = mkdtempSync(join(tmpdir(), 'bench-logs-'));
try {
  await run([
    process.execPath,
    'node_modules/typescript/bin/tsc',
    '-p',
    'tsconfig.json',
    '--outDir',
    compiled,
    '--noCheck',
    '--declaration',
    'false',
  ]);
  console.log(
    `${cores} × ${cpus()[0]?.model.trim()}, node ${process.version}, ${new Date().toISOString().slice(0, 10)}\n`,
  );
  console.log('| log | floor, CPU | ours, CPU | ratio | floor, wall | ours, wall | ratio | floor, peak | ours, peak |');
  console.log('|---|---|---|---|---|---|---|---|---|');
  const sizes: [number, number][] = [
    [10, 7],
    [200, 5],
    ...(process.argv.includes('--quick') ? [] : [[2_000, 2] as [number, number]]),
  ];
  for (const [size, rounds] of sizes) {
    const file = join(folder, 'one.jsonl');
    writeLog(file, size * MB, 5);
    const [floor, ours] = await best(rounds, [() => read('floor', [file]), () => read('measure', [file])]);
    if (floor && ours) console.log(row(`${size} MB`, floor, ours));
    rmSync(file);
  }
  const files = Array.from({ length: SESSIONS }, (_, index) => join(folder, `run-new-${index + 1}.jsonl`));
  for (const [index, file] of files.entries()) writeLog(file, SESSION_BYTES, index + 1);
  const [floor, ours] = await best(3, [() => floorOnCores(files), () => read('many', files)]);
  if (floor && ours)
    console.log(row(`${SESSIONS} sessions of ${SESSION_BYTES / 1000} KB, ${cores} cores`, floor, ours));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
