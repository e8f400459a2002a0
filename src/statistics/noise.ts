import type { Proportion } from '../model/estimate.js';
import type { MetricDeclaration, NoiseFloor, Observation, VerdictDesign } from '../model/verdict.js';
import { corpusEstimate, type Estimated, tasksEstimate, tInterval } from './estimate.js';
import { wilson } from './exact.js';
import { type Pair, type PairedTask, pairUp, type Side } from './pairs.js';
import { type Random, randomFrom } from './random.js';
import { isPooled } from './scale.js';
import { verdictsOf } from './verdict.js';

const RELABELLINGS = 1_000;

/**
 * What an A/A campaign (the baseline against itself through the whole chain) shows: each metric's effect and half width, and
 * how often the interval of the leading question lies beyond 0 when the runs are given to the arms at random within
 * their tasks (spec/statistics.md 7). No false-alarm rate for pooled shares: their interval is itself resampled.
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

function falseAlarms(observations: Observation[], metric: MetricDeclaration, design: VerdictDesign): Proportion | null {
  const { tasks } = pairUp(observations, metric, design);
  if (isPooled(metric) || tasks.length === 0) return null;
  const random = randomFrom(design.seed, `relabel ${metric.name}`);
  let alarms = 0;
  let judged = 0;
  for (let index = 0; index < RELABELLINGS; index++) {
    const again = tasks.map((task) => ({ ...task, pairs: relabelled(task, random) }));
    const estimate: Estimated = design.question === 'tasks' ? tasksEstimate(again) : corpusEstimate(again);
    if ('why' in estimate) continue;
    const [low, high] = tInterval(estimate, 0.025);
    judged++;
    if (low > 0 || high < 0) alarms++;
  }
  return judged === 0 ? null : wilson(alarms, judged);
}

/** The task's runs in random order, the first half as the baseline. */
function relabelled(task: PairedTask, random: Random): Pair[] {
  const sides: Side[] = task.pairs.flatMap((pair) => [pair.baseline, pair.tested]);
  for (let last = sides.length - 1; last > 0; last--) {
    const other = random.below(last + 1);
    const [a, b] = [sides[last], sides[other]];
    if (a && b) [sides[last], sides[other]] = [b, a];
  }
  return task.pairs.map((pair, index) => ({
    ...pair,
    baseline: sides[index] ?? pair.baseline,
    tested: sides[task.pairs.length + index] ?? pair.tested,
  }));
}
