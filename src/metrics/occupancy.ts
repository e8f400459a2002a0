import type { EngineProfile } from '../model/engine.js';
import type { OccupancyMeasure } from '../model/measure.js';
import type { Thread } from '../model/session.js';
import { calibrate, dispersionOf } from './calibration.js';
import { rounded } from './family.js';
import { gapsOf } from './gaps.js';
import { Window } from './window.js';

/**
 * Measures what one thread's window holds at the end, by tool family (docs/metrics.md, "Residual context occupancy").
 * Null if no request gives its size.
 */
export function occupancyOf(
  thread: Thread,
  profile: EngineProfile,
  size: Pick<OccupancyMeasure, 'windowTokens' | 'windowSource'>,
): OccupancyMeasure | null {
  const timeline = gapsOf(thread);
  if (!timeline) return null;
  const { gaps, baseTokens, finalTokens, closing } = timeline;
  const { charsPerToken, calibrated, hiddenGaps, hiddenTokens } = calibrate(gaps);
  const window = new Window(profile, charsPerToken);
  for (const gap of gaps) window.add(gap);
  for (const item of closing) if (item.kind !== 'result') window.close(item);
  return {
    ctxBaseTokens: baseTokens,
    // No request tells what the window held after it.
    ctxFinalTokens: closing.length === 0 ? finalTokens : null,
    ...size,
    charsPerToken,
    calibrated,
    dispersion: calibrated ? dispersionOf(gaps, charsPerToken) : null,
    hiddenGaps,
    hiddenTokens,
    compactions: thread.timeline.filter(({ kind }) => kind === 'compaction').length,
    evictedTokens: Math.round(window.evictedTokens),
    residualTokens: rounded(window.residualTokens()),
    contributedTokens: rounded(window.contributedTokens),
    chars: window.chars,
    results: window.results,
  };
}
