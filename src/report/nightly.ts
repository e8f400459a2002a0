import type { VerdictReport } from '../model/verdict.js';
import { signed, unitSign } from '../statistics/index.js';
import { oneLine } from './clean.js';
import { plural } from './numbers.js';
import type { NightlyMetric, NightlyVerdict } from './schema/report.js';
import { renderVerdicts } from './verdicts.js';

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
