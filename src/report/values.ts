import type { Metric, Unit } from '../catalogue/index.js';
import { compact, duration, durationWithTenths, grouped, MISSING, percent1 } from './numbers.js';

/** How values of a unit are printed. */
interface UnitPrint {
  /** In the table of arms, whose row labels name the unit. */
  cell(value: number): string;
  /** In the list of every run. */
  detail(value: number): string;
  /** In the tables over repositories, where four columns must fit on a line. */
  short(value: number): string;
  /** In the short report. Means of counts are seldom whole. */
  brief(value: number): string;
}

const PRINTS: Record<Unit, UnitPrint> = {
  usd: {
    ...{ cell: (usd) => usd.toFixed(3), detail: (usd) => `$${usd.toFixed(3)}`, short: (usd) => `$${usd.toFixed(2)}` },
    brief: (usd) => `$${usd.toFixed(usd < 0.1 ? 4 : 3)}`,
  },
  ms: { cell: (ms) => grouped(ms / 1000), detail: duration, short: duration, brief: durationWithTenths },
  tokens: { cell: grouped, detail: grouped, short: compact, brief: grouped },
  count: { cell: halfCount, detail: halfCount, short: halfCount, brief: (count) => count.toFixed(1) },
  share: { cell: percent1, detail: percent1, short: percent1, brief: percent1 },
};

/** Returns a metric's value as a table prints it. A missing value is a dash. */
export function printValue({ unit }: Pick<Metric, 'unit'>, style: keyof UnitPrint, value: number | null | undefined) {
  return value === null || value === undefined ? MISSING : PRINTS[unit][style](value);
}

/** A count. The median of an even number of runs can lie half way between two. */
function halfCount(value: number): string {
  return Number.isInteger(value) ? grouped(value) : value.toFixed(1);
}
