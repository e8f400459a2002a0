import type { LooksDesign } from '../model/verdict.js';
import { normalTail } from './distributions.js';

/** |z| by number of planned looks, for 5 % over all of them. */
const POCOCK: Record<number, number> = { 2: 2.178, 3: 2.289, 4: 2.361, 5: 2.413 };
/** C of O'Brien and Fleming: the limit at look k of K is C·√(K/k). */
const OBRIEN_FLEMING: Record<number, number> = { 2: 1.977, 3: 2.004, 4: 2.024, 5: 2.04 };

/**
 * What an interval leaves on each side at this look: 0.025 without declared looks. For looks at growing data it is the normal tail beyond
 * the limit; the t quantile of the same tail takes the normal's place. For comparisons of their own it is Bonferroni's share of 0.025, which
 * holds however they depend on each other. Undefined for looks that were not declared.
 */
export function tailAt(looks: LooksDesign | undefined): number | undefined {
  if (!looks || looks.planned === 1) return looks && looks.look !== 1 ? undefined : 0.025;
  if (!Number.isInteger(looks.look) || looks.look < 1 || looks.look > looks.planned) return undefined;
  if (looks.rule === 'bonferroni') return 0.025 / looks.planned;
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

/**
 * The look that data stand at of which `done` of `all` pairs are there: the last of the equally spaced looks that they have reached. 0
 * before the first.
 */
export function reachedLook(planned: number, done: number, all: number): number {
  return all === 0 ? 0 : Math.min(planned, Math.floor((planned * done) / all + 1e-9));
}

/** Why a look has no limit. */
export function lookRefusal({ look, planned, rule }: LooksDesign): string {
  const what = rule === 'bonferroni' ? 'comparisons' : 'looks';
  if (look > planned) {
    return `all ${planned} declared ${what} are used up, and this is number ${look} → declare more in \`verdict.looks\`, or none for a control chart`;
  }
  if (look < 1) return `the first of ${planned} declared looks comes when 1/${planned} of the pairs are there`;
  return `look ${look} of ${planned} (${rule}) has no limit`;
}

/** What an interval is called. */
export function intervalName(looks: LooksDesign | null | undefined): string {
  if (!looks || looks.planned === 1 || tailAt(looks) === undefined) return '95% interval';
  const { look, planned, rule } = looks;
  return rule === 'bonferroni'
    ? `${Number((100 - 5 / planned).toFixed(1))}% interval, ${planned} comparisons declared`
    : `interval for look ${look} of ${planned}`;
}
