import type { Diagnostics, Estimate, Proportion, SignFlip } from '../model/estimate.js';
import type { MetricVerdict, NoiseFloor, VerdictReport } from '../model/verdict.js';
import { QUESTION_WORDS, signed, unitSign } from '../statistics/index.js';
import { oneLine } from './clean.js';
import { grouped, percent1, plural, wholePercent } from './numbers.js';

/** Longer lists of runs are cut; all of them are in the JSON. */
const MOST_NAMED = 5;

/** A metric's sentence, and below it the design, the tests, the other question and what to look at. */
export function metricLines(verdict: MetricVerdict, report: VerdictReport): string[] {
  return [
    `    ${oneLine(verdict.words)}`,
    ...[
      designLine(verdict, report),
      testsLine(verdict),
      verdict.lead?.caution === undefined ? '' : `! ${verdict.lead.caution}`,
      otherLine(verdict),
      ...oneTaskLines(verdict),
      ...extraLines(verdict),
      ...diagnosticLines(verdict),
      noiseLine(verdict, report.noise),
    ]
      .filter((line) => line !== '')
      .map((line) => `        ${oneLine(line)}`),
  ];
}

/** "28 of 28 (100%, 95% interval 87.9% to 100.0%)". */
export function proportion({ count, of, interval }: Proportion): string {
  const range = interval === null ? '' : `, 95% interval ${percent1(interval[0])} to ${percent1(interval[1])}`;
  return `${grouped(count)} of ${grouped(of)} (${wholePercent(count, of)}${range})`;
}

/** Cost is never shown without outcome and validity beside it, so no metric is. */
function designLine(verdict: MetricVerdict, report: VerdictReport): string {
  const [low, high] = verdict.runs;
  const runs = low === high ? String(low) : `${low} to ${high}`;
  const repos = verdict.clusters < verdict.tasks ? ` in ${plural(verdict.clusters, 'repo')}` : '';
  const valid = report.validity.map((arm) => `${arm.valid}/${arm.of} ${arm.arm}`).join(', ');
  const see =
    verdict.detectable === null
      ? ''
      : ` · sees ${verdict.detectable.toFixed(1)}${unitSign(verdict)} or more (80% power)`;
  return `${plural(verdict.tasks, 'task')}${repos} × ${runs} ${high === 1 ? 'run' : 'runs'} · valid ${valid}${see}`;
}

function testsLine(verdict: MetricVerdict): string {
  const { signFlip, exchange, lead, holm, mcnemar } = verdict;
  const parts: string[] = [];
  if (lead !== null && lead.p !== null) parts.push(`${lead.method} p ${pText(lead.p)}`);
  if (holm !== null) parts.push(`Holm p ${pText(holm)}`);
  if (exchange !== null) {
    const kind = exchange.exact ? `exact over ${grouped(exchange.ways)} ways` : 'sampled';
    parts.push(
      `exchange of runs p ${pText(exchange.p)} (${kind}, smallest possible ${smallestText(exchange.smallest)})`,
    );
  } else if (signFlip !== null) parts.push(signFlipText(signFlip, verdict));
  if (mcnemar !== null) parts.push(`McNemar p ${pText(mcnemar)}`);
  return parts.join(' · ');
}

/** The sign-flip test belongs to "for tasks like these", so it stands beside that question. */
function otherLine(verdict: MetricVerdict): string {
  const { other, signFlip } = verdict;
  if (other === null) return '';
  const exact = other.question === 'tasks' && signFlip !== null ? ` · ${signFlipText(signFlip, verdict)}` : '';
  return `${QUESTION_WORDS[other.question]}: ${estimateText(other, unitSign(verdict))}${exact}`;
}

function signFlipText({ p, smallest, exact, clusters }: SignFlip, { tasks }: MetricVerdict): string {
  const kind = exact ? `exact over ${plural(clusters, clusters < tasks ? 'repo' : 'task')}` : 'sampled';
  return `sign-flip p ${pText(p)} (${kind}, smallest possible ${smallestText(smallest)})`;
}

function smallestText(p: number): string {
  return p < 0.0001 ? '< 0.0001' : p.toPrecision(2);
}

function estimateText({ effect, interval, why, method }: Estimate, sign: string): string {
  if (interval === null) return `${signed(effect, sign)}, no interval: ${why ?? ''}`;
  return `${signed(effect, sign)} (${signed(interval[0], sign)} to ${signed(interval[1], sign)}, ${method})`;
}

