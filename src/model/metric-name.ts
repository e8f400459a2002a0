/** Every metric that a verdict can be about (spec/statistics.md 1). Figures without a better side (the fixed context, calls of the tool) are none. */
export const METRIC_NAMES = [
  'costUsd',
  'cacheNeutralCostUsd',
  'tokensProcessed',
  'outputTokens',
  'durationMs',
  'retrievalResidualTokens',
  'ctxFinalTokens',
  'toolCalls',
  'reads',
  'searches',
  'bashCalls',
  'requests',
  'compactions',
  'retrievalShare',
  'duplicateShare',
  'sufficiency',
  'allocation',
] as const;
export type MetricName = (typeof METRIC_NAMES)[number];
