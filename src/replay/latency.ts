import type { Finding, Latency } from './report-schema.js';
import type { CaseRun } from './run-case.js';
import type { Bounds } from './suite-schema.js';

/** Fewest warm calls of each build for which the gate looks at their time. */
const MIN_GATED_CALLS = 30;
const SLOWER_MS = 50;

/** Times of the answered calls of one build, in the order in which they were asked; the first of all is the cold one. */
export function measureLatency(runs: CaseRun[]): Latency {
  const [cold, ...warm] = runs.flatMap(({ answers }) =>
    answers.flatMap((answer) => (answer.kind === 'text' ? [answer.durationMs] : [])),
  );
  warm.sort((a, b) => a - b);
  return {
    coldMs: cold ?? null,
    warmP50Ms: percentile(warm, 0.5),
    warmP95Ms: percentile(warm, 0.95),
    warmCalls: warm.length,
  };
}

/** The nearest-rank percentile of ascending values; null of none. */
export function percentile(ascending: number[], share: number): number | null {
  return ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)] ?? null;
}

/** The finding that warm calls became slower; empty where they did not, or where there are too few calls to tell. */
export function judgeLatency(
  latency: { new: Latency; baseline: Latency },
  { maxP95Factor }: Pick<Bounds, 'maxP95Factor'>,
): Finding[] {
  const { new: ours, baseline } = latency;
  if (maxP95Factor === null) return [];
  if (Math.min(ours.warmCalls, baseline.warmCalls) < MIN_GATED_CALLS) return [];
  if (ours.warmP95Ms === null || baseline.warmP95Ms === null) return [];
  const isSlower =
    ours.warmP95Ms > maxP95Factor * baseline.warmP95Ms && ours.warmP95Ms > baseline.warmP95Ms + SLOWER_MS;
  if (!isSlower) return [];
  const text = `warm calls are slower: p95 ${baseline.warmP95Ms} ms → ${ours.warmP95Ms} ms over ${ours.warmCalls} calls (bounds.maxP95Factor)`;
  return [{ rule: 'slower', subject: '', text, accepted: null }];
}