function oneTaskLines({ oneTask }: MetricVerdict): string[] {
  if (oneTask === null) return [];
  const { rank } = oneTask;
  const medians = oneTask.medians.map(({ arm, median, runs, interval }) => {
    const range = interval ? `${figure(interval[0])} to ${figure(interval[1])}` : 'need ≥ 6 runs';
    return `${arm} ${figure(median)} [${range}; n=${runs}]`;
  });
  const test =
    rank === null ? [] : [`Mann–Whitney p ${pText(rank.p)} (smallest possible ${rank.smallest.toPrecision(2)})`];
  return [[...test, `medians, 95% by order: ${medians.join(', ')}`].join(' · ')];
}

function extraLines(verdict: MetricVerdict): string[] {
  const lines: string[] = [];
  const { ratioOfSums, percentile, proportions, dropped, censored } = verdict;
  if (ratioOfSums !== null && verdict.tasks > 1) {
    const { effect, interval } = ratioOfSums;
    const range = interval
      ? ` (${signed(interval[0], '%')} to ${signed(interval[1], '%')}, bootstrap-t over tasks)`
      : ` (no interval below 10 ${verdict.clusters < verdict.tasks ? 'repos' : 'tasks'})`;
    lines.push(`ratio of the totals: ${signed(effect, '%')}${range}`);
  }
  if (percentile !== null) {
    lines.push(`percentile bootstrap: ${signed(percentile[0], ' points')} to ${signed(percentile[1], ' points')}`);
  }
  if (proportions !== null) lines.push(proportions.map(({ arm, share }) => `${arm} ${proportion(share)}`).join(', '));
  if (dropped.length > 0) lines.push(`pairs that lost a side: ${dropped.length}: ${named(dropped)}`);
  if (censored !== null) lines.push(`cut off, so that their figures are lower bounds: ${named(censored.runs)}`);
  return lines;
}

function diagnosticLines(verdict: MetricVerdict): string[] {
  const { outliers, order, firstRuns } = verdict.diagnostics;
  const sign = unitSign(verdict);
  const lines: string[] = [];
  if (outliers.length > 0) {
    const runs = outliers.map(({ run, z, first }) => `${run} (z ${z.toFixed(1)}${first ? ', a first run' : ''})`);
    lines.push(`! far from the other runs of its task, kept: ${named(runs)}`);
  }
  if (order !== null) {
    const matters = order.interval !== null && isBeyondZero(order.interval);
    // For the other metrics, print the order effect only if its interval excludes 0.
    if (matters || verdict.metric.role === 'primary') lines.push(orderLine(order, matters, sign));
  }
  if (firstRuns?.interval && isBeyondZero(firstRuns.interval)) {
    lines.push(`! first runs differ from later ones by ${signed(firstRuns.effect, sign)}`);
  }
  return lines;
}

function orderLine(order: NonNullable<Diagnostics['order']>, matters: boolean, sign: string): string {
  const range =
    order.interval === null ? '' : ` (${signed(order.interval[0], sign)} to ${signed(order.interval[1], sign)})`;
  const name = matters ? '! order effect, more than chance' : 'order effect';
  return `${name}: ${signed(order.effect, sign)}${range} in blocks where the baseline ran first (${order.ab}), compared with blocks where it ran second (${order.ba})`;
}

function noiseLine({ metric, unit }: MetricVerdict, noise: NoiseFloor | null): string {
  const floor = noise?.metrics.find((one) => one.metric === metric.name);
  if (!floor || floor.halfWidth === null) return '';
  const sign = unitSign({ unit });
  const { falseAlarms } = floor;
  const ways =
    falseAlarms && (falseAlarms.all ? `all ${grouped(falseAlarms.of)}` : `${grouped(falseAlarms.of)} random`);
  const alarms = falseAlarms === null ? '' : `; ${grouped(falseAlarms.count)} of ${ways} relabelings would alarm`;
  const [fewest, most] = noise?.runs ?? [0, 0];
  const size = `${plural(noise?.tasks ?? 0, 'task')} × ${fewest === most ? most : `${fewest} to ${most}`} of ${noise?.campaign ?? ''}`;
  return `A/A: the same arm twice gave ${floor.effect === null ? '' : signed(floor.effect, sign)} ± ${floor.halfWidth.toFixed(1)}${sign}${alarms} (${size})`;
}

function isBeyondZero([low, high]: [number, number]): boolean {
  return low > 0 || high < 0;
}

function named(items: string[]): string {
  const more = items.length > MOST_NAMED ? `, and ${items.length - MOST_NAMED} more` : '';
  return `${items.slice(0, MOST_NAMED).join(', ')}${more}`;
}

function pText(p: number): string {
  return p < 0.0001 ? '< 0.0001' : `= ${p.toPrecision(2)}`;
}

function figure(value: number): string {
  return Math.abs(value) >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(4)));
}
