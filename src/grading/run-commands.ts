import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { closedFence } from '../fence/index.js';
import type { ExpectedCommand, Expects } from '../model/expects.js';
import { type Failure, fail, ok, type Result } from '../model/failure.js';
import type { CommandGrade } from '../model/grade.js';
import {
  type CommandOutcome,
  isAlive,
  processIdentity,
  runCommand,
  runShellLine,
  tailLines,
} from '../process/index.js';
import { cacheEntry } from '../util/cache-entry.js';
import { copyTree, listTree } from '../util/tree.js';
import { plainGit } from '../workspace/index.js';
import type { CommandsOutcome } from './grade-trial.js';

export interface CommandsToRun {
  /** The pristine source. */
  source: { dir: string; treeHash: string };
  expects: Expects;
  /** In git's form; "" for the pristine copy itself. */
  patch: string;
  cacheDir: string;
  /** Folder in which the copies are made. */
  temporaryRoot: string;
  /** Places that the commands may not see: campaigns, caches, what the expectations are read from. */
  hidden: string[];
  callerEnvironment: Record<string, string>;
  signal?: AbortSignal;
}

const APPLY_DEADLINE_MS = 120_000;
const SETUP_DEADLINE_MS = 30 * 60_000;
const MAX_TAIL_LINES = 30;
const MAX_LINE_CHARS = 400;
/** As much output ends a command (process/command.ts). */
const MAX_OUTPUT_CHARS = 64 * 1024 * 1024;
/** Installed packages come from the setup, never from the change. */
const NEVER_CHANGED = ['node_modules/**', '**/node_modules/**', '.git/**'];

/**
 * Runs the commands of a change task on the source: set up, changed by the patch but for what is protected, and with the task's own
 * files laid over it. Each command has a fresh copy of that, so that what the changed code does in one reaches no other, and runs in a
 * fence of its own, without a network, under a deadline. A command has passed if it
 * exits with 0 and the shell outside its reach has noted so under a name that it could not know. A `problem` is no fault of the change.
 */
