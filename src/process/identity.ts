import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A process that can be recognised again: an id alone may have been given to somebody else since. */
export interface ProcessIdentity {
  pid: number;
  /** Start time as the system tells it: clock ticks since boot on Linux, `ps -o lstart` text elsewhere. */
  startTime: string;
}

const onLinux = process.platform === 'linux';

/** The identity of a living process; undefined when there is none (a zombie counts as none). */
export function processIdentity(pid: number): ProcessIdentity | undefined {
  const startTime = onLinux ? linuxStat(pid)?.startTime : psField(pid, 'lstart');
  return startTime === undefined ? undefined : { pid, startTime };
}

/** Whether this very process still lives. */
export function isAlive(identity: ProcessIdentity): boolean {
  return processIdentity(identity.pid)?.startTime === identity.startTime;
}

/** Living processes whose environment holds `name=value`, our own excluded. Unreadable processes are not ours. */
export function findByEnvironment(name: string, value: string): ProcessIdentity[] {
  const wanted = `${name}=${value}`;
  const pids = onLinux
    ? listPids().filter((pid) => readProc(pid, 'environ')?.split('\0').includes(wanted))
    : psLines(['-axEww', '-o', 'pid=,command=']).flatMap((line) =>
        line.split(/\s+/).includes(wanted) ? [Number.parseInt(line, 10)] : [],
      );
  return identities(pids.filter((pid) => pid !== process.pid));
}

/** What the table of processes tells of one. */
export interface ProcessFacts {
  parent: number;
  startTime: string;
  hasTerminal: boolean;
  /** Of the program, as the system shortens it. */
  name: string;
}

/** Every living process by its id. */
export function processTable(): Map<number, ProcessFacts> {
  if (onLinux) return new Map(listPids().flatMap((pid) => entryOf(pid, linuxStat(pid))));
  return new Map(
    psLines(['-ax', '-o', 'pid=,ppid=,tty=,lstart=']).map((line): [number, ProcessFacts] => {
      const [pid, parent, terminal, ...startTime] = line.trim().split(/\s+/);
      const facts = {
        parent: Number(parent),
        hasTerminal: terminal !== '??',
        startTime: startTime.join(' '),
        name: '',
      };
      return [Number(pid), facts];
    }),
  );
}

function entryOf(pid: number, facts: ProcessFacts | undefined): [number, ProcessFacts][] {
  return facts ? [[pid, facts]] : [];
}

/** The ids of the processes that started this one, directly or not, and its own. */
export function ancestors(): Set<number> {
  const table = processTable();
  const found = new Set([process.pid]);
  for (let pid = process.ppid; pid > 0 && !found.has(pid); pid = table.get(pid)?.parent ?? 0) found.add(pid);
  return found;
}

/** Living descendants of a process, children before grandchildren. */
export function descendantsOf(root: number): ProcessIdentity[] {
  const parents = [...processTable()].map(([pid, { parent }]): [number, number] => [pid, parent]);
  const found: number[] = [];
  let generation = [root];
  while (generation.length > 0) {
    generation = parents.filter(([, parent]) => generation.includes(parent)).map(([pid]) => pid);
    found.push(...generation);
  }
  return identities(found);
}

/**
 * The process that is known by an id inside the process namespace of another one: its id as we see it. Undefined if there is
 * none. Linux alone.
 */
export function findInNamespace(member: ProcessIdentity, innerPid: number): number | undefined {
  const namespace = processNamespace(member.pid);
  if (namespace === undefined) return undefined;
  return listPids().find((pid) => {
    const ids = /^NSpid:\s+(.*)$/m.exec(readProc(pid, 'status') ?? '')?.[1]?.split(/\s+/);
    return ids?.at(-1) === String(innerPid) && processNamespace(pid) === namespace;
  });
}

function processNamespace(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined;
  }
}

function identities(pids: number[]): ProcessIdentity[] {
  return pids.flatMap((pid) => processIdentity(pid) ?? []);
}

function linuxStat(pid: number): ProcessFacts | undefined {
  const stat = readProc(pid, 'stat');
  if (stat === undefined) return undefined;
  // The second field is the program's name in parentheses and may itself hold spaces and parentheses.
  const [start, end] = [stat.indexOf('('), stat.lastIndexOf(')')];
  const fields = stat.slice(end + 2).split(' ');
  const [state, parent] = fields;
  const startTime = fields[19];
  if (state === 'Z' || state === 'X' || startTime === undefined) return undefined;
  return { parent: Number(parent), hasTerminal: fields[4] !== '0', startTime, name: stat.slice(start + 1, end) };
}

function listPids(): number[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}

function psField(pid: number, field: string): string | undefined {
  return psLines(['-o', `${field}=`, '-p', String(pid)])[0]?.trim() || undefined;
}

/** The lines that `ps`, or another program that lists processes, prints; none where it fails. */
export function psLines(args: string[], program = 'ps'): string[] {
  try {
    return execFileSync(program, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
      .split('\n')
      .filter((line) => line.trim() !== '');
  } catch {
    return [];
  }
}
