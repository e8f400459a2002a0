import type { MetricDeclaration, MetricVerdict, Observation, VerdictReport } from '../../../model/verdict.js';
import {
  differenceOf,
  intervalName,
  isPooled,
  isUsable,
  type PairedTask,
  pairUp,
  toScale,
  toUnit,
} from '../../../statistics/index.js';
import type { ChartInput } from './types.js';

/** `unpaired`: it counts, but its partner does not. `bound`: cut off, its value is at least this. */
export type DotState = 'counted' | 'unpaired' | 'excluded' | 'bound';

export interface Dot {
  run: string;
  task: string;
  arm: string;
  repetition: number;
  /** In the metric's own unit. */
  value: number;
  state: DotState;
  /** Why it is not counted in full; "" for a counted one. */
  why: string;
}

export interface TaskRow {
  task: string;
  dots: Dot[];
  /** By arm, in the input's order, over the runs that the effect is made of; null where there is none. */
  means: (number | null)[];
  /** Percent or points; null without a pair. */
  effect: number | null;
}

/** What one chart of paired dots shows. */
export interface MetricDots {
  metric: MetricDeclaration;
  verdict: MetricVerdict | null;
  /** What its interval is called: other looks at growing data leave less than 95 %. */
  interval: string;
  rows: TaskRow[];
  /** Runs without a value, and why: missing is not zero. */
  missing: { run: string; task: string; arm: string; why: string }[];
}

/** Every declared metric's chart, primary first. */
export function metricDots(input: ChartInput): MetricDots[] {
  const { verdicts, metrics } = input;
  if (verdicts) return verdicts.metrics.map((verdict) => dotsOf(verdict.metric, verdict, input, verdicts));
  return metrics.map((metric) => dotsOf(metric, null, input, null));
}

function dotsOf(
  metric: MetricDeclaration,
  verdict: MetricVerdict | null,
  { arms, observations }: ChartInput,
  report: VerdictReport | null,
): MetricDots {
  const paired = report ? pairUp(observations, metric, report).tasks : null;
  const inPairs = paired && new Set(paired.flatMap(runsOf));
  const missing: MetricDots['missing'] = [];
  const rows = [...new Set(observations.map(({ task }) => task))].map((task): TaskRow => {
    const own = observations.filter((one) => one.task === task && arms.includes(one.arm));
    const dots: Dot[] = [];
    for (const one of own) {
      const value = valueOrWhy(one, metric);
      const { name: run, arm, repetition } = one;
      if (typeof value === 'string') missing.push({ run, task, arm, why: value });
      else dots.push({ run, task, arm, repetition, value, ...stateOf(one, inPairs, toScale(metric.kind, value)) });
    }
    const used = own.filter((one) => (inPairs ? inPairs.has(one.name) : isUsable(one)));
    const pairs = paired?.find((one) => one.task === task);
    return {
      task,
      dots,
      means: arms.map((arm) =>
        meanOf(
          used.filter((one) => one.arm === arm),
          metric,
        ),
      ),
      effect: pairs ? effectOf(pairs, metric) : null,
    };
  });
  return { metric, verdict, interval: intervalName(report?.looks), rows, missing };
}

function runsOf({ pairs }: PairedTask): string[] {
  return pairs.flatMap(({ baseline, tested }) => [baseline.run, tested.run]);
}

/** The run's value, or why it has none. */
function valueOrWhy(observation: Observation, metric: MetricDeclaration): number | string {
  const value = plainValue(observation, metric);
  if (value === null) return observation.counts ? 'no value' : `no value (${observation.validity})`;
  if (observation.censored && !metric.cumulative) return `cut off by its ${observation.censored}`;
  return value;
}

function plainValue({ values, pooled }: Observation, metric: MetricDeclaration): number | null {
  if (!isPooled(metric)) return values[metric.name] ?? null;
  const sums = pooled[metric.name] ?? null;
  return sums === null || sums.whole === 0 ? null : sums.part / sums.whole;
}

function stateOf(
  observation: Observation,
  inPairs: Set<string> | null,
  scaled: number | undefined,
): { state: DotState; why: string } {
  const { censored, counts, contaminationReturned, name, validity } = observation;
  if (!isUsable(observation)) {
    const why = counts || contaminationReturned > 0 ? 'contaminated' : validity;
    return { state: 'excluded', why: `left out: ${why}` };
  }
  if (scaled === undefined) return { state: 'unpaired', why: 'it has no logarithm' };
  if (censored) return { state: 'bound', why: `cut off by its ${censored}: at least this` };
  if (inPairs && !inPairs.has(name)) return { state: 'unpaired', why: 'its pair has no other side' };
  return { state: 'counted', why: '' };
}

/** The mean that the effect compares: of logarithms for ratios, of sums for pooled shares. */
function meanOf(runs: Observation[], metric: MetricDeclaration): number | null {
  if (isPooled(metric)) {
    const sums = runs.flatMap((run) => run.pooled[metric.name] ?? []);
    const whole = total(sums.map((one) => one.whole));
    return whole === 0 ? null : total(sums.map((one) => one.part)) / whole;
  }
  const scaled = runs.flatMap((run) => {
    if (run.censored && !metric.cumulative) return [];
    const value = run.values[metric.name] ?? null;
    return value === null ? [] : (toScale(metric.kind, value) ?? []);
  });
  if (scaled.length === 0) return null;
  const mean = total(scaled) / scaled.length;
  if (metric.kind === 'ratio') return Math.exp(mean);
  return metric.kind === 'count' ? Math.expm1(mean) : mean;
}

function effectOf(task: PairedTask, metric: MetricDeclaration): number | null {
  if (!isPooled(metric)) return toUnit(metric.kind, differenceOf(task));
  const ratio = (side: 'baseline' | 'tested') =>
    total(task.pairs.map((pair) => pair[side].part)) / total(task.pairs.map((pair) => pair[side].whole));
  const isLog = metric.kind === 'totals';
  const difference = isLog ? Math.log(ratio('tested') / ratio('baseline')) : ratio('tested') - ratio('baseline');
  return Number.isFinite(difference) ? toUnit(metric.kind, difference) : null;
}

function total(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
