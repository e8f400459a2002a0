import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcess, findByText, isAlive, processIdentity } from '../process/index.js';
import type { Teardown } from '../util/teardown.js';

/** In each start's folder: who made it. */
const OWNER = 'owner.json';
const PREFIX = 'ae-';

/**
 * A folder for everything temporary of this start (trials, canary, clones, indexes); the teardown removes it. First
 * clears the folders of starts on this machine that were killed, with the processes that still work in them.
 */
export async function openTemporaryRoot(teardown: Teardown): Promise<string> {
  const place = tmpdir();
  await sweepDead(place);
  const root = realpathSync(mkdtempSync(join(place, PREFIX)));
  const startTime = processIdentity(process.pid)?.startTime ?? '';
  writeFileSync(join(root, OWNER), JSON.stringify({ pid: process.pid, startTime, host: hostname() }));
  teardown.add('remove the temporary folder', async () => {
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
    return undefined;
  });
  return root;
}

/** Whether a start of agent-eval works on this machine now: its temporary folder names a living owner. */
export function isAnyStartAlive(): boolean {
  const place = tmpdir();
  return readdirSync(place).some((name) => {
    const owner = name.startsWith(PREFIX) ? readOwner(join(place, name, OWNER)) : undefined;
    return owner !== undefined && owner.host === hostname() && isAlive(owner);
  });
}

async function sweepDead(place: string): Promise<void> {
  for (const name of readdirSync(place)) {
    if (!name.startsWith(PREFIX)) continue;
    const dir = join(place, name);
    const owner = readOwner(join(dir, OWNER));
    // Without an owner it is not ours to judge; one on another machine (a shared folder) cannot be proven dead.
    if (!owner || owner.host !== hostname() || isAlive(owner)) continue;
    // The folder's name is random: what names it in its command or environment was started for it.
    await Promise.all(
      findByText(realpathSync(dir)).map((identity) =>
        endProcess(identity, [
          { signal: 'SIGTERM', waitMs: 1_000 },
          { signal: 'SIGKILL', waitMs: 2_000 },
        ]),
      ),
    );
    rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
  }
}

function readOwner(file: string): { pid: number; startTime: string; host: string } | undefined {
  try {
    const { pid, startTime, host } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    return typeof pid === 'number' && typeof startTime === 'string' && typeof host === 'string'
      ? { pid, startTime, host }
      : undefined;
  } catch {
    return undefined;
  }
}
