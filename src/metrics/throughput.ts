import type { Measure } from '../model/measure.js';
import type { Session } from '../model/session.js';
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
  const calls = session.threads.flatMap((thread) => thread.calls);
  const results = session.segments.flatMap((segment) => segment.results);
  const outputTokens = results.map((result) => result.outputTokens);
  return {
    requests: session.threads.find(({ id }) => id === null)?.requests.length ?? 0,
    requestsAllThreads: requests.length,
    toolCalls: calls.filter(({ name }) => name !== 'ToolSearch').length,
    counts: countBy(calls.toSorted((a, b) => a.order - b.order).map(({ name }) => name)),
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

function countBy(names: string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}
