import { closeSync, openSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { execa, type Options } from 'execa';
import { type ProcessIdentity, processIdentity } from './identity.js';

export interface PipedProcessSpec {
  argv: [string, ...string[]];
  cwd: string;
  /** The whole environment: nothing is inherited. */
  env: Record<string, string>;
  /** Standard error is appended to this file. */
  stderrFile: string;
}

/** A process that talks over its standard input and output. Its owner ends it by `identity`. */
export interface PipedProcess {
  identity: ProcessIdentity | undefined;
  stdin: Writable | null;
  stdout: Readable | null;
  /** Resolves when the process itself has ended; never rejects. */
  exited: Promise<{ exitCode: number | null; signal: string | null; startError?: string }>;
}

/** Starts a process in a group of its own whose standard input and output are streams of ours. Never throws. */
export function startPiped(spec: PipedProcessSpec): PipedProcess {
  const [file, ...args] = spec.argv;
  const stderr = openSync(spec.stderrFile, 'a');
  try {
    const options: Options = {
      cwd: spec.cwd,
      env: spec.env,
      extendEnv: false,
      stdin: 'pipe',
      stdout: 'pipe',
      // Its types name descriptors 3 to 9 only; it takes any.
      stderr: stderr as 4,
      buffer: false,
      detached: true,
      reject: false,
      cleanup: true,
    };
    const child = execa(file, args, options);
    const exited = Promise.resolve(child).then((result) => ({
      exitCode: result.exitCode ?? null,
      signal: result.signal ?? null,
      ...(child.pid === undefined ? { startError: result.originalMessage ?? 'could not be started' } : {}),
    }));
    const identity = child.pid === undefined ? undefined : processIdentity(child.pid);
    return { identity, stdin: child.stdin, stdout: child.stdout, exited };
  } finally {
    closeSync(stderr);
  }
}
