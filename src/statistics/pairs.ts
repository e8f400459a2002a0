import { needsGrade } from '../catalogue/index.js';
import type { ArmValues, MetricDeclaration, Observation, VerdictDesign } from '../model/verdict.js';
import { groupBy, mean, sum } from './moments.js';
import { fromScale, isPooled, toScale } from './scale.js';

/** One run's part in a pair: `x` on the scale of the arithmetic, `y` in the metric's own unit. */
export interface Side {
  run: string;
  x: number;
  y: number;
  /** Of pooled shares; 1 and the value elsewhere. */
  part: number;
  whole: number;
}

export interface Pair {
  repetition: number;
  baseline: Side;
  tested: Side;
  /** AB: the baseline ran first. */
  order: 'AB' | 'BA' | null;
}

export interface PairedTask {
  task: string;
  repo: string;
  pairs: Pair[];
}

export interface PairedMetric {
  tasks: PairedTask[];
  /** Pairs that lost a side, and why. */
  dropped: string[];
  /** All pairs: those that are compared and those that lost a side. */
  of: number;
  /** By arm, the runs that cannot be compared: not run, not counted, or without a value. */
  lost: { baseline: number; tested: number };
  /** Runs that were cut off: their values, or what they would have been, are lower bounds. */
  censored: { baseline: string[]; tested: string[] };
}

/**
 * The pairs of a metric by task: equal task and repetition, one run an arm. A pair with a side that does not count or has no
 * value drops out whole, is named and is counted. A run that was cut off stays in with what it had reached where the metric only
 * grows. The verdict takes it as a bound, also where the run was cut off before it had any value.
 */
export function pairUp(
  observations: Observation[],
  metric: MetricDeclaration,
  design: Pick<VerdictDesign, 'tested' | 'baseline'>,
): PairedMetric {
  const found: PairedMetric = {
    tasks: [],
    dropped: [],
    of: 0,
    lost: { baseline: 0, tested: 0 },
    censored: { baseline: [], tested: [] },
  };
  for (const [task, ofTask] of groupBy(observations, (one) => one.task)) {
    const pairs: Pair[] = [];
    for (const [repetition, block] of groupBy(ofTask, (one) => String(one.repetition))) {
      const a = block.find((one) => one.arm === design.baseline);
      const b = block.find((one) => one.arm === design.tested);
      const [baseline, tested] = [sideOf(a, metric), sideOf(b, metric)];
      found.of++;
      if (typeof baseline === 'string') found.lost.baseline++;
      if (typeof tested === 'string') found.lost.tested++;
      const isComplete = typeof baseline !== 'string' && typeof tested !== 'string';
      if (isBound(a, metric) && (isComplete || typeof baseline === 'string')) found.censored.baseline.push(a.name);
      if (isBound(b, metric) && (isComplete || typeof tested === 'string')) found.censored.tested.push(b.name);
      const faults = [
        ...(typeof baseline === 'string' ? [`${a?.name ?? design.baseline}: ${baseline}`] : []),
        ...(typeof tested === 'string' ? [`${b?.name ?? design.tested}: ${tested}`] : []),
      ];
      if (typeof baseline === 'string' || typeof tested === 'string') {
        found.dropped.push(`${task} #${repetition} (${faults.join('; ')})`);
        continue;
      }
      pairs.push({ repetition: Number(repetition), baseline, tested, order: orderOf(a, b) });
    }
    if (pairs.length > 0) found.tasks.push({ task, repo: ofTask[0]?.repo ?? task, pairs });
  }
  return found;
}

/** May this run's figures be used: it counts, or it was cut off after a clean start. */
export function isUsable(observation: Observation): boolean {
  if (observation.contaminationReturned > 0) return false;
  return observation.counts || (observation.censored !== null && !VOID.has(observation.validity));
}

/** Reasons for which a run does not count even as a bound: what it did was not what its arm does. */
const VOID: ReadonlySet<Observation['validity']> = new Set([
  'raced',
  'contaminated',
  'unfenced',
  'not-attached',
  'no-answer',
]);

