import {
  type ArmSummary,
  type Comparison,
  type Direction,
  FIGURES,
  type Figure,
  type Spread,
} from '../model/summary.js';
import { warningsOf } from './warnings.js';

const CAVEATS = [
  'Shares of the context do not transfer to another host: window, system prompt and compaction differ there. The ratio between the arms does.',
  'Allocation efficiency is relative: it credits only files that the answer cites. Compare builds on the same question; never quote it as waste.',
  'Small n: a run makes 1 to 5 explore calls, so a single run’s percentage is coarse. Read the range, not the median alone.',
  'A single-prompt session does not charge occupancy: no later request has to live with what is left in its window.',
];

/** What depends on how busy the machine was. */
const TIMED: Figure[] = ['durationMs'];

/**
 * Puts summaries side by side. With exactly two arms, every figure that both have gets a direction, the first against
 * the second, in words. Warnings say what is wrong with these data, caveats what holds for every such table. `jobs`: how many
 * trials ran side by side; above 1 they took each other's time, which marks the durations.
 */
export function compareArms(summaries: ArmSummary[], jobs = 1): Comparison {
  const [first, second] = summaries;
  const isPair = summaries.length === 2 && first !== undefined && second !== undefined;
  return {
    arms: summaries,
    directions: isPair ? FIGURES.flatMap((figure) => directionOf(figure, first, second) ?? []) : [],
    warnings: warningsOf(summaries),
    caveats: jobs > 1 ? [distortion(jobs), ...CAVEATS] : CAVEATS,
    ...(jobs > 1 ? { distorted: TIMED } : {}),
  };
}

function distortion(jobs: number): string {
  return `† ${jobs} trials ran side by side and took each other’s time: durations are distorted, in each arm by what its neighbours did. Measure time with --jobs 1.`;
}

/**
 * Averages directions over several tasks or repositories, with equal weights. The average is the mean of their
 * percentages, each rounded first as in the published average row (docs/metrics.md, "Over several runs"). A figure
 * without a percentage in some comparison is averaged over the others. A figure without any percentage is omitted.
 */
export function averageDirections(
  comparisons: Comparison[],
): { figure: Figure; percent: number; words: string; of: number }[] {
  return FIGURES.flatMap((figure) => {
    const percents = comparisons.flatMap((comparison) => {
      const percent = comparison.directions.find((direction) => direction.figure === figure)?.percent;
      return percent === undefined || percent === null ? [] : [Math.round(percent)];
    });
    if (percents.length === 0) return [];
    const percent = percents.reduce((sum, value) => sum + value, 0) / percents.length;
    return [{ figure, percent, words: percentInWords(percent), of: percents.length }];
  });
}

function directionOf(figure: Figure, first: ArmSummary, second: ArmSummary): Direction | undefined {
  const ours = first.figures[figure];
  const theirs = second.figures[figure];
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
