import { clip, oneLine } from './clean.js';
import { type EndState, etaMs, type LiveState, type RunningTrial, waitingTrials } from './live-state.js';
import { compact, duration } from './numbers.js';

const BAR_CELLS = 20;
const MIN_WIDTH = 20;

/** Columns that a trial's phase, time, cost and context need beside its id. */
const FACTS_WIDTH = 42;
const MIN_ID_WIDTH = 12;

/**
 * Lines of the live view: the step before the trials, or the totals, a pause or why the campaign stops, and the running trials, longest
 * running first. No line is wider than `columns`, and there are at most `rows`; trials for which there is no room are counted. On a
 * narrow terminal the bar goes first, then the counts and the trials' last calls; cost and time to the end stay.
 */
export function liveLines(state: LiveState, now: number, size: { columns: number; rows: number }): string[] {
  const width = Math.max(MIN_WIDTH, size.columns) - 3;
  if (state.step !== undefined && state.running.size === 0) return [clip(stepLine(state.step, now), width)];
  const running = [...state.running.values()];
  const head = [
    totals(state, now, width),
    ...(state.pause ? [pauseLine(state.pause, now)] : []),
    ...(state.stop ? [`STOPPING (${oneLine(state.stop.reason)}): ${oneLine(state.stop.message)}`] : []),
  ];
  const room = Math.max(1, size.rows - head.length - 1);
  const shown = running.length > room ? running.slice(0, Math.max(0, room - 1)) : running;
  const hidden = running.length - shown.length;
  const longest = Math.max(0, ...shown.map((trial) => oneLine(trial.trialId).length));
  const idWidth = Math.min(longest, Math.max(MIN_ID_WIDTH, width - FACTS_WIDTH));
  return [
    ...head,
    ...shown.map((trial) => trialLine(trial, now, idWidth)),
    ...(hidden > 0 ? [`  and ${hidden} more running`] : []),
  ].map((line) => clip(line, width).replace(/^(?=[^[])/, ' '));
}

function stepLine({ text, startedAt }: NonNullable<LiveState['step']>, now: number): string {
  return `${oneLine(text)} … ${duration(now - startedAt)}`;
}

function totals(state: LiveState, now: number, width: number): string {
  const done = state.before + state.ended.size;
  const filled = state.trials === 0 ? 0 : Math.floor((done / state.trials) * BAR_CELLS);
  const bar = `[${'#'.repeat(filled)}${'.'.repeat(BAR_CELLS - filled)}]`;
  const count = (wanted: EndState) => [...state.ended.values()].filter((end) => end === wanted).length;
  const running = [...state.running.values()].reduce((total, trial) => total + trial.costUsd, 0);
  const eta = etaMs(state, now);
  const limit = state.limitUsd === undefined ? '' : ` of $${state.limitUsd.toFixed(2)}`;
  const line = [
    `${done}/${state.trials}`,
    `$${(state.finishedCostUsd + running).toFixed(2)}${limit}`,
    duration(now - state.startedAt),
    `ETA ${eta === undefined ? '—' : duration(eta)}`,
    ...(state.before > 0 ? [`${state.before} before`] : []),
    `${count('valid')} valid`,
    ...(count('invalid') > 0 ? [`${count('invalid')} invalid`] : []),
    ...(count('failed') > 0 ? [`${count('failed')} failed`] : []),
    `${state.running.size} running`,
    `${waitingTrials(state)} waiting`,
  ].join(' · ');
  return bar.length + 1 + line.length > width ? line : `${bar} ${line}`;
}

function pauseLine({ untilMs, reason }: NonNullable<LiveState['pause']>, now: number): string {
  const left = Number.isNaN(untilMs) ? '' : ` for ${duration(Math.max(0, untilMs - now))}`;
  return `PAUSED${left}: ${oneLine(reason)}`;
}

function trialLine(trial: RunningTrial, now: number, idWidth: number): string {
  const parts = [
    keepEnd(oneLine(trial.trialId), idWidth).padEnd(idWidth),
    trial.phase ?? 'starting',
    duration(now - trial.startedAt),
    `$${trial.costUsd.toFixed(3)}`,
    ...(trial.ctxTokens === undefined ? [] : [`ctx ${compact(trial.ctxTokens)}`]),
    ...(trial.activity === undefined ? [] : [trial.activity]),
  ];
  return parts.join(' · ');
}

/** Cuts at the start: the end of a trial's id names its arm and repetition. */
function keepEnd(text: string, width: number): string {
  return text.length > width ? `…${text.slice(text.length - width + 1)}` : text;
}
