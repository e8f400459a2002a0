import type { TimelineStep } from '../../../model/timeline.js';
import { PARTS, type Part } from './families.js';
import type { ChartInput, ChartRun } from './types.js';

/** One request's window, in tokens. */
export interface WindowStep {
  request: number;
  segment: number;
  ctxTokens: number;
  tokens: Record<Part, number>;
  compactions: number;
  compactedTokens: number;
  shedTokens: number;
}

export interface SessionWindow {
  run: ChartRun;
  /** Empty where the run's window is not known. */
  steps: WindowStep[];
  /** Parts that hold anything at any request, from the bottom up. */
  parts: Part[];
  /** Tokens that are no tool's result and are there at every request: instructions, tool descriptions, the first prompt. */
  fixedTokens: number;
  /** The model's limit. */
  limitTokens: number | null;
}

/** Runs of one task and repetition, by arm in the input's order, and the scale they share. */
export interface WindowPair {
  task: string | null;
  repetition: number | null;
  sessions: SessionWindow[];
  mostRequests: number;
  mostTokens: number;
  /** Where the axis of tokens begins: the smallest fixed part of these runs. */
  fixedTokens: number;
}

/** Every pair (or single, or triple) of runs, by task in the order given. */
export function windowPairs({ arms, runs }: ChartInput): WindowPair[] {
  const groups = new Map<string, ChartRun[]>();
  const seen = new Map<string, number>();
  for (const run of runs) {
    const own = `${run.task} ${run.arm}`;
    const place = (seen.get(own) ?? 0) + 1;
    seen.set(own, place);
    const key = JSON.stringify([run.task, run.repetition ?? place]);
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.values()].map((group) => {
    const sessions = group.toSorted((a, b) => arms.indexOf(a.arm) - arms.indexOf(b.arm)).map(sessionWindow);
    const steps = sessions.flatMap((session) => session.steps);
    return {
      task: group[0]?.task ?? null,
      repetition: group[0]?.repetition ?? null,
      sessions,
      mostRequests: Math.max(1, ...steps.map((step) => step.request)),
      mostTokens: Math.max(1, ...steps.map((step) => step.ctxTokens)),
      fixedTokens: steps.length === 0 ? 0 : Math.min(...steps.map((step) => step.tokens.base)),
    };
  });
}

function sessionWindow(run: ChartRun): SessionWindow {
  const steps = (run.timeline?.steps ?? []).map(windowStep);
  const parts = PARTS.filter((part) => steps.some((step) => step.tokens[part] > 0));
  const fixedTokens = steps.length === 0 ? 0 : Math.min(...steps.map((step) => step.tokens.base));
  return { run, steps, parts, fixedTokens, limitTokens: run.measure?.occupancy?.windowTokens ?? null };
}

function windowStep(step: TimelineStep): WindowStep {
  const { request, segment, ctxTokens, residentTokens, compactions, compactedTokens, shedTokens } = step;
  const results = Object.values(residentTokens).reduce((sum, tokens) => sum + tokens, 0);
  const tokens = { ...residentTokens, base: Math.max(0, ctxTokens - results) };
  return { request, segment, ctxTokens, tokens, compactions, compactedTokens, shedTokens };
}
