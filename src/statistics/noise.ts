import type { MetricDeclaration, NoiseFloor, Observation, Relabelings, VerdictDesign } from '../model/verdict.js';
import {
  clusterDifferences,
  corpusEstimate,
  type Estimated,
  meanEffect,
  tasksEstimate,
  tInterval,
} from './estimate.js';
import { halvesOf, signFlipTest, smallestPermutation } from './exact.js';
import { type Pair, type PairedTask, pairUp, type Side } from './pairs.js';
import { type Random, randomFrom } from './random.js';
import { isPooled } from './scale.js';
import { verdictsOf } from './verdict.js';

const SAMPLED = 1_000;
const MAX_ENUMERATED = 10_000;

/**
 * Returns what an A/A campaign (the baseline against itself through the whole chain) shows: each metric's effect and half width, and in how
 * many ways to give the runs to the arms within their tasks the verdict would be BETTER or WORSE. Exchanging labels takes the runs as they
 * came, so it cannot show drift or an effect of the order. No such count for pooled shares: their interval is itself resampled.
 */
export function noiseFloorOf(observations: Observation[], design: VerdictDesign, campaign: string): NoiseFloor {
  const report = verdictsOf(observations, design);
  const counts = report.metrics.filter((one) => one.tasks > 0).map((one) => one.runs);
  return {
    campaign,
    tasks: Math.max(0, ...report.metrics.map((one) => one.tasks)),
    runs:
      counts.length === 0
        ? [0, 0]
        : [Math.min(...counts.map(([one]) => one)), Math.max(...counts.map(([, one]) => one))],
    metrics: report.metrics.map(({ metric, unit, lead }) => ({
      metric: metric.name,
      unit,
      effect: lead?.effect ?? null,
      halfWidth: lead?.interval ? (lead.interval[1] - lead.interval[0]) / 2 : null,
      falseAlarms: falseAlarms(observations, metric, design),
    })),
  };
}

function falseAlarms(
  observations: Observation[],
  metric: MetricDeclaration,
  design: VerdictDesign,
): Relabelings | null {
  const { tasks } = pairUp(observations, metric, design);
  if (isPooled(metric) || tasks.length === 0) return null;
  const relabelings = relabelingsOf(tasks, design, metric.name);
  let of = 0;
  const alarms = relabelings.all.flatMap((again) => {
    const estimate: Estimated = design.question === 'tasks' ? tasksEstimate(again) : corpusEstimate(again);
    if ('why' in estimate) return [];
    of++;
    const [low, high] = tInterval(estimate, 0.025);
    return low > 0 || high < 0 ? [{ again, effect: Math.abs(estimate.effect) }] : [];
  });
  if (of === 0) return null;
  // Under "on this corpus" the relabelings are the exact test's own ways, so the p of each is its rank among them.
  const effects = relabelings.all.map((again) => Math.abs(meanEffect(again)));
  const exactP = (again: PairedTask[], effect: number) =>
    design.question === 'tasks'
      ? signFlipTest(clusterDifferences(again), design.seed).p
      : effects.filter((other) => other >= effect - 1e-9 * Math.max(1, effect)).length / effects.length;
  const count = alarms.filter(({ again, effect }) => exactP(again, effect) <= 0.05).length;
  return { count, of, all: relabelings.isAll };
}

/** All ways to give each task's runs to the arms where there are at most 10,000, else 1,000 random ones. */
function relabelingsOf(
  tasks: PairedTask[],
  { seed }: VerdictDesign,
  name: string,
): { all: PairedTask[][]; isAll: boolean } {
  const ways = 2 / smallestPermutation(tasks.map(({ pairs }) => [pairs.length, pairs.length]));
  if (ways > MAX_ENUMERATED + 0.5) {
    const random = randomFrom(seed, `relabel ${name}`);
    const draw = () => tasks.map((task) => relabeled(task, shuffled(sidesOf(task), random)));
    return { all: Array.from({ length: SAMPLED }, draw), isAll: false };
  }
  let all: PairedTask[][] = [[]];
  for (const task of tasks) {
    const sides = sidesOf(task);
    const own = halvesOf(sides.map((_, index) => index)).map((tested) =>
      relabeled(task, [
        ...sides.filter((_, index) => !tested.includes(index)),
        ...tested.flatMap((at) => sides[at] ?? []),
      ]),
    );
    all = all.flatMap((before) => own.map((again) => [...before, again]));
  }
  return { all, isAll: true };
}

function sidesOf({ pairs }: PairedTask): Side[] {
  return pairs.flatMap(({ baseline, tested }) => [baseline, tested]);
}

/** The task with the first half of `sides` as the baseline's runs. */
function relabeled(task: PairedTask, sides: Side[]): PairedTask {
  const half = task.pairs.length;
  const pairs = task.pairs.map(
    (pair, index): Pair => ({
      ...pair,
      baseline: sides[index] ?? pair.baseline,
      tested: sides[half + index] ?? pair.tested,
    }),
  );
  return { ...task, pairs };
}

function shuffled(sides: Side[], random: Random): Side[] {
  const all = [...sides];
  for (let last = all.length - 1; last > 0; last--) {
    const other = random.below(last + 1);
    const [a, b] = [all[last], all[other]];
    if (a && b) [all[last], all[other]] = [b, a];
  }
  return all;
}
