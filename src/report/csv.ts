import { CSV_METRICS } from '../catalogue/index.js';
import type { RunDetail } from '../model/repos.js';

type Cell = string | number | null;

const COLUMNS: [string, (run: RunDetail, jobs: number | null) => Cell][] = [
  ['task', (run) => run.repo],
  ['arm', (run) => run.arm],
  ['run', (run) => run.name],
  ['excluded_because', (run) => run.cause],
  ...CSV_METRICS.map(({ name, csv }): (typeof COLUMNS)[number] => [
    csv?.column ?? name,
    ({ values }) => values[name] ?? null,
  ]),
  ['jobs_side_by_side', (_, jobs) => jobs],
];

/**
 * Renders one line for each run with its values, after a header, quoted as in RFC 4180. A missing value is an empty field, never 0.
 * `jobs` is the number of trials that ran in parallel, null if it is not known. Above 1, `duration_ms` is distorted.
 */
export function renderCsv(runs: RunDetail[], jobs: number | null = null): string {
  const lines = [COLUMNS.map(([name]) => name), ...runs.map((run) => COLUMNS.map(([, value]) => value(run, jobs)))];
  return lines.map((line) => line.map(field).join(',')).join('\n');
}

function field(value: Cell): string {
  if (value === null) return '';
  // A spreadsheet would run a text that begins with one of these characters as a formula.
  const text = typeof value === 'string' ? value.replace(/^(?=[=+@\t\r-])/, "'") : String(rounded(value));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rounds to six decimals: below a thousandth of a cent, and free of the remainders of binary fractions (0.7885139999999999). */
function rounded(value: number): number {
  return Number(value.toFixed(6));
}
