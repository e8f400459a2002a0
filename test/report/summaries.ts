import { TABLE_METRICS } from '../../src/catalogue/index.js';
import type { ArmSummary, Spread } from '../../src/model/summary.js';

/** Three runs: smallest, median, largest. */
export function of3(median: number, min = median, max = median): Spread {
  return { median, min, max, n: 3 };
}

/** A summary of three sound runs with an empty figure everywhere; the test says what is in it. */
export function summaryWith(
  values: Partial<Omit<ArmSummary, 'figures'>>,
  figures: Record<string, Spread> = {},
): ArmSummary {
  const none = Object.fromEntries(TABLE_METRICS.map(({ name }) => [name, null]));
  return {
    label: 'new',
    toolLabel: 'codegraph',
    expectsEngine: true,
    runs: { total: 3, kept: ['1', '2', '3'], dropped: [], byCause: {}, keptOnRequest: [], singlePrompt: 0 },
    sufficiency: {
      answered: 0,
      errored: 0,
      concurrent: 0,
      noAnswer: 0,
      undelivered: 0,
      denied: 0,
      buckets: { explore_again: 0, read_returned: 0, read_missed: 0, search: 0, sufficient: 0 },
    },
    allocation: { envelopeChars: 0, usedChars: 0, usedPathChars: 0, efficiency: null, efficiencyPath: null, runs: 0 },
    adoption: { called: 3, of: 3 },
    contamination: {
      invoke: { blocked: 0, returned: 0 },
      data: { blocked: 0, returned: 0 },
      runsReturned: 0,
      runsBlocked: 0,
    },
    quality: {
      uncalibrated: [],
      modelFallbacks: [],
      neverAnswered: [],
      unknownTools: [],
      retries: 0,
      subagentErrors: 0,
      windowTokens: [200_000],
    },
    ...values,
    figures: { ...none, ...figures },
  };
}
