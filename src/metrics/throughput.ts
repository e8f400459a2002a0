import type { Measure } from '../model/measure.js';
import type { Session, ToolCall } from '../model/session.js';
import { callsInOrder } from './calls.js';
import { promptTokens } from './gaps.js';

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

/** What a session took: requests, calls, tokens, money, time (spec/metrics.md 6). Absent is null. */
export function throughputOf(session: Session): Throughput {
  const requests = session.threads.flatMap((thread) => thread.requests);
  const counts = countBy(callsInOrder(session));
  const results = session.segments.flatMap((segment) => segment.results);
  const outputTokens = results.map((result) => result.outputTokens);
  return {
    requests: session.threads.find(({ id }) => id === null)?.requests.length ?? 0,
    requestsAllThreads: requests.length,
    toolCalls: callsIn(counts) - (counts.get('ToolSearch') ?? 0),
    counts: Object.fromEntries(counts),
    durationMs: sumOfKnown(results.map(({ durationMs }) => durationMs)),
    // Cumulative within a process: its last figure is its total.
    costUsd: sumOfKnown(
      session.segments.map((segment) => segment.results.findLast((r) => r.totalCostUsd !== undefined)?.totalCostUsd),
    ),
    tokensProcessed: sumOfKnown(requests.map((request) => promptTokens(request) + request.outputTokens)),
    // One result without a figure would make the sum look like the whole.
    outputTokens: outputTokens.includes(undefined) ? null : sumOfKnown(outputTokens),
  };
}

/**
 * Whether every planned prompt has a result, each a success and no error (spec/metrics.md 6): an API failure is a
 * "success" with `is_error`. Without a plan, every segment counts as one prompt.
 */
export function isOk(session: Session, plannedPrompts: number | undefined): boolean {
  const { segments } = session;
  if (segments.length === 0 || segments.length < (plannedPrompts ?? 1)) return false;
  return segments.every(
    ({ results }) => results.length > 0 && results.every(({ subtype, isError }) => subtype === 'success' && !isError),
  );
}

function sumOfKnown(values: (number | undefined)[]): number | null {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

function countBy(calls: readonly ToolCall[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { name } of calls) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function callsIn(counts: Map<string, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}
