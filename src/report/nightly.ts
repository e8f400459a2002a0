import type { VerdictReport, VerdictWord } from '../model/verdict.js';
import { signed, unitSign } from '../statistics/index.js';
import { oneLine } from './clean.js';
import type { GateWords } from './json.js';
import { plural } from './numbers.js';
import { renderVerdicts } from './verdicts.js';

/** One arm's metric tonight; effect, interval and limits in percent or points. */
export interface NightlyMetric {
  arm: string;
  metric: string;
  label: string;
  unit: 'percent' | 'points';
  /** How much worse is a regression; null for a metric without a margin of its own, which can be none. */
  margin: number | null;
  effect: number | null;
  interval: [number, number] | null;
  verdict: VerdictWord | null;
  /** `regression`: worse, and the whole interval lies beyond the margin. `first`: nothing to compare with. */
  result: 'regression' | 'within' | 'not-measured' | 'first';
  /** Why it was not measured; null where it was. */
  reason: string | null;
  /** Where the arm stands by itself, on the scale of the arithmetic: what later nights' control charts are made of. */
  level: number | null;
  /** Null where there is nothing to hold it against, or looks were declared. */
  chart: NightlyChart | null;
}

/** Tonight's point on a control chart. */
export interface NightlyChart {
  /** Limits of A/A campaigns' effects, or of the earlier nights' own levels by their moving range. */
  by: 'aa' | 'moving-range';
  /** How many they rest on. */
  of: number;
  /** Against the centre: of the effect for `aa`, of the level for `moving-range`. */
  value: number;
  lower: number;
  upper: number;
  isAlarm: boolean;
}

/** What a night came to. */
export interface NightlyVerdict {
  name: string;
  /** `first`: there was nothing of the same regime to compare with. */
  verdict: 'green' | 'regression' | 'first' | 'not-measured';
  campaign: string | null;
  baseline: string | null;
  /** Which of the declared comparisons; null where none were declared. */
  look: { look: number; planned: number } | null;
  metrics: NightlyMetric[];
  gate: GateWords | null;
  reason?: string;
}

/** One line of history.jsonl: what a night came to. */
export interface NightlyEntry extends NightlyVerdict {
  formatVersion: 2;
  at: string;
  /** Equal for campaigns that may be compared; null where nothing was run. */
  regime: string | null;
  builds: { arm: string; title: string; pin: string }[];
  exitCode: number;
}

/** What `nightly --json` prints. */
export interface NightlyJson extends NightlyEntry {
  /** An arm with an engine each; empty where there was nothing to compare with. */
  verdicts: VerdictReport[];
}

const WORDS: Record<NightlyVerdict['verdict'], string> = {
  green: 'GREEN: nothing is worse beyond its margin',
  regression: 'REGRESSION',
  first: 'FIRST of its regime: nothing to compare with; the next one is held against it',
  'not-measured': 'NOT MEASURED',
};

/** The verdict of a nightly campaign, every metric with a margin, alarms, and the verdicts that it rests on. */
export function renderNightly(night: NightlyVerdict, verdicts: VerdictReport[] = []): string {
  const reason = night.reason === undefined ? '' : ` — ${oneLine(night.reason)}`;
  const judged = night.metrics.filter(({ margin, result }) => margin !== null && result !== 'first');
  return [
    `====== NIGHTLY ${oneLine(night.name)} — ${WORDS[night.verdict]}${reason} ======`,
    ...(night.campaign === null ? [] : [`  campaign  ${oneLine(night.campaign)}`]),
    ...(night.baseline === null ? [] : [`  against   ${oneLine(night.baseline)}`]),
    ...(night.look === null
      ? []
      : [`  compared  number ${night.look.look} of ${night.look.planned} comparisons that were declared`]),
    ...judged.map((one) => `  ${metricLine(one)}`),
    ...night.metrics.flatMap(chartLines),
    ...(night.gate === null ? [] : [`  ${oneLine(night.gate.words)}`]),
    ...verdicts.flatMap((report) => ['', renderVerdicts(report)]),
  ].join('\n');
}

function metricLine({ arm, label, effect, interval, margin, unit, result, reason }: NightlyMetric): string {
  const sign = unitSign({ unit });
  const range = interval === null ? 'no interval' : `${signed(interval[0], sign)} to ${signed(interval[1], sign)}`;
  const seen = effect === null ? '—' : `${signed(effect, sign)} (${range})`;
  const words = {
    regression: 'REGRESSION, the whole interval lies beyond the margin',
    within: 'no regression beyond the margin was shown',
    'not-measured': `not measured: ${reason ?? ''}`,
    first: '',
  }[result];
  return oneLine(`${result === 'regression' ? '! ' : ''}${arm}: ${label} ${seen}, margin ${margin}${sign}: ${words}`);
}

function chartLines({ arm, label, unit, chart }: NightlyMetric): string[] {
  if (chart === null || !chart.isAlarm) return [];
  const sign = unitSign({ unit });
  const limits = `${signed(chart.lower, sign)} to ${signed(chart.upper, sign)}`;
  const from =
    chart.by === 'aa' ? plural(chart.of, 'A/A campaign') : `the last ${chart.of} nights, by their moving range`;
  const line = `ALARM: ${arm}: ${label} is ${signed(chart.value, sign)} off its centre, outside ${limits} (3 sigma, ${from}): a reason to look, no verdict`;
  return [`  ! ${oneLine(line)}`];
}
