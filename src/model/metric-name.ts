/**
 * Every metric that a verdict can be about. A figure without a better side is not listed, such as the fixed context or
 * the calls of the tool.
 */
export const METRIC_NAMES = [
  'costUsd',
  'cacheNeutralCostUsd',
  'tokensProcessed',
  'tokensPaid',
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
  'factRecall',
  'retention',
  'earlyRecall',
  'passed',
  'falseClaims',
  'groundedShare',
  'fabricatedCitations',
] as const;
export type MetricName = (typeof METRIC_NAMES)[number];
