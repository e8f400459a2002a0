import type { Diagnostics, FlaggedRun } from '../model/estimate.js';
import type { MetricDeclaration } from '../model/verdict.js';
import { type ScaleEstimate, tInterval } from './estimate.js';
import { groupBy, mean, median, variance } from './moments.js';
import type { PairedTask, Side } from './pairs.js';
import { MAX_POINTS, possibleInterval, toUnit } from './scale.js';

/** Of Iglewicz and Hoaglin: the modified z and its limit. */
const CONSISTENCY = 0.6745;
const LIMIT = 3.5;
/** With fewer deviations their median says nothing. */
const LEAST_DEVIATIONS = 6;

/** What to look at in a metric's runs; nothing is dropped for it. */
export function diagnose(metric: MetricDeclaration, tasks: PairedTask[]): Diagnostics {
  return { outliers: outliersOf(tasks), order: orderEffect(metric, tasks), firstRuns: firstRuns(metric, tasks) };
}

interface Deviation {
  side: Side;
  first: boolean;
  fromMedian: number;
}

/** Each run against the median of its task and arm; the median deviation is taken over all of them, since a cell has few. */
function outliersOf(tasks: PairedTask[]): FlaggedRun[] {
  const deviations: Deviation[] = [];
  const sizes: number[] = [];
  for (const cell of cellsOf(tasks)) {
    if (cell.length < 3) continue;
    const middle = median(cell.map(({ side }) => side.x));
    const own = cell.map(({ side, first }) => ({ side, first, fromMedian: side.x - middle }));
    deviations.push(...own);
    const sorted = own.map((one) => Math.abs(one.fromMedian)).toSorted((a, b) => a - b);
    // In an odd cell one run is the median itself; its 0 would make the deviations look smaller than they are.
    sizes.push(...(cell.length % 2 === 1 ? sorted.slice(1) : sorted));
  }
  const typical = median(sizes);
  if (sizes.length < LEAST_DEVIATIONS || !(typical > 0)) return [];
  return deviations
    .map(({ side, first, fromMedian }) => ({ run: side.run, first, z: (CONSISTENCY * fromMedian) / typical }))
    .filter(({ z }) => Math.abs(z) > LIMIT)
    .toSorted((a, b) => Math.abs(b.z) - Math.abs(a.z));
}

function cellsOf(tasks: PairedTask[]): { side: Side; first: boolean }[][] {
  return tasks.flatMap((task) =>
    (['baseline', 'tested'] as const).map((arm) =>
      task.pairs
        .filter((pair) => Number.isFinite(pair[arm].x))
        .map((pair) => ({ side: pair[arm], first: pair.repetition === 1 })),
    ),
  );
}

/** Mean difference of the blocks in which the tested arm ran second, less that of those in which it ran first. */
function orderEffect(metric: MetricDeclaration, tasks: PairedTask[]): Diagnostics['order'] {
  const differences = tasks.flatMap((task) =>
    task.pairs.map((pair) => ({ order: pair.order, difference: pair.tested.x - pair.baseline.x })),
  );
  const of = (order: 'AB' | 'BA') =>
    differences.filter((one) => one.order === order && Number.isFinite(one.difference)).map((one) => one.difference);
  const [ab, ba] = [of('AB'), of('BA')];
  if (ab.length === 0 || ba.length === 0) return null;
  const welch = welchEstimate(ab, ba);
  return {
    effect: toUnit(metric.kind, mean(ab) - mean(ba)),
    // A difference of two differences of shares.
    interval: welch ? inUnit(metric, welch, 2 * MAX_POINTS) : null,
    ab: ab.length,
    ba: ba.length,
  };
}

function welchEstimate(a: number[], b: number[]): ScaleEstimate | undefined {
  if (a.length < 2 || b.length < 2) return undefined;
  const [va, vb] = [variance(a) / a.length, variance(b) / b.length];
  if (!(va + vb > 0)) return undefined;
  return {
    effect: mean(a) - mean(b),
    standardError: Math.sqrt(va + vb),
    df: (va + vb) ** 2 / (va ** 2 / (a.length - 1) + vb ** 2 / (b.length - 1)),
  };
}

/** The first run of each task and arm less the mean of its later ones: caches warm up, services wake. */
function firstRuns(metric: MetricDeclaration, tasks: PairedTask[]): Diagnostics['firstRuns'] {
  const differences = cellsOf(tasks).flatMap((cell) => {
    const byPlace = groupBy(cell, ({ first }) => String(first));
    const [first, later] = [byPlace.get('true') ?? [], byPlace.get('false') ?? []];
    if (first.length === 0 || later.length === 0) return [];
    return [mean(first.map(({ side }) => side.x)) - mean(later.map(({ side }) => side.x))];
  });
  if (differences.length === 0) return null;
  const error = Math.sqrt(variance(differences) / differences.length);
  const estimate = { effect: mean(differences), standardError: error, df: differences.length - 1 };
  return { effect: toUnit(metric.kind, estimate.effect), interval: error > 0 ? inUnit(metric, estimate) : null };
}

function inUnit(metric: MetricDeclaration, estimate: ScaleEstimate, limit = MAX_POINTS): [number, number] | null {
  const [low, high] = tInterval(estimate, 0.025);
  return possibleInterval(metric.kind, [toUnit(metric.kind, low), toUnit(metric.kind, high)], limit);
}
