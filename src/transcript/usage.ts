import type { LoggedUsage, UsageCounts } from '../model/log-event.js';
import type { IterationTotals, ModelRequest } from '../model/session.js';

/** Takes a copy's usage into its request: the field-wise maximum of the copies; what is absent says nothing. */
export function growUsage(request: ModelRequest, usage: LoggedUsage | undefined): void {
  if (usage === undefined || (usage.iterations.length > 0 && growByIterations(request, usage.iterations))) return;
  request.outputTokens = larger(request.outputTokens, usage.outputTokens);
  // Beside iterations these are sums over them, and no window.
  if (request.iterations) return;
  request.inputTokens = larger(request.inputTokens, usage.inputTokens);
  request.cacheReadTokens = larger(request.cacheReadTokens, usage.cacheReadTokens);
  request.cacheCreationTokens = larger(request.cacheCreationTokens, usage.cacheCreationTokens);
}

/** Returns the tokens of the whole prompt in a usage; 0 if it gives none. */
function promptTokensIn({ inputTokens = 0, cacheReadTokens = 0, cacheCreationTokens = 0 }: UsageCounts): number {
  return inputTokens + cacheReadTokens + cacheCreationTokens;
}

/** Returns the tokens of the prompt that the client sent: of the first iteration, where the API answered in several. */
export function sentTokensIn(usage: LoggedUsage | undefined): number {
  if (usage === undefined) return 0;
  const first = usage.iterations.find(({ isMessage }) => isMessage);
  return (first === undefined ? 0 : promptTokensIn(first)) || promptTokensIn(usage);
}

/** Returns what one copy's usage says of a request: the window, what of it came from the cache, and the output. 0: not given. */
export function windowIn(usage: LoggedUsage | undefined): {
  promptTokens: number;
  cacheReadTokens: number;
  outputTokens: number;
} {
  if (usage === undefined) return { promptTokens: 0, cacheReadTokens: 0, outputTokens: 0 };
  const last = usage.iterations.findLast(({ isMessage }) => isMessage);
  const window = last !== undefined && promptTokensIn(last) > 0 ? last : usage;
  return {
    promptTokens: promptTokensIn(window),
    cacheReadTokens: window.cacheReadTokens ?? 0,
    outputTokens: usage.outputTokens ?? 0,
  };
}

/** Reads server-side iterations: the last message is the window, all of them were paid for. False if none gives its prompt. */
function growByIterations(request: ModelRequest, all: LoggedUsage['iterations']): boolean {
  const messages = all.filter(({ isMessage }) => isMessage);
  const [first] = messages;
  const last = messages.at(-1);
  if (!first || !last || promptTokensIn(last) === 0) return false;
  const totals = { inputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0, outputTokens: 0 };
  for (const usage of all) {
    totals.inputTokens += usage.inputTokens ?? 0;
    totals.cacheReadTokens += usage.cacheReadTokens ?? 0;
    totals.cacheCreationTokens += usage.cacheCreationTokens ?? 0;
    totals.outputTokens += usage.outputTokens ?? 0;
  }
  // A later copy may have more iterations, never fewer.
  if (request.iterations && processedTokens(request.iterations) > processedTokens(totals)) return true;
  request.iterations = { ...totals, firstPromptTokens: promptTokensIn(first) };
  request.inputTokens = last.inputTokens ?? 0;
  request.cacheReadTokens = last.cacheReadTokens ?? 0;
  request.cacheCreationTokens = last.cacheCreationTokens ?? 0;
  request.outputTokens = last.outputTokens ?? 0;
  return true;
}

function processedTokens(totals: Omit<IterationTotals, 'firstPromptTokens'>): number {
  return totals.inputTokens + totals.cacheReadTokens + totals.cacheCreationTokens + totals.outputTokens;
}

function larger(known: number, value: number | undefined): number {
  return value !== undefined && value > known ? value : known;
}
