import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ProcessIdentity, processIdentity } from './identity.js';

/**
 * Control groups (cgroup v2): a process cannot leave its group by forgetting its environment or its parent. They exist on Linux where
 * we may make one below our own: as root, or in a scope that systemd has delegated to the user.
 */

const POLL_MS = 20;
const KILL_WAIT_MS = 3_000;

/** Groups of the trials that run now, by trial id. */
const groups = new Map<string, string>();
let groupsOfThisStart: string | undefined;
let made = 0;

/** Makes the group in which the groups of this start's trials will lie. Without control groups nothing happens. */
export function openStartGroup(start: string): void {
  const dir = groupPath(start);
  if (dir === undefined) return;
  try {
    mkdirSync(dir);
    groupsOfThisStart = dir;
  } catch {
    // Not ours to make: processes are found by other means.
  }
}

/** From now on every process that is started with this trial's id in its environment is in a group of its own. */
export function openTrialGroup(trialId: string): void {
  if (groupsOfThisStart === undefined) return;
  const dir = join(groupsOfThisStart, String(++made));
  try {
    mkdirSync(dir);
    groups.set(trialId, dir);
  } catch {
    // As above.
  }
}

export function trialGroup(trialId: string): string | undefined {
  return groups.get(trialId);
}

/** The command line that enters a group and then becomes the given command, under the same process id. */
export function inGroup(dir: string, argv: [string, ...string[]]): [string, ...string[]] {
  return ['/bin/sh', '-c', 'echo 0 2>/dev/null >"$0"; exec "$@"', join(dir, 'cgroup.procs'), ...argv];
}

/** The processes in a group, without those in groups below it. */
export function processesInGroup(dir: string): ProcessIdentity[] {
  return lines(join(dir, 'cgroup.procs')).flatMap((pid) => processIdentity(Number(pid)) ?? []);
}

/** Kills what is left in a trial's group and removes it. True when it is gone, or there was none. */
export async function closeTrialGroup(trialId: string): Promise<boolean> {
  const dir = groups.get(trialId);
  groups.delete(trialId);
  return dir === undefined || (await killGroup(dir));
}

/** Kills what is left in the groups of a start, this one's or a dead one's, and removes them. True when they are gone. */
export async function closeStartGroup(start: string): Promise<boolean> {
  const dir = groupPath(start);
  if (dir === groupsOfThisStart) groupsOfThisStart = undefined;
  return dir === undefined || !existsSync(dir) || (await killGroup(dir));
}

async function killGroup(dir: string): Promise<boolean> {
  const deadline = Date.now() + KILL_WAIT_MS;
  for (;;) {
    try {
      // With every group below it.
      writeFileSync(join(dir, 'cgroup.kill'), '1');
    } catch {
      // Linux before 5.14.
      for (const { pid } of processesInGroup(dir)) process.kill(pid, 'SIGKILL');
    }
    if (removeGroup(dir)) return true;
    if (Date.now() >= deadline) return false;
    await sleep(POLL_MS);
  }
}

function removeGroup(dir: string): boolean {
  try {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      if (entry.isDirectory() && !removeGroup(join(dir, entry.name))) return false;
    }
    rmdirSync(dir);
    return true;
  } catch {
    return !existsSync(dir);
  }
}

/** Below the group that we are in ourselves. Undefined without cgroup v2. */
function groupPath(start: string): string | undefined {
  if (process.platform !== 'linux' || !/^[0-9a-f]+$/.test(start)) return undefined;
  const own = lines('/proc/self/cgroup')
    .find((line) => line.startsWith('0::'))
    ?.slice(3);
  const mounted = lines('/proc/self/mountinfo')
    .find((line) => line.includes(' - cgroup2 '))
    ?.split(' ')[4];
  if (own === undefined || mounted === undefined) return undefined;
  const dir = join(mounted, own);
  return lines(join(dir, 'cgroup.procs')).includes(String(process.pid)) ? join(dir, `agent-eval-${start}`) : undefined;
}

function lines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return [];
  }
}
