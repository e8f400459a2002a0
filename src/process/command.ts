import { inGroup, trialGroup } from './cgroup.js';
import { endProcess, TRIAL_ID_VARIABLE } from './end.js';
import { descendantsOf, processIdentity } from './identity.js';
import { startMark } from './start-mark.js';

export interface CommandSpec {
  /** Program and arguments; no shell is involved. */
  argv: [string, ...string[]];
  cwd?: string;
  /** The whole environment: nothing is inherited. Undefined: ours. */
  env?: Record<string, string>;
  /** Text for standard input; undefined: closed at once. */
  stdin?: string;
  deadlineMs: number;
  signal?: AbortSignal;
}

/** How a command went. `ok` is exit code 0 and nothing else. */
export interface CommandOutcome {
  ok: boolean;
  /** As typed, for messages. */
  command: string;
  exitCode: number | null;
  signal: string | null;
  ended: 'exited' | 'deadline' | 'aborted' | 'not-started';
  stdout: string;
  stderr: string;
  durationMs: number;
  /** Why it could not be started ("ENOENT …"). */
  startError?: string;
}

/** The last lines of what a command printed, standard error last, for a failure's message. */
export function tailLines(outcome: CommandOutcome, count = 12): string[] {
  const text = [outcome.stdout, outcome.stderr, outcome.startError ?? ''].join('\n');
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .slice(-count);
}

/**
 * Runs a program to its end in a process group of its own. Never throws: a missing program, a deadline and an abort are
 * outcomes. On a deadline or abort the group and all descendants are ended, and gone when this returns.
 */
export async function runCommand(spec: CommandSpec): Promise<CommandOutcome> {
  // Read with the first command: a start that runs none should not wait for a hundred modules.
  const { execa } = await import('execa');
  const group = trialGroup(spec.env?.[TRIAL_ID_VARIABLE] ?? '');
  const [file, ...args] = group === undefined ? spec.argv : inGroup(group, spec.argv);
  const child = execa(file, args, {
    cwd: spec.cwd,
    env: { ...spec.env, ...startMark() },
    extendEnv: spec.env === undefined,
    ...(spec.stdin === undefined ? { stdin: 'ignore' as const } : { input: spec.stdin }),
    detached: true,
    reject: false,
    stripFinalNewline: false,
    maxBuffer: 64 * 1024 * 1024,
    cleanup: true,
  });
  return await watch(child, spec.argv.join(' '), child.pid, spec);
}

/**
 * Runs one line of shell, for commands that users write in their config (build steps). Same promises as `runCommand`.
 */
export async function runShellLine(line: string, spec: Omit<CommandSpec, 'argv' | 'stdin'>): Promise<CommandOutcome> {
  const { $: zx } = await import('zx');
  const shell = zx({
    cwd: spec.cwd,
    env: { ...(spec.env ?? process.env), ...startMark() },
    detached: true,
    nothrow: true,
    quiet: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    quote: (text: string) => text,
    prefix: '',
  });
  const child = shell`${line}`;
  return await watch(child, line, child.pid, spec);
}

interface Finished {
  exitCode?: number | null | undefined;
  signal?: string | null | undefined;
  stdout?: unknown;
  stderr?: unknown;
  code?: string | undefined;
  originalMessage?: string | undefined;
}

async function watch(
  child: PromiseLike<Finished>,
  command: string,
  pid: number | undefined,
  spec: { deadlineMs: number; signal?: AbortSignal },
): Promise<CommandOutcome> {
  const startedAt = Date.now();
  let ended: CommandOutcome['ended'] = 'exited';
  const stop = (why: 'deadline' | 'aborted') => {
    if (ended !== 'exited') return;
    ended = why;
    if (pid !== undefined) void endTree(pid);
  };
  const timer = setTimeout(() => stop('deadline'), spec.deadlineMs);
  const onAbort = () => stop('aborted');
  if (spec.signal?.aborted) onAbort();
  spec.signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const result = await child;
    if (pid === undefined) ended = 'not-started';
    const exitCode = result.exitCode ?? null;
    return {
      ok: ended === 'exited' && exitCode === 0,
      command,
      exitCode,
      signal: result.signal ?? null,
      ended,
      stdout: String(result.stdout ?? ''),
      stderr: String(result.stderr ?? ''),
      durationMs: Date.now() - startedAt,
      ...(pid === undefined ? { startError: result.originalMessage ?? result.code ?? 'could not be started' } : {}),
    };
  } finally {
    clearTimeout(timer);
    spec.signal?.removeEventListener('abort', onAbort);
  }
}

/** Ends a group leader, its group, and descendants that left the group. */
async function endTree(pid: number): Promise<void> {
  const leader = processIdentity(pid);
  const others = descendantsOf(pid);
  if (leader) {
    await endProcess(leader, [
      { signal: 'SIGTERM', waitMs: 1_500, group: true },
      { signal: 'SIGKILL', waitMs: 1_500, group: true },
    ]);
  }
  await Promise.all(others.map((identity) => endProcess(identity, [{ signal: 'SIGKILL', waitMs: 1_500 }])));
}
