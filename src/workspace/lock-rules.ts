import { isAlive, processIdentity } from '../process/index.js';
import type { LockRules } from '../util/entry-lock.js';

/** Who we are to other processes that share our cache of sources. */
export function lockRules(signal?: AbortSignal): LockRules {
  return { self: processIdentity(process.pid) ?? { pid: process.pid, startTime: '' }, isAlive, signal };
}
