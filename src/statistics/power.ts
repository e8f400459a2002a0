import { admissibility, type DesignShape } from './admissible.js';
import { tQuantile } from './distributions.js';
import { clusterCorrection } from './estimate.js';
import { halvesOf, smallestPermutation } from './exact.js';
import { groupBy, mean, quantileOfSorted, sum, variance } from './moments.js';
import { type Random, randomFrom } from './random.js';

const POWER = 0.8;
/** Up to these sizes the power is simulated; above them the exact tests bind no more and the formula holds. */
const SIMULATED_CLUSTERS = 9;
const SIMULATED_RUNS = 32;
const SIMULATIONS = 1_000;
const MAX_EXCHANGES = 256;
const SEED = 1;

const known = new Map<string, number>();

/**
 * The smallest true effect, in standard errors, of which this design's verdict says BETTER or WORSE with 80 % power: the interval beyond 0
 * and the exact test of the question agreeing, as the verdict asks. Infinite where no verdict is possible. Small designs are simulated
 * (normal noise, equal in both arms, fixed seed); larger ones take t.975 + t.80, with the degrees of freedom that Welch's formula gives on
 * average.
 */
export function detectableErrors(shape: DesignShape): number {
  if (!admissibility(shape).isPossible) return Number.POSITIVE_INFINITY;
  const sizes = [...groupBy(shape.tasks, ({ repo }) => repo).values()].map((tasks) => tasks.length);
  const runs = shape.tasks.map((task) => task.runs);
  const isSmall = shape.question === 'tasks' ? sizes.length <= SIMULATED_CLUSTERS : 2 * sum(runs) <= SIMULATED_RUNS;
  if (!isSmall) return byFormula(shape, sizes, runs);
  const parts = shape.question === 'tasks' ? sizes : runs;
  const key = JSON.stringify([shape.question, shape.tail, parts.toSorted((a, b) => a - b)]);
  const found = known.get(key) ?? (shape.question === 'tasks' ? overClusters : overRuns)(parts, shape.tail);
  known.set(key, found);
  return found;
}

function byFormula({ question, tail }: DesignShape, sizes: number[], runs: number[]): number {
  const df = question === 'tasks' ? clusterCorrection(sizes).df : welchDf(runs);
  return tQuantile(1 - tail, df) + tQuantile(POWER, df);
}

/** Variances are estimated, and their squares more so: with ν df each, Satterthwaite's df are ν/(ν + 2) of what true variances give. */
function welchDf(runs: number[]): number {
  const shares = runs.map((count) => ({ variance: 2 / count, df: count - 1 }));
  const squares = shares.map((one) => (one.variance ** 2 / 2) * ((one.df + 2) / one.df ** 2));
  return sum(shares.map((one) => one.variance)) ** 2 / sum(squares);
}

/** By cluster the number of its tasks, whose differences are independent with variance 1. */
function overClusters(sizes: number[], tail: number): number {
  const tasks = sum(sizes);
  const { factors, df } = clusterCorrection(sizes);
  const t = tQuantile(1 - tail, df);
  const patterns = Array.from({ length: 2 ** sizes.length }, (_, pattern) =>
    sizes.map((_size, bit) => (((pattern >> bit) & 1) === 1 ? -1 : 1)),
  );
  const ways = patterns.map((weights) => ({ weights, effect: scalarProduct(weights, sizes) / tasks }));
  return quantileOverSimulations((normals) => {
    const sums = sizes.map((size, index) => Math.sqrt(size) * (normals[index] ?? 0));
    const noise = sum(sums) / tasks;
    const squares = sums.map((own, index) => (factors[index] ?? 1) * (own - (sizes[index] ?? 0) * noise) ** 2);
    const byInterval = (t * Math.sqrt(sum(squares))) / tasks - noise;
    const parts = sums.map((own) => own / tasks);
    return Math.sqrt(tasks) * Math.max(byInterval, neededFor(ways, parts, noise, tail));
  });
}

