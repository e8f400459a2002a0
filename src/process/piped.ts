import { closeSync, openSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { type Exit, startDetached } from './detached.js';
import type { ProcessIdentity } from './identity.js';

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
  exited: Promise<Exit>;
}

/** Starts a process in a group of its own whose standard input and output are streams of ours. Never throws. */
export function startPiped(spec: PipedProcessSpec): PipedProcess {
  const stderr = openSync(spec.stderrFile, 'a');
  try {
    const { child, identity, exited } = startDetached(spec.argv, {
      cwd: spec.cwd,
      env: spec.env,
      stdin: 'pipe',
      stdout: 'pipe',
      // Its types name descriptors 3 to 9 only; it takes any.
      stderr: stderr as 4,
    });
    return { identity, stdin: child.stdin, stdout: child.stdout, exited };
  } finally {
    closeSync(stderr);
  }
}
