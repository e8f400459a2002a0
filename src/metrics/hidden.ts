import type { HiddenMeasure, Measure } from '../model/measure.js';
import { type ModelRequest, type ModelUsage, promptTokens, type Session, usageOfProcesses } from '../model/session.js';
import { paidRequests } from './throughput.js';

/**
 * Returns what the host asked of the API beyond the requests that stand in the log, and the tokens that everything together was
 * charged for (docs/metrics.md, "Hidden requests"). Null where the log does not say.
 */
export function hiddenOf(
  session: Session,
  { costUsd, outputTokens }: Pick<Measure, 'costUsd' | 'outputTokens'>,
): { hidden: HiddenMeasure; tokensPaid: number | null } {
  const paid = usageOf(session);
  const shown = shownPrompts(paidRequests(session));
  if (paid === undefined) return { hidden: UNKNOWN, tokensPaid: null };
  const tokensPaid = promptsIn(paid) + paid.outputTokens;
  if (shown === undefined) return { hidden: UNKNOWN, tokensPaid };
  const promptTokensHidden = promptsIn(paid) - promptsIn(shown);
  // A log that shows more than was charged for contradicts itself.
  if (promptTokensHidden < 0) return { hidden: UNKNOWN, tokensPaid };
  // A result counts the output of the main thread alone.
  const hasSubagents = session.threads.length > 1;
  const output = hasSubagents || outputTokens === null ? null : paid.outputTokens - outputTokens;
  const hidden = {
    requests: requestsIn(session, promptTokensHidden, hasSubagents),
    promptTokens: promptTokensHidden,
    outputTokens: output !== null && output < 0 ? null : output,
    costUsd: costOf(session, paid, shown, output, costUsd),
  };
  return { hidden, tokensPaid };
}

const UNKNOWN: HiddenMeasure = { requests: null, promptTokens: null, outputTokens: null, costUsd: null };

/** What all processes of the session were charged for. Undefined if one of them does not say. */
function usageOf({ segments }: Session): ModelUsage | undefined {
  const sum = { inputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0, outputTokens: 0 };
  for (const { results } of segments) {
    const usage = usageOfProcesses(results);
    if (usage === undefined) return undefined;
    sum.inputTokens += usage.inputTokens;
    sum.cacheReadTokens += usage.cacheReadTokens;
    sum.cacheCreationTokens += usage.cacheCreationTokens;
    sum.outputTokens += usage.outputTokens;
  }
  return segments.length === 0 ? undefined : sum;
}

/** Prompt tokens of the requests in the log, by how they were charged. Undefined if one of them has no usage. */
function shownPrompts(requests: ModelRequest[]): ModelUsage | undefined {
  const sum = { inputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0, outputTokens: 0 };
  for (const request of requests) {
    if (promptTokens(request) === 0) return undefined;
    const { inputTokens, cacheReadTokens, cacheCreationTokens } = request.iterations ?? request;
    sum.inputTokens += inputTokens;
    sum.cacheReadTokens += cacheReadTokens;
    sum.cacheCreationTokens += cacheCreationTokens;
  }
  return sum;
}

function promptsIn({ inputTokens, cacheReadTokens, cacheCreationTokens }: ModelUsage): number {
  return inputTokens + cacheReadTokens + cacheCreationTokens;
}

/** Attempts to compact are the hidden requests that the log counts. Null where there must be others. */
function requestsIn({ segments }: Session, hiddenTokens: number, hasSubagents: boolean): number | null {
  if (hiddenTokens === 0) return 0;
  const attempts = segments.reduce((sum, { compactionAttempts }) => sum + compactionAttempts.length, 0);
  return attempts === 0 || hasSubagents ? null : attempts;
}

/** The hidden share of the cost, by the ratios between the prices. */
function costOf(
  { host: { prices } }: Session,
  paid: ModelUsage,
  shown: ModelUsage,
  hiddenOutput: number | null,
  costUsd: number | null,
): number | null {
  if (costUsd === null || hiddenOutput === null) return null;
  const weigh = ({ inputTokens, cacheReadTokens, cacheCreationTokens, outputTokens }: ModelUsage) =>
    inputTokens * prices.input +
    cacheReadTokens * prices.cacheRead +
    cacheCreationTokens * prices.cacheWrite +
    outputTokens * prices.output;
  const whole = weigh(paid);
  const visible = weigh({ ...shown, outputTokens: paid.outputTokens - hiddenOutput });
  return whole === 0 ? null : (costUsd * Math.max(0, whole - visible)) / whole;
}
