import type { CampaignEvent, Phase } from '../model/trial.js';

/** A trial that runs now. */
export interface RunningTrial {
  trialId: string;
  position: number;
  of: number;
  startedAt: number;
  phase: Phase | undefined;
  activity: string | undefined;
  costUsd: number;
  /** The main thread's last prompt, in tokens. */
  ctxTokens: number | undefined;
}

export type EndState = 'valid' | 'invalid' | 'failed';

/** The state of a campaign, from the events so far. Times are in ms, by the clock of `advance`. */
export interface LiveState {
  dir: string | undefined;
  trials: number;
  /** Finished before this start. */
  before: number;
  startedAt: number;
  /** The step before the trials that runs now. */
  step: { text: string; startedAt: number } | undefined;
  running: Map<string, RunningTrial>;
  ended: Map<string, EndState>;
  /** Of the trials that ended since the start. */
  durationsMs: number[];
  finishedCostUsd: number;
  pause: { untilMs: number; reason: string } | undefined;
  /** Why no further trial starts. */
  stop: { reason: string; message: string } | undefined;
  /** What the campaign may cost. */
  limitUsd: number | undefined;
  over: 'ended' | 'interrupted' | undefined;
}

export function emptyState(): LiveState {
  return {
    dir: undefined,
    trials: 0,
    before: 0,
    startedAt: 0,
    step: undefined,
    running: new Map(),
    ended: new Map(),
    durationsMs: [],
    finishedCostUsd: 0,
    pause: undefined,
    stop: undefined,
    limitUsd: undefined,
    over: undefined,
  };
}

/** Takes one event in. `now` is when it happened, ms since 1970. */
export function advance(state: LiveState, event: CampaignEvent, now: number): void {
  switch (event.type) {
    case 'campaign-start':
      // A campaign that is resumed begins anew; what had ended then is in `done`.
      Object.assign(state, emptyState(), { dir: event.dir, trials: event.trials, before: event.done, startedAt: now });
      state.limitUsd = event.limitUsd;
      state.finishedCostUsd = event.spentUsd ?? 0;
      return;
    case 'step':
      state.step = { text: event.text, startedAt: now };
      return;
    case 'step-end':
      state.step = undefined;
      return;
    case 'trial-start': {
      const { trialId, position, of } = event;
      const fresh = { phase: undefined, activity: undefined, costUsd: 0, ctxTokens: undefined };
      state.running.set(trialId, { trialId, position, of, startedAt: now, ...fresh });
      state.ended.delete(trialId);
      state.trials = Math.max(state.trials, of);
      state.pause = undefined;
      return;
    }
    case 'phase':
      patch(state, event.trialId, { phase: event.phase });
      return;
    case 'activity': {
      const { text, costUsd, ctxTokens } = event;
      const known = state.running.get(event.trialId);
      patch(state, event.trialId, {
        activity: text,
        costUsd: costUsd ?? known?.costUsd,
        ctxTokens: ctxTokens ?? known?.ctxTokens,
      });
      return;
    }
    case 'trial-end':
      endTrial(state, event, now);
      return;
    case 'retry':
      state.ended.delete(event.trialId);
      return;
    case 'pause':
      state.pause = { untilMs: Date.parse(event.until), reason: event.reason };
      return;
    case 'stop':
      state.stop ??= { reason: event.reason, message: event.message };
      state.pause = undefined;
      return;
    case 'campaign-end':
      state.step = undefined;
      state.running.clear();
      state.pause = undefined;
      state.over = event.interrupted ? 'interrupted' : 'ended';
      return;
    default:
  }
}

function patch(state: LiveState, trialId: string, values: Partial<RunningTrial>): void {
  const known = state.running.get(trialId);
  if (known) Object.assign(known, values);
}

function endTrial(state: LiveState, { trialId, record }: CampaignEvent & { type: 'trial-end' }, now: number): void {
  const known = state.running.get(trialId);
  state.running.delete(trialId);
  state.finishedCostUsd += record.costUsd ?? known?.costUsd ?? 0;
  if (record.outcome === 'interrupted') return;
  if (known) state.durationsMs.push(now - known.startedAt);
  state.ended.set(trialId, record.outcome === 'failed' ? 'failed' : record.validity === 'valid' ? 'valid' : 'invalid');
}

/**
 * When the campaign may be over, in ms from now: what is left of the running trials and the waiting ones, each taken for as
 * long as the finished ones were on average, over as many side by side as there are now. Of a campaign that stops only the running
 * ones count. Undefined before the first end.
 */
export function etaMs(state: LiveState, now: number): number | undefined {
  const { durationsMs, running, pause, stop } = state;
  if (durationsMs.length === 0) return undefined;
  const mean = durationsMs.reduce((total, value) => total + value, 0) / durationsMs.length;
  const left = [...running.values()].reduce((total, trial) => total + Math.max(0, mean - (now - trial.startedAt)), 0);
  const pausedMs = pause === undefined ? 0 : Math.max(0, pause.untilMs - now);
  return (left + (stop ? 0 : waitingTrials(state) * mean)) / Math.max(1, running.size) + pausedMs;
}

export function waitingTrials({ trials, before, ended, running }: LiveState): number {
  return Math.max(0, trials - before - ended.size - running.size);
}
