import type { AnswersVerdict, GateRule, MetricVerdict, VerdictReport } from '../model/verdict.js';
import { needsAnswers } from './answers.js';

export interface GateResult {
  /** `no-verdict`: the data do not allow one; a gate that asks for one is not passed. */
  result: 'pass' | 'fail' | 'no-verdict';
  words: string;
}

/**
 * The gate on one metric, for an exit code in CI. `not-worse` fails on `worse` alone; `shown` also fails on
 * `inconclusive`, so that a pass means the metric was shown to be better or equivalent. A gate on cost, tokens or time passes only with
 * answers that are shown to be as good; with `withoutAnswers` also with answers that are not graded. Undefined for a metric that was not
 * declared.
 */
export function gateOf(
  report: Pick<VerdictReport, 'metrics' | 'answers'>,
  name: string,
  rule: GateRule,
  withoutAnswers = false,
): GateResult | undefined {
  const found = report.metrics.find((one) => one.metric.name === name);
  if (!found) return undefined;
  const own = resultOf(found, rule);
  const answers = own === 'pass' && needsAnswers(name) ? resultOfAnswers(report.answers, withoutAnswers) : 'pass';
  const result = answers === 'pass' ? own : answers;
  const asked = rule === 'not-worse' ? 'not worse' : 'better or equivalent';
  const because = answers === 'pass' ? '' : `; ${report.answers.words}${ADVICE[report.answers.state] ?? ''}`;
  return { result, words: `gate ${name} (${asked}): ${result.toUpperCase()} — ${found.words}${because}` };
}

const ADVICE: Partial<Record<AnswersVerdict['state'], string>> = {
  'not-graded': ' (give the tasks `expects`, or pass the gate without answers: --gate-without-answers)',
};

/** A pass on cost, tokens or time needs answers that are as good. Only answers that are not graded can be excused. */
function resultOfAnswers({ state }: AnswersVerdict, withoutAnswers: boolean): GateResult['result'] {
  if (state === 'worse') return 'fail';
  if (state === 'not-graded') return withoutAnswers ? 'pass' : 'no-verdict';
  return state === 'not-shown' ? 'no-verdict' : 'pass';
}

function resultOf({ verdict }: MetricVerdict, rule: GateRule): GateResult['result'] {
  if (verdict === 'none') return 'no-verdict';
  if (verdict === 'worse') return 'fail';
  return verdict === 'inconclusive' && rule === 'shown' ? 'fail' : 'pass';
}
