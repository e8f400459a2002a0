import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** What is used of it. Its own types cannot be resolved from an ES module. */
interface Cephes {
  /** Regularised incomplete beta function, and its inverse in the last argument. */
  incbet(a: number, b: number, x: number): number;
  incbi(a: number, b: number, y: number): number;
  /** Normal distribution function and quantile. */
  ndtr(z: number): number;
  ndtri(share: number): number;
  /** Binomial: P(X ≤ count). */
  bdtr(count: number, of: number, share: number): number;
  lgam(x: number): number;
}

let loaded: Cephes | undefined;

/** Loaded when first asked for: compiling it takes some 30 ms, which most commands have no use for. */
function cephes(): Cephes {
  loaded ??= require('cephes') as Cephes;
  return loaded;
}

/**
 * The t quantile at `share` (0 < share < 1) for `df` > 0, which need not be whole; the normal quantile for infinite `df`.
 * By the incomplete beta function (Abramowitz and Stegun 26.7.1 and 26.5.27).
 */
export function tQuantile(share: number, df: number): number {
  if (!Number.isFinite(df)) return normalQuantile(share);
  if (share === 0.5) return 0;
  const tail = Math.min(share, 1 - share);
  // Near the middle the tail's z is close to 1, and df/z − df would lose its digits.
  const t = tail > 0.25 ? middle(tail, df) : Math.sqrt(df / cephes().incbi(df / 2, 0.5, 2 * tail) - df);
  return share < 0.5 ? -t : t;
}

function middle(tail: number, df: number): number {
  const z = cephes().incbi(0.5, df / 2, 1 - 2 * tail);
  return Math.sqrt((df * z) / (1 - z));
}

/** Two-sided p of a t value. 1 for t = 0. */
export function tTwoSided(t: number, df: number): number {
  if (!Number.isFinite(t)) return 0;
  if (!Number.isFinite(df)) return 2 * normalTail(Math.abs(t));
  return cephes().incbet(df / 2, 0.5, df / (df + t * t));
}

/** The normal quantile at `share`. */
export function normalQuantile(share: number): number {
  return cephes().ndtri(share);
}

/** The part of the normal distribution above `z`. */
export function normalTail(z: number): number {
  return cephes().ndtr(-z);
}

/** P(X ≤ count) for a binomial of `of` trials at 1/2; 0 for a negative count. */
export function fairCoinAtMost(count: number, of: number): number {
  if (count < 0) return 0;
  return count >= of ? 1 : cephes().bdtr(count, of, 0.5);
}

/** ln of `n` over `k`. */
export function lnChoose(n: number, k: number): number {
  const { lgam } = cephes();
  return lgam(n + 1) - lgam(k + 1) - lgam(n - k + 1);
}
