import type { MetricDeclaration } from '../../../model/verdict.js';
import { grouped } from '../../numbers.js';

/** How a metric's values are drawn and printed. */
export interface Unit {
  /** Beside the axis; "" where the label says it. */
  name: string;
  /** A value as drawn, by this factor. */
  factor: number;
  /** d3-format of the axis, for drawn values. */
  axis: string;
  /** A value in print. */
  text(value: number): string;
}

const SHARE: Unit = { name: '%', factor: 100, axis: '~f', text: (value) => `${(value * 100).toFixed(1)}%` };
const DOLLARS: Unit = { name: 'US$', factor: 1, axis: '~f', text: (value) => `$${precise(value)}` };
const SECONDS: Unit = { name: 's', factor: 0.001, axis: ',~f', text: (value) => `${precise(value / 1000)} s` };
const TOKENS: Unit = { name: 'tokens', factor: 1, axis: '~s', text: (value) => `${grouped(value)} tok` };
const COUNT: Unit = {
  name: '',
  factor: 1,
  axis: ',~f',
  text: (value) => (value % 1 === 0 ? grouped(value) : value.toFixed(1)),
};

/** The unit of a metric's values, by the unit in its name. */
export function unitOfMetric({ name, kind }: MetricDeclaration): Unit {
  if (kind === 'pooled' || kind === 'share' || kind === 'binary') return SHARE;
  if (name.endsWith('Usd')) return DOLLARS;
  if (name.endsWith('Ms')) return SECONDS;
  return /tokens/i.test(name) ? TOKENS : COUNT;
}

function precise(value: number): string {
  if (Math.abs(value) >= 1000) return grouped(value);
  return value === 0 ? '0' : value.toPrecision(3);
}
