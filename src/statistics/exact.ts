import type { ExchangeTest, Proportion, RankTest, SignFlip } from '../model/estimate.js';
import { fairCoinAtMost, lnChoose, normalQuantile } from './distributions.js';
import { sum } from './moments.js';
import { randomFrom } from './random.js';

/** All patterns up to this many clusters, a sample above. */
const EXACT_UP_TO = 16;
const SAMPLES = 10_000;
/** Sums of the same numbers in another order differ in their last digits. */
const TIE = 1e-9;

/** The smallest two-sided p of a sign-flip test: 2/2^clusters, at most 1. */
export function smallestSignFlip(clusters: number): number {
  return Math.min(1, 2 / 2 ** clusters);
}

/**
 * Exact sign-flip test: how many of the 2^n ways to swap the arms within clusters give an absolute statistic at least as
 * large as that seen. `statistic` is given, for each cluster, whether its arms are swapped. Sampled, seeded, above 16
 * clusters; the pattern seen counts among the samples, so p is never 0.
 */
export function swapTest(clusters: number, statistic: (swapped: boolean[]) => number, seed: number): SignFlip {
  const swapped = new Array<boolean>(clusters).fill(false);
  const observed = Math.abs(statistic(swapped));
  const reaches = () => Math.abs(statistic(swapped)) >= observed - TIE * Math.max(1, observed);
  const exact = clusters <= EXACT_UP_TO;
  const smallest = smallestSignFlip(clusters);
  let hits = 0;
  if (exact) {
    const patterns = 2 ** clusters;
    for (let pattern = 0; pattern < patterns; pattern++) {
      for (let bit = 0; bit < clusters; bit++) swapped[bit] = ((pattern >> bit) & 1) === 1;
      if (reaches()) hits++;
    }
    return { p: hits / patterns, smallest, exact, clusters };
  }
  const random = randomFrom(seed, 'sign-flip');
  for (let sample = 0; sample < SAMPLES; sample++) {
    for (let bit = 0; bit < clusters; bit++) swapped[bit] = random.unit() < 0.5;
    if (reaches()) hits++;
  }
  return { p: (hits + 1) / (SAMPLES + 1), smallest, exact, clusters };
}

/** The sign-flip test of clusters' differences; the statistic is their sum. */
export function signFlipTest(differences: number[], seed: number): SignFlip {
  const statistic = (swapped: boolean[]) => {
    let total = 0;
    for (let index = 0; index < differences.length; index++) {
      const difference = differences[index] ?? 0;
      total += swapped[index] ? -difference : difference;
    }
    return total;
  };
  return swapTest(differences.length, statistic, seed);
}

/** The smallest two-sided p of exchanging runs within tasks: 2 over the number of ways, at most 1. */
export function smallestPermutation(tasks: [number, number][]): number {
  return Math.min(1, 2 * Math.exp(-sum(tasks.map(([a, b]) => lnChoose(a + b, a)))));
}

/** A run's share in the two sums that a statistic is made of. */
export type Summands = [number, number];

/** Up to this many ways are gone through one by one. */
const EXCHANGE_EXACT_UP_TO = 20_000;

/**
 * Exact test of exchanging runs between the arms within their tasks: over all ways to give half of each task's runs to the tested arm,
 * how many give an absolute statistic at least as large as that seen. `tasks` has each task's runs, the tested ones first; `statistic`
 * is given the sums over the tested runs. Sampled with a seed above 20,000 ways, the way seen counted in, so that p is never 0.
 */
export function exchangeTest(
  tasks: Summands[][],
  statistic: (sums: Summands) => number,
  options: { seed: number; name: string },
): ExchangeTest {
  const halves = tasks.map((runs): [number, number] => [runs.length / 2, runs.length / 2]);
  const ways = Math.round(Math.exp(sum(halves.map(([a, b]) => lnChoose(a + b, a)))));
  const smallest = smallestPermutation(halves);
  const observed = Math.abs(statistic(addUp(tasks.flatMap((runs) => runs.slice(0, runs.length / 2)))));
  const reaches = (sums: Summands) => Math.abs(statistic(sums)) >= observed - TIE * Math.max(1, observed);
  if (ways <= EXCHANGE_EXACT_UP_TO) {
    const all = allSums(tasks);
    return { p: all.filter(reaches).length / all.length, smallest, exact: true, ways };
  }
  const random = randomFrom(options.seed, `exchange ${options.name}`);
  const shuffled = tasks.map((runs) => [...runs]);
  let hits = 0;
  for (let sample = 0; sample < SAMPLES; sample++) {
    const sums: Summands = [0, 0];
    for (const runs of shuffled) {
      for (let place = 0; place < runs.length / 2; place++) {
        const from = place + random.below(runs.length - place);
        const [taken, other] = [runs[from], runs[place]];
        if (!taken || !other) continue;
        runs[from] = other;
        runs[place] = taken;
        sums[0] += taken[0];
        sums[1] += taken[1];
      }
    }
    if (reaches(sums)) hits++;
  }
  return { p: (hits + 1) / (SAMPLES + 1), smallest, exact: false, ways };
}

