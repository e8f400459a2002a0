import type { MetricDeclaration, MetricVerdict, Observation, VerdictReport } from '../../model/verdict.js';
import { isPooled, pairUp, signed, unitSign, verdictWord } from '../../statistics/index.js';
import { MISSING, plural } from '../numbers.js';
import { unitOfMetric } from './charts/index.js';

/** A metric's value in each arm, in the metric's own unit. */
export interface ArmValues {
  baseline: number;
  tested: number;
}

/**
 * Returns the values that the effect compares, over the runs of complete pairs: geometric means for ratios, totals for pooled metrics,
 * means for others. Each task weighs the same. Null without a pair.
 */
export function valuesOfArms(
  observations: Observation[],
  metric: MetricDeclaration,
  report: Pick<VerdictReport, 'tested' | 'baseline'>,
): ArmValues | null {
  const { tasks } = pairUp(observations, metric, report);
  if (tasks.length === 0) return null;
  const valueIn = (arm: 'baseline' | 'tested') => {
    if (isPooled(metric)) {
      const sides = tasks.flatMap(({ pairs }) => pairs.map((pair) => pair[arm]));
      return total(sides.map(({ part }) => part)) / total(sides.map(({ whole }) => whole));
    }
    const mean = meanOf(tasks.map(({ pairs }) => meanOf(pairs.map((pair) => pair[arm].x))));
    if (metric.kind === 'ratio') return Math.exp(mean);
    return metric.kind === 'count' ? Math.expm1(mean) : mean;
  };
  return { baseline: valueIn('baseline'), tested: valueIn('tested') };
}

function total(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function meanOf(values: number[]): number {
  return total(values) / values.length;
}

/** Returns "$1.00 → $0.506", the baseline first. A dash without values. */
export function valuesText(values: ArmValues | null, metric: MetricDeclaration): string {
  if (values === null) return MISSING;
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
export function sentenceOf(verdict: MetricVerdict, values: ArmValues | null): string {
  const { metric, lead } = verdict;
  if (lead === null) return `${metric.label} has no value to compare.`;
  const sign = unitSign(verdict);
  const change = `${boundText(verdict)}${signed(lead.effect, sign)}`;
  const range =
    lead.interval === null ? 'no interval' : `${signed(lead.interval[0], sign)} to ${signed(lead.interval[1], sign)}`;
  return `${metric.label} ${valuesText(values, metric)} (${change}; ${range}).`;
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
  if (verdict.verdict !== 'inconclusive' || enough === null) return null;
  const ways = [
    ...(enough.runs === null ? [] : [`--runs ${enough.runs}`]),
    ...(enough.tasks === null ? [] : [`${plural(enough.tasks, 'task')} with as many runs`]),
  ];
  return ways.length === 0 ? null : `to see ${metric.margin}${unitSign(verdict)}, ${ways.join(', or ')}.`;
}
