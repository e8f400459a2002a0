import { METRICS } from './entries.js';
import type { Metric, RunSource, Sums } from './metric.js';

export type { Metric, RepoSectionName, RunSource, TableSectionName, Unit } from './metric.js';

type Entry = (typeof METRICS)[number];
type JudgedEntry = Extract<Entry, { verdict: object }>;
/** A metric that a verdict can be about. */
export type MetricName = JudgedEntry['name'];
/** The printed name of such a metric. It is accepted wherever its name is. */
export type MetricLabel = JudgedEntry['label'];
/** A metric of graded answers. A trial that the agent failed has a value of it too. */
export type AnswerMetricName = Extract<JudgedEntry, { source: 'answer' }>['name'];

/** Every metric, in the order of the printed tables. */
export const ALL_METRICS: readonly Metric[] = METRICS;
type JudgedMetric = Metric & { name: MetricName; verdict: object };
/** The metrics that a verdict can be about. */
export const JUDGED_METRICS = ALL_METRICS.filter((metric): metric is JudgedMetric => metric.verdict !== null);
/** The metrics that the table of arms shows as median and range. */
export const TABLE_METRICS = ALL_METRICS.filter(({ row }) => row !== undefined);

/** The metrics in the tables over repositories, in the order of their columns. */
export const REPO_METRICS = ALL_METRICS.filter(({ repos }) => repos !== undefined).sort(
  byPlace(({ repos }) => repos?.place),
);
/** The metrics whose direction is spelled out below the table of arms, in that order. */
export const DIRECTION_METRICS = ALL_METRICS.filter(({ direction }) => direction !== undefined).sort(
  byPlace(({ direction }) => direction),
);
/** The metrics with a column in the CSV, in the order of the columns. */
export const CSV_METRICS = ALL_METRICS.filter(({ csv }) => csv !== undefined).sort(byPlace(({ csv }) => csv?.place));

/** The metrics with a column in the list of every run, in the order of the columns. */
export const DETAIL_METRICS = ALL_METRICS.filter(({ detail }) => detail !== undefined).sort(
  byPlace(({ detail }) => detail?.place),
);

/** Compares metrics by their place. Metrics without a place come last, in the order of the catalogue. */
function byPlace(placeOf: (metric: Metric) => number | undefined): (a: Metric, b: Metric) => number {
  const rank = (metric: Metric) => placeOf(metric) ?? Number.MAX_SAFE_INTEGER;
  return (a, b) => rank(a) - rank(b);
}

/** Whether trials that run in parallel distort the metric. */
export function isTimed(metric: Metric | undefined): boolean {
  return metric?.unit === 'ms';
}

/** Returns the metric of this name. Undefined if there is none. */
export function metricNamed(name: string): Metric | undefined {
  return ALL_METRICS.find((metric) => metric.name === name);
}

/** Returns the metric of this name, if a verdict can be about it. */
export function judgedMetric(name: string): JudgedMetric | undefined {
  return JUDGED_METRICS.find((metric) => metric.name === name);
}

/** Whether the metric is read from the grade. A trial that the agent failed is graded too, so it has a value of it. */
export function needsGrade(name: string): boolean {
  const metric = metricNamed(name);
  return metric?.source === 'answer' || (metric?.source === 'totals' && metric.needsGrade === true);
}

/**
 * Finds the metric that a text of the user names: by its name, by its label or by its row in the tables, whatever the case.
 * Undefined if it names no metric that a verdict can be about.
 */
export function findMetric(text: string): MetricName | undefined {
  const wanted = plain(text);
  return (judgedMetric(text) ?? JUDGED_METRICS.find((metric) => printedNames(metric).includes(wanted)))?.name;
}

/** The names under which a metric is printed, in lower case. */
function printedNames(metric: Metric): string[] {
  return [metric.label, ...(metric.row ? [metric.row.label, rowName(metric)] : [])].map(plain);
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();
}

/** Returns a text of the catalogue with the label of the tool under test. */
export function withTool(text: string, tool: string): string {
  return text.replaceAll('{tool}', tool);
}

/** Returns the name in the table of arms without its arrow and its unit: "→ retrieval residual (tok)" is "retrieval residual". */
export function rowName({ row, label }: Metric): string {
  return (row?.label ?? label).replace(/^→ /, '').replace(/ \([^)]*\)$/, '');
}

/** Reads every metric that has a value of one run. Values are null where the run has none. */
export function valuesOfRun(run: RunSource): Record<string, number | null> {
  return Object.fromEntries(
    ALL_METRICS.flatMap((metric) => (metric.source === 'totals' ? [] : [[metric.name, readValue(metric, run)]])),
  );
}

function readValue(metric: Exclude<Metric, { source: 'totals' }>, run: RunSource): number | null {
  if (metric.source === 'answer') return run.grade ? metric.read(run.grade) : null;
  return run.measure ? metric.read(run.measure, run) : null;
}

/** Reads what one run adds to every metric that is a ratio of totals. Null where the run has no value. */
export function sumsOfRun(run: RunSource): Record<string, Sums | null> {
  return Object.fromEntries(
    ALL_METRICS.flatMap((metric) => (metric.source === 'totals' ? [[metric.name, metric.read(run)]] : [])),
  );
}
