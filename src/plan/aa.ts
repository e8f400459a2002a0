import { fail, ok, type Result } from '../model/failure.js';
import type { Arm, CampaignPlan } from '../model/plan.js';

/** Labels of an A/A campaign, the tested side first. */
const AGAIN = 'baseline-again';
const BASELINE = 'baseline';

/**
 * The arms of an A/A campaign: the baseline twice. Where the baseline has no engine, the arm with one
 * stands in for it, so that builds, indexes and daemons are in the chain that is measured; `only` names the arm instead.
 */
function aaArms(arms: Arm[], only?: string): Result<Arm[]> {
  const named = only === undefined ? undefined : arms.find((arm) => arm.label === only);
  const [first, second] = arms;
  const chosen = named ?? (second?.build === null ? first : (second ?? first));
  if (!chosen) return fail({ reason: 'bad-input', message: '--aa needs an arm to run twice' });
  return ok([AGAIN, BASELINE].map((label) => ({ ...chosen, label })));
}

/** The same of arms that have yet to be found. */
export function aaOf(arms: Result<Arm[]>, only?: string): Result<Arm[]> {
  return arms.ok ? aaArms(arms.value, only) : arms;
}

/** Do both arms hold the same thing? */
export function isAa({ arms }: Pick<CampaignPlan, 'arms'>): boolean {
  const [again, baseline] = arms;
  if (arms.length !== 2 || again?.label !== AGAIN || baseline?.label !== BASELINE) return false;
  return facts(again) === facts(baseline);
}

function facts({ build, environment }: Arm): string {
  return JSON.stringify([build?.kind ?? null, build?.pin ?? null, Object.entries(environment).sort()]);
}