/** The sums over the tested runs in every way to choose half of each task's runs. */
function allSums(tasks: Summands[][]): Summands[] {
  let all: Summands[] = [[0, 0]];
  for (const runs of tasks) {
    const own = halvesOf(runs).map(addUp);
    all = all.flatMap(([first, second]) => own.map(([a, b]): Summands => [first + a, second + b]));
  }
  return all;
}

/** Every way to choose half of the items. */
export function halvesOf<T>(items: T[]): T[][] {
  const found: T[][] = [];
  const choose = (from: number, chosen: T[]) => {
    if (chosen.length === items.length / 2) {
      found.push(chosen);
      return;
    }
    for (let index = from; index < items.length; index++) choose(index + 1, [...chosen, items[index] as T]);
  };
  choose(0, []);
  return found;
}

function addUp(summands: Summands[]): Summands {
  return [sum(summands.map(([first]) => first)), sum(summands.map(([, second]) => second))];
}

/** May this exact test be called a contradiction of significance at `level`? A sample cannot show a p below its own size. */
export function contradicts(test: { p: number; exact: boolean }, level: number): boolean {
  return test.p > (test.exact ? level : Math.max(level, 1 / (SAMPLES + 1))) + TIE;
}

/** More ways than this are not gone through one by one. */
const RANK_EXACT_UP_TO = 200_000;

/**
 * Mann–Whitney, two-sided and exact, ties by their midranks: over all ways to give the ranks to the arms, how many lie
 * at least as far from the middle. Null where an arm is empty or there are too many ways (two arms of 11 or more).
 */
export function mannWhitney(a: number[], b: number[]): RankTest | null {
  const ways = Math.exp(lnChoose(a.length + b.length, a.length));
  if (a.length === 0 || b.length === 0 || ways > RANK_EXACT_UP_TO) return null;
  const ranks = midranks([...a, ...b]);
  const expected = (a.length * (ranks.length + 1)) / 2;
  const observed = Math.abs(sum(ranks.slice(0, a.length)) - expected);
  let hits = 0;
  let total = 0;
  const choose = (from: number, left: number, rankSum: number) => {
    if (left === 0) {
      total++;
      if (Math.abs(rankSum - expected) >= observed - TIE) hits++;
      return;
    }
    for (let index = from; index <= ranks.length - left; index++) {
      choose(index + 1, left - 1, rankSum + (ranks[index] ?? 0));
    }
  };
  choose(0, a.length, 0);
  return { p: hits / total, smallest: smallestPermutation([[a.length, b.length]]) };
}

function midranks(values: number[]): number[] {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return below + (equal + 1) / 2;
  });
}

/** The interval of the median by order statistics, at least 95 %; null below 6 values, which cannot give one. */
export function medianInterval(values: number[]): [number, number] | null {
  const sorted = values.toSorted((a, b) => a - b);
  let rank = 0;
  while (2 * fairCoinAtMost(rank, sorted.length) <= 0.05 && rank + 1 <= sorted.length / 2) rank++;
  const low = sorted[rank - 1];
  const high = sorted[sorted.length - rank];
  return rank === 0 || low === undefined || high === undefined ? null : [low, high];
}

/** A proportion with its 95 % Wilson interval; no interval of nothing. */
export function wilson(count: number, of: number): Proportion {
  if (of === 0) return { count, of, interval: null };
  const z = normalQuantile(0.975);
  const share = count / of;
  const center = (share + z ** 2 / (2 * of)) / (1 + z ** 2 / of);
  const half = (z * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2))) / (1 + z ** 2 / of);
  return { count, of, interval: [Math.max(0, center - half), Math.min(1, center + half)] };
}

/** McNemar's exact p from the pairs in which only one arm succeeded. 1 where there is none. */
export function mcnemar(onlyBaseline: number, onlyTested: number): number {
  const least = Math.min(onlyBaseline, onlyTested);
  return Math.min(1, 2 * fairCoinAtMost(least, onlyBaseline + onlyTested));
}

/** Fisher's exact p, two-sided, of the table [[a, b], [c, d]]: all tables with these margins that are no likelier. */
export function fisher(a: number, b: number, c: number, d: number): number {
  const [row, column, all] = [a + b, a + c, a + b + c + d];
  const ln = (x: number) => lnChoose(row, x) + lnChoose(all - row, column - x) - lnChoose(all, column);
  const observed = ln(a);
  let p = 0;
  for (let x = Math.max(0, row + column - all); x <= Math.min(row, column); x++) {
    if (ln(x) <= observed + 1e-7) p += Math.exp(ln(x));
  }
  return Math.min(1, p);
}

/** Holm's adjusted p values, in the order given: significant at α where at most α (step-down, monotone). */
export function holm(ps: number[]): number[] {
  const order = ps.map((p, index) => ({ p, index })).toSorted((x, y) => x.p - y.p);
  const adjusted = new Array<number>(ps.length).fill(1);
  let largest = 0;
  order.forEach(({ p, index }, rank) => {
    largest = Math.max(largest, Math.min(1, (ps.length - rank) * p));
    adjusted[index] = largest;
  });
  return adjusted;
}
