import { setTimeout as sleep } from 'node:timers/promises';
import { processesInGroup, trialGroup } from './cgroup.js';
import { findByEnvironment, isAlive, type ProcessIdentity, processIdentity } from './identity.js';
import { findStrays } from './strays.js';

/** One rung of the ladder that ends a process: the signal, and how long it may take. */
export interface EndStep {
  signal: NodeJS.Signals;
  waitMs: number;
  /** Send it to the whole process group that the process leads. */
  group?: boolean;
}

const POLL_MS = 25;

/** For programs that stop on SIGTERM. `claude` has a ladder of its own: SIGTERM lets the model go on. */
const TERM_THEN_KILL: EndStep[] = [
  { signal: 'SIGTERM', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 3_000 },
];

/** Ends a process by its identity, step by step. True when it is proven gone, false when it outlived every step. */
export async function endProcess(identity: ProcessIdentity, steps: EndStep[] = TERM_THEN_KILL): Promise<boolean> {
  for (const step of steps) {
    // Checked before every signal: the id may belong to another process by now.
    if (!isAlive(identity)) return true;
    send(step.group ? -identity.pid : identity.pid, step.signal);
    const deadline = Date.now() + step.waitMs;
    while (Date.now() < deadline) {
      if (!isAlive(identity)) return true;
      await sleep(POLL_MS);
    }
  }
  return !isAlive(identity);
}

/** The environment variable by which every process of a trial can be found, wherever it was re-parented to. */
export const TRIAL_ID_VARIABLE = 'AGENT_EVAL_TRIAL';

/**
 * Ends whatever belongs to this trial, and looks again until nothing does: what carries its id in its environment, and what has dropped
 * its environment but is still in the trial's control group or, where there is none, works below `folder`. Returns what was
 * found at first (pids), and what could not be ended.
 */
export async function endTrialProcesses(
  trialId: string,
  { steps = TERM_THEN_KILL, folder }: { steps?: EndStep[]; folder?: string } = {},
): Promise<{ found: number[]; left: number[] }> {
  return await endAll(() => [...findByEnvironment(TRIAL_ID_VARIABLE, trialId), ...hidden(trialId, folder)], steps);
}

function hidden(trialId: string, folder: string | undefined): ProcessIdentity[] {
  const group = trialGroup(trialId);
  if (group !== undefined) return processesInGroup(group);
  const since = processIdentity(process.pid);
  return folder === undefined || !since ? [] : findStrays(folder, since);
}

/** Ends what `find` finds, up to three times, since a process may start another one while it is ended. */
export async function endAll(
  find: () => ProcessIdentity[],
  steps: EndStep[],
): Promise<{ found: number[]; left: number[] }> {
  const found = new Set<number>();
  for (let round = 0; round < 3; round++) {
    const living = new Map(find().map((identity) => [identity.pid, identity]));
    if (living.size === 0) return { found: [...found], left: [] };
    for (const pid of living.keys()) found.add(pid);
    await Promise.all([...living.values()].map((identity) => endProcess(identity, steps)));
  }
  return { found: [...found], left: [...new Set(find().map(({ pid }) => pid))] };
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone between the check and the signal.
  }
}
