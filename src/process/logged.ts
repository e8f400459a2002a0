import { closeSync, openSync, statSync } from 'node:fs';
import { type Exit, startDetached } from './detached.js';
import type { ProcessIdentity } from './identity.js';

export interface LoggedProcessSpec {
  argv: [string, ...string[]];
  cwd: string;
  env: Record<string, string>;
  stdin?: string;
  /** Standard output goes into this new file by a raw descriptor: not a byte passes through us. Must not exist. */
  stdoutFile: string;
  stderrFile: string;
}

/** A process that writes its own log file. Its owner ends it by `identity`. */
export interface LoggedProcess {
  identity: ProcessIdentity | undefined;
  /** Resolves when the process itself has ended; never rejects. */
  exited: Promise<Exit>;
  /** Bytes written so far, for a watchdog. */
  bytesWritten(): number;
}

/** Starts a process in a group of its own with its output going straight to files. */
export function startLogged(spec: LoggedProcessSpec): LoggedProcess {
  const stdout = openSync(spec.stdoutFile, 'wx');
  let stderr: number | undefined;
  try {
    stderr = openSync(spec.stderrFile, 'wx');
    const { identity, exited } = startDetached(spec.argv, {
      cwd: spec.cwd,
      env: spec.env,
      ...(spec.stdin === undefined ? { stdin: 'ignore' as const } : { input: spec.stdin }),
      // Its types name descriptors 3 to 9 only; it takes any, and passes them to the child unpiped.
      stdout: stdout as 3,
      stderr: stderr as 4,
    });
    return {
      identity,
      exited,
      bytesWritten: () => sizeOf(spec.stdoutFile),
    };
  } finally {
    closeSync(stdout);
    if (stderr !== undefined) closeSync(stderr);
  }
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}
