import { hostLog } from '../../src/host/logs.js';
import type { ByFamily } from '../../src/model/families.js';
import type { AllocationMeasure, Measure, OccupancyMeasure, SufficiencyMeasure } from '../../src/model/measure.js';
import type { ArmRun } from '../../src/model/summary.js';

/** Names of the tool under test, as its profile gives them. */
/** The tools of the default host. */
export const { tools } = hostLog();

export const engine = {
  label: 'codegraph',
  isEngineTool: (name: string) => name.includes('codegraph'),
  isExploreTool: (name: string) => name.endsWith('codegraph_explore'),
};

export function families(values: Partial<ByFamily>): ByFamily {
  return { tool: 0, read: 0, search: 0, bash: 0, other: 0, ...values };
}

export function occupancyWith(values: Partial<OccupancyMeasure>): OccupancyMeasure {
  return {
    ctxBaseTokens: 10_000,
    ctxFinalTokens: 20_000,
    ...{ windowTokens: 200_000, windowSource: 'default' },
    charsPerToken: 2.5,
    calibrated: true,
    dispersion: 0.01,
    ...{ hiddenGaps: 0, hiddenTokens: 0 },
    compactions: 0,
    evictedTokens: 0,
    residualTokens: families({}),
    contributedTokens: families({}),
    chars: families({}),
    results: families({}),
    ...values,
  };
}

export function allocationWith(values: Partial<AllocationMeasure>): AllocationMeasure {
  return {
    envelopeChars: 0,
    usedChars: 0,
    usedPathChars: 0,
    efficiency: null,
    efficiencyPath: null,
    filesReturned: 0,
    filesUsed: 0,
    hasAnswer: true,
    calls: [],
    files: [],
    ...values,
  };
}

export function sufficiencyWith(values: Partial<SufficiencyMeasure>): SufficiencyMeasure {
  return {
    answered: 0,
    errored: 0,
    concurrent: 0,
    buckets: { explore_again: 0, read_returned: 0, read_missed: 0, search: 0, sufficient: 0 },
    noAnswer: 0,
    undelivered: 0,
    everAnswered: null,
    denied: 0,
    calls: [],
    ...values,
  };
}

/** A measure of a sound run with two prompts in which nothing happened; the test says what did. */
export function measureWith(values: Partial<Measure> = {}): Measure {
  return {
    formatVersion: 2,
    files: ['run-new-1.jsonl', 'run-new-1.t2.jsonl'],
    ok: true,
    raced: false,
    requests: 2,
    requestsAllThreads: 2,
    toolCalls: 0,
    counts: {},
    durationMs: 20_000,
    costUsd: 0.1,
    tokensProcessed: 50_000,
    outputTokens: 900,
    tokensPaid: null,
    hidden: { requests: null, promptTokens: null, outputTokens: null, costUsd: null },
    pressure: {
      compactions: [],
      failedCompactions: 0,
      promptsBeforeCompaction: null,
      linesDelivered: 0,
      linesRedelivered: 0,
      costByPromptUsd: [],
      silentClearings: [],
      window: null,
    },
    occupancy: occupancyWith({}),
    sufficiency: sufficiencyWith({}),
    allocation: allocationWith({}),
    contamination: { invoke: { blocked: 0, returned: 0 }, data: { blocked: 0, returned: 0 }, commands: [] },
    duplicates: { sourceChars: 0, duplicateChars: 0, share: null },
    subagents: [],
    diagnostics: {
      retries: 0,
      fallbackModels: [],
      otherModels: [],
      subagentErrors: 0,
      lines: 10,
      unparsedLines: [],
      lostLines: 0,
      missingSegments: [],
      repeatedRows: 0,
      segments: [
        { sessionId: 's', subtype: 'success', isError: false },
        { sessionId: 's', subtype: 'success', isError: false },
      ],
      unknownTools: [],
      unreadAnswers: [],
    },
    ...values,
  };
}

export function runOf(
  name: string,
  measure: Partial<Measure> = {},
  rest: Partial<Omit<ArmRun, 'measure'>> = {},
): ArmRun & { measure: Measure } {
  return { name, measure: measureWith(measure), expectsEngine: true, ...rest };
}

/** Counts of a run in which the tool returned its output around the MCP server once and was stopped once. */
export const leaked = {
  contamination: { invoke: { blocked: 1, returned: 1 }, data: { blocked: 0, returned: 0 }, commands: [] },
};
