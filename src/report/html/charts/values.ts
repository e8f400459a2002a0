import { type Metric, metricNamed } from '../../../catalogue/index.js';
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

const DRAWN: Record<Metric['unit'], Unit> = {
  share: { name: '%', factor: 100, axis: '~f', text: (value) => `${(value * 100).toFixed(1)}%` },
  usd: { name: 'US$', factor: 1, axis: '~f', text: (value) => `$${precise(value)}` },
  ms: { name: 's', factor: 0.001, axis: ',~f', text: (value) => `${precise(value / 1000)} s` },
  tokens: { name: 'tokens', factor: 1, axis: '~s', text: (value) => `${grouped(value)} tok` },
  count: { name: '', factor: 1, axis: ',~f', text: (value) => (value % 1 === 0 ? grouped(value) : value.toFixed(1)) },
};

/** Returns how the values of a metric are drawn. A metric that the catalogue does not know is drawn as a count. */
export function unitOfMetric({ name }: Pick<MetricDeclaration, 'name'>): Unit {
  return DRAWN[metricNamed(name)?.unit ?? 'count'];
}

function precise(value: number): string {
  if (Math.abs(value) >= 1000) return grouped(value);
  return value === 0 ? '0' : value.toPrecision(3);
}
