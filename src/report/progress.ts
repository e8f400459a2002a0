import type { CampaignEvent, TrialRecord } from '../model/trial.js';
import { LiveArea, type ProgressStream } from './area.js';
import { oneLine } from './clean.js';
import { advance, emptyState, type RunningTrial } from './live-state.js';
import { liveLines } from './live-view.js';
import { duration } from './numbers.js';

/** How often the live view moves on while nothing is heard: proof that we are alive. */
const TICK_MS = 1000;

/** Takes events in; `at`, ms since 1970, is when one happened, if that was not now. */
export type Progress = (event: CampaignEvent, at?: number) => void;

/**
 * Returns a listener that shows a campaign's events. On a terminal: a permanent line for what is finished, and under it a live view of
 * what runs (totals, cost, ETA, pauses; a line a running trial with phase, last tool call, cost and context). Elsewhere: one plain
 * line an event that matters. `now` is in milliseconds. Its timer never keeps the process alive and ends with the last trial.
 */
export function createProgress(options: { stream: ProgressStream; isTTY: boolean; now: () => number }): Progress {
  const { stream, isTTY, now } = options;
  const state = emptyState();
  const area = new LiveArea(stream);
  let timer: NodeJS.Timeout | undefined;

  const draw = () => {
    if (!isTTY) return;
    const isLive = state.running.size > 0 || state.pause !== undefined;
    area.draw(isLive ? liveLines(state, now(), { columns: stream.columns ?? 80, rows: stream.rows ?? 24 }) : []);
  };
  const tick = () => {
    const isLive = state.running.size > 0 || state.pause !== undefined;
    if (isTTY && isLive) timer ??= setInterval(draw, TICK_MS).unref();
    if (isLive) return;
    clearInterval(timer);
    timer = undefined;
  };

  return (event, at = now()) => {
    const before = 'trialId' in event ? state.running.get(event.trialId) : undefined;
    advance(state, event, at);
    const words = permanentWords(event, before, at, isTTY);
    if (words !== undefined) area.above(oneLine(words));
    draw();
    tick();
  };
}

/** The line that stays; undefined for what only moves the live view. */
function permanentWords(
  event: CampaignEvent,
  before: RunningTrial | undefined,
  at: number,
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
      return trialEnd(event.trialId, event.record, before, at);
    case 'retry':
      return `trial ${event.trialId}: attempt ${event.attempt} failed (${event.cause}); it is run again`;
    case 'pause':
      return `paused until ${event.until}: ${event.reason}`;
    case 'stop':
      return `stopping (${event.reason}): ${event.message}`;
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

function trialEnd(trialId: string, record: TrialRecord, before: RunningTrial | undefined, at: number): string {
  const place = before ? `${before.position}/${before.of} ` : '';
  const elapsed = before
    ? at - before.startedAt
    : Object.values(record.phasesMs).reduce((total, milliseconds) => total + milliseconds, 0);
  const verdict = verdictOf(record);
  const cost = record.costUsd === null ? '' : ` · $${record.costUsd.toFixed(3)}`;
  const cause = record.failure ? ` · ${record.failure.message}` : '';
  return `trial ${place}${trialId}: ${verdict} · ${duration(elapsed)}${cost}${cause}`;
}

/** A run that was cut off at its deadline is a result, though a bounded one: the verdicts call it the same. */
function verdictOf({ outcome, validity, failure }: TrialRecord): string {
  if (validity === 'agent-failed' && failure?.reason === 'session-deadline') return 'cut off';
  return validity === 'valid' ? outcome : `${outcome}, ${validity}`;
}
