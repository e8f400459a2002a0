import type { CampaignEvent, Phase, TrialRecord } from '../model/trial.js';
import { clip, oneLine } from './clean.js';
import { duration } from './numbers.js';

/** What progress is written to: standard error, or anything that takes text. */
export interface ProgressStream {
  write(text: string): unknown;
  /** Width of the terminal; undefined when it is none. */
  columns?: number;
}

interface Running {
  position: number;
  of: number;
  startedAt: number;
  phase: Phase | undefined;
  activity: string | undefined;
  costUsd: number;
}

/** How often the status line moves on while nothing is heard: proof that we are alive. */
const TICK_MS = 1000;

/**
 * Returns a listener that shows a campaign's events. On a terminal: a permanent line for what is finished, and under it one
 * status line that is rewritten (trial of how many, phase, elapsed, cost so far, last tool call). Elsewhere: one plain line
 * an event that matters. `now` is in milliseconds. Its timer never keeps the process alive and ends with the last trial.
 */
export function createProgress(options: {
  stream: ProgressStream;
  isTTY: boolean;
  now: () => number;
}): (event: CampaignEvent) => void {
  const { stream, isTTY, now } = options;
  const running = new Map<string, Running>();
  let finishedCostUsd = 0;
  let timer: NodeJS.Timeout | undefined;

  const erase = () => {
    if (isTTY) stream.write('\r\u001b[2K');
  };
  const drawStatus = () => {
    if (!isTTY) return;
    erase();
    if (running.size > 0) stream.write(clip(statusLine(running, finishedCostUsd, now()), (stream.columns ?? 80) - 2));
  };
  const say = (text: string) => {
    erase();
    stream.write(`${oneLine(text)}\n`);
    drawStatus();
  };
  const tick = () => {
    if (isTTY && running.size > 0) timer ??= setInterval(drawStatus, TICK_MS).unref();
    if (running.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return (event) => {
    const before = 'trialId' in event ? running.get(event.trialId) : undefined;
    if (event.type === 'trial-start') {
      const { position, of } = event;
      running.set(event.trialId, { position, of, startedAt: now(), phase: undefined, activity: undefined, costUsd: 0 });
    } else if (event.type === 'phase' && before) {
      before.phase = event.phase;
    } else if (event.type === 'activity' && before) {
      before.activity = event.text;
      before.costUsd = event.costUsd ?? before.costUsd;
    } else if (event.type === 'trial-end') {
      running.delete(event.trialId);
      finishedCostUsd += event.record.costUsd ?? before?.costUsd ?? 0;
    } else if (event.type === 'campaign-end') {
      running.clear();
    }
    const words = permanentWords(event, before, now(), isTTY);
    if (words === undefined) drawStatus();
    else say(words);
    tick();
  };
}

/** The line that stays; undefined for what only moves the status line. */
function permanentWords(
  event: CampaignEvent,
  before: Running | undefined,
  now: number,
  isTTY: boolean,
): string | undefined {
  switch (event.type) {
    case 'campaign-start': {
      const already = event.done > 0 ? `, ${event.done} of them done already` : '';
      return `campaign ${event.dir}: ${event.trials} trial${event.trials === 1 ? '' : 's'}${already}`;
    }
    case 'build':
      return `build ${event.title}: ${cachedOr(event)}`;
    case 'index':
      return `index ${event.repo} by ${event.title}: ${cachedOr(event)}`;
    case 'trial-start':
      return isTTY ? undefined : `trial ${event.position}/${event.of} ${event.trialId}: started`;
    case 'trial-end':
      return trialEnd(event.trialId, event.record, before, now);
    case 'note':
      return event.text;
    case 'campaign-end':
      return `campaign ${event.interrupted ? 'interrupted' : 'ended'}: ${event.dir}`;
    default:
      return undefined;
  }
}

function cachedOr(event: { fromCache: boolean; durationMs: number }): string {
  return event.fromCache ? 'from the cache' : `made in ${duration(event.durationMs)}`;
}

function trialEnd(trialId: string, record: TrialRecord, before: Running | undefined, now: number): string {
  const place = before ? `${before.position}/${before.of} ` : '';
  const elapsed = before
    ? now - before.startedAt
    : Object.values(record.phasesMs).reduce((total, milliseconds) => total + milliseconds, 0);
  const verdict = record.validity === 'valid' ? record.outcome : `${record.outcome}, ${record.validity}`;
  const cost = record.costUsd === null ? '' : ` · $${record.costUsd.toFixed(3)}`;
  const cause = record.failure ? ` · ${record.failure.message}` : '';
  return `trial ${place}${trialId}: ${verdict} · ${duration(elapsed)}${cost}${cause}`;
}

/** The trial heard of last is the one that is shown; others that run beside it are counted. */
function statusLine(running: Map<string, Running>, finishedCostUsd: number, now: number): string {
  const [trialId, trial] = [...running].at(-1) ?? [];
  if (trialId === undefined || trial === undefined) return '';
  const cost = [...running.values()].reduce((total, one) => total + one.costUsd, finishedCostUsd);
  const parts = [
    `[${trial.position}/${trial.of}] ${trialId}${running.size > 1 ? ` (+${running.size - 1} more)` : ''}`,
    trial.phase ?? 'starting',
    duration(now - trial.startedAt),
    `$${cost.toFixed(3)}`,
    ...(trial.activity === undefined ? [] : [trial.activity]),
  ];
  return parts.join(' · ');
}
