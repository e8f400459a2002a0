import { type ModelRequest, promptTokens } from '../model/session.js';
import type { PriceWeights } from '../model/session-host.js';

interface CacheNeutral {
  /** Null without a cost or tokens. */
  costUsd: number | null;
  /** Share of the input tokens that were read from the cache. Null without input. */
  cacheReadShare: number | null;
}

/**
 * Computes what a session would have cost with all input at the base price. The base price follows from the session's own
 * cost, so no price list is needed: only the ratios between the prices are assumed. `outputTokens` is the host's total,
 * because streamed counts are stubs. Input is summed over all threads' requests.
 * `prices` are those of the host that ran the session.
 */
export function cacheNeutralCost(
  requests: ModelRequest[],
  totals: { costUsd: number | null; outputTokens: number | null },
  prices: PriceWeights,
): CacheNeutral {
  let [input, cacheWrite, cacheRead] = [0, 0, 0];
  for (const request of requests) {
    // Without the usage of every request, the sums would be too small.
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
