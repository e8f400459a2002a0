import type { ModelRequest, Thread, ToolCall, ToolResult } from '../model/session.js';

/** A result that joined the window, or the border at which the window was compacted, in stream order. */
export type GapItem =
  | { kind: 'result'; call: ToolCall; result: ToolResult }
  | { kind: 'compaction'; preserved: Set<string> | undefined };

/** What lies between two consecutive requests of a thread (spec/metrics.md 2, step 1). */
export interface Gap {
  deltaTokens: number;
  /** All characters appended, the earlier request's own output included. */
  chars: number;
  toolChars: number;
  compacted: boolean;
  /** Bytes that are no text lie in it: its tokens don't follow from its characters. */
  hasImage: boolean;
  /** Replaced, not pushed to: an array that grows reserves room for many, and most gaps hold one. */
  items: GapItem[];
}

export interface Gaps {
  baseTokens: number;
  finalTokens: number;
  gaps: Gap[];
}

/** A thread's timeline cut at its requests; undefined when no request tells its size. */
export function gapsOf(thread: Thread): Gaps | undefined {
  const gaps: Gap[] = [];
  let base: number | undefined;
  let previous = 0;
  let open = emptyGap();
  for (const entry of thread.timeline) {
    if (entry.kind === 'request') {
      const tokens = promptTokens(entry.request);
      // A request without usage says nothing about the window: what it appended counts towards the next one.
      if (tokens > 0) {
        if (base === undefined) base = tokens;
        else {
          open.deltaTokens = tokens - previous;
          gaps.push(open);
        }
        previous = tokens;
        open = emptyGap();
      }
      open.chars += entry.request.outputChars;
    } else if (entry.kind === 'result') {
      open.chars += entry.result.chars;
      open.toolChars += entry.result.chars;
      open.hasImage ||= entry.result.hasImage;
      open.items = open.items.length === 0 ? [entry] : [...open.items, entry];
    } else if (entry.kind === 'userText') {
      open.chars += entry.chars;
      open.hasImage ||= entry.hasImage === true;
    } else {
      open.compacted = true;
      const preserved = entry.preservedUuids && new Set(entry.preservedUuids);
      open.items = [...open.items, { kind: 'compaction', preserved }];
    }
  }
  // What stays open follows the last request and was never in a prompt.
  return base === undefined ? undefined : { baseTokens: base, finalTokens: previous, gaps };
}

/** Tokens of a request's whole prompt, cached or not. */
export function promptTokens(request: ModelRequest): number {
  return request.inputTokens + request.cacheReadTokens + request.cacheCreationTokens;
}

function emptyGap(): Gap {
  return { deltaTokens: 0, chars: 0, toolChars: 0, compacted: false, hasImage: false, items: [] };
}
