import { randomBytes } from 'node:crypto';
import { lstatSync, mkdtempSync, readdirSync, readlinkSync, realpathSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { readTextSafely } from '../util/read-safely.js';
import { closeStartGroup, openStartGroup } from './cgroup.js';
import { type EndStep, endAll } from './end.js';
import { ancestors, findByEnvironment, isAlive, type ProcessIdentity, processIdentity } from './identity.js';
import { removeTree } from './remove-tree.js';
import { START_VARIABLE, setStartMark } from './start-mark.js';
import { findStrays, isAfter } from './strays.js';

/** In each start's folder: who made it. */
const OWNER = 'owner.json';
const PREFIX = 'ae-';

const ownerSchema = z.object({
  pid: z.number().int().positive(),
  startTime: z.string().min(1),
  host: z.string(),
  /** The process ids are those of this namespace: two containers may share a folder and a host name. */
  pidNamespace: z.string().default(''),
  /** The value of AGENT_EVAL_START in every process of this start; folders of earlier versions have none. */
  start: z
    .string()
    .regex(/^[0-9a-f]{16,}$/)
    .optional(),
});
type StartOwner = z.infer<typeof ownerSchema>;

/** A folder for everything temporary of one start of agent-eval. */
export interface StartFolder {
  root: string;
  /** Names the start; every process that it starts carries it. */
  start: string;
}

const STEPS: EndStep[] = [
  { signal: 'SIGTERM', waitMs: 500 },
  { signal: 'SIGKILL', waitMs: 2_000 },
];

/** Makes the folder of this start below `place`, and marks all processes that are started from now on. Throws what the file system throws. */
export function makeStartFolder(place: string): StartFolder {
  const root = realpathSync(mkdtempSync(join(place, PREFIX)));
  const start = randomBytes(8).toString('hex');
  const startTime = processIdentity(process.pid)?.startTime ?? '';
  const owner: StartOwner = { pid: process.pid, startTime, host: hostname(), pidNamespace: pidNamespace(), start };
  writeFileSync(join(root, OWNER), JSON.stringify(owner));
  setStartMark(start);
  openStartGroup(start);
  return { root, start };
}

/** Ends the marking, and whatever is still in the control groups of this start. */
export async function closeStart({ start }: StartFolder): Promise<void> {
  setStartMark(undefined);
  await closeStartGroup(start);
}

/**
 * Clears the folders of starts below `place` that were killed, with their processes. Returns a line for each folder that could not be
 * cleared; it is left for the next start. Never throws.
 */
export async function clearDeadStarts(place: string): Promise<string[]> {
  const problems: string[] = [];
  for (const name of namesIn(place)) {
    const problem = await clearDeadStart(join(place, name));
    if (problem !== undefined) problems.push(problem);
  }
  return problems;
}

/**
 * Ends the processes of a start that was killed and removes its folder. Does nothing where the path is no folder of ours, or its start
 * still lives, or ran where we cannot see its processes. Returns why something of a dead start is left. Never throws.
 */
export async function clearDeadStart(dir: string): Promise<string | undefined> {
  try {
    const owner = readOwner(dir);
    if (owner === undefined || !isDead(owner)) return undefined;
    const left = await endProcessesOf(owner, realpathSync(dir));
    if (left.length > 0) return `${dir}: could not end the processes ${left.join(', ')} of an earlier start`;
    return await removeTree(dir);
  } catch (error) {
    return `${dir} could not be cleared: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function endProcessesOf(owner: StartOwner, dir: string): Promise<number[]> {
  const spared = ancestors();
  const { start } = owner;
  const find = (): ProcessIdentity[] => {
    const marked = start === undefined ? [] : findByEnvironment(START_VARIABLE, start);
    const mayEnd = ({ pid, startTime }: ProcessIdentity) => !spared.has(pid) && isAfter(startTime, owner.startTime);
    return [...marked, ...findStrays(dir, owner)].filter(mayEnd);
  };
  const { left } = await endAll(find, STEPS);
  if (start !== undefined) await closeStartGroup(start);
  return left;
}

/** The owner of a start's folder. Undefined for a link, for another user's folder, and for one that says nothing. */
function readOwner(dir: string): StartOwner | undefined {
  if (!basename(dir).startsWith(PREFIX)) return undefined;
  const stats = lstatSync(dir, { throwIfNoEntry: false });
  if (!stats?.isDirectory() || stats.uid !== process.getuid?.()) return undefined;
  const text = readTextSafely(join(dir, OWNER), 4_096, dir);
  if (text === undefined) return undefined;
  try {
    return ownerSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** A process on another machine, or in another container, cannot be proven dead. */
function isDead(owner: StartOwner): boolean {
  return owner.host === hostname() && owner.pidNamespace === pidNamespace() && !isAlive(owner);
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
