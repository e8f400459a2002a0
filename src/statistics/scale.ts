import type { MetricDeclaration, MetricKind } from '../model/verdict.js';

/** A run's value on the scale of the arithmetic. Undefined if it has none there (ln of 0). */
export function toScale(kind: MetricKind, value: number): number | undefined {
  if (kind === 'ratio') return value > 0 ? Math.log(value) : undefined;
  if (kind === 'count') return value > -1 ? Math.log(value + 1) : undefined;
  return value;
}

/** The value in the metric's own unit that `toScale` makes this of. */
export function fromScale(kind: MetricKind, x: number): number {
  if (kind === 'ratio') return Math.exp(x);
  return kind === 'count' ? Math.expm1(x) : x;
}

/** Percent where the scale is a logarithm, points elsewhere. */
export function unitOf(kind: MetricKind): 'percent' | 'points' {
  return isLog(kind) ? 'percent' : 'points';
}

/** A difference on the scale of the arithmetic as percent or points. */
export function toUnit(kind: MetricKind, difference: number): number {
  return 100 * (isLog(kind) ? Math.expm1(difference) : difference);
}

/** A size on the scale as the decrease it stands for, in percent or points, positive. */
export function decreaseInUnit(kind: MetricKind, size: number): number {
  return isLog(kind) ? -100 * Math.expm1(-size) : 100 * size;
}

/** The size on the scale of a decrease of `size` percent or points. */
export function decreaseOnScale(kind: MetricKind, size: number): number {
  return isLog(kind) ? -Math.log1p(-size / 100) : size / 100;
}

/** The largest difference between two shares, in points. */
export const MAX_POINTS = 100;

/**
 * Returns the part of an interval that is possible: a difference of shares lies between −100 and +100 points, one of percentages has
 * no upper limit. Null if the interval covers every possible value, so that it says nothing. `limit` is in points.
 */
export function possibleInterval(
  kind: MetricKind,
  [low, high]: [number, number],
  limit = MAX_POINTS,
): [number, number] | null {
  if (isLog(kind)) return [low, high];
  return low <= -limit && high >= limit ? null : [Math.max(low, -limit), Math.min(high, limit)];
}

/** Do the parts and wholes of this metric go in, rather than a value a run? */
export function isPooled(metric: MetricDeclaration): boolean {
  return metric.kind === 'pooled' || metric.kind === 'totals';
}

function isLog(kind: MetricKind): boolean {
  return kind === 'ratio' || kind === 'count' || kind === 'totals';
}
