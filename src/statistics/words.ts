import type { Estimate } from '../model/estimate.js';
import type { MetricVerdict, VerdictDesign } from '../model/verdict.js';
import { intervalName } from './looks.js';

/** Said after every interval: which of the two questions it answers. */
export const QUESTION_WORDS = { corpus: 'on this corpus', tasks: 'for tasks like these' } as const;

type Figures = Omit<MetricVerdict, 'words'>;

/** The verdict as one sentence. The sign becomes a word; "not significant" never becomes "no difference". */
export function verdictWords(verdict: Figures, design: Pick<VerdictDesign, 'looks'>): string {
  const { metric, lead, reason } = verdict;
  const head = `${metric.label}: ${verdictWord(verdict)}`;
  const because = reason === null ? '' : ` — ${reason}`;
  const seen =
    lead === null ? '' : `${verdict.verdict === 'none' ? '; seen: ' : ' — '}${effectWords(verdict, lead, design)}`;
  switch (verdict.verdict) {
    case 'none':
      return `${head}${because}${seen}`;
    case 'inconclusive':
      return `${head}${seen}${because}; ${couldSee(verdict)}`;
    case 'equivalent':
      return `${head}${seen}; the 90% interval lies within ±${metric.margin}${unitSign(verdict)}`;
    default:
      return `${head}${seen}${withinMargin(verdict, lead)}`;
  }
}

/** The verdict in capitals: "WORSE", "NO VERDICT", "CHEAPER, ANSWERS NOT GRADED". */
export function verdictWord({ verdict, withheld }: Pick<MetricVerdict, 'verdict' | 'withheld'>): string {
  if (withheld !== undefined) return withheld;
  return verdict === 'none' ? 'NO VERDICT' : verdict.toUpperCase();
}

/** The primary metric's label, verdict and effect; null without one. */
export function headlineOf(metrics: MetricVerdict[]): string | null {
  const primary = metrics.find(({ metric }) => metric.role === 'primary');
  if (!primary) return null;
  const effect = primary.lead === null ? '' : `, ${signed(primary.lead.effect, unitSign(primary))}`;
  return `${primary.metric.label} ${verdictWord(primary)}${effect}`;
}

/** "21.3% LOWER (95% interval −30.1% to −11.2%, on this corpus)". */
function effectWords(verdict: Figures, lead: Estimate, design: Pick<VerdictDesign, 'looks'>): string {
  const sign = unitSign(verdict);
  const bound = { 'at-least': 'at least ', 'at-most': 'at most ', unknown: 'with cut-off runs on both sides, ' };
  const prefix = verdict.censored === null ? '' : bound[verdict.censored.bound];
  const signedWhereBound = verdict.censored === null ? sizeInWords(lead.effect, sign) : signed(lead.effect, sign);
  const which = QUESTION_WORDS[lead.question];
  if (lead.interval === null) return `${prefix}${signedWhereBound} (no interval: ${lead.why ?? ''}; ${which})`;
  const [low, high] = lead.interval;
  return `${prefix}${signedWhereBound} (${intervalName(design.looks)} ${signed(low, sign)} to ${signed(high, sign)}, ${which})`;
}

function sizeInWords(effect: number, sign: string): string {
  const size = Math.abs(effect).toFixed(1);
  if (Number(size) === 0) return `less than 0.1${sign} apart`;
  return `${size}${sign} ${effect > 0 ? 'HIGHER' : 'LOWER'}`;
}

/** With a minus sign that is as wide as a plus; "+0.0%" for what rounds to nothing. */
export function signed(value: number, sign: string): string {
  const size = Math.abs(value).toFixed(1);
  return `${value < 0 && Number(size) !== 0 ? '−' : '+'}${size}${sign}`;
}

/** "%" or " points". */
export function unitSign({ unit }: Pick<MetricVerdict, 'unit'>): string {
  return unit === 'percent' ? '%' : ' points';
}

function withinMargin({ metric, unit }: Figures, lead: Estimate | null): string {
  const inside = lead?.interval90?.every((end) => Math.abs(end) < metric.margin);
  return inside ? `; beyond 0, yet within the margin of ${metric.margin}${unitSign({ unit })}` : '';
}

/** What this design could have seen, and what would do for the margin. */
function couldSee({ detectable, enough, metric, unit }: Figures): string {
  const sign = unitSign({ unit });
  const could =
    detectable === null
      ? 'it could not have seen any difference (80% power)'
      : `it could have seen ${detectable.toFixed(1)}${sign} or more (80% power)`;
  if (enough === null) return could;
  const repos = enough.repos === enough.tasks ? '' : ` in ${enough.repos} repos`;
  const ways = [
    ...(enough.tasks === null ? [] : [`${enough.tasks} tasks${repos} with as many runs`]),
    ...(enough.runs === null ? ['no number of runs of these tasks'] : [`${enough.runs} runs of these tasks`]),
  ];
  return `${could}; to see ${metric.margin}${sign}: ${ways.join(', or ')}`;
}
