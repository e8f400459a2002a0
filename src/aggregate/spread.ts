import type { Quartiles, Spread } from '../model/summary.js';

/** Median, smallest and largest of what is there; null when nothing is (missing is not zero). */
export function spreadOf(values: (number | null)[]): Spread | null {
  const sorted = present(values);
  const min = sorted[0];
  const max = sorted.at(-1);
  const median = quantile(sorted, 0.5);
  if (min === undefined || max === undefined || median === null) return null;
  return { median, min, max, n: sorted.length };
}

/** Median, quartiles and minimum, linearly interpolated; null in each where there is no value. */
export function quartilesOf(values: (number | null)[]): Quartiles {
  const sorted = present(values);
  return {
    n: sorted.length,
    median: quantile(sorted, 0.5),
    p25: quantile(sorted, 0.25),
    p75: quantile(sorted, 0.75),
    min: sorted[0] ?? null,
  };
}

function present(values: (number | null)[]): number[] {
  return values.filter((value): value is number => value !== null).sort((a, b) => a - b);
}

/** Between the two nearest ranks, so that the median of an even number is the mean of the middle two. */
function quantile(sorted: number[], share: number): number | null {
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) return null;
  return below + (above - below) * (position - Math.floor(position));
}
