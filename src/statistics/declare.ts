import { METRIC_NAMES, type MetricName } from '../model/metric-name.js';
import type {
  AnswersDeclaration,
  MetricDeclaration,
  MetricKind,
  MetricRole,
  VerdictDeclaration,
} from '../model/verdict.js';

type Known = Pick<MetricDeclaration, 'label' | 'kind' | 'better' | 'cumulative'>;

function known(label: string, kind: MetricKind, better: 'lower' | 'higher', cumulative: boolean): Known {
  return { label, kind, better, cumulative };
}

const KNOWN: Record<MetricName, Known> = {
  costUsd: known('cost', 'ratio', 'lower', true),
  cacheNeutralCostUsd: known('cache-neutral cost', 'ratio', 'lower', true),
  tokensProcessed: known('tokens processed', 'ratio', 'lower', true),
  tokensPaid: known('tokens paid', 'ratio', 'lower', true),
  outputTokens: known('output tokens', 'ratio', 'lower', true),
  durationMs: known('duration', 'ratio', 'lower', true),
  retrievalResidualTokens: known('retrieval residual', 'count', 'lower', false),
  ctxFinalTokens: known('final context', 'ratio', 'lower', false),
  toolCalls: known('tool calls', 'count', 'lower', true),
  reads: known('Read calls', 'count', 'lower', true),
  searches: known('Grep/Glob calls', 'count', 'lower', true),
  bashCalls: known('Bash calls', 'count', 'lower', true),
  requests: known('requests', 'count', 'lower', true),
  compactions: known('compactions', 'count', 'lower', true),
  retrievalShare: known('retrieval share of the context', 'share', 'lower', false),
  duplicateShare: known('source delivered twice', 'share', 'lower', false),
  sufficiency: known('sufficiency', 'pooled', 'higher', false),
  allocation: known('allocation efficiency', 'pooled', 'higher', false),
  factRecall: known('facts stated', 'share', 'higher', false),
  retention: known('early facts stated again at the end', 'share', 'higher', false),
  earlyRecall: known('early facts stated at first', 'share', 'higher', false),
  passed: known('tasks passed', 'binary', 'higher', false),
  falseClaims: known('false claims', 'count', 'lower', false),
  groundedShare: known('citations found', 'share', 'higher', false),
  fabricatedCitations: known('citations invented', 'count', 'lower', false),
};

/** Metrics of graded answers. A trial that the agent failed has a value of them too. */
export const ANSWER_METRICS = [
  'factRecall',
  'retention',
  'earlyRecall',
  'passed',
  'falseClaims',
  'groundedShare',
  'fabricatedCitations',
] as const;
/** How answers are compared where the config does not say. */
export const DEFAULT_ANSWERS: AnswersDeclaration = { metric: 'factRecall', margin: 10 };

/** The metric by which answers are compared. It decides on claims about other metrics, so it is in no role of its own. */
export function declareAnswers(name: AnswersDeclaration['metric']): Omit<MetricDeclaration, 'margin'> {
  return { name, role: 'exploratory', ...KNOWN[name] };
}

/** Percent for ratios and counts, points for shares. */
const DEFAULT_MARGIN = 5;
const DEFAULT_SECONDARY: MetricName[] = ['tokensProcessed', 'durationMs', 'sufficiency', 'allocation'];
const DEFAULT_EXPLORATORY: MetricName[] = ['cacheNeutralCostUsd', 'toolCalls', 'retrievalResidualTokens'];

/** The declared metrics with their margins; a name that is none is returned in `unknown` and left out. */
export function declareMetrics(declared: VerdictDeclaration = {}): { metrics: MetricDeclaration[]; unknown: string[] } {
  const primary = declared.primary ?? 'costUsd';
  const named: [string, MetricRole][] = [
    [primary, 'primary'],
    ...(declared.secondary ?? DEFAULT_SECONDARY).map((name): [string, MetricRole] => [name, 'secondary']),
    ...(declared.exploratory ?? DEFAULT_EXPLORATORY).map((name): [string, MetricRole] => [name, 'exploratory']),
  ];
  const metrics = new Map<string, MetricDeclaration>();
  const unknown = Object.keys(declared.margins ?? {}).filter((name) => !isDeclarable(name));
  for (const [name, role] of named) {
    if (!isDeclarable(name)) unknown.push(name);
    // A name that stands twice keeps the weightier role.
    else if (!metrics.has(name)) metrics.set(name, declareMetric(name, role, declared.margins?.[name]));
  }
  return { metrics: [...metrics.values()], unknown };
}

/** One metric in a role, with its margin or the default one. */
export function declareMetric(name: MetricName, role: MetricRole, margin = DEFAULT_MARGIN): MetricDeclaration {
  return { name, role, margin, ...KNOWN[name] };
}

function isDeclarable(name: string): name is MetricName {
  return (METRIC_NAMES as readonly string[]).includes(name);
}
