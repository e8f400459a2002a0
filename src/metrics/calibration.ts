import type { Gap } from './gaps.js';

/** Characters per token where nothing in the session can tell. */
const FALLBACK_RATIO = 3;
const MIN_CHARS = 500;
/** Gaps with more characters a token than this multiple of the median shed content. */
const SHED_FACTOR = 1.5;

export interface Calibration {
  charsPerToken: number;
  /** False: the fallback. */
  calibrated: boolean;
}

/** Characters per token of a session, measured on the gaps that are nearly all tool results (spec/metrics.md 2, step 2). */
export function calibrate(gaps: Gap[]): Calibration {
  const growing = gaps.filter(isGrowing);
  const clean = growing.filter((gap) => isMostlyTools(gap, 0.8));
  const median = lowerMedian(clean.map((gap) => gap.toolChars / gap.deltaTokens));
  const kept = clean.filter((gap) => median !== undefined && gap.toolChars / gap.deltaTokens <= SHED_FACTOR * median);
  const ratio = pooled(kept, (gap) => gap.toolChars) ?? pooled(growing, (gap) => gap.chars);
  return { charsPerToken: ratio ?? FALLBACK_RATIO, calibrated: ratio !== undefined };
}

/** How far the ratio is off on gaps of tool results alone: the lower median of the relative errors; null without any. */
export function dispersionOf(gaps: Gap[], charsPerToken: number): number | null {
  const errors = gaps
    .filter((gap) => isGrowing(gap) && isMostlyTools(gap, 0.95))
    .map((gap) => Math.abs(gap.toolChars / charsPerToken - gap.deltaTokens) / gap.deltaTokens);
  return lowerMedian(errors) ?? null;
}

function isGrowing(gap: Gap): boolean {
  return !gap.compacted && !gap.cleared && !gap.hasImage && gap.deltaTokens > 0;
}

function isMostlyTools(gap: Gap, share: number): boolean {
  return gap.chars > MIN_CHARS && gap.toolChars / gap.chars >= share;
}

function pooled(gaps: Gap[], chars: (gap: Gap) => number): number | undefined {
  const total = gaps.reduce((sum, gap) => sum + chars(gap), 0);
  const tokens = gaps.reduce((sum, gap) => sum + gap.deltaTokens, 0);
  return total > 0 && tokens > 0 ? total / tokens : undefined;
}

function lowerMedian(values: number[]): number | undefined {
  return Float64Array.from(values).sort()[Math.floor((values.length - 1) / 2)];
}
