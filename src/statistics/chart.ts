import type { MetricDeclaration, Observation } from '../model/verdict.js';
import { groupBy, mean, sum, variance } from './moments.js';
import { isUsable } from './pairs.js';
import { isPooled, toScale } from './scale.js';

export interface ControlLimits {
  center: number;
  lower: number;
  upper: number;
}

export interface ControlChart extends ControlLimits {
  points: { id: string; value: number; alarm: boolean }[];
}

/** Shewhart's three sigma. */
const LIMIT_SIGMAS = 3;

/**
 * Nightly effects against limits from A/A campaigns: mean ± 3 standard deviations of theirs. A point outside is an alarm, a
 * reason to look, and no verdict. Undefined below two A/A campaigns.
 */
export function controlChart(aa: number[], nightly: { id: string; value: number }[]): ControlChart | undefined {
  const deviation = Math.sqrt(variance(aa));
  if (!Number.isFinite(deviation)) return undefined;
  const center = mean(aa);
  const [lower, upper] = [center - LIMIT_SIGMAS * deviation, center + LIMIT_SIGMAS * deviation];
  const points = nightly.map((point) => ({ ...point, alarm: point.value < lower || point.value > upper }));
  return { center, lower, upper, points };
}

/** Mean of the moving ranges of two over sigma, for normal values (Shewhart's d₂). */
const D2 = 1.128;
/** With fewer values before it, a point is held against nothing. */
const LEAST_NIGHTS = 8;

/**
 * Limits from the values so far, where there is no A/A: their mean ± 3 sigma, sigma by the mean difference of neighbours (d₂ =
 * 1.128), which a slow drift does not widen. Undefined below eight values, or where none differs.
 */
export function movingRangeLimits(values: number[]): ControlLimits | undefined {
  if (values.length < LEAST_NIGHTS) return undefined;
  const ranges = values.slice(1).map((value, index) => Math.abs(value - (values[index] ?? value)));
  const half = (LIMIT_SIGMAS * mean(ranges)) / D2;
  if (!(half > 0)) return undefined;
  const center = mean(values);
  return { center, lower: center - half, upper: center + half };
}

/**
 * Where an arm stands by itself, on the scale of the arithmetic (ln, or the share): the mean over tasks of the mean over their
 * usable runs; of a pooled share the ratio of its sums. Null without a value.
 */
export function levelOf(observations: Observation[], metric: MetricDeclaration, arm: string): number | null {
  const own = observations.filter((one) => one.arm === arm && isUsable(one) && one.censored === null);
  if (isPooled(metric)) {
    const sums = own.flatMap((one) => one.pooled[metric.name] ?? []);
    const whole = sum(sums.map((one) => one.whole));
    const ratio = whole === 0 ? null : sum(sums.map((one) => one.part)) / whole;
    if (metric.kind !== 'totals') return ratio;
    return ratio !== null && ratio > 0 ? Math.log(ratio) : null;
  }
  const byTask = [...groupBy(own, (one) => one.task).values()].flatMap((runs) => {
    const values = runs.flatMap((run) => {
      const value = run.values[metric.name] ?? null;
      return value === null ? [] : (toScale(metric.kind, value) ?? []);
    });
    return values.length === 0 ? [] : [mean(values)];
  });
  return byTask.length === 0 ? null : mean(byTask);
}
