import { findMetric, JUDGED_METRICS } from '../catalogue/index.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { CampaignPlan } from '../model/plan.js';
import type { GateRule, VerdictReport } from '../model/verdict.js';
import type { GateWords } from '../report/index.js';
import { declareMetrics, gateOf } from '../statistics/index.js';

/** A metric that an exit code hangs on, and what passes. */
export interface Gate {
  metric: string;
  rule: GateRule;
  /** Answers that are not graded are excused (`--gate-without-answers`). Undefined means no. */
  withoutAnswers?: boolean;
}

/** What a gate decided, as it is printed and as it stands in report.json. */
export type GateDecision = GateWords;

/**
 * The gate of a campaign: `--gate <metric>`, else the one that its config declared, with the rule declared there (`not-worse`
 * without one). Undefined where there is none. A name that is no metric, or none of the declared ones, is bad input; so is a flag
 * for other than two arms, of which there is no verdict.
 */
export function resolveGate(
  { verdict, arms }: Pick<CampaignPlan, 'verdict' | 'arms'>,
  flag: string | undefined,
  withoutAnswers = false,
): Result<Gate | undefined> {
  const declared = verdict?.gate;
  const metric = flag ?? declared?.metric;
  if (metric === undefined) return ok(undefined);
  if (arms.length !== 2) {
    if (flag === undefined) return ok(undefined);
    return fail({
      reason: 'bad-input',
      message: `--gate ${flag}: ${arms.length} arms get no verdict, a gate needs two`,
    });
  }
  const judged = declareMetrics(verdict).metrics.map(({ name }) => name);
  return checkGate(metric, declared?.rule ?? 'not-worse', judged, withoutAnswers);
}

/** The same for a list of metrics that are judged. */
export function checkGate(text: string, rule: GateRule, judged: string[], withoutAnswers = false): Result<Gate> {
  const metric = findMetric(text) ?? text;
  if (judged.includes(metric)) return ok({ metric, rule, ...(withoutAnswers && { withoutAnswers }) });
  const isMetric = findMetric(text) !== undefined;
  return fail({
    reason: 'bad-input',
    message: isMetric
      ? `--gate ${metric}: this campaign declares no verdict on it`
      : `--gate ${metric}: there is no such metric`,
    advice: isMetric
      ? `declared are: ${judged.join(', ')}; others go into \`verdict\` in the config, before the runs`
      : `there are: ${JUDGED_METRICS.map(({ name }) => name).join(', ')}`,
  });
}

/** What the gate says of these verdicts. */
export function decideGate(gate: Gate, verdicts: VerdictReport | null): GateDecision {
  const found = verdicts === null ? undefined : gateOf(verdicts, gate.metric, gate.rule, gate.withoutAnswers);
  const nothing = {
    result: 'no-verdict' as const,
    words: `gate ${gate.metric}: NO VERDICT — there is none of two arms`,
  };
  return { ...gate, ...(found ?? nothing) };
}