/** By task the runs of each arm, whose noise has variance 1. */
function overRuns(runs: number[], tail: number): number {
  const error = Math.sqrt(sum(runs.map((count) => 2 / count))) / runs.length;
  const ways = exchanges(runs, randomFrom(SEED, 'exchanges'));
  return quantileOverSimulations((normals) => {
    let used = 0;
    const take = (count: number) => {
      used += count;
      return normals.slice(used - count, used);
    };
    const arms = runs.map((count) => [take(count), take(count)]);
    const parts = arms.flatMap((own) =>
      own.map((values) => ({ variance: variance(values) / values.length, df: values.length - 1 })),
    );
    const total = sum(parts.map((one) => one.variance));
    const df = total ** 2 / sum(parts.map((one) => one.variance ** 2 / one.df));
    const noise = mean(arms.map(([tested = [], baseline = []]) => mean(tested) - mean(baseline)));
    const byInterval = (tQuantile(1 - tail, df) * Math.sqrt(total)) / runs.length - noise;
    return Math.max(byInterval, neededFor(ways, arms.flat(2), noise, tail)) / error;
  });
}

let pool: number[][] | undefined;

/** The 80 % quantile of what `simulate` gives for standard normal numbers, the same ones for every design. */
function quantileOverSimulations(simulate: (normals: number[]) => number): number {
  if (pool === undefined) {
    const random = randomFrom(SEED, 'power');
    pool = Array.from({ length: SIMULATIONS }, () => Array.from({ length: SIMULATED_RUNS }, () => random.normal()));
  }
  const needed = Float64Array.from(pool.map(simulate)).sort();
  return quantileOfSorted([...needed], POWER);
}

/** One way to exchange the arms. */
interface Way {
  /** The weight with which each value enters the effect. */
  weights: number[];
  /** Part of the true effect that is left. */
  effect: number;
}

/** All ways to give the runs to the arms, or a sample of them. */
function exchanges(runs: number[], random: Random): Way[] {
  const isAll = 2 / smallestPermutation(runs.map((count) => [count, count])) <= MAX_EXCHANGES + 0.5;
  const chosen = isAll
    ? allHalves(runs)
    : Array.from({ length: MAX_EXCHANGES }, () => runs.map((count) => draw(count, random)));
  return chosen.map((own) => ({
    weights: own.flatMap((signs) => signs.map((sign) => (2 * sign) / signs.length / runs.length)),
    // A tested run that stays keeps its effect, one that goes to the baseline takes it there.
    effect: mean(own.map((signs) => mean(signs.slice(0, signs.length / 2)))),
  }));
}

/** Every way to give half of each task's runs to the tested arm (+1), the rest to the baseline (−1). */
function allHalves(runs: number[]): number[][][] {
  let all: number[][][] = [[]];
  for (const count of runs) {
    const places = Array.from({ length: 2 * count }, (_, place) => place);
    const own = halvesOf(places).map((tested) => places.map((place) => (tested.includes(place) ? 1 : -1)));
    all = all.flatMap((before) => own.map((signs) => [...before, signs]));
  }
  return all;
}

function draw(count: number, random: Random): number[] {
  const signs: number[] = Array.from({ length: 2 * count }, (_, index) => (index < count ? 1 : -1));
  for (let last = signs.length - 1; last > 0; last--) {
    const other = random.below(last + 1);
    [signs[last], signs[other]] = [signs[other] ?? 1, signs[last] ?? 1];
  }
  return signs;
}

/**
 * The smallest effect with which the exact test has a p of at most twice `tail`. `noise` is the effect seen where there is none. A way
 * turns what is seen, `noise + effect`, into `changed + part · effect`. It counts against significance up to the effect from which on what is
 * seen is larger.
 */
function neededFor(ways: Way[], values: number[], noise: number, tail: number): number {
  const limits = new Float64Array(ways.length);
  for (let index = 0; index < ways.length; index++) {
    const { weights = [], effect: part = 1 } = ways[index] ?? {};
    const changed = scalarProduct(weights, values);
    const above = 1 - part < 1e-9 ? Number.POSITIVE_INFINITY : (changed - noise) / (1 - part);
    const below = 1 + part < 1e-9 ? Number.POSITIVE_INFINITY : -(changed + noise) / (1 + part);
    limits[index] = Math.max(above, below);
  }
  limits.sort();
  const allowed = Math.floor(2 * tail * ways.length + 1e-9);
  return limits[ways.length - 1 - allowed] ?? Number.POSITIVE_INFINITY;
}

function scalarProduct(a: number[], b: number[]): number {
  let total = 0;
  for (let index = 0; index < a.length; index++) total += (a[index] ?? 0) * (b[index] ?? 0);
  return total;
}
