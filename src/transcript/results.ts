import type { ResultEvent } from '../model/session.js';

/** What a result comes after, since the result before it. */
interface Asked {
  /** The model answered; then a zero is no value. */
  hadRequests: boolean;
  /** The log gives the usage of all of these answers. */
  hadUsage: boolean;
}

/** Returns the result without the zeros that a host writes for values that it does not know. */
export function realResult(result: ResultEvent, { hadRequests, hadUsage }: Asked): ResultEvent {
  const { totalCostUsd: cost, outputTokens } = result;
  // All zero after a budget stop or a dropped stream although work was paid for, and behind a gateway that gives no usage.
  const isReal = outputTokens !== undefined && (outputTokens > 0 || (!cost && !hadRequests));
  return {
    ...result,
    // Without any usage the host has nothing to compute a cost from, and writes 0.
    totalCostUsd: cost === 0 && hadRequests && !hadUsage ? undefined : cost,
    outputTokens: isReal ? outputTokens : undefined,
  };
}
