/**
 * Reading logs: time and peak memory against the floor (read, split, decode and JSON.parse every line), each in a process of
 * its own, on single files and on a campaign of many. Prints the table of docs/performance.md. The logs are made on the fly
 * and removed. usage: npx jiti bench/metrics.ts [--quick]   (--quick: without the 2 GB file)
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand, tailLines } from '../src/process/index.js';
import { writeLog } from './log-file.js';

interface Reading {
  wallMs: number;
  cpuMs: number;
  /** The whole process, its start included. */
  processCpuMs: number;
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

type Mode = 'floor' | 'measure' | 'many';

async function read(mode: Mode, files: string[]): Promise<Reading> {
  return JSON.parse(await run([process.execPath, `${compiled}/bench/reader.js`, mode, ...files])) as Reading;
}

interface Pair {
  floor: Reading;
  ours: Reading;
}

/** Floor and ours in turn, so that whatever else the machine does meets both. */
async function readInTurn(rounds: number, floor: Mode, ours: Mode, files: string[]): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let round = 0; round < rounds; round++) {
    pairs.push({ floor: await read(floor, files), ours: await read(ours, files) });
  }
  return pairs;
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.floor(sorted.length / 2)] ?? 0)) / 2;
}

/** Medians over the rounds; a ratio is the median of the rounds' ratios. */
function row(name: string, pairs: Pair[]): string {
  const lines = new Set(pairs.flatMap(({ floor, ours }) => [floor.lines, ours.lines]));
  if (lines.size !== 1) throw new Error(`${name}: ${[...lines].join(' and ')} lines`);
  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
  const compared = (field: 'cpuMs' | 'wallMs' | 'processCpuMs') => [
    seconds(median(pairs.map(({ floor }) => floor[field]))),
    seconds(median(pairs.map(({ ours }) => ours[field]))),
    median(pairs.map(({ floor, ours }) => ours[field] / floor[field])).toFixed(2),
  ];
  const peak = (side: keyof Pair) => `${Math.max(...pairs.map((pair) => pair[side].rssMb)).toFixed(0)} MB`;
  const cells = [...compared('cpuMs'), ...compared('wallMs'), ...compared('processCpuMs'), peak('floor'), peak('ours')];
  return `| ${[name, ...cells].join(' | ')} |`;
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
  const sides = (what: string) => `floor, ${what} | ours, ${what} | ratio`;
  console.log(`| log | ${sides('CPU')} | ${sides('wall')} | ${sides('whole process')} | floor, peak | ours, peak |`);
  console.log(`|---|${'---|'.repeat(11)}`);
  const isQuick = process.argv.includes('--quick');
  const logs: { megabytes: number; fresh: boolean; rounds: number }[] = [
    { megabytes: 10, fresh: false, rounds: 11 },
    { megabytes: 10, fresh: true, rounds: 11 },
    { megabytes: 200, fresh: false, rounds: 5 },
    { megabytes: 200, fresh: true, rounds: 5 },
    ...(isQuick ? [] : [{ megabytes: 2_000, fresh: false, rounds: 3 }]),
  ];
  for (const { megabytes, fresh, rounds } of logs) {
    const file = join(folder, 'one.jsonl');
    writeLog(file, megabytes * MB, 5, fresh);
    const pairs = await readInTurn(rounds, 'floor', 'measure', [file]);
    console.log(row(`${megabytes} MB${fresh ? ', no text twice' : ''}`, pairs));
    rmSync(file);
  }
  for (const fresh of [false, true]) {
    const files = Array.from({ length: SESSIONS }, (_, index) => join(folder, `run-new-${index + 1}.jsonl`));
    for (const [index, file] of files.entries()) writeLog(file, SESSION_BYTES, index + 1, fresh);
    const name = `${SESSIONS} sessions of ${SESSION_BYTES / 1000} KB${fresh ? ', no text twice' : ''}`;
    console.log(row(name, await readInTurn(5, 'floor', 'many', files)));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
