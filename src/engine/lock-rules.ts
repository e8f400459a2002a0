import { isAlive, processIdentity } from '../process/index.js';
import type { LockRules } from '../util/entry-lock.js';

/** Who we are to other processes that share our caches, and how a dead one among them is told. */
export function lockRules(signal?: AbortSignal): LockRules {
  return { self: processIdentity(process.pid) ?? { pid: process.pid, startTime: '' }, isAlive, signal };
}
