import type { CampaignEvent, TrialRecord } from '../model/trial.js';
import { type Palette, PLAIN } from '../util/palette.js';
import { LiveArea, type ProgressStream } from './area.js';
import { oneLine } from './clean.js';
import { advance, emptyState, type RunningTrial } from './live-state.js';
import { liveLines } from './live-view.js';
import { duration } from './numbers.js';

/** How often the live view is redrawn while no event arrives, which shows that the program is alive. */
const TICK_MS = 1000;

/** Takes events in; `at`, ms since 1970, is when one happened, if that was not now. */
export type Progress = (event: CampaignEvent, at?: number) => void;

/** Where progress is printed, and how. */
interface ProgressOptions {
  stream: ProgressStream;
  isTTY: boolean;
  /** The clock, in milliseconds. */
  now: () => number;
  /** Default: no color. */
  palette?: Palette;
}

/**
 * Returns a listener that shows a campaign's events. On a terminal: a permanent line for what is finished, and under it a live view of
 * what runs (the step before the trials; then totals, cost, ETA, pauses, and a line for each running trial with phase, last tool call,
 * cost and context). Elsewhere: one plain line for each event that matters. Its timer never keeps the process alive and ends with the
 * last trial.
 */
export function createProgress({ stream, isTTY, now, palette = PLAIN }: ProgressOptions): Progress {
  const state = emptyState();
  const area = new LiveArea(stream);
  let timer: NodeJS.Timeout | undefined;

  const isLive = () => state.running.size > 0 || state.pause !== undefined || state.step !== undefined;
  const draw = () => {
    if (!isTTY) return;
    const lines = liveLines(state, now(), { columns: stream.columns ?? 80, rows: stream.rows ?? 24 });
    area.draw(
      isLive() ? lines.map((line, index) => (index === 0 ? palette.bold(line) : paintLive(line, palette))) : [],
    );
  };
  const tick = () => {
    if (isTTY && isLive()) timer ??= setInterval(draw, TICK_MS).unref();
    if (isLive()) return;
    clearInterval(timer);
    timer = undefined;
  };

  return (event, at = now()) => {
    const before = 'trialId' in event ? state.running.get(event.trialId) : undefined;
    advance(state, event, at);
    const text = permanentText(event, before, at, isTTY);
    if (text !== undefined) area.above(tone(event, palette)(oneLine(text)));
    draw();
    tick();
  };
}

function paintLive(line: string, palette: Palette): string {
  return /^ (PAUSED|STOPPING)\b/.test(line) ? palette.yellow(line) : line;
}

/** The way in which the permanent line of an event is set off. */
function tone(event: CampaignEvent, palette: Palette): (text: string) => string {
  switch (event.type) {
    case 'campaign-start':
    case 'campaign-end':
      return palette.bold;
    case 'build':
    case 'index':
    case 'step':
    case 'step-end':
    case 'trial-start':
      return palette.dim;
    case 'trial-end': {
      const { outcome, validity } = event.record;
      if (outcome === 'failed') return palette.red;
      return validity === 'valid' ? palette.green : palette.yellow;
    }
    case 'pause':
    case 'retry':
    case 'stop':
      return palette.yellow;
    default:
      return (text) => text;
  }
}

/** The line that stays; undefined for an event that only changes the live view. */
function permanentText(
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
    case 'step':
      return isTTY ? undefined : `${event.text} …`;
    case 'step-end':
      return `${event.text} · ${duration(event.durationMs)}`;
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
