import { readFileSync } from 'node:fs';
import { descendantsOf, type ProcessIdentity } from '../process/index.js';

/**
 * Returns the `claude` process below the bwrap that was started, or bwrap itself while there is no such process. A
 * SIGINT to bwrap would end everything at once, without a result line in the log (docs/claude-code.md, "Stopping the
 * CLI").
 */
export function claudeBelow(started: ProcessIdentity): ProcessIdentity {
  // Parents come before children, so the first is the session and not something that it runs.
  return descendantsOf(started.pid).find(({ pid }) => nameOf(pid) === 'claude') ?? started;
}

function nameOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return undefined;
  }
}
