import { hostname } from 'node:os';
import { isAlive, processIdentity } from '../process/index.js';
import { type LockHolder, lockHolder } from '../store/index.js';

/** This process, as the holder of a lock. */
export function currentLockHolder(): LockHolder {
  return { pid: process.pid, startTime: processIdentity(process.pid)?.startTime ?? '', host: hostname() };
}

/** Whether the holder of a lock still runs. A holder on another machine counts as active: it cannot be checked from here. */
export function isHolderActive(holder: LockHolder): boolean {
  return holder.host !== hostname() || isAlive(holder);
}

/** Whether a process works in this campaign folder now. */
export function isInUse(dir: string): boolean {
  const holder = lockHolder(dir);
  return holder !== undefined && isHolderActive(holder);
}
