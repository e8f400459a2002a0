import { judgedMetric } from '../../catalogue/index.js';
import type { MetricVerdict } from '../../model/verdict.js';
import { MISSING, plural } from '../numbers.js';
import { printValue } from '../values.js';
import { columns } from './columns.js';
import { shorten, WIDTH } from './lines.js';
import { shortUnit, signedShort } from './numbers.js';

/** Values of all arms of a campaign, each compared with one of them. */
export interface ArmsTable {
  /** Label of the arm with which the others are compared. */
  reference: string;
  /** Labels of the others, in the plan's order. */
  others: string[];
  rows: {
    metric: string;
    label: string;
    unit: MetricVerdict['unit'];
    reference: number | null;
    /** In the order of the labels. `effect` is in the unit. */
    others: { value: number | null; effect: number | null }[];
  }[];
  /** Repetitions of tasks that an arm has no run of; they are in none of the values. */
  incomplete: number;
}

const MAX_HEADING = 12;

/** The table in at most `room` lines, with as many arms as fit into 80 columns. What is cut is counted below it. */
export function armsTableLines(table: ArmsTable, room: number): string[] {
  const { rows, others, incomplete } = table;
  // Answers stay in the table where they are not graded, so that a difference in cost is not taken for a gain.
  const valued = rows.filter((row, index) => row.reference !== null || (index === 0 && row.unit === 'points'));
  let arms = others.length;
  while (arms > 1 && Math.max(...linesOf(table, valued, arms).map((line) => line.length)) > WIDTH) arms--;
  const notes = (hidden: number) => [
    ...(hidden > 0 ? [`  and ${plural(hidden, 'more declared metric')}: --full`] : []),
    ...(arms < others.length ? [`  and ${plural(others.length - arms, 'more arm')}: --full`] : []),
    ...(incomplete > 0 ? [`  in no value: ${plural(incomplete, 'repetition')} of tasks that not every arm has`] : []),
  ];
  const fits = 1 + valued.length + notes(0).length <= room ? valued.length : Math.max(1, room - 1 - notes(1).length);
  return [...linesOf(table, valued.slice(0, fits), arms), ...notes(valued.length - fits)];
}

function linesOf({ reference, others }: ArmsTable, rows: ArmsTable['rows'], arms: number): string[] {
  const head = [reference, ...others.slice(0, arms)].map((label) => shorten(label, MAX_HEADING));
  const [first = '', ...rest] = head;
  return columns([
    ['mean of a run', first, ...rest.flatMap((label) => [label, 'change'])],
    ...rows.map((row) => cellsOf(row, arms)),
  ]);
}

function cellsOf({ metric: name, label, unit, reference, others }: ArmsTable['rows'][number], arms: number): string[] {
  const metric = judgedMetric(name);
  const print = (value: number | null) => (metric === undefined ? MISSING : printValue(metric, 'brief', value));
  const compared = others
    .slice(0, arms)
    .flatMap(({ value, effect }) => [
      print(value),
      effect === null ? MISSING : `${signedShort(effect)}${shortUnit(unit)}`,
    ]);
  return [label, print(reference), ...compared];
}
