import type { LoggedUsage, UsageCounts } from '../../model/log-event.js';
import { asAmount, asFields, type Fields } from '../../util/fields.js';

const NONE: LoggedUsage['iterations'] = [];

/** Reads the `usage` of a message. */
export function usageIn(usage: Fields): LoggedUsage {
  const { iterations } = usage;
  return Object.assign(countsIn(usage), { iterations: Array.isArray(iterations) ? iterationsIn(iterations) : NONE });
}

function iterationsIn(list: unknown[]): LoggedUsage['iterations'] {
  return list.flatMap((item) => {
    const usage = asFields(item);
    if (!usage) return [];
    // Others are an advisor's or the like, and not the model's own.
    const isMessage = usage.type === undefined || usage.type === 'message';
    return [{ ...countsIn(usage), isMessage }];
  });
}

function countsIn(usage: Fields): UsageCounts {
  return {
    inputTokens: asAmount(usage.input_tokens),
    cacheReadTokens: asAmount(usage.cache_read_input_tokens),
    cacheCreationTokens: cacheCreationTokens(usage),
    outputTokens: asAmount(usage.output_tokens),
  };
}

/** Returns the total. Where only its parts by lifetime are given, their sum. */
function cacheCreationTokens(usage: Fields): number | undefined {
  const total = asAmount(usage.cache_creation_input_tokens);
  if (total !== undefined && total > 0) return total;
  const parts = asFields(usage.cache_creation);
  if (parts === undefined) return total;
  let sum: number | undefined = total;
  for (const part of Object.values(parts)) {
    const tokens = asAmount(part);
    if (tokens !== undefined) sum = (sum ?? 0) + tokens;
  }
  return sum;
}
