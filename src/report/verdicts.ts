import type { ArmCost, ArmValidity, LooksDesign, MetricRole, VerdictReport } from '../model/verdict.js';
import { oneLine } from './clean.js';
import { percent1, plural } from './numbers.js';
import { metricLines, proportion } from './verdict-lines.js';

const ROLE_TITLES: Record<MetricRole, string> = {
  primary: 'primary — this one decides',
  secondary: 'secondary — corrected for their number (Holm)',
  exploratory: 'exploratory — a hint where to look, no claim',
};

const ASKED = {
  corpus: 'did the change alter these numbers, on these tasks?',
  tasks: 'would it, for tasks like these?',
} as const;

/**
 * The verdicts as text, to stand before the tables: what was asked, validity, then a metric's sentence with the design, the
 * other question and the tests below it. "" where no metric was declared.
 */
export function renderVerdicts(report: VerdictReport): string {
  if (report.metrics.length === 0) return '';
  const title = `====== VERDICT — ${oneLine(report.tested)} against ${oneLine(report.baseline)}: ${ASKED[report.question]} ======`;
  const lines = [
    title,
    ...(report.headline === null ? [] : [`  ${oneLine(report.headline)}`]),
    ...(report.answers.state === 'not-asked' ? [] : [`  ${oneLine(report.answers.words)}`]),
    ...report.validity.map(validityLine),
    ...report.costs.map(costLine),
  ];
  if (report.aa)
    lines.push(
      '  A/A: both arms are the same, so any difference is noise. Expect about 1 metric in 20 to look different. Relabeling the runs cannot show drift or an effect of the order.',
    );
  if (report.scripted) lines.push('  ! the model was scripted: this is a verdict on the script');
  if (report.looks && report.looks.planned > 1) {
    lines.push(`  ${looksLine(report.looks)}`);
  }
  for (const refusal of report.refusals) lines.push(`  ! no verdict: ${oneLine(refusal)}`);
  for (const role of ['primary', 'secondary', 'exploratory'] as const) {
    const own = report.metrics.filter((one) => one.metric.role === role);
    if (own.length === 0) continue;
    lines.push('', `  ${ROLE_TITLES[role]}`, ...own.flatMap((one) => metricLines(one, report)));
  }
  lines.push('', `  resampled with seed ${report.seed}: the same runs give the same lines`);
  return lines.join('\n');
}

function looksLine({ look, planned, rule }: LooksDesign): string {
  if (rule === 'bonferroni') {
    return `comparison ${look} of ${planned} declared, each of its own runs: 5% over all of them (Bonferroni), so wider intervals`;
  }
  return `look ${look} of ${planned} declared (${rule}), by the share of the pairs that are there: wider intervals in return`;
}

function validityLine(arm: ArmValidity): string {
  const causes = Object.entries(arm.causes).map(([cause, n]) => `${n} ${cause}`);
  const why = causes.length === 0 ? '' : ` (${causes.join(', ')})`;
  const cut = arm.censored === 0 ? '' : `, ${plural(arm.censored, 'run')} cut off`;
  const adoption = arm.adoption === null ? '' : `; called the tool in ${proportion(arm.adoption)}`;
  return `  ${oneLine(arm.arm)}: ${arm.valid} of ${arm.of} trials valid${oneLine(why)}${cut}${adoption}`;
}

/** What the cache made of the bill is chance as much as the tool's doing, so both costs stand together. */
function costLine({ arm, runs, costUsd, cacheNeutralCostUsd, cacheReadShare }: ArmCost): string {
  const usd = (value: number | null) => (value === null ? '—' : `$${value.toFixed(4)}`);
  const share = cacheReadShare === null ? '—' : percent1(cacheReadShare);
  return `  ${oneLine(arm)}: ${usd(costUsd)} a run, ${usd(cacheNeutralCostUsd)} cache-neutral, ${share} of its input read from the cache (means of ${plural(runs, 'run')})`;
}
