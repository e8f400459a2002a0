import { readFileSync } from 'node:fs';
import { descendantsOf, type ProcessIdentity } from '../process/index.js';

/**
 * The `claude` below the bwrap that was started; bwrap itself while there is none. A SIGINT to bwrap would end everything at
 * once, without a result line in the log (spec/fence.md "Stop").
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
