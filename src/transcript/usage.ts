import type { IterationTotals, ModelRequest } from '../model/session.js';
import { asAmount, asFields, asList, type Fields } from './fields.js';

/** Takes a copy's usage into its request: the field-wise maximum of the copies; what is absent says nothing. */
export function growUsage(request: ModelRequest, usage: Fields): void {
  const { iterations } = usage;
  if (Array.isArray(iterations) && iterations.length > 0 && growByIterations(request, iterations)) return;
  request.outputTokens = larger(request.outputTokens, asAmount(usage.output_tokens));
  // Beside iterations these are sums over them, and no window.
  if (request.iterations) return;
  request.inputTokens = larger(request.inputTokens, asAmount(usage.input_tokens));
  request.cacheReadTokens = larger(request.cacheReadTokens, asAmount(usage.cache_read_input_tokens));
  request.cacheCreationTokens = larger(request.cacheCreationTokens, cacheCreationTokens(usage));
}

/** Tokens of the whole prompt in a usage; 0 if it gives none. */
function promptTokensIn(usage: Fields): number {
  const input = asAmount(usage.input_tokens) ?? 0;
  return input + (asAmount(usage.cache_read_input_tokens) ?? 0) + (cacheCreationTokens(usage) ?? 0);
}

/** Tokens of the prompt that the client sent: of the first iteration, where the API answered in several. */
export function sentTokensIn(usage: Fields): number {
  const first = asList(usage.iterations)
    .map(asFields)
    .find((one) => isMessage(one));
  return (first === undefined ? 0 : promptTokensIn(first)) || promptTokensIn(usage);
}

/** What one copy's usage says of a request: the window, what of it came from the cache, and the output. 0: not given. */
export function windowIn(usage: Fields): { promptTokens: number; cacheReadTokens: number; outputTokens: number } {
  const last = asList(usage.iterations)
    .map(asFields)
    .findLast((one) => isMessage(one));
  const window = last !== undefined && promptTokensIn(last) > 0 ? last : usage;
  return {
    promptTokens: promptTokensIn(window),
    cacheReadTokens: asAmount(window.cache_read_input_tokens) ?? 0,
    outputTokens: asAmount(usage.output_tokens) ?? 0,
  };
}

/** The total; where only its parts by lifetime are given, their sum. */
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

/** Reads server-side iterations: the last message is the window, all of them were paid for. False if none gives its prompt. */
function growByIterations(request: ModelRequest, list: unknown[]): boolean {
  const all = list.map(asFields).filter((item) => item !== undefined);
  const messages = all.filter(isMessage);
  const [first] = messages;
  const last = messages.at(-1);
  if (!first || !last || promptTokensIn(last) === 0) return false;
  const totals = { inputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0, outputTokens: 0 };
  for (const usage of all) {
    totals.inputTokens += asAmount(usage.input_tokens) ?? 0;
    totals.cacheReadTokens += asAmount(usage.cache_read_input_tokens) ?? 0;
    totals.cacheCreationTokens += cacheCreationTokens(usage) ?? 0;
    totals.outputTokens += asAmount(usage.output_tokens) ?? 0;
  }
  // A later copy may have more iterations, never fewer.
  if (request.iterations && processedTokens(request.iterations) > processedTokens(totals)) return true;
  request.iterations = { ...totals, firstPromptTokens: promptTokensIn(first) };
  request.inputTokens = asAmount(last.input_tokens) ?? 0;
  request.cacheReadTokens = asAmount(last.cache_read_input_tokens) ?? 0;
  request.cacheCreationTokens = cacheCreationTokens(last) ?? 0;
  request.outputTokens = asAmount(last.output_tokens) ?? 0;
  return true;
}

/** Whether an iteration is one of the model itself, and not of an advisor or the like. */
function isMessage(iteration: Fields | undefined): boolean {
  return iteration !== undefined && (iteration.type === undefined || iteration.type === 'message');
}

function processedTokens(totals: Omit<IterationTotals, 'firstPromptTokens'>): number {
  return totals.inputTokens + totals.cacheReadTokens + totals.cacheCreationTokens + totals.outputTokens;
}

function larger(known: number, value: number | undefined): number {
  return value !== undefined && value > known ? value : known;
}
