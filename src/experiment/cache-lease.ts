import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { currentLockHolder, isHolderActive } from '../campaign/index.js';
import { fail, ok, type Result } from '../model/failure.js';
import { messageOf } from '../store/index.js';
import { unwritableCache } from '../util/cache-entry.js';
import { activeLeases, takeLease } from '../util/lease.js';
import type { Teardown } from '../util/teardown.js';

const POLL_MS = 100;

/**
 * Notes in the cache that this program works from it, until the teardown; `clean --caches` removes nothing meanwhile. Waits for the end
 * of a `clean` that is at work. Fails with 'interrupted', 'environment-unfit' (the cache cannot be
 * written) and 'io'.
 */
export async function leaseCache(cacheDir: string, teardown: Teardown, signal: AbortSignal): Promise<Result<void>> {
  try {
    // Looked at only to remove the leases of starts that were killed.
    activeLeases(cacheDir, 'use', isHolderActive);
    const release = takeLease(cacheDir, 'use', currentLockHolder());
    teardown.add('release the cache', async () => void release());
  } catch (error) {
    const message = `the cache ${cacheDir} cannot be written: ${messageOf(error)}`;
    return fail(unwritableCache(cacheDir, error) ?? { reason: 'io', message });
  }
  while (activeLeases(cacheDir, 'clean', isHolderActive).length > 0) {
    if (signal.aborted) return fail({ reason: 'interrupted', message: 'interrupted while the cache was cleaned' });
    await sleep(POLL_MS);
  }
  return ok(undefined);
}

/**
 * Notes in the cache that parts of it are about to be removed. `inUse` says who works from it, so that nothing may be removed; undefined:
 * nobody does. Without a cache there is nothing to note.
 */
export function leaseCacheToClean(cacheDir: string): { inUse: string | undefined; release: () => void } {
  let release = () => {};
  try {
    if (existsSync(cacheDir)) release = takeLease(cacheDir, 'clean', currentLockHolder());
  } catch (error) {
    return { inUse: `the cache ${cacheDir} cannot be written: ${messageOf(error)}`, release };
  }
  const [user] = activeLeases(cacheDir, 'use', isHolderActive);
  if (user === undefined) return { inUse: undefined, release };
  const { pid, host } = user.holder;
  const where = host === hostname() ? '' : ` on ${host} (if ${host} is gone for good, delete ${user.file})`;
  return { inUse: `a campaign is running, which works from them: process ${pid}${where}`, release };
}
