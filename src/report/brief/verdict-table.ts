import { isTimed, judgedMetric, metricNamed } from '../../catalogue/index.js';
import type { AnswersVerdict, ArmValues, MetricVerdict, VerdictReport } from '../../model/verdict.js';
import { MISSING, plural } from '../numbers.js';
import { printValue } from '../values.js';
import { columns } from './columns.js';
import { cutLine, shorten } from './lines.js';
import { intervalText, shortUnit, signedShort } from './numbers.js';

/** Longest label of an arm as the heading of a column. */
const MAX_HEADING = 10;

/** Printed where a metric has no verdict: the sentence below the table says why. */
const NO_WORD = '–';

/**
 * The table of the declared metrics in at most `room` lines: answers first, then each metric with both arms' values, the change, its interval and a
 * word. Metrics without a value in both arms, and those for which there is no room, are named below it.
 */
export function verdictTable(report: VerdictReport, jobs: number, room: number): string[] {
  const { metrics, answers } = report;
  const shown = metrics.filter(({ lead }) => lead !== null);
  const empty = metrics.filter(({ lead }) => lead === null);
  // The heading, the answers, a metric and the line that counts the others come first.
  const footnotes = footnotesOf(shown, empty, jobs).slice(0, Math.max(0, room - 4));
  const fixed = 1 + (answers.state === 'not-asked' ? 0 : 1) + footnotes.length;
  const fits = fixed + shown.length <= room ? shown.length : Math.max(1, room - fixed - 1);
  const more = shown.length - fits;
  const rows = [
    heading(report),
    ...(answers.state === 'not-asked' ? [] : [answersRow(answers)]),
    ...shown.slice(0, fits).map((one) => metricRow(one, jobs)),
  ];
  return [
    ...columns(rows, [5]),
    ...(more > 0 ? [`  and ${plural(more, 'more declared metric')}: --full`] : []),
    ...footnotes,
  ];
}

function heading({ tested, baseline }: VerdictReport): string[] {
  return ['mean of a run', shorten(baseline, MAX_HEADING), shorten(tested, MAX_HEADING), 'change', '95% interval', ''];
}

function answersRow(answers: AnswersVerdict): string[] {
  const { state, label, metric, effect, interval, armValues } = answers;
  const words = {
    'not-inferior': 'not worse',
    worse: 'WORSE',
    'not-shown': "can't tell",
    'not-graded': 'not graded',
    'not-asked': '',
  };
  return [
    `answers: ${label}`,
    ...valueCells(metric, armValues),
    ...effectCells({ effect, interval, unit: 'points' }),
    words[state],
  ];
}

function metricRow(verdict: MetricVerdict, jobs: number): string[] {
  const { metric, unit, lead, armValues } = verdict;
  const marks = `${isTimed(metricNamed(metric.name)) && jobs > 1 ? '†' : ''}${verdict.censored === null ? '' : '‡'}`;
  return [
    `${metric.label}${marks === '' ? '' : ` ${marks}`}`,
    ...valueCells(metric.name, armValues),
    ...effectCells({ effect: lead?.effect ?? null, interval: lead?.interval ?? null, unit }),
    wordOf(verdict),
  ];
}

/** Baseline, then the tested arm, as a change is read. */
function valueCells(name: string, values: ArmValues | null | undefined): string[] {
  const metric = judgedMetric(name);
  return [values?.baseline, values?.tested].map((value) =>
    metric === undefined ? MISSING : printValue(metric, 'brief', value),
  );
}

function effectCells(seen: {
  effect: number | null;
  interval: [number, number] | null;
  unit: MetricVerdict['unit'];
}): string[] {
  const { effect, interval, unit } = seen;
  return [
    effect === null ? MISSING : `${signedShort(effect)}${shortUnit(unit)}`,
    interval === null ? MISSING : intervalText(interval, unit),
  ];
}

/** An exploratory metric makes no claim, so its word is no capital. */
function wordOf({ verdict, metric, withheld }: MetricVerdict): string {
  if (verdict === 'none') return NO_WORD;
  if (verdict === 'inconclusive') return "can't tell";
  if (withheld !== undefined) return 'no claim';
  return metric.role === 'exploratory' ? `${verdict} (hint)` : verdict.toUpperCase();
}

function footnotesOf(shown: MetricVerdict[], empty: MetricVerdict[], jobs: number): string[] {
  const isDistorted = jobs > 1 && shown.some(({ metric }) => isTimed(metricNamed(metric.name)));
  const [primary] = shown;
  const isUnsaid = primary?.verdict !== 'none' && shown.some(({ verdict }) => verdict === 'none');
  const isCut = shown.some(({ censored }) => censored !== null);
  return [
    ...(empty.length === 0 ? [] : [`  no value in both arms: ${empty.map(({ metric }) => metric.label).join(', ')}`]),
    ...(isUnsaid ? [`  ${NO_WORD} no verdict on this metric: --full says why`] : []),
    ...(isDistorted ? [`  † ${jobs} trials ran in parallel, so durations are distorted`] : []),
    ...(isCut ? ['  ‡ some runs were cut off, so their values are lower bounds'] : []),
  ].map(cutLine);
}
