import { type ModelRequest, promptTokens } from '../model/session.js';
import type { PriceWeights } from '../model/session-host.js';
import type { ArmCost, Observation, VerdictDesign } from '../model/verdict.js';
import { declareMetric } from './declare.js';
import { mean } from './moments.js';
import { pairUp } from './pairs.js';

export interface CacheNeutral {
  /** What the session would have cost with all input at the base price; null without a cost or tokens. */
  costUsd: number | null;
  /** Of the input tokens, those read from the cache; null without input. */
  cacheReadShare: number | null;
}

/**
 * Cost without the cache's luck: the base price is worked out from the session's own cost, so no price
 * list is needed; only the ratios between the prices are assumed. `outputTokens` is the host's total (streamed counts are
 * stubs); input is summed over all threads' requests. `prices` are those of the host that ran the session.
 */
export function cacheNeutralCost(
  requests: ModelRequest[],
  totals: { costUsd: number | null; outputTokens: number | null },
  prices: PriceWeights,
): CacheNeutral {
  let [input, cacheWrite, cacheRead] = [0, 0, 0];
  for (const request of requests) {
    // A request without usage leaves the sums short.
    if (promptTokens(request) === 0) return { costUsd: null, cacheReadShare: null };
    const { inputTokens, cacheCreationTokens, cacheReadTokens } = request.iterations ?? request;
    input += inputTokens;
    cacheWrite += cacheCreationTokens;
    cacheRead += cacheReadTokens;
  }
  const all = input + cacheWrite + cacheRead;
  const cacheReadShare = all === 0 ? null : cacheRead / all;
  const { costUsd, outputTokens } = totals;
  if (costUsd === null || outputTokens === null || all === 0) return { costUsd: null, cacheReadShare };
  const output = prices.output * outputTokens;
  const charged = prices.input * input + prices.cacheWrite * cacheWrite + prices.cacheRead * cacheRead + output;
  return { costUsd: (costUsd * (all + output)) / charged, cacheReadShare };
}

/**
 * An arm's mean costs over the runs that the verdict on cost compares: those of its complete pairs. As charged, cache-neutral, and how much
 * of the input came from the cache.
 */
export function armCost(observations: Observation[], design: Arms, arm: string): ArmCost {
  const side = arm === design.tested ? 'tested' : 'baseline';
  const pairs = pairUp(observations, COST, design).tasks.flatMap((task) => task.pairs);
  const compared = new Set(pairs.map((pair) => pair[side].run));
  const own = observations.filter((one) => one.arm === arm && compared.has(one.name));
  const meanOf = (name: string) => {
    const values = own.flatMap((one) => one.values[name] ?? []);
    return values.length === 0 ? null : mean(values);
  };
  return {
    arm,
    runs: own.length,
    costUsd: meanOf('costUsd'),
    cacheNeutralCostUsd: meanOf('cacheNeutralCostUsd'),
    cacheReadShare: meanOf('cacheReadShare'),
  };
}

type Arms = Pick<VerdictDesign, 'tested' | 'baseline'>;

const COST = declareMetric('costUsd', 'primary');
