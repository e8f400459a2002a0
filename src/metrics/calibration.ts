import type { Gap } from './gaps.js';

/** Characters per token where nothing in the session can tell. */
const FALLBACK_RATIO = 3;
const MIN_CHARS = 500;
/** Gaps with more characters a token than this multiple of the median shed content. */
const SHED_FACTOR = 1.5;
/** No text has fewer characters a token than this: a gap below it holds tokens that the transcript does not show. */
const MIN_RATIO = 1;
/** No text has more characters a token than this: in a gap above it, the window shed content. */
const MAX_RATIO = 8;

export interface Calibration {
  charsPerToken: number;
  /** False where the ratio is the default, an estimate. */
  calibrated: boolean;
  /** Gaps of tool results that grew by more tokens than any text of their length has. They are not used to calibrate. */
  hiddenGaps: number;
  /** Tokens that those gaps grew by beyond their characters. They belong to the base. */
  hiddenTokens: number;
}

/** Returns the characters per token of a session, measured on the gaps that are nearly all tool results. */
export function calibrate(gaps: Gap[]): Calibration {
  const grown = gaps.filter(isGrowing);
  const growing = grown.filter((gap) => isText(gap.chars, gap.deltaTokens));
  const candidates = grown.filter((gap) => isMostlyTools(gap, 0.8));
  const clean = candidates.filter(
    (gap) => isText(gap.chars, gap.deltaTokens) && isText(gap.toolChars, gap.deltaTokens),
  );
  const median = lowerMedian(clean.map((gap) => gap.toolChars / gap.deltaTokens));
  const kept = clean.filter((gap) => median !== undefined && gap.toolChars / gap.deltaTokens <= SHED_FACTOR * median);
  const ratio = pooled(kept, (gap) => gap.toolChars) ?? pooled(growing, (gap) => gap.chars);
  const charsPerToken = ratio ?? FALLBACK_RATIO;
  const hidden = candidates.filter(hidesTokens);
  const hiddenTokens = hidden.reduce((sum, gap) => sum + gap.deltaTokens - gap.chars / charsPerToken, 0);
  return {
    charsPerToken,
    calibrated: ratio !== undefined,
    hiddenGaps: hidden.length,
    hiddenTokens: Math.max(0, Math.round(hiddenTokens)),
  };
}

/** Whether a text of these characters can have that many tokens. */
export function isText(chars: number, tokens: number): boolean {
  return chars >= MIN_RATIO * tokens && chars <= MAX_RATIO * tokens;
}

/** The gap grew by more tokens than it has characters. */
function hidesTokens({ chars, deltaTokens }: Gap): boolean {
  return chars < MIN_RATIO * deltaTokens;
}

/** How far the ratio is off on gaps of tool results alone: the lower median of the relative errors; null without any. */
export function dispersionOf(gaps: Gap[], charsPerToken: number): number | null {
  const errors = gaps
    .filter((gap) => isGrowing(gap) && isMostlyTools(gap, 0.95) && !hidesTokens(gap))
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
