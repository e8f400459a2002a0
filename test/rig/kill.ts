import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PHASES } from '../../src/model/trial.js';
import { readPlan, readRecord } from '../../src/store/index.js';
import type { Surroundings } from './run-cli.js';

/**
 * Where a campaign can be when it is killed: before its first trial (checking the machine, fetching sources, building engines), in a
 * trial's phase, after one trial's end and before the next, after the last.
 */
export const MOMENTS = ['start', 'fetch', 'build', ...PHASES, 'between', 'report'] as const;
export type Moment = (typeof MOMENTS)[number];

export interface Kill {
  aimedAt: Moment;
  /** Where the campaign's own log, and locks in its cache, say that it was. */
  hit: Moment[];
  delayMs: number;
}

/** A seeded sequence in [0, 1): xorshift, so that the same seed kills at the same moments. */
export function seeded(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** How long after a moment began its kill may come; most phases are over in milliseconds. */
const LONGEST_DELAY_MS: Record<Moment, number> = {
  start: 5_000,
  fetch: 60,
  build: 3_000,
  workspace: 10,
  index: 1_000,
  isolation: 4,
  daemon: 600,
  session: 5_000,
  judge: 10,
  teardown: 60,
  between: 10,
  report: 250,
};

/** A trial's successor begins at once: so soon after the end of one, a kill counts as between the two. */
const BETWEEN_MS = 25;

/** Folders of the cache in which a lock stands while something is made there. */
const CACHE_FOLDERS: Partial<Record<Moment, string>> = { fetch: 'sources', build: 'builds', index: 'indexes' };

/**
 * Starts or resumes a campaign and kills it (SIGKILL, the program alone) a seeded while after it entered the moment aimed at.
 * Undefined: it came to its end first. `privateCache`: a cache of this campaign alone; what is made at the moment aimed at is first
 * removed from it, so that it is made anew and not found. Without it nothing is fetched or built, and no index made.
 */
export async function killOnce(
  user: Surroundings,
  args: string[],
  out: string,
  aimedAt: Moment,
  random: () => number,
  privateCache?: string,
): Promise<Kill | undefined> {
  const folder = CACHE_FOLDERS[aimedAt];
  if (folder && privateCache) rmSync(join(privateCache, folder), { recursive: true, force: true });
  const log = new LogReader(out);
  log.read();
  const isFinished = isOver(out);
  const delayMs = Math.round(random() * LONGEST_DELAY_MS[aimedAt]);
  // Not always the first trial of this start.
  const skip = (PHASES as readonly string[]).includes(aimedAt) ? Math.floor(random() * 2) : 0;
  // Something happened since the report was saved, so that it is made again.
  if (aimedAt === 'report' && isFinished) touch(join(out, 'latest', 'journal.jsonl'));
  const running = user.start(args);
  const pid = running.identity?.pid ?? 0;
  let ended = false;
  void running.exited.then(() => {
    ended = true;
  });
  const fresh: LogLine[] = [];
  const isReached = () => {
    fresh.push(...log.read());
    if (aimedAt === 'start') return true;
    if (aimedAt === 'fetch' || aimedAt === 'build') return isMaking(aimedAt, privateCache);
    if (aimedAt === 'between') return fresh.some(({ msg }) => msg === 'trial-end');
    if (aimedAt !== 'report')
      return fresh.filter(({ msg, phase }) => msg === 'phase' && phase === aimedAt).length > skip;
    // A finished campaign is locked, then its report is made; no event tells.
    return fresh.at(-1)?.msg === 'campaign-end' || (isFinished && holdsLock(out, pid));
  };
  while (!ended && !isReached()) await sleep(1);
  await sleep(delayMs);
  if (ended) return undefined;
  const killedAt = Date.now();
  process.kill(pid, 'SIGKILL');
  await running.exited;
  fresh.push(...log.read());
  return {
    aimedAt,
    hit: momentsAtDeath(fresh, { killedAt, isFinished, holdsLock: holdsLock(out, pid), privateCache }),
    delayMs,
  };
}

interface LogLine {
  msg: string;
  time: string;
  phase?: Moment;
  trialId?: string;
}

/** The last phase that each trial entered and did not leave; without a running trial, what came before or after them. */
function momentsAtDeath(
  lines: LogLine[],
  how: { killedAt: number; isFinished: boolean; holdsLock: boolean; privateCache: string | undefined },
): Moment[] {
  const isReporting = lines.some(({ msg }) => msg === 'campaign-end') || (how.isFinished && lines.length === 0);
  // Without the lock it had done its work.
  if (isReporting && how.holdsLock) return ['report'];
  if (!lines.some(({ msg }) => msg === 'campaign-start')) {
    const making = (['fetch', 'build'] as const).filter((moment) => isMaking(moment, how.privateCache));
    return making.length > 0 ? making : ['start'];
  }
  const open = new Map<string, Moment>();
  for (const { msg, phase, trialId = '' } of lines) {
    if (msg === 'phase' && phase) open.set(trialId, phase);
    if (msg === 'trial-end') open.delete(trialId);
  }
  const ended = lines.filter(({ msg }) => msg === 'trial-end').at(-1);
  const isJust = ended !== undefined && how.killedAt - Date.parse(ended.time) <= BETWEEN_MS;
  return [...open.values(), ...(isJust ? (['between'] as const) : [])];
}

function isMaking(moment: 'fetch' | 'build', privateCache: string | undefined): boolean {
  const folder = privateCache && join(privateCache, CACHE_FOLDERS[moment] ?? '');
  return folder !== undefined && existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.lock'));
}

function holdsLock(out: string, pid: number): boolean {
  try {
    return JSON.parse(readFileSync(join(out, 'latest', 'lock.json'), 'utf8')).pid === pid;
  } catch {
    return false;
  }
}

/** Whether every trial of the newest campaign is done, so that nothing is left but its report. */
export function isOver(out: string): boolean {
  const dir = join(out, 'latest');
  const plan = readPlan(dir);
  if (!plan.ok) return false;
  return plan.value.trials.every((trial) => {
    const record = readRecord(dir, plan.value, trial);
    return record.ok && record.value?.outcome === 'ok';
  });
}

function touch(file: string): void {
  const now = new Date();
  utimesSync(file, now, now);
}

/** Reads what is new in the newest campaign's log, whole lines only. */
class LogReader {
  private offset = 0;

  constructor(private readonly out: string) {}

  read(): LogLine[] {
    const log = join(this.out, 'latest', 'campaign.log');
    if (!existsSync(log)) return [];
    const bytes = Buffer.alloc(Math.max(0, statSync(log).size - this.offset));
    if (bytes.length === 0) return [];
    const file = openSync(log, 'r');
    readSync(file, bytes, 0, bytes.length, this.offset);
    closeSync(file);
    const whole = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1);
    this.offset += whole.length;
    return whole
      .toString('utf8')
      .split('\n')
      .flatMap((line) => {
        try {
          return [JSON.parse(line) as LogLine];
        } catch {
          return [];
        }
      });
  }
}

/** What continues the newest campaign, or begins one while there is none. */
export function nextCommand(out: string, begin: string[]): string[] {
  const latest = join(out, 'latest');
  return existsSync(join(latest, 'invocation.json')) ? ['resume', realpathSync(latest)] : begin;
}
