import { judgedMetric, type MetricName } from '../catalogue/index.js';
import type { AnswersDeclaration, MetricDeclaration, MetricRole, VerdictDeclaration } from '../model/verdict.js';

/** How answers are compared if the config does not say. */
export const DEFAULT_ANSWERS: AnswersDeclaration = { metric: 'factRecall', margin: 10 };

/** Percent for ratios and counts, points for shares. */
const DEFAULT_MARGIN = 5;
const DEFAULT_SECONDARY: MetricName[] = ['tokensProcessed', 'durationMs', 'sufficiency', 'allocation'];
const DEFAULT_EXPLORATORY: MetricName[] = ['cacheNeutralCostUsd', 'toolCalls', 'retrievalResidualTokens'];

/** Returns the declared metrics with their margins. Names of no metric are omitted from them and returned in `unknown`. */
export function declareMetrics(declared: VerdictDeclaration = {}): { metrics: MetricDeclaration[]; unknown: string[] } {
  const primary = declared.primary ?? 'costUsd';
  const named: [string, MetricRole][] = [
    [primary, 'primary'],
    ...(declared.secondary ?? DEFAULT_SECONDARY).map((name): [string, MetricRole] => [name, 'secondary']),
    ...(declared.exploratory ?? DEFAULT_EXPLORATORY).map((name): [string, MetricRole] => [name, 'exploratory']),
  ];
  const metrics = new Map<string, MetricDeclaration>();
  const unknown = Object.keys(declared.margins ?? {}).filter((name) => judgedMetric(name) === undefined);
  for (const [text, role] of named) {
    const name = judgedMetric(text)?.name;
    if (name === undefined) unknown.push(text);
    // A metric that is named twice keeps the weightier role.
    else if (!metrics.has(name)) metrics.set(name, declareMetric(name, role, declared.margins?.[name]));
  }
  return { metrics: [...metrics.values()], unknown };
}

/**
 * Returns a metric in a role, with its margin or the default one: percent for ratios and counts, points for shares. Throws
 * for a name that is not in the catalogue as a metric with a better direction.
 */
export function declareMetric(name: MetricName, role: MetricRole, margin = DEFAULT_MARGIN): MetricDeclaration {
  const metric = judgedMetric(name);
  if (metric === undefined) throw new Error(`no verdict can be about "${name}"`);
  const { kind, better, cumulative } = metric.verdict;
  return { name, role, margin, label: metric.label, kind, better, cumulative };
}
