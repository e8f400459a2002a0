import type { EngineProfile } from '../model/engine.js';
import type { ByFamily, Family } from '../model/families.js';
import type { ToolCall } from '../model/session.js';
import { isText } from './calibration.js';
import { familyOf, noneByFamily } from './family.js';
import type { Gap, GapItem } from './gaps.js';

/** A tool result's tokens that are still in the window. */
interface Resident {
  family: Family;
  tokens: number;
  uuid: string | undefined;
  callId: string;
}

/** A result on its way into the window. */
export interface Joined {
  call: ToolCall;
  family: Family;
  chars: number;
  /** Estimated: characters by the session's ratio, and no more than the gap grew by. */
  tokens: number;
}

/** What one gap did to the window. */
export interface WindowStep {
  /** In the order of their calls. */
  joined: Joined[];
  /** Tokens of results that a compaction dropped. */
  compactedTokens: number;
  /** Tokens of older results that went because the window did not grow by what joined it. */
  shedTokens: number;
}

/**
 * The queue of resident results, oldest first (docs/metrics.md, "Residual context occupancy"). Both the figures at the
 * end and the timeline are taken from this queue.
 */
export class Window {
  evictedTokens = 0;
  readonly contributedTokens = noneByFamily();
  readonly chars = noneByFamily();
  readonly results = noneByFamily();
  private queue: Resident[] = [];
  /** A session has few tools and many calls. */
  private readonly families = new Map<string, Family>();
  /** Where the queue begins; what stands before is gone. Moved, not cut: a session of any length takes linear time. */
  private oldest = 0;

  constructor(
    private readonly profile: EngineProfile,
    private readonly charsPerToken: number,
  ) {}

  /** Lets a gap's results in and what it pushed out go; returns what happened. */
  add(gap: Gap): WindowStep {
    const joined: Joined[] = [];
    const evictedBefore = this.evictedTokens;
    const ratio = this.ratioFor(gap);
    let own: { order: number; resident: Resident }[] = [];
    let clearedTokens = 0;
    for (const item of gap.items) {
      if (item.kind === 'result') {
        const { call, result } = item;
        const resident = this.admit(call, result, ratio);
        own.push({ order: call.order, resident });
        joined.push({ call, family: resident.family, chars: result.chars, tokens: resident.tokens });
      } else {
        const evicted = this.evictedTokens;
        const isKept = survival(item);
        this.keepInQueue(isKept);
        // Without a list nothing tells what became of the results next to the boundary: they count as sent again.
        if (item.kind === 'cleared' || item.preserved) {
          const kept = new Set(
            this.keep(
              own.map(({ resident }) => resident),
              isKept,
            ),
          );
          own = own.filter(({ resident }) => kept.has(resident));
        }
        if (item.kind === 'cleared') clearedTokens += this.evictedTokens - evicted;
      }
    }
    // Results arrive in completion order; the window holds them in the order of their calls.
    if (own.length > 1) own.sort((a, b) => a.order - b.order);
    for (const { resident } of own) this.queue.push(resident);
    const compactedTokens = this.evictedTokens - evictedBefore;
    if (!gap.compacted) this.shed(gap, clearedTokens);
    return {
      joined: joined.length > 1 ? joined.sort((a, b) => a.call.order - b.call.order) : joined,
      compactedTokens,
      shedTokens: this.evictedTokens - evictedBefore - compactedTokens,
    };
  }

  /** Applies a compaction or a clearing after the last request: of what the queue holds, only what it kept stays. */
  close(item: Exclude<GapItem, { kind: 'result' }>): void {
    this.keepInQueue(survival(item));
  }

  /** What is resident now, by family. */
  residualTokens(): ByFamily {
    const residual = noneByFamily();
    for (const { family, tokens } of this.queue.slice(this.oldest)) residual[family] += tokens;
    return residual;
  }

  /**
   * Characters per token of a gap's results. Where the gap's own growth is one that a text of their length can have, they are
   * not charged more than that growth: their text has a ratio of its own, and the window shed nothing.
   */
  private ratioFor({ compacted, cleared, toolChars, deltaTokens }: Gap): number {
    const toolTokens = toolChars / this.charsPerToken;
    const isOwn =
      !compacted &&
      !cleared &&
      isBeyondTolerance(toolTokens - deltaTokens, toolTokens) &&
      isText(toolChars, deltaTokens);
    return isOwn ? toolChars / deltaTokens : this.charsPerToken;
  }

  private admit(
    { name, kind, id }: ToolCall,
    { chars, uuid }: { chars: number; uuid: string | undefined },
    charsPerToken: number,
  ): Resident {
    const family = this.families.get(name) ?? familyOf({ name, kind }, this.profile);
    this.families.set(name, family);
    const tokens = chars / charsPerToken;
    this.contributedTokens[family] += tokens;
    this.chars[family] += chars;
    this.results[family] += 1;
    return { family, tokens, uuid, callId: id };
  }

  private keepInQueue(isKept: (resident: Resident) => boolean): void {
    this.queue = this.keep(this.queue.slice(this.oldest), isKept);
    this.oldest = 0;
  }

  private keep(residents: Resident[], isKept: (resident: Resident) => boolean): Resident[] {
    for (const resident of residents) if (!isKept(resident)) this.evictedTokens += resident.tokens;
    return residents.filter(isKept);
  }

  /** Tool results that the window did not grow by pushed older ones out, unless results were cleared by name to make room. */
  private shed(gap: Gap, clearedTokens: number): void {
    const toolTokens = gap.toolChars / this.ratioFor(gap);
    let excess = toolTokens - gap.deltaTokens - clearedTokens;
    if (!isBeyondTolerance(excess, toolTokens)) return;
    for (let resident = this.queue[this.oldest]; resident && excess > 0; resident = this.queue[this.oldest]) {
      const evicted = Math.min(resident.tokens, excess);
      resident.tokens -= evicted;
      excess -= evicted;
      this.evictedTokens += evicted;
      if (resident.tokens > 0) break;
      this.oldest++;
    }
  }
}

/** A ratio is an average, so small differences between a gap's results and its growth mean nothing. */
function isBeyondTolerance(excessTokens: number, toolTokens: number): boolean {
  return excessTokens > Math.max(200, 0.05 * toolTokens);
}

/** Tells which results stay in the window at a compaction, or where the host cleared some. */
function survival(item: Exclude<GapItem, { kind: 'result' }>): (resident: Resident) => boolean {
  if (item.kind === 'cleared') return ({ callId }) => !item.toolUseIds.includes(callId);
  return ({ uuid }) => uuid !== undefined && item.preserved?.has(uuid) === true;
}
