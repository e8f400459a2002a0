import type { MetricDeclaration, NoiseFloor } from '../model/verdict.js';
import type { NightlyChart, NightlyEntry } from '../report/index.js';
import { controlChart, movingRangeLimits, toUnit } from '../statistics/index.js';

interface Night {
  arm: string;
  metric: MetricDeclaration;
  /** Against the baseline, percent or points. */
  effect: number | null;
  /** By itself, on the scale of the arithmetic. */
  level: number | null;
  /** The green nights of the regime, the oldest first. */
  earlier: NightlyEntry[];
  /** A/A campaigns of the regime. */
  floors: NoiseFloor[];
}

/**
 * Tonight on a control chart: its effect against the limits of A/A campaigns where there are two or more, else its level against
 * those of the earlier nights by their moving range (eight or more). Null where there is neither.
 */
export function chartOf(night: Night): NightlyChart | null {
  return byNoise(night) ?? byHistory(night);
}

function byNoise({ metric, effect, floors }: Night): NightlyChart | null {
  if (effect === null) return null;
  const effects = floors.flatMap(({ metrics }) => metrics.find((one) => one.metric === metric.name)?.effect ?? []);
  const chart = controlChart(effects, [{ id: 'tonight', value: effect }]);
  if (!chart) return null;
  const { center, lower, upper, points } = chart;
  return {
    ...{ by: 'aa', of: effects.length, value: effect - center, lower: lower - center, upper: upper - center },
    isAlarm: points.some(({ alarm }) => alarm),
  };
}

function byHistory({ arm, metric, level, earlier }: Night): NightlyChart | null {
  if (level === null) return null;
  const levels = earlier.flatMap(
    // Nights of before held no levels.
    ({ metrics = [] }) => metrics.find((one) => one.arm === arm && one.metric === metric.name)?.level ?? [],
  );
  const limits = movingRangeLimits(levels);
  if (!limits) return null;
  const off = (value: number) => toUnit(metric.kind, value - limits.center);
  const isShare = metric.kind !== 'ratio' && metric.kind !== 'count';
  // No share lies below 0 or above 1, so no limit does.
  const lower = isShare ? Math.max(0, limits.lower) : limits.lower;
  const upper = isShare ? Math.min(1, limits.upper) : limits.upper;
  return {
    ...{ by: 'moving-range', of: levels.length, value: off(level), lower: off(lower), upper: off(upper) },
    isAlarm: level < lower || level > upper,
  };
}
