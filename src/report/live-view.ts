import { clip, oneLine } from './clean.js';
import { type EndState, etaMs, type LiveState, type RunningTrial, waitingTrials } from './live-state.js';
import { compact, duration } from './numbers.js';

const BAR_CELLS = 20;
const LEAST_WIDTH = 20;

/**
 * The campaign as it stands: a line of totals, a pause or why it stops, then the running trials, the one heard of first on top. No line is wider than
 * `columns`, and there are at most `rows`; trials for which there is no room are counted.
 */
export function liveLines(state: LiveState, now: number, size: { columns: number; rows: number }): string[] {
  const width = Math.max(LEAST_WIDTH, size.columns) - 3;
  const running = [...state.running.values()];
  const head = [
    totals(state, now),
    ...(state.pause ? [pauseLine(state.pause, now)] : []),
    ...(state.stop ? [`STOPPING (${oneLine(state.stop.reason)}): ${oneLine(state.stop.message)}`] : []),
  ];
  const room = Math.max(1, size.rows - head.length - 1);
  const shown = running.length > room ? running.slice(0, Math.max(0, room - 1)) : running;
  const hidden = running.length - shown.length;
  const idWidth = Math.max(0, ...shown.map((trial) => oneLine(trial.trialId).length));
  return [
    ...head,
    ...shown.map((trial) => trialLine(trial, now, idWidth)),
    ...(hidden > 0 ? [`  and ${hidden} more running`] : []),
  ].map((line) => clip(line, width).replace(/^(?=[^[])/, ' '));
}

function totals(state: LiveState, now: number): string {
  const done = state.before + state.ended.size;
  const filled = state.trials === 0 ? 0 : Math.floor((done / state.trials) * BAR_CELLS);
  const bar = `[${'#'.repeat(filled)}${'.'.repeat(BAR_CELLS - filled)}]`;
  const count = (wanted: EndState) => [...state.ended.values()].filter((one) => one === wanted).length;
  const running = [...state.running.values()].reduce((total, trial) => total + trial.costUsd, 0);
  const eta = etaMs(state, now);
  const limit = state.limitUsd === undefined ? '' : ` of $${state.limitUsd.toFixed(2)}`;
  const parts = [
    `${bar} ${done}/${state.trials}`,
    ...(state.before > 0 ? [`${state.before} before`] : []),
    `${count('valid')} valid`,
    ...(count('invalid') > 0 ? [`${count('invalid')} invalid`] : []),
    ...(count('failed') > 0 ? [`${count('failed')} failed`] : []),
    `${state.running.size} running`,
    `${waitingTrials(state)} waiting`,
    `$${(state.finishedCostUsd + running).toFixed(2)}${limit}`,
    duration(now - state.startedAt),
    `ETA ${eta === undefined ? '—' : duration(eta)}`,
  ];
  return parts.join(' · ');
}

function pauseLine({ untilMs, reason }: NonNullable<LiveState['pause']>, now: number): string {
  const left = Number.isNaN(untilMs) ? '' : ` for ${duration(Math.max(0, untilMs - now))}`;
  return `PAUSED${left}: ${oneLine(reason)}`;
}

function trialLine(trial: RunningTrial, now: number, idWidth: number): string {
  const parts = [
    oneLine(trial.trialId).padEnd(idWidth),
    trial.phase ?? 'starting',
    duration(now - trial.startedAt),
    `$${trial.costUsd.toFixed(3)}`,
    ...(trial.ctxTokens === undefined ? [] : [`ctx ${compact(trial.ctxTokens)}`]),
    ...(trial.activity === undefined ? [] : [trial.activity]),
  ];
  return parts.join(' · ');
}
