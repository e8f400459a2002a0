import type { Measure } from '../model/measure.js';
import {
  costOfProcesses,
  type ModelRequest,
  promptTokens,
  type ResultEvent,
  type Session,
  type ToolCall,
} from '../model/session.js';
import { callsInOrder } from './calls.js';

type Throughput = Pick<
  Measure,
  | 'requests'
  | 'requestsAllThreads'
  | 'toolCalls'
  | 'counts'
  | 'durationMs'
  | 'costUsd'
  | 'tokensProcessed'
  | 'outputTokens'
>;

/**
 * Counts the requests, calls, tokens, cost and time of a session (docs/metrics.md, "Throughput and behaviour"). Absent
 * is null.
 */
export function throughputOf(session: Session): Throughput {
  const requests = session.threads.flatMap((thread) => thread.requests);
  const calls = callsInOrder(session);
  return {
    requests: session.threads.find(({ id }) => id === null)?.requests.length ?? 0,
    requestsAllThreads: requests.length,
    toolCalls: calls.filter(({ kind }) => kind !== 'tool-search').length,
    counts: Object.fromEntries(countBy(calls)),
    durationMs: sumOfResults(session, ({ durationMs }) => durationMs),
    costUsd: sumOfAll(session.segments.map(({ results }) => costOfProcesses(results))),
    tokensProcessed: sumOfAll(paidRequests(session).map(processedTokens)),
    outputTokens: sumOfResults(session, ({ outputTokens }) => outputTokens),
  };
}

/** Returns every request that was paid for, those that left the conversation included. */
export function paidRequests({ threads }: Session): ModelRequest[] {
  return threads.flatMap(({ requests, abandoned }) => [...requests, ...abandoned.requests]);
}

/** Prompt and output tokens of a request; undefined if the log gives no usage for it. */
function processedTokens(request: ModelRequest): number | undefined {
  const { iterations } = request;
  const { inputTokens, cacheReadTokens, cacheCreationTokens, outputTokens } = iterations ?? request;
  if (promptTokens(request) === 0) return undefined;
  return inputTokens + cacheReadTokens + cacheCreationTokens + outputTokens;
}

/**
 * Checks whether every planned prompt has a result that is a success and no error. Both are needed because an API
 * failure is a "success" with `is_error`. Without a plan, every segment counts as one prompt.
 */
export function isOk(session: Session, plannedPrompts: number | undefined): boolean {
  const { segments, diagnostics } = session;
  // What the lost line said is missing from every figure.
  if (diagnostics.lostLines > 0) return false;
  if (missingSegments(session).length > 0) return false;
  if (segments.length === 0 || segments.length < (plannedPrompts ?? 1)) return false;
  return segments.every(
    ({ results }) => results.length > 0 && results.every(({ subtype, isError }) => subtype === 'success' && !isError),
  );
}

/** Returns the segments, from 1, that are missing before a later one, by the names of the files: `run.jsonl`, `run.t3.jsonl`. */
export function missingSegments({ files }: Session): number[] {
  const given = new Set(files.map((file) => Number(/\.t(\d+)\.jsonl$/.exec(file)?.[1] ?? 1)));
  const last = Math.max(1, ...given);
  return Array.from({ length: last }, (_, index) => index + 1).filter((segment) => !given.has(segment));
}

/** The sum over all results; null if a result does not give the value, or a segment has no result. */
function sumOfResults({ segments }: Session, pick: (result: ResultEvent) => number | undefined): number | null {
  return sumOfAll(segments.flatMap(({ results }) => (results.length === 0 ? [undefined] : results.map(pick))));
}

/** The sum; null without any value, and where one is missing: the sum of the others would look like the whole. */
function sumOfAll(values: (number | undefined)[]): number | null {
  let sum = 0;
  for (const value of values) {
    if (value === undefined) return null;
    sum += value;
  }
  return values.length === 0 ? null : sum;
}

function countBy(calls: readonly ToolCall[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { name } of calls) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