/** Is this run's value of a metric that only grows a lower bound? */
function isBound(observation: Observation | undefined, metric: MetricDeclaration): observation is Observation {
  return observation !== undefined && metric.cumulative && observation.censored !== null && isUsable(observation);
}

/** The side, or why there is none. */
function sideOf(observation: Observation | undefined, metric: MetricDeclaration): Side | string {
  if (!observation) return 'no run';
  const isGrade = needsGrade(metric.name);
  // An exam that the agent failed is a valid exam.
  if (!isUsable(observation) && !(isGrade && observation.agentFailed)) return observation.validity;
  if (observation.censored && !metric.cumulative && !isGrade) return `cut off by its ${observation.censored}`;
  if (isPooled(metric)) {
    const sums = observation.pooled[metric.name] ?? null;
    if (sums === null) return 'no value';
    const y = sums.whole === 0 ? Number.NaN : sums.part / sums.whole;
    // Diagnostics skip a run without a value of its own. The estimates use the sums.
    const x = metric.kind === 'totals' ? (y > 0 ? Math.log(y) : Number.NaN) : y;
    return { run: observation.name, x, y, ...sums };
  }
  const value = observation.values[metric.name] ?? null;
  if (value === null) return isGrade ? 'not graded' : 'no value';
  const x = toScale(metric.kind, value);
  if (x === undefined) return `${value} has no logarithm`;
  return { run: observation.name, x, y: value, part: value, whole: 1 };
}

function orderOf(a: Observation | undefined, b: Observation | undefined): Pair['order'] {
  const [first, second] = [a?.position ?? null, b?.position ?? null];
  if (first === null || second === null || first === second) return null;
  return first < second ? 'AB' : 'BA';
}

/** Per task, mean of the tested arm less mean of the baseline, on the scale. */
export function differenceOf(task: PairedTask): number {
  return mean(task.pairs.map((pair) => pair.tested.x)) - mean(task.pairs.map((pair) => pair.baseline.x));
}

/** Returns each arm's value as the effect compares them: means over tasks on the scale of the arithmetic, or a ratio of totals. */
export function valuesOfArms(tasks: PairedTask[], metric: MetricDeclaration): ArmValues {
  const valueIn = (arm: 'baseline' | 'tested') => {
    if (!isPooled(metric)) {
      return fromScale(metric.kind, mean(tasks.map(({ pairs }) => mean(pairs.map((pair) => pair[arm].x)))));
    }
    const sides = tasks.flatMap(({ pairs }) => pairs.map((pair) => pair[arm]));
    return sum(sides.map(({ part }) => part)) / sum(sides.map(({ whole }) => whole));
  };
  return { tested: valueIn('tested'), baseline: valueIn('baseline') };
}

/** Sums by arm over one cluster. */
export interface ClusterSums {
  baseline: { part: number; whole: number };
  tested: { part: number; whole: number };
}

/** Parts and wholes summed over each cluster's pairs, tasks of one repo together. */
export function clusterSums(tasks: PairedTask[]): ClusterSums[] {
  return [...groupBy(tasks, (task) => task.repo).values()].map((cluster) => {
    const sides = (arm: 'baseline' | 'tested') => cluster.flatMap((task) => task.pairs.map((pair) => pair[arm]));
    const add = (arm: 'baseline' | 'tested') => ({
      part: sum(sides(arm).map((side) => side.part)),
      whole: sum(sides(arm).map((side) => side.whole)),
    });
    return { baseline: add('baseline'), tested: add('tested') };
  });
}

/** The same with each task's mean per run as its part: a pass over the tasks, whatever pairs dropped out. */
export function clusterTotals(tasks: PairedTask[]): ClusterSums[] {
  return [...groupBy(tasks, (task) => task.repo).values()].map((cluster) => {
    const add = (arm: 'baseline' | 'tested') => ({
      part: sum(cluster.map((task) => mean(task.pairs.map((pair) => pair[arm].y)))),
      whole: cluster.length,
    });
    return { baseline: add('baseline'), tested: add('tested') };
  });
}
