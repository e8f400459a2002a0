import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PHASES } from '../../src/model/trial.js';
import type { Surroundings } from './run-cli.js';

/** Where a campaign can be when it is killed: before its first trial, in a trial's phase, after its last trial. */
export const MOMENTS = ['start', ...PHASES, 'report'] as const;
export type Moment = (typeof MOMENTS)[number];

export interface Kill {
  aimedAt: Moment;
  /** What the campaign's own log says the running trials were in. */
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

/** How long after a phase began its kill may come; most phases are over in milliseconds. */
const LONGEST_DELAY_MS: Record<Moment, number> = {
  start: 5_000,
  workspace: 10,
  index: 15,
  isolation: 4,
  daemon: 600,
  session: 5_000,
  judge: 10,
  teardown: 60,
  report: 15,
};

/**
 * Starts or resumes a campaign and kills it (SIGKILL, the program alone) a seeded while after it entered the moment aimed at.
 * Undefined: it came to its end first.
 */
export async function killOnce(
  user: Surroundings,
  args: string[],
  out: string,
  aimedAt: Moment,
  random: () => number,
): Promise<Kill | undefined> {
  const known = linesOf(out).length;
  // With every trial done a start only makes the report; no event tells when.
  const onlyReports = aimedAt === 'report' && linesOf(out).at(-1)?.msg === 'campaign-end';
  const delayMs = Math.round(onlyReports ? 400 + 800 * random() : random() * LONGEST_DELAY_MS[aimedAt]);
  // Not always the first trial of this start.
  const skip = aimedAt === 'start' || aimedAt === 'report' ? 0 : Math.floor(random() * 2);
  const running = user.start(args);
  let ended = false;
  void running.exited.then(() => {
    ended = true;
  });
  let seen = 0;
  while (!ended && aimedAt !== 'start' && !onlyReports) {
    const fresh = linesOf(out).slice(known);
    seen = fresh.filter((line) => isMoment(line, aimedAt)).length;
    if (seen > skip) break;
    await sleep(1);
  }
  await sleep(delayMs);
  if (ended) return undefined;
  process.kill(running.identity?.pid ?? 0, 'SIGKILL');
  await running.exited;
  return { aimedAt, hit: onlyReports ? ['report'] : momentsAtDeath(linesOf(out).slice(known)), delayMs };
}

interface LogLine {
  msg: string;
  phase?: Moment;
  trialId?: string;
}

function isMoment(line: LogLine, moment: Moment): boolean {
  return moment === 'report' ? line.msg === 'campaign-end' : line.msg === 'phase' && line.phase === moment;
}

/** The last phase that each trial entered and did not leave. */
function momentsAtDeath(lines: LogLine[]): Moment[] {
  if (lines.some(({ msg }) => msg === 'campaign-end')) return ['report'];
  const open = new Map<string, Moment>();
  for (const { msg, phase, trialId = '' } of lines) {
    if (msg === 'phase' && phase) open.set(trialId, phase);
    if (msg === 'trial-end') open.delete(trialId);
  }
  return open.size === 0 ? ['start'] : [...open.values()];
}

/** The lines of the newest campaign's log. */
function linesOf(out: string): LogLine[] {
  const log = join(out, 'latest', 'campaign.log');
  if (!existsSync(log)) return [];
  return readFileSync(log, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as LogLine];
      } catch {
        return [];
      }
    });
}

/** What continues the newest campaign, or begins one while there is none. */
export function nextCommand(out: string, begin: string[]): string[] {
  const latest = join(out, 'latest');
  return existsSync(join(latest, 'invocation.json')) ? ['resume', realpathSync(latest)] : begin;
}
