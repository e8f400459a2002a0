/** The sum. */
export function sum(values: number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** The mean; NaN of nothing. */
export function mean(values: number[]): number {
  return sum(values) / values.length;
}

/** The variance with n − 1 below; NaN for fewer than two values. */
export function variance(values: number[]): number {
  if (values.length < 2) return Number.NaN;
  const center = mean(values);
  return sum(values.map((value) => (value - center) ** 2)) / (values.length - 1);
}

/** The median, the mean of the middle two for an even number; NaN of nothing. */
export function median(values: number[]): number {
  return quantileOfSorted(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

/** Between the two nearest ranks (R's type 7). */
export function quantileOfSorted(sorted: number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}

/** Values by key, in the order in which keys first came. */
export function groupBy<T>(items: T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
