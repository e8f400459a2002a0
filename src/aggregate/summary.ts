import { TABLE_METRICS, valuesOfRun } from '../catalogue/index.js';
import { blockedCalls, returnedCalls } from '../metrics/index.js';
import type { EngineProfile } from '../model/engine.js';
import { BUCKETS, type Bucket } from '../model/families.js';
import type { ToolTable } from '../model/host-tools.js';
import type { Measure } from '../model/measure.js';
import type { ArmRun, ArmSummary, PooledAllocation, PooledSufficiency } from '../model/summary.js';
import { ratio } from '../util/ratio.js';
import { countCauses, type KeepOptions, type KeptRun, splitRuns } from './keep.js';
import { spreadOf } from './spread.js';

export interface SummaryOptions extends KeepOptions {
  /** How the tool under test is called, and which tool names are its own. */
  engine: Pick<EngineProfile, 'label' | 'isEngineTool'>;
  /** The tools of the agent host. */
  tools: Pick<ToolTable, 'kindOf'>;
}

/**
 * Summarizes the runs of one arm: median and range of every metric with a row in the table, and the pooled calls, over the runs that count. Runs
 * that do not count are named with their cause. Contamination is counted over all runs. Never fails: an arm of which no
 * run counts has null figures.
 */
export function summarizeArm(label: string, runs: ArmRun[], options: SummaryOptions): ArmSummary {
  const { kept, dropped, keptOnRequest } = splitRuns(runs, options);
  const measures = kept.map((run) => run.measure);
  const isEngineTool = (name: string) => options.engine.isEngineTool(name);
  // Sums are taken within a run first: the table shows the median of the runs' sums.
  const values = measures.map((measure) => valuesOfRun({ measure, isEngineTool, tools: options.tools }));
  const expectsEngine = runs.some((run) => run.expectsEngine);
  return {
    label,
    toolLabel: options.engine.label,
    expectsEngine,
    runs: {
      total: runs.length,
      kept: kept.map((run) => run.name),
      dropped,
      byCause: countCauses(dropped),
      keptOnRequest,
      singlePrompt: measures.filter((measure) => promptsOf(measure) === 1).length,
    },
    figures: Object.fromEntries(
      TABLE_METRICS.map(({ name }) => [name, spreadOf(values.map((run) => run[name] ?? null))]),
    ),
    sufficiency: poolSufficiency(measures),
    allocation: poolAllocation(measures),
    adoption: expectsEngine ? adoptionOf(values) : null,
    contamination: countContamination(runs.flatMap((run) => run.measure ?? [])),
    quality: qualityOf(kept),
  };
}

/** Prompts of a session: one segment each. */
export function promptsOf(measure: Measure): number {
  return Math.max(measure.diagnostics.segments.length, measure.files.length);
}

/** Sums every count over the sessions given. */
export function poolSufficiency(measures: Measure[]): PooledSufficiency {
  return addSufficiency(measures.map(({ sufficiency }) => sufficiency));
}

/** Sums every count over sessions, or over sums of sessions. */
export function addSufficiency(parts: PooledSufficiency[]): PooledSufficiency {
  const sum = (pick: (part: PooledSufficiency) => number) => parts.reduce((total, part) => total + pick(part), 0);
  const buckets = Object.fromEntries(BUCKETS.map((bucket) => [bucket, sum((part) => part.buckets[bucket])]));
  return {
    answered: sum((part) => part.answered),
    errored: sum((part) => part.errored),
    concurrent: sum((part) => part.concurrent),
    noAnswer: sum((part) => part.noAnswer),
    undelivered: sum((part) => part.undelivered),
    denied: sum((part) => part.denied),
    buckets: buckets as Record<Bucket, number>,
  };
}

/**
 * Sums the characters that were cited and returned, over all sessions that have both sections and an answer. Other sessions
 * add nothing.
 */
export function poolAllocation(measures: Measure[]): PooledAllocation {
  const scored = measures.filter(({ allocation }) => allocation.efficiency !== null && allocation.envelopeChars > 0);
  return addAllocation(scored.map(({ allocation }) => ({ ...allocation, runs: 1 })));
}

/** Sums characters over sessions, or over sums of sessions. */
export function addAllocation(parts: PooledAllocation[]): PooledAllocation {
  const sum = (pick: (part: PooledAllocation) => number) => parts.reduce((total, part) => total + pick(part), 0);
  const envelopeChars = sum((part) => part.envelopeChars);
  const [usedChars, usedPathChars] = [sum((part) => part.usedChars), sum((part) => part.usedPathChars)];
  const [efficiency, efficiencyPath] = [ratio(usedChars, envelopeChars), ratio(usedPathChars, envelopeChars)];
  return { envelopeChars, usedChars, usedPathChars, efficiency, efficiencyPath, runs: sum((part) => part.runs) };
}

function adoptionOf(values: Record<string, number | null>[]): { called: number; of: number } {
  return { called: values.filter(({ engineCalls }) => (engineCalls ?? 0) > 0).length, of: values.length };
}

function countContamination(measures: Measure[]): ArmSummary['contamination'] {
  const counts = { invoke: { blocked: 0, returned: 0 }, data: { blocked: 0, returned: 0 } };
  for (const { contamination } of measures) {
    for (const kind of ['invoke', 'data'] as const) {
      counts[kind].blocked += contamination[kind].blocked;
      counts[kind].returned += contamination[kind].returned;
    }
  }
  return {
    ...counts,
    runsReturned: measures.filter((measure) => returnedCalls(measure) > 0).length,
    runsBlocked: measures.filter((measure) => blockedCalls(measure) > 0).length,
  };
}

function qualityOf(kept: KeptRun[]): ArmSummary['quality'] {
  const windows = kept.flatMap((run) => (run.measure.occupancy ? [run.measure.occupancy.windowTokens] : []));
  const namesOf = (pick: (measure: Measure) => boolean) =>
    kept.filter((run) => pick(run.measure)).map((run) => run.name);
  return {
    uncalibrated: namesOf((measure) => measure.occupancy?.calibrated === false),
    modelFallbacks: namesOf(
      ({ diagnostics }) => diagnostics.fallbackModels.length > 0 || diagnostics.otherModels.length > 0,
    ),
    neverAnswered: namesOf((measure) => measure.sufficiency.everAnswered === false),
    unknownTools: [...new Set(kept.flatMap((run) => run.measure.diagnostics.unknownTools))].sort(),
    retries: kept.reduce((total, run) => total + run.measure.diagnostics.retries, 0),
    subagentErrors: kept.reduce((total, run) => total + run.measure.diagnostics.subagentErrors, 0),
    windowTokens: [...new Set(windows)].sort((a, b) => a - b),
  };
}
