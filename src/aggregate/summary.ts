import type { EngineProfile } from '../model/engine.js';
import { BUCKETS, type Bucket } from '../model/families.js';
import type { ToolKind, ToolTable } from '../model/host-tools.js';
import type { Measure } from '../model/measure.js';
import {
  type ArmRun,
  type ArmSummary,
  FIGURES,
  type Figure,
  type PooledAllocation,
  type PooledSufficiency,
  type Spread,
} from '../model/summary.js';
import { blockedCalls, countCauses, type KeepOptions, type KeptRun, returnedCalls, splitRuns } from './keep.js';
import { ratio, spreadOf } from './spread.js';

export interface SummaryOptions extends KeepOptions {
  /** How the tool under test is called, and which tool names are its own. */
  engine: Pick<EngineProfile, 'label' | 'isEngineTool'>;
  /** The tools of the agent host. */
  tools: Pick<ToolTable, 'kindOf'>;
}

/**
 * Summarizes the runs of one arm: median and range of every figure and the pooled calls, over the runs that count. Runs
 * that do not count are named with their cause. Contamination is counted over all runs. Never fails: an arm of which no
 * run counts has null figures.
 */
export function summarizeArm(label: string, runs: ArmRun[], options: SummaryOptions): ArmSummary {
  const { kept, dropped, keptOnRequest } = splitRuns(runs, options);
  const measures = kept.map((run) => run.measure);
  const isEngineTool = (name: string) => options.engine.isEngineTool(name);
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
    figures: figuresOf(measures, isEngineTool, options.tools),
    sufficiency: poolSufficiency(measures),
    allocation: poolAllocation(measures),
    adoption: expectsEngine ? adoptionOf(kept, isEngineTool) : null,
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
  const parts = measures.map((measure) => measure.sufficiency);
  const sum = (pick: (part: (typeof parts)[number]) => number) => parts.reduce((total, part) => total + pick(part), 0);
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

/** Characters cited over characters returned, of all sessions that have both sections and an answer; the rest adds nothing. */
export function poolAllocation(measures: Measure[]): PooledAllocation {
  const pooled = { envelopeChars: 0, usedChars: 0, usedPathChars: 0, runs: 0 };
  for (const { allocation } of measures) {
    if (allocation.efficiency === null || allocation.envelopeChars === 0) continue;
    pooled.envelopeChars += allocation.envelopeChars;
    pooled.usedChars += allocation.usedChars;
    pooled.usedPathChars += allocation.usedPathChars;
    pooled.runs += 1;
  }
  return {
    ...pooled,
    efficiency: ratio(pooled.usedChars, pooled.envelopeChars),
    efficiencyPath: ratio(pooled.usedPathChars, pooled.envelopeChars),
  };
}

function figuresOf(
  measures: Measure[],
  isEngineTool: (name: string) => boolean,
  tools: Pick<ToolTable, 'kindOf'>,
): Record<Figure, Spread | null> {
  const perRun = measures.map((measure) => figuresOfRun(measure, isEngineTool, tools));
  const entries = FIGURES.map((figure) => [figure, spreadOf(perRun.map((run) => run[figure]))]);
  return Object.fromEntries(entries) as Record<Figure, Spread | null>;
}

/** A run's figures. Sums are taken within a run first: a table's figure for a sum is the median of the runs' sums. */
export function figuresOfRun(
  measure: Measure,
  isEngineTool: (name: string) => boolean,
  tools: Pick<ToolTable, 'kindOf'>,
): Record<Figure, number | null> {
  const { occupancy, counts } = measure;
  const count = (...kinds: ToolKind[]) => {
    const known = Object.entries(counts).map(([name, n]) => ({ kind: tools.kindOf(name), n }));
    return known.reduce((total, { kind, n }) => total + (kind && kinds.includes(kind) ? n : 0), 0);
  };
  const finalTokens = occupancy?.ctxFinalTokens ?? null;
  const engineResidual = occupancy?.residualTokens.tool ?? null;
  const fileAccess = occupancy
    ? occupancy.residualTokens.read + occupancy.residualTokens.search + occupancy.residualTokens.bash
    : null;
  const retrieval = engineResidual === null || fileAccess === null ? null : engineResidual + fileAccess;
  return {
    durationMs: measure.durationMs,
    reads: count('reader'),
    engineCalls: engineCallsOf(measure, isEngineTool),
    searches: count('searcher'),
    bashCalls: count('shell', 'background-output'),
    toolCalls: measure.toolCalls,
    requests: measure.requests,
    tokensProcessed: measure.tokensProcessed,
    outputTokens: measure.outputTokens,
    costUsd: measure.costUsd,
    engineResidualTokens: engineResidual,
    fileAccessResidualTokens: fileAccess,
    retrievalResidualTokens: retrieval,
    retrievalShare: retrieval === null || finalTokens === null ? null : ratio(retrieval, finalTokens),
    ctxFinalTokens: finalTokens,
    ctxBaseTokens: occupancy?.ctxBaseTokens ?? null,
    compactions: occupancy?.compactions ?? null,
    // A run without sections contributes nothing rather than zero.
    allocationEfficiency: measure.allocation.envelopeChars > 0 ? measure.allocation.efficiency : null,
    duplicateShare: measure.duplicates.share,
  };
}

function engineCallsOf(measure: Measure, isEngineTool: (name: string) => boolean): number {
  return Object.entries(measure.counts).reduce((total, [name, n]) => total + (isEngineTool(name) ? n : 0), 0);
}

function adoptionOf(kept: KeptRun[], isEngineTool: (name: string) => boolean): { called: number; of: number } {
  return { called: kept.filter((run) => engineCallsOf(run.measure, isEngineTool) > 0).length, of: kept.length };
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
