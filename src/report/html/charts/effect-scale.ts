import type { MetricVerdict } from '../../../model/verdict.js';

/** A difference between two shares, in points, goes no further than this. */
const MAX_POINTS = 100;
/** Percentages beyond a factor of this are not drawn: an arrow stands for them, and the text gives their ends. */
const MAX_FACTOR = 20;
/** The margin's band takes at most this share of half the axis, so that an effect inside the band is seen to lie inside. */
const MARGIN_ROOM = 1.8;

/** An axis of effects, in percent or points. */
export interface EffectScale {
  /** The coordinate of an effect. An effect beyond the axis has that of its end. */
  x(effect: number): number;
  /** Ends of the axis, in percent or points. */
  domain: [number, number];
  ticks: { at: number; text: string }[];
}

interface ScaleInput {
  unit: MetricVerdict['unit'];
  /** Effects and ends of intervals that the axis should cover. */
  values: number[];
  /** Half width of the margin's band, in percent or points. */
  margin: number;
  range: [number, number];
  /** Smallest distance between the middles of two labels. */
  gap: number;
}

/**
 * Returns the axis that every interval of effects is drawn on: logarithmic for percentages, so that halving and doubling lie equally far
 * from 0, and linear for points. No value lies beyond what is possible: −100 % on the one, ±100 points on the other.
 */
export function effectScale({ unit, values, margin, range, gap }: ScaleInput): EffectScale {
  const isLog = unit === 'percent';
  const [least, most] = isLog ? [100 / MAX_FACTOR - 100, 100 * MAX_FACTOR - 100] : [-MAX_POINTS, MAX_POINTS];
  const clamp = (value: number) => Math.min(most, Math.max(least, value));
  const onScale = (value: number) => (isLog ? Math.log1p(clamp(value) / 100) : clamp(value));
  const offScale = (place: number) => (isLog ? 100 * Math.expm1(place) : place);
  const places = [0, ...values].map(onScale);
  const band = isLog ? Math.log1p(margin / 100) : margin;
  const low = Math.min(...places, -band * MARGIN_ROOM);
  const high = Math.max(...places, band * MARGIN_ROOM);
  const room = 0.06 * (high - low);
  const from = Math.max(onScale(least), low - room);
  const to = Math.min(onScale(most), high + room);
  const [left, right] = range;
  const x = (value: number) => {
    const place = Math.min(to, Math.max(from, onScale(value)));
    return Math.round((left + ((place - from) / (to - from)) * (right - left)) * 10) / 10;
  };
  const domain: [number, number] = [offScale(from), offScale(to)];
  return { x, domain, ticks: ticksOf(domain, x, gap, isLog) };
}

/** Round numbers, those that say most first: 0, then from the largest down while they have room. */
function ticksOf([low, high]: [number, number], x: (value: number) => number, gap: number, isLog: boolean) {
  const halves = isLog ? [-90, -75, -50, 100, 300, 900] : [-100, -50, 50, 100];
  const tens = [-80, -60, -40, -30, -20, -10, 10, 20, 30, 40, 60, 80, 50, 200, 500];
  const ones = [-25, -5, 5, 25, -2, 2, -1, 1, -0.5, 0.5];
  const taken: number[] = [];
  for (const value of [0, ...halves, ...tens, ...ones]) {
    if (value < low || value > high) continue;
    if (taken.every((other) => Math.abs(x(other) - x(value)) >= gap)) taken.push(value);
  }
  return taken.toSorted((a, b) => a - b).map((value) => ({ at: x(value), text: tickText(value, isLog) }));
}

function tickText(value: number, isLog: boolean): string {
  const sign = value === 0 ? '' : value < 0 ? '−' : '+';
  return `${sign}${Math.abs(value)}${isLog ? '%' : ''}`;
}
