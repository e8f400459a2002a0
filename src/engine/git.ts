import { type Failure, fail, ok, type Result } from '../model/failure.js';
import { type CommandOutcome, missingProgram, runCommand, tailLines } from '../process/index.js';

export interface GitContext {
  /** Folder in which git runs. */
  dir: string;
  env?: Record<string, string>;
  deadlineMs?: number;
  signal?: AbortSignal;
}

const GIT_DEADLINE_MS = 120_000;

/** Runs git without taking optional locks and without hooks, so that a command that reads leaves .git byte-equal. */
export async function git(args: string[], context: GitContext): Promise<CommandOutcome> {
  return await runCommand({
    argv: ['git', '--no-optional-locks', '-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', ...args],
    cwd: context.dir,
    env: context.env,
    deadlineMs: context.deadlineMs ?? GIT_DEADLINE_MS,
    signal: context.signal,
  });
}

/** Standard output of a git command that must succeed; otherwise a failure of the given reason. */
export async function gitText(
  args: string[],
  context: GitContext,
  reason: Failure['reason'] = 'io',
): Promise<Result<string>> {
  const outcome = await git(args, context);
  return outcome.ok ? ok(outcome.stdout) : fail(commandFailure(outcome, reason, `git failed in ${context.dir}`));
}

/** A failure out of a command's outcome: what was tried, how it ended, its last lines. */
export function commandFailure(
  outcome: CommandOutcome,
  reason: Failure['reason'],
  message: string,
  advice?: string,
): Failure {
  if (outcome.ended === 'aborted') return { reason: 'interrupted', message: `${outcome.command} was interrupted` };
  const missing = missingProgram(outcome);
  if (missing) return { ...missing, message: `${message}: ${missing.message}`, advice: advice ?? missing.advice };
  return {
    reason,
    message: outcome.ended === 'deadline' ? `${message}: no end after ${outcome.durationMs} ms` : message,
    ...(advice === undefined ? {} : { advice }),
    command: outcome.command,
    exitCode: outcome.exitCode,
    signal: outcome.signal,
    lastLines: tailLines(outcome),
  };
}

/** A path in which the working tree differs from HEAD: changed, deleted or untracked (ignored files don't count). */
export interface UncommittedChange {
  path: string;
  untracked: boolean;
}

/** What `git status` reports, one entry a file, sorted. Reads only. */
export async function uncommittedChanges(context: GitContext): Promise<Result<UncommittedChange[]>> {
  const status = await gitText(['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames'], context);
  if (!status.ok) return status;
  const changes = status.value
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => ({ path: line.slice(3), untracked: line.startsWith('??') }));
  return ok(changes.sort((a, b) => (a.path < b.path ? -1 : 1)));
}

/** Whether a path is one of these files or lies in one of these folders; no folders means everywhere. */
export function isUnder(path: string, folders: string[]): boolean {
  if (folders.length === 0) return true;
  return folders.some((folder) => {
    const plain = folder.replace(/^\.\//, '').replace(/\/+$/, '');
    return plain === '' || plain === '.' || path === plain || path.startsWith(`${plain}/`);
  });
}
