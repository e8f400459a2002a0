import type { Kappa } from '../model/answers.js';
import { normalQuantile } from './distributions.js';

/** How often two readers said yes: both, the first alone, the second alone, neither. */
export interface Agreement {
  both: number;
  onlyFirst: number;
  onlySecond: number;
  neither: number;
}

/**
 * Cohen's κ of two readers who say yes or no, with its 95 % interval by the standard error of Fleiss, Cohen and Everitt (1969). Null if there
 * are no cases, or if both readers always said the same one word, where chance explains everything.
 */
export function cohenKappa({ both, onlyFirst, onlySecond, neither }: Agreement): Kappa | null {
  const cases = both + onlyFirst + onlySecond + neither;
  if (cases === 0) return null;
  const [first, second] = [(both + onlyFirst) / cases, (both + onlySecond) / cases];
  const agreed = (both + neither) / cases;
  const byChance = first * second + (1 - first) * (1 - second);
  if (byChance === 1) return null;
  const value = (agreed - byChance) / (1 - byChance);
  const squares =
    (both / cases) * (1 - (first + second) * (1 - value)) ** 2 +
    (neither / cases) * (1 - (2 - first - second) * (1 - value)) ** 2 +
    (1 - value) ** 2 *
      ((onlyFirst / cases) * (second + 1 - first) ** 2 + (onlySecond / cases) * (first + 1 - second) ** 2);
  const variance = squares - (value - byChance * (1 - value)) ** 2;
  const half = (normalQuantile(0.975) * Math.sqrt(Math.max(0, variance))) / ((1 - byChance) * Math.sqrt(cases));
  return { value, interval: [Math.max(-1, value - half), Math.min(1, value + half)], cases };
}

/**
 * The share of true yeses behind a share that a reader reports, by Rogan and Gladen (1978). Null if the reader is no better than chance. A
 * value outside of 0 to 1 is set to the nearer end.
 */
export function correctedShare(raw: number, sensitivity: number, specificity: number): number | null {
  const better = sensitivity + specificity - 1;
  return better <= 0 ? null : Math.min(1, Math.max(0, (raw + specificity - 1) / better));
}
