import { promptTokens, sentTokens, type Thread, type ToolCall, type ToolResult } from '../model/session.js';

/** A result that joined the window, or the border at which the window was compacted or some results were cleared, in stream order. */
export type GapItem =
  | { kind: 'result'; call: ToolCall; result: ToolResult }
  | { kind: 'compaction'; preserved: Set<string> | undefined }
  | { kind: 'cleared'; toolUseIds: string[] };

/** The events between two consecutive requests of a thread. */
export interface Gap {
  /** Prompt tokens of the request before. */
  beforeTokens: number;
  deltaTokens: number;
  /** All characters appended, the earlier request's own output included. */
  chars: number;
  toolChars: number;
  compacted: boolean;
  /** The host cleared results in it: its tokens don't follow from what joined. */
  cleared: boolean;
  /** Bytes that are no text lie in it: its tokens don't follow from its characters. */
  hasImage: boolean;
  /** Replaced, not pushed to: an array that grows reserves room for many, and most gaps hold one. */
  items: GapItem[];
}

export interface Gaps {
  baseTokens: number;
  finalTokens: number;
  gaps: Gap[];
  /** Compactions and clearings after the last request: the window was changed, and no request tells its size since. */
  closing: GapItem[];
}

/** A thread's timeline cut at its requests; undefined when no request tells its size. */
export function gapsOf(thread: Thread): Gaps | undefined {
  const gaps: Gap[] = [];
  let base: number | undefined;
  let previous = 0;
  let open = emptyGap();
  /** Items of the open gap that something was put before the model after. */
  let settled = 0;
  for (const entry of thread.timeline) {
    if (entry.kind === 'request') {
      const tokens = sentTokens(entry.request);
      // A request without usage says nothing about the window: what it appended counts towards the next one.
      if (tokens > 0) {
        if (base === undefined) base = tokens;
        else {
          open.beforeTokens = previous;
          open.deltaTokens = tokens - previous;
          gaps.push(open);
        }
        // What server-side iterations add to the window is no tool result of ours: it stands in no gap.
        previous = promptTokens(entry.request);
        open = emptyGap();
        settled = 0;
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
      settled = open.items.length;
    } else if (entry.kind === 'cleared') {
      open.cleared = true;
      open.items = [...open.items, entry];
    } else {
      open.compacted = true;
      const preserved = entry.preservedUuids && new Set(entry.preservedUuids);
      open.items = [...open.items, { kind: 'compaction', preserved }];
    }
  }
  // What stays open follows the last request and was never in a prompt.
  if (base === undefined) return undefined;
  // A compaction is done once its summary stands in the window.
  const closing = open.items.filter(
    ({ kind }, index) => kind === 'cleared' || (kind === 'compaction' && index < settled),
  );
  return { baseTokens: base, finalTokens: previous, gaps, closing };
}

function emptyGap(): Gap {
  const flags = { compacted: false, cleared: false, hasImage: false };
  return { beforeTokens: 0, deltaTokens: 0, chars: 0, toolChars: 0, ...flags, items: [] };
}