export async function runCommands(request: CommandsToRun): Promise<CommandsOutcome> {
  const { expects, signal } = request;
  const prepared = await prepareCopy(request);
  if (!prepared.ok) return { problem: describe(prepared.failure) };
  const root = realpathSync(mkdtempSync(join(request.temporaryRoot, 'grade-')));
  try {
    const whole = join(root, 'whole');
    await copyTree(prepared.value, whole);
    const refused = (await applyChange(whole, request)) ?? (await linkOutOf(whole, prepared.value));
    if (refused !== undefined) return { commands: expects.commands.map(notRun), reason: refused };
    if (expects.files !== undefined) await layOver(expects.files, whole);
    const commands: CommandGrade[] = [];
    for (const [index, command] of expects.commands.entries()) {
      const [copy, results] = [join(root, `copy-${index}`), join(root, `results-${index}`)];
      mkdirSync(results);
      await copyTree(whole, copy);
      const fence = closedFence({ ...request, copy, writable: [results] });
      if (!fence) return { problem: 'the commands of a change task need bubblewrap: apt-get install bubblewrap' };
      commands.push(await runOne(command, { fence, results, deadlineMs: expects.deadlineMs, signal }));
    }
    return { commands };
  } catch (error) {
    return { problem: `the grading copy could not be made: ${error instanceof Error ? error.message : String(error)}` };
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The source after its setup, from the cache or made now; the source itself where there is nothing to set up. */
async function prepareCopy({
  source,
  expects,
  cacheDir,
  callerEnvironment,
  signal,
}: CommandsToRun): Promise<Result<string>> {
  if (expects.setup.length === 0) return ok(source.dir);
  const key = createHash('sha256')
    .update(JSON.stringify([source.treeHash, expects.setup]))
    .digest('hex')
    .slice(0, 32);
  const self = processIdentity(process.pid) ?? { pid: process.pid, startTime: '' };
  const entry = await cacheEntry<null, Failure>(
    join(cacheDir, 'grading'),
    key,
    { self, isAlive, signal },
    async (dir) => {
      const tree = join(dir, 'tree');
      await copyTree(source.dir, tree);
      for (const line of expects.setup) {
        const outcome = await runShellLine(line, {
          cwd: tree,
          env: callerEnvironment,
          deadlineMs: SETUP_DEADLINE_MS,
          signal,
        });
        if (outcome.ok) continue;
        const message = `the setup "${line}" failed${outcome.ended === 'exited' ? '' : ` (${outcome.ended})`}`;
        return fail({ reason: 'build-failed', message, exitCode: outcome.exitCode, lastLines: tailLines(outcome) });
      }
      return ok(null);
    },
  );
  if (!entry) return fail({ reason: 'interrupted', message: 'the setup was interrupted' });
  return entry.ok ? ok(join(entry.value.dir, 'tree')) : entry;
}

function describe({ message, lastLines = [] }: Failure): string {
  return lastLines.length === 0 ? message : `${message}: ${lastLines.slice(-3).join(' / ')}`;
}

/** Applies the patch without what is protected. Returns why it cannot be applied; undefined if it is. */
async function applyChange(copy: string, { expects, patch }: CommandsToRun): Promise<string | undefined> {
  if (patch.trim() === '') return undefined;
  const excludes = [...NEVER_CHANGED, ...expects.protect].map((pattern) => `--exclude=${pattern}`);
  const outcome = await runCommand({
    argv: plainGit(copy, ['apply', '--binary', '--whitespace=nowarn', '-p1', ...excludes, '-']),
    cwd: copy,
    stdin: patch,
    deadlineMs: APPLY_DEADLINE_MS,
  });
  return outcome.ok ? undefined : `the patch does not apply: ${tailLines(outcome, 3).join(' / ')}`;
}

/** A link of the change that leads out of the copy: commands would read or write through it what is not theirs. */
async function linkOutOf(copy: string, prepared: string): Promise<string | undefined> {
  for (const { path, kind } of await listTree(copy)) {
    if (kind !== 'link') continue;
    const target = readlinkSync(join(copy, path));
    if (isLinkTo(join(prepared, path), target)) continue;
    const way = relative(copy, resolve(dirname(join(copy, path)), target));
    if (isAbsolute(target) || way.startsWith('..'))
      return `the change contains a link out of the repository: ${path} → ${target}`;
  }
  return undefined;
}

function isLinkTo(file: string, target: string): boolean {
  try {
    return readlinkSync(file) === target;
  } catch {
    return false;
  }
}

/** Copies the task's files over the copy. Where the change put a link or a file in the way, that goes first. */
async function layOver(files: string, copy: string): Promise<void> {
  for (const { path, kind } of await listTree(files)) {
    const parts = path.split('/');
    const last = kind === 'folder' ? parts.length : parts.length - 1;
    for (let depth = 1; depth <= last; depth++) {
      const folder = join(copy, ...parts.slice(0, depth));
      if (existsSync(folder) && lstatSync(folder).isDirectory()) continue;
      rmSync(folder, { force: true });
      await mkdir(folder);
    }
    if (kind !== 'file') continue;
    rmSync(join(copy, path), { recursive: true, force: true });
    await copyFile(join(files, path), join(copy, path));
  }
}

function notRun({ run, weight, regression }: ExpectedCommand): CommandGrade {
  return { run, weight, regression, state: 'not-run', exitCode: null, durationMs: 0, outputTail: [] };
}

interface RunningPlace {
  fence: NonNullable<ReturnType<typeof closedFence>>;
  results: string;
  deadlineMs: number;
  signal: AbortSignal | undefined;
}

async function runOne(command: ExpectedCommand, place: RunningPlace): Promise<CommandGrade> {
  const { fence, results, deadlineMs, signal } = place;
  const nonce = randomBytes(16).toString('hex');
  const marker = join(results, nonce);
  // Read from standard input, so that the marker's name stands in no command line and no environment.
  const script = [
    'ulimit -u 4096 2>/dev/null',
    `( ${command.run}\n) </dev/null`,
    'code=$?',
    `printf '%s' "$code" > '${marker}'`,
    'exit "$code"',
  ].join('\n');
  const outcome = await runCommand({ ...fence(['/bin/bash', '-s']), stdin: `${script}\n`, deadlineMs, signal });
  const isNoted = existsSync(marker) && lstatSync(marker).isFile() && readFileSync(marker, 'utf8') === '0';
  return {
    run: command.run,
    weight: command.weight,
    regression: command.regression,
    state: stateOf(outcome, isNoted),
    exitCode: outcome.exitCode,
    durationMs: outcome.durationMs,
    outputTail: tailLines(outcome, MAX_TAIL_LINES).map((line) => line.slice(0, MAX_LINE_CHARS)),
  };
}

function stateOf(outcome: CommandOutcome, isNoted: boolean): CommandGrade['state'] {
  if (outcome.ended === 'not-started' || outcome.ended === 'aborted') return 'not-run';
  if (outcome.ended === 'deadline') return 'deadline';
  if (Math.max(outcome.stdout.length, outcome.stderr.length) >= MAX_OUTPUT_CHARS) return 'flooded';
  return outcome.ok && isNoted ? 'passed' : 'failed';
}
