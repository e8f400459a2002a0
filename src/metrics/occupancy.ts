import type { EngineProfile } from '../model/engine.js';
import type { ByFamily, Family, OccupancyMeasure } from '../model/measure.js';
import type { Thread } from '../model/session.js';
import { calibrate, dispersionOf } from './calibration.js';
import { familyOf, noneByFamily, rounded } from './family.js';
import { type Gap, gapsOf } from './gaps.js';

/** A tool result's tokens that are still in the window. */
interface Resident {
  family: Family;
  tokens: number;
  uuid: string | undefined;
}

/** What one thread's window holds at the end, by tool family (spec/metrics.md 2); null when no request tells its size. */
export function occupancyOf(thread: Thread, profile: EngineProfile, windowTokens: number): OccupancyMeasure | null {
  const timeline = gapsOf(thread);
  if (!timeline) return null;
  const { gaps, baseTokens, finalTokens } = timeline;
  const { charsPerToken, calibrated } = calibrate(gaps);
  const window = new Window(profile, charsPerToken);
  for (const gap of gaps) window.add(gap);
  return {
    ctxBaseTokens: baseTokens,
    ctxFinalTokens: finalTokens,
    windowTokens,
    charsPerToken,
    calibrated,
    dispersion: dispersionOf(gaps, charsPerToken),
    compactions: thread.timeline.filter(({ kind }) => kind === 'compaction').length,
    evictedTokens: Math.round(window.evictedTokens),
    residualTokens: rounded(window.residualTokens()),
    contributedTokens: rounded(window.contributedTokens),
    chars: window.chars,
    results: window.results,
  };
}

/** The queue of resident results, oldest first (spec/metrics.md 2, step 4). */
class Window {
  evictedTokens = 0;
  readonly contributedTokens = noneByFamily();
  readonly chars = noneByFamily();
  readonly results = noneByFamily();
  private queue: Resident[] = [];

  constructor(
    private readonly profile: EngineProfile,
    private readonly charsPerToken: number,
  ) {}

  add(gap: Gap): void {
    const before = this.queue;
    let own: { order: number; resident: Resident }[] = [];
    let survivors = before;
    for (const item of gap.items) {
      if (item.kind === 'result') {
        own.push({ order: item.call.order, resident: this.admit(item.call.name, item.result) });
      } else {
        const { preserved } = item;
        const isKept = ({ uuid }: Resident) => uuid !== undefined && preserved?.has(uuid) === true;
        survivors = this.keep(survivors, isKept);
        // Without a list nothing tells what became of the results next to the boundary: they count as sent again.
        if (preserved) {
          const kept = new Set(
            this.keep(
              own.map(({ resident }) => resident),
              isKept,
            ),
          );
          own = own.filter(({ resident }) => kept.has(resident));
        }
      }
    }
    // Results arrive in completion order; the window holds them in the order of their calls.
    own.sort((a, b) => a.order - b.order);
    this.queue = [...survivors, ...own.map(({ resident }) => resident)];
    if (!gap.compacted) this.shed(gap);
  }

  residualTokens(): ByFamily {
    const residual = noneByFamily();
    for (const { family, tokens } of this.queue) residual[family] += tokens;
    return residual;
  }

  private admit(toolName: string, { chars, uuid }: { chars: number; uuid: string | undefined }): Resident {
    const family = familyOf(toolName, this.profile);
    const tokens = chars / this.charsPerToken;
    this.contributedTokens[family] += tokens;
    this.chars[family] += chars;
    this.results[family] += 1;
    return { family, tokens, uuid };
  }

  private keep(residents: Resident[], isKept: (resident: Resident) => boolean): Resident[] {
    for (const resident of residents) if (!isKept(resident)) this.evictedTokens += resident.tokens;
    return residents.filter(isKept);
  }

  /** Tool results that the window did not grow by pushed older ones out. */
  private shed(gap: Gap): void {
    const toolTokens = gap.toolChars / this.charsPerToken;
    let excess = toolTokens - gap.deltaTokens;
    if (excess <= Math.max(200, 0.05 * toolTokens)) return;
    for (const resident of this.queue) {
      const evicted = Math.min(resident.tokens, excess);
      resident.tokens -= evicted;
      excess -= evicted;
      this.evictedTokens += evicted;
      if (excess <= 0) break;
    }
    this.queue = this.queue.filter(({ tokens }) => tokens > 0);
  }
}
