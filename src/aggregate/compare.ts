import { isTimed, TABLE_METRICS } from '../catalogue/index.js';
import type { ArmSummary, Comparison, Direction, Spread } from '../model/summary.js';
import { warningsOf } from './warnings.js';

const CAVEATS = [
  'Shares of the context do not transfer to another host: window, system prompt and compaction differ there. The ratio between the arms does.',
  'Allocation efficiency is relative: it credits only files that the answer cites. Compare builds on the same question; never quote it as waste.',
  'Small n: a run makes 1 to 5 explore calls, so a single run’s percentage is coarse. Read the range, not the median alone.',
  'A single-prompt session does not charge occupancy: no later request has to live with what is left in its window.',
];

/**
 * Compares the summaries of arms. With exactly two arms, every metric of which both have a value gets a direction, the
 * first arm against the second. Warnings are about these data, caveats hold for every such table. `jobs` is the number of
 * trials that ran in parallel. Above 1 they slowed each other down, and the durations are marked as distorted.
 */
export function compareArms(summaries: ArmSummary[], jobs = 1): Comparison {
  const [first, second] = summaries;
  const isPair = summaries.length === 2 && first !== undefined && second !== undefined;
  return {
    arms: summaries,
    directions: isPair ? TABLE_METRICS.flatMap(({ name }) => directionOf(name, first, second) ?? []) : [],
    warnings: warningsOf(summaries),
    caveats: jobs > 1 ? [distortion(jobs), ...CAVEATS] : CAVEATS,
    ...(jobs > 1 ? { distorted: TABLE_METRICS.filter(isTimed).map(({ name }) => name) } : {}),
  };
}

function distortion(jobs: number): string {
  return `† ${jobs} trials ran side by side and took each other’s time: durations are distorted, in each arm by what its neighbours did. Measure time with --jobs 1.`;
}

/**
 * Averages directions over several tasks or repositories, with equal weights. The average is the mean of their
 * percentages, each rounded first as in the published average row (docs/metrics.md, "Over several runs"). A metric
 * without a percentage in some comparison is averaged over the others. A metric without any percentage is omitted.
 */
export function averageDirections(
  comparisons: Comparison[],
): { figure: string; percent: number; words: string; of: number }[] {
  return TABLE_METRICS.flatMap(({ name: figure }) => {
    const percents = comparisons.flatMap((comparison) => {
      const percent = comparison.directions.find((direction) => direction.figure === figure)?.percent;
      return percent === undefined || percent === null ? [] : [Math.round(percent)];
    });
    if (percents.length === 0) return [];
    const percent = percents.reduce((sum, value) => sum + value, 0) / percents.length;
    return [{ figure, percent, words: percentInWords(percent), of: percents.length }];
  });
}

function directionOf(figure: string, first: ArmSummary, second: ArmSummary): Direction | undefined {
  const ours = first.figures[figure] ?? null;
  const theirs = second.figures[figure] ?? null;
  if (ours === null || theirs === null) return undefined;
  const rangesOverlap = overlap(ours, theirs);
  if (ours.median === theirs.median) return { figure, percent: 0, words: 'equal', rangesOverlap };
  if (theirs.median === 0) {
    const words = `HIGHER, no percentage: 0 in ${second.label}`;
    return { figure, percent: null, words, rangesOverlap };
  }
  const percent = (ours.median / theirs.median - 1) * 100;
  return { figure, percent, words: percentInWords(percent), rangesOverlap };
}

/** The sign becomes a word, so that an increase can never be read as a negative saving. */
export function percentInWords(percent: number): string {
  if (percent === 0) return 'equal';
  const word = percent > 0 ? 'HIGHER' : 'LOWER';
  const size = Math.round(Math.abs(percent));
  return size === 0 ? `less than 1% ${word}` : `${size}% ${word}`;
}

function overlap(a: Spread, b: Spread): boolean {
  return a.min <= b.max && b.min <= a.max;
}
