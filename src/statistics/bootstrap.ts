import type { MetricDeclaration } from '../model/verdict.js';
import { quantileOfSorted } from './moments.js';
import type { ClusterSums } from './pairs.js';
import { randomFrom } from './random.js';

export const RESAMPLES = 10_000;
/** From this many clusters on a percentile bootstrap may be shown. */
const PERCENTILE_FROM = 30;
/** Of the resamples, so many must have a standard error. */
const ENOUGH = 0.9;

/** A statistic of the clusters' sums, and its standard error from each cluster's influence; undefined where it cannot be had. */
type Statistic = (clusters: ClusterSums[]) => { value: number; error: number } | undefined;

/** Share of the tested arm less share of the baseline, pooled over everything. */
export const shareDifference: Statistic = (clusters) => {
  const [a, b] = [totalOf(clusters, 'baseline'), totalOf(clusters, 'tested')];
  if (a.whole === 0 || b.whole === 0) return undefined;
  const [shareA, shareB] = [a.part / a.whole, b.part / b.whole];
  let squares = 0;
  for (const { baseline, tested } of clusters) {
    const influence =
      (tested.part - shareB * tested.whole) / b.whole - (baseline.part - shareA * baseline.whole) / a.whole;
    squares += influence * influence;
  }
  return { value: shareB - shareA, error: errorOf(squares, clusters.length) };
};

/** ln of the ratio of totals of the tested arm over that of the baseline. */
const lnRatioOfRatios: Statistic = (clusters) => {
  const [a, b] = [totalOf(clusters, 'baseline'), totalOf(clusters, 'tested')];
  if (!(a.part > 0 && a.whole > 0 && b.part > 0 && b.whole > 0)) return undefined;
  let squares = 0;
  for (const { baseline, tested } of clusters) {
    const influence =
      tested.part / b.part - tested.whole / b.whole - (baseline.part / a.part - baseline.whole / a.whole);
    squares += influence * influence;
  }
  return { value: Math.log(b.part / b.whole / (a.part / a.whole)), error: errorOf(squares, clusters.length) };
};

/** Returns the statistic that compares a metric whose parts and wholes are summed over runs. */
export function pooledStatistic({ kind }: Pick<MetricDeclaration, 'kind'>): Statistic {
  return kind === 'totals' ? lnRatioOfRatios : shareDifference;
}

/** ln of the sum of the tested arm over the sum of the baseline. */
export const lnRatioOfSums: Statistic = (clusters) => {
  const [a, b] = [totalOf(clusters, 'baseline').part, totalOf(clusters, 'tested').part];
  if (!(a > 0 && b > 0)) return undefined;
  let squares = 0;
  for (const { baseline, tested } of clusters) {
    const influence = tested.part / b - baseline.part / a;
    squares += influence * influence;
  }
  return { value: Math.log(b / a), error: errorOf(squares, clusters.length) };
};

function errorOf(squares: number, clusters: number): number {
  return Math.sqrt((clusters / (clusters - 1)) * squares);
}

function totalOf(clusters: ClusterSums[], arm: 'baseline' | 'tested'): { part: number; whole: number } {
  let part = 0;
  let whole = 0;
  for (const cluster of clusters) {
    part += cluster[arm].part;
    whole += cluster[arm].whole;
  }
  return { part, whole };
}

export interface BootstrapT {
  value: number;
  standardError: number;
  /** Two-sided, of "no effect"; never 0. */
  p: number;
  /** The interval that leaves `tail` on each side. */
  interval(tail: number): [number, number];
  /** The plain percentile interval; null below 30 clusters. */
  percentile(tail: number): [number, number] | null;
}

/**
 * Bootstrap-t over whole clusters, 10,000 resamples, seeded: each resample's distance from the
 * estimate in its own standard errors; the interval turns their quantiles around. Undefined where there are fewer than two
 * clusters, nothing varies, or too many resamples have no standard error.
 */
export function bootstrapT(
  clusters: ClusterSums[],
  statistic: Statistic,
  options: { seed: number; name: string; resamples?: number },
): BootstrapT | undefined {
  const observed = clusters.length < 2 ? undefined : statistic(clusters);
  if (!observed || !(observed.error > 0)) return undefined;
  const resamples = options.resamples ?? RESAMPLES;
  const random = randomFrom(options.seed, `bootstrap ${options.name}`);
  const distances: number[] = [];
  const values: number[] = [];
  const drawn = [...clusters];
  for (let index = 0; index < resamples; index++) {
    for (let place = 0; place < clusters.length; place++) {
      const cluster = clusters[random.below(clusters.length)];
      if (cluster) drawn[place] = cluster;
    }
    const again = statistic(drawn);
    // All of one cluster: no standard error, no distance.
    if (!again || !(again.error > 1e-12 * observed.error)) continue;
    distances.push((again.value - observed.value) / again.error);
    values.push(again.value);
  }
  if (distances.length < ENOUGH * resamples) return undefined;
  distances.sort((a, b) => a - b);
  values.sort((a, b) => a - b);
  const { value, error } = observed;
  return {
    value,
    standardError: error,
    p: twoSided(distances, value / error),
    interval: (tail) => [
      value - quantileOfSorted(distances, 1 - tail) * error,
      value - quantileOfSorted(distances, tail) * error,
    ],
    percentile: (tail) =>
      clusters.length < PERCENTILE_FROM ? null : [quantileOfSorted(values, tail), quantileOfSorted(values, 1 - tail)],
  };
}

/** Twice the smaller tail beyond the distance seen, the estimate itself counted in. */
function twoSided(distances: number[], seen: number): number {
  const above = distances.filter((distance) => distance >= seen).length;
  const below = distances.filter((distance) => distance <= seen).length;
  return Math.min(1, (2 * (Math.min(above, below) + 1)) / (distances.length + 1));
}
