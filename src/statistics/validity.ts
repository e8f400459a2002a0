import type { ArmValidity, Observation, VerdictDesign } from '../model/verdict.js';
import { fisher, wilson } from './exact.js';
import { isUsable, type PairedMetric } from './pairs.js';

/** If a larger share of an arm's trials is not valid, or of a metric's pairs is lost, the rest may not stand for all. */
const MAX_LOST_SHARE = 0.1;
/** Fisher's p below which losses differ between the arms by more than chance. */
const DIFFERENT = 0.05;

/** How many of an arm's trials are valid, what became of the others, and adoption over those that may be used. */
export function validityOf(observations: Observation[], arm: string): ArmValidity {
  const own = observations.filter((one) => one.arm === arm);
  const causes: Record<string, number> = {};
  for (const one of own) if (!isValid(one)) causes[one.validity] = (causes[one.validity] ?? 0) + 1;
  const asked = own.filter((one) => isUsable(one) && one.adopted !== null);
  return {
    arm,
    valid: own.filter(isValid).length,
    of: own.length,
    causes,
    contaminationReturned: own.reduce((total, one) => total + one.contaminationReturned, 0),
    censored: own.filter((one) => one.censored !== null).length,
    adoption: asked.length === 0 ? null : wilson(asked.filter((one) => one.adopted).length, asked.length),
  };
}

/** A run that was cut off at its budget or deadline is the arm's doing, not a fault of the trial. */
function isValid(one: Observation): boolean {
  if (one.contaminationReturned > 0) return false;
  return one.validity === 'valid' || (one.censored !== null && isUsable(one));
}

/** Fisher's exact p for valid against not, by arm; null where an arm has no trial. */
export function validityDifference(arms: ArmValidity[]): number | null {
  const [a, b] = arms;
  if (!a || !b || a.of === 0 || b.of === 0) return null;
  return fisher(a.valid, a.of - a.valid, b.valid, b.of - b.valid);
}

/** Why nothing here may get a verdict, in words; empty where it may. */
export function refusalsOf(arms: ArmValidity[], differs: number | null, design: VerdictDesign): string[] {
  const refusals: string[] = [];
  for (const arm of arms) {
    if (arm.of === 0) refusals.push(`no trial of ${arm.arm}`);
    else if ((arm.of - arm.valid) / arm.of > MAX_LOST_SHARE) {
      const causes = Object.entries(arm.causes).map(([cause, trials]) => `${cause} ${trials}`);
      refusals.push(
        `${arm.of - arm.valid} of ${arm.of} trials of ${arm.arm} are not valid (more than 10%): ${causes.join(', ')}`,
      );
      const mute = arm.causes['no-answer'] ?? 0;
      if (mute > 0) refusals.push(`the tool never answered in ${mute} of ${arm.of} trials of ${arm.arm}`);
    }
  }
  if (differs !== null && differs < DIFFERENT) {
    const each = arms.map((arm) => `${arm.valid} of ${arm.of} in ${arm.arm}`).join(', ');
    refusals.push(`validity differs between the arms: ${each} (Fisher p = ${differs.toPrecision(2)})`);
  }
  for (const arm of arms) {
    if (arm.contaminationReturned > 0) {
      refusals.push(`the tool was reached around its server, and answered, in ${arm.arm}`);
    }
  }
  if (design.regimeDifferences.length > 0) refusals.push(`regimes differ: ${design.regimeDifferences.join('; ')}`);
  return refusals;
}

/** Why a metric gets no verdict because of the pairs that it lost, as a sentence without its end; null if it may get one. */
export function lossRefusal({ dropped, of, lost }: PairedMetric, design: VerdictDesign): string | null {
  const words: string[] = [];
  if (dropped.length / of > MAX_LOST_SHARE) {
    words.push(`${dropped.length} of ${of} pairs lost a side (more than 10%), and what is left may not stand for them`);
  }
  const p = fisher(lost.tested, of - lost.tested, lost.baseline, of - lost.baseline);
  if (p < DIFFERENT) {
    const each = (['tested', 'baseline'] as const).map((arm) => `${lost[arm]} of ${of} in ${design[arm]}`).join(', ');
    words.push(`missing values differ between the arms: ${each} (Fisher p = ${p.toPrecision(2)})`);
  }
  return words.length === 0 ? null : words.join('; ');
}
