import type { MetricVerdict, VerdictReport } from '../../model/verdict.js';
import { signed, unitSign, verdictWord } from '../../statistics/index.js';
import { MISSING, plural } from '../numbers.js';
import { unitOfMetric } from './charts/index.js';

/** Returns "$1.00 → $0.506", the baseline first. A dash without values. */
export function valuesText({ armValues: values, metric }: MetricVerdict): string {
  if (!values) return MISSING;
  const { text } = unitOfMetric(metric);
  return `${text(values.baseline)} → ${text(values.tested)}`;
}

/** Whether the verdict says something about the metric, so that its effect may stand in large type. */
export function isDecided({ verdict }: MetricVerdict): boolean {
  return verdict === 'better' || verdict === 'worse' || verdict === 'equivalent';
}

/** Returns the verdict as a person would say it: "Better", "Can’t tell", "Cheaper, answers not graded". */
export function plainWord(verdict: MetricVerdict): string {
  if (verdict.verdict === 'none' || verdict.verdict === 'inconclusive') return 'Can’t tell';
  const word = verdictWord(verdict).toLowerCase();
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}

/** Returns the verdict's sentence without its word: the metric, both arms' values, the change and its interval. */
export function sentenceOf(verdict: MetricVerdict): string {
  const { metric, lead } = verdict;
  if (lead === null) return `${metric.label} has no value to compare.`;
  const sign = unitSign(verdict);
  const change = `${boundText(verdict)}${signed(lead.effect, sign)}`;
  const range =
    lead.interval === null ? 'no interval' : `${signed(lead.interval[0], sign)} to ${signed(lead.interval[1], sign)}`;
  return `${metric.label} ${valuesText(verdict)} (${change}; ${range}).`;
}

/** Returns what stands before an effect of runs that were cut off: "≥ ". "" where none was. */
export function boundText({ censored }: MetricVerdict): string {
  const bound = { 'at-least': '≥ ', 'at-most': '≤ ', unknown: 'about ' };
  return censored === null ? '' : bound[censored.bound];
}

/** Returns what to do about a metric that is not decided. Null where nothing is known to help. */
export function nextStep(verdict: MetricVerdict, { refusals, answers }: VerdictReport): string | null {
  const { enough, metric } = verdict;
  if (refusals.length > 0) return 'remove the cause, run again what does not count, and make the report again.';
  if (verdict.verdict === 'withheld') {
    if (answers.state === 'not-graded') return 'grade the answers with agent-eval grade, then make the report again.';
    return answers.enough === null
      ? null
      : `${plural(answers.enough, 'task')} would show whether the answers are as good.`;
  }
  if (verdict.remedy) {
    const { runs, text } = verdict.remedy;
    return runs === null
      ? `this design can never decide; it takes ${text}.`
      : `--runs ${runs}; this design can never decide.`;
  }
  if (verdict.verdict !== 'inconclusive' || enough === null) return null;
  const ways = [
    ...(enough.runs === null ? [] : [`--runs ${enough.runs}`]),
    ...(enough.tasks === null ? [] : [`${plural(enough.tasks, 'task')} with as many runs`]),
  ];
  return ways.length === 0 ? null : `to see ${metric.margin}${unitSign(verdict)}, ${ways.join(', or ')}.`;
}
