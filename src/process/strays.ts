import { readdirSync, readlinkSync } from 'node:fs';
import { type ProcessFacts, type ProcessIdentity, processTable, psLines } from './identity.js';

/**
 * Processes that work below a folder of ours and that nobody else has started: their working directory, their program or an open file
 * lies there, they have no terminal, and everything between them and the system's first process began after `since`. A user's
 * `tail -f` and a shell that stands in the folder are spared.
 */
export function findStrays(folder: string, since: ProcessIdentity): ProcessIdentity[] {
  const table = processTable();
  return pidsBelow(folder, table.keys()).flatMap((pid) => {
    const facts = table.get(pid);
    return facts && isAbandoned(pid, table, since) ? [{ pid, startTime: facts.startTime }] : [];
  });
}

function isAbandoned(pid: number, table: ReadonlyMap<number, ProcessFacts>, since: ProcessIdentity): boolean {
  const seen = new Set<number>();
  for (let one = pid; !seen.has(one); ) {
    seen.add(one);
    const facts = table.get(one);
    if (one === process.pid || !facts || facts.hasTerminal || !isAfter(facts.startTime, since.startTime)) return false;
    const parent = table.get(facts.parent);
    // Orphans go to the first process, or to the user's systemd.
    if (facts.parent <= 1 || parent?.name === 'systemd') return true;
    one = facts.parent;
  }
  return false;
}

/** Whether a start time, as `processIdentity` gives it, is the same or later. */
export function isAfter(startTime: string, other: string): boolean {
  const value = (text: string) => (/^\d+$/.test(text) ? Number(text) : Date.parse(text));
  return value(startTime) >= value(other);
}

function pidsBelow(folder: string, pids: Iterable<number>): number[] {
  if (process.platform !== 'linux') return pidsFromLsof(folder);
  return [...pids].filter((pid) => openPaths(pid).some((path) => isBelow(path, folder)));
}

function openPaths(pid: number): string[] {
  const links = ['cwd', 'root', 'exe', ...descriptors(pid).map((name) => `fd/${name}`)];
  return links.flatMap((name) => {
    try {
      return [readlinkSync(`/proc/${pid}/${name}`)];
    } catch {
      return [];
    }
  });
}

function descriptors(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch {
    return [];
  }
}

/** From lines `p<pid>`, each followed by lines `n<path>` of its files. */
function pidsFromLsof(folder: string): number[] {
  const found = new Set<number>();
  let pid = 0;
  for (const line of psLines(['-n', '-P', '-w', '-F', 'pn'], 'lsof')) {
    if (line.startsWith('p')) pid = Number(line.slice(1));
    if (line.startsWith('n') && isBelow(line.slice(1), folder)) found.add(pid);
  }
  return [...found];
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
