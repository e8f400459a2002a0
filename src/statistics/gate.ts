import type { GateRule, MetricVerdict, VerdictReport } from '../model/verdict.js';

export interface GateResult {
  /** `no-verdict`: the data do not allow one; a gate that asks for one is not passed. */
  result: 'pass' | 'fail' | 'no-verdict';
  words: string;
}

/**
 * The gate on one metric, for an exit code in CI. `not-worse` fails on `worse` alone; `shown` also fails on
 * `inconclusive`, so that a pass means the metric was shown to be better or equivalent. Undefined for a metric that was not declared.
 */
export function gateOf(report: VerdictReport, name: string, rule: GateRule): GateResult | undefined {
  const found = report.metrics.find((one) => one.metric.name === name);
  if (!found) return undefined;
  const result = resultOf(found, rule);
  const asked = rule === 'not-worse' ? 'not worse' : 'better or equivalent';
  return { result, words: `gate ${name} (${asked}): ${result.toUpperCase()} — ${found.words}` };
}

function resultOf({ verdict }: MetricVerdict, rule: GateRule): GateResult['result'] {
  if (verdict === 'none') return 'no-verdict';
  if (verdict === 'worse') return 'fail';
  return verdict === 'inconclusive' && rule === 'shown' ? 'fail' : 'pass';
}
