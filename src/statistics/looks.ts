import type { LooksDesign } from '../model/verdict.js';
import { normalTail } from './distributions.js';

/** |z| by number of planned looks, for 5 % over all of them (spec/statistics.md 6). */
const POCOCK: Record<number, number> = { 2: 2.178, 3: 2.289, 4: 2.361, 5: 2.413 };
/** C of O'Brien and Fleming: the limit at look k of K is C·√(K/k). */
const OBRIEN_FLEMING: Record<number, number> = { 2: 1.977, 3: 2.004, 4: 2.024, 5: 2.04 };

/**
 * What an interval leaves on each side at this look: 0.025 without declared looks, else the normal tail beyond the limit;
 * the t quantile of the same tail takes the normal's place. Undefined for looks that were not declared.
 */
export function tailAt(looks: LooksDesign | undefined): number | undefined {
  if (!looks || looks.planned === 1) return looks && looks.look !== 1 ? undefined : 0.025;
  if (!Number.isInteger(looks.look) || looks.look < 1 || looks.look > looks.planned) return undefined;
  const limit =
    looks.rule === 'pocock'
      ? POCOCK[looks.planned]
      : (OBRIEN_FLEMING[looks.planned] ?? Number.NaN) * Math.sqrt(looks.planned / looks.look);
  return limit === undefined || Number.isNaN(limit) ? undefined : normalTail(limit);
}

/** Is this the last look that was declared (or the only one)? */
export function isLastLook(looks: LooksDesign | undefined): boolean {
  return !looks || looks.look === looks.planned;
}
