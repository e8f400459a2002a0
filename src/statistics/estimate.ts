import type { MetricKind } from '../model/verdict.js';
import { tQuantile, tTwoSided } from './distributions.js';
import { groupBy, mean, sum, variance } from './moments.js';
import { differenceOf, type PairedTask } from './pairs.js';

/** An effect on the scale of the arithmetic with what its reference distribution needs. */
export interface ScaleEstimate {
  effect: number;
  standardError: number;
  df: number;
}

/** `why` where a standard error cannot be had. */
export type Estimated = ScaleEstimate | { effect: number; why: string };

/** d̄: each task weighs the same. */
export function meanEffect(tasks: PairedTask[]): number {
  return mean(tasks.map(differenceOf));
}

/**
 * "On this corpus": only the runs are random. SE = √(Σ_q [s²_qA/R_A + s²_qB/R_B]) / Q, df by Welch and
 * Satterthwaite. Needs two runs of every task in each arm.
 */
export function corpusEstimate(tasks: PairedTask[]): Estimated {
  const components = tasks.flatMap((task) =>
    (['baseline', 'tested'] as const).map((arm) => {
      const values = task.pairs.map((pair) => pair[arm].x);
      return { variance: variance(values) / values.length, df: values.length - 1 };
    }),
  );
  const single = tasks.filter((task) => task.pairs.length < 2).map((task) => task.task);
  return fromComponents(meanEffect(tasks), tasks.length, components, single);
}

/** The same for a metric whose parts and wholes are summed: the variance of each run's influence on the difference of the two ratios. */
export function corpusPooledEstimate(tasks: PairedTask[], kind: MetricKind): Estimated {
  const totals = { baseline: totalsOf(sidesOf(tasks, 'baseline')), tested: totalsOf(sidesOf(tasks, 'tested')) };
  const ratio = (arm: 'baseline' | 'tested') => totals[arm].part / totals[arm].whole;
  const isLog = kind === 'totals';
  const effect = isLog ? Math.log(ratio('tested') / ratio('baseline')) : ratio('tested') - ratio('baseline');
  const components = tasks.flatMap((task) =>
    (['baseline', 'tested'] as const).map((arm) => {
      const factor = isLog ? 1 : ratio(arm);
      return componentOf(sidesOf([task], arm).map((side) => factor * lnInfluence(side, totals[arm])));
    }),
  );
  const single = tasks.filter((task) => task.pairs.length < 2).map((task) => task.task);
  return fromComponents(effect, 1, components, single);
}

/**
 * Returns the 95 % interval of one total over another, such as the cost per fact of an arm. `tasks` holds the sums of each
 * task's runs: the tasks are given and the runs are random, as in "on this corpus". Null if a total is 0, or without two
 * runs of every task that differ.
 */
export function totalsInterval(tasks: Sums[][]): [number, number] | null {
  const totals = totalsOf(tasks.flat());
  if (!(totals.part > 0 && totals.whole > 0) || tasks.some((runs) => runs.length < 2)) return null;
  const components = tasks.map((runs) => componentOf(runs.map((run) => lnInfluence(run, totals))));
  const estimate = fromComponents(Math.log(totals.part / totals.whole), 1, components, []);
  if ('why' in estimate) return null;
  const [low, high] = tInterval(estimate, 0.025);
  return [Math.exp(low), Math.exp(high)];
}

interface Sums {
  part: number;
  whole: number;
}

function sidesOf(tasks: PairedTask[], arm: 'baseline' | 'tested'): Sums[] {
  return tasks.flatMap((task) => task.pairs.map((pair) => pair[arm]));
}

function totalsOf(runs: Sums[]): Sums {
  return { part: sum(runs.map(({ part }) => part)), whole: sum(runs.map(({ whole }) => whole)) };
}

/** How much one run moves the logarithm of the ratio of the totals. With a total of 0 in the part it moves nothing that could be told. */
function lnInfluence({ part, whole }: Sums, totals: Sums): number {
  return (totals.part === 0 ? 0 : part / totals.part) - whole / totals.whole;
}

/** The variance that the runs of one task and arm add to a sum of influences. */
function componentOf(influences: number[]): { variance: number; df: number } {
  return { variance: influences.length * variance(influences), df: influences.length - 1 };
}

function fromComponents(
  effect: number,
  divisor: number,
  components: { variance: number; df: number }[],
  single: string[],
): Estimated {
  if (single.length > 0) return { effect, why: `one run a task says nothing of the runs’ noise: ${single.join(', ')}` };
  const total = sum(components.map((one) => one.variance));
  if (!(total > 0))
    return { effect, why: 'the runs of each task and arm are all equal: there is no noise to compare with' };
  const df = total ** 2 / sum(components.map((one) => one.variance ** 2 / one.df));
  return { effect, standardError: Math.sqrt(total) / divisor, df };
}

/**
 * "For tasks like these": runs and tasks are random. SE = s(d_q)/√Q with Q − 1 df. Where a repo has several tasks, the repos are the
 * clusters: the CR2 error of a mean with Satterthwaite's df, which are G − 1 for repos of equal size. Needs two clusters.
 */
export function tasksEstimate(tasks: PairedTask[]): Estimated {
  const effect = meanEffect(tasks);
  const residuals = clusterResiduals(tasks, effect);
  if (residuals.length < 2) {
    const unit = tasks.length < 2 ? 'task says nothing about other tasks' : 'repo says nothing about other repos';
    return { effect, why: `a single ${unit}` };
  }
  const { factors, df } = clusterCorrection(clusterSizes(tasks));
  const squares = sum(residuals.map((residual, index) => (factors[index] ?? 1) * residual ** 2));
  if (!(squares > 0)) return { effect, why: 'the effect is equal in every task: there is no spread to compare with' };
  return { effect, standardError: Math.sqrt(squares) / tasks.length, df };
}

/**
 * CR2 for a mean over clusters of these sizes (Bell and McCaffrey 2002): the factor 1/(1 − n_g/N) of each cluster's squared residual sum,
 * with which the variance is unbiased for independent tasks, and Satterthwaite's degrees of freedom of that variance.
 */
export function clusterCorrection(sizes: number[]): { factors: number[]; df: number } {
  const all = sum(sizes);
  const factors = sizes.map((size) => 1 / (1 - size / all));
  // Traces of the matrix of the quadratic form, times N².
  const weights = sizes.map((size, index) => size ** 2 * (factors[index] ?? 1));
  const crossed = sum(weights) ** 2 - sum(weights.map((weight) => weight ** 2));
  return { factors, df: all ** 2 / (sum(sizes.map((size) => size ** 2)) + crossed / all ** 2) };
}

function clusterSizes(tasks: PairedTask[]): number[] {
  return [...groupBy(tasks, (task) => task.repo).values()].map((cluster) => cluster.length);
}

function clusterResiduals(tasks: PairedTask[], center: number): number[] {
  return [...groupBy(tasks, (task) => task.repo).values()].map((cluster) =>
    sum(cluster.map((task) => differenceOf(task) - center)),
  );
}

/** Sums of d_q by cluster: what the sign-flip test flips. */
export function clusterDifferences(tasks: PairedTask[]): number[] {
  return clusterResiduals(tasks, 0);
}

/** The t interval that leaves `tail` on each side, on the scale. */
export function tInterval({ effect, standardError, df }: ScaleEstimate, tail: number): [number, number] {
  const half = tQuantile(1 - tail, df) * standardError;
  return [effect - half, effect + half];
}

/** Two-sided p of "no effect". */
export function tTest({ effect, standardError, df }: ScaleEstimate): number {
  return tTwoSided(effect / standardError, df);
}
