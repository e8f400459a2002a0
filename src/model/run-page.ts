/**
 * A session as its page shows it: every request in the order of the log, with previews in place of texts, so that its size
 * does not grow with the length of results. Absent is null, never 0.
 */
export interface RunPage {
  segments: PageSegment[];
}

/** One `claude -p` process: one prompt. */
export interface PageSegment {
  file: string;
  /** Only the transcript on disk holds it; the stream does not. */
  prompt: string | null;
  items: PageItem[];
  /** Of all processes that wrote the log. */
  costUsd: number | null;
  /** Summed over its results. */
  durationMs: number | null;
  outputTokens: number | null;
  subtype: string | null;
  isError: boolean | null;
  terminalReason: string | null;
  /** Preview of what the segment answered. */
  answer: string | null;
  /** ISO time of the first event that tells one. */
  startedAt: string | null;
}

export type PageItem = PageRequest | PageNote;

/** Something that happened between requests: a compaction, an API retry, an error of the host. */
export interface PageNote {
  kind: 'compaction' | 'retry' | 'error' | 'model';
  text: string;
}

export interface PageRequest {
  kind: 'request';
  /** Position among its thread's requests, from 1, over all segments. */
  number: number;
  /** Null: the main thread; else the delegating call's id. */
  thread: string | null;
  model: string | null;
  /** Prompt tokens: input, cache read and cache creation; null where the log gives no usage. */
  ctxTokens: number | null;
  cacheReadTokens: number;
  /** Null in a stream, where the figure is a stub (docs/claude-code.md, "Usage and cost"). */
  outputTokens: number | null;
  text: string;
  textChars: number;
  thinkingChars: number;
  calls: PageCall[];
  /** ISO time; only the transcript on disk has it. */
  at: string | null;
}

/**
 * Decision of the PreToolUse hook on a call: `denied`, `passed`, or `failed`, which lets the call through unchecked
 * (docs/claude-code.md, "Hooks"). Null if no hook was asked or the log does not show the decision.
 */
export type HookDecision = 'denied' | 'passed' | 'failed' | null;

export interface PageCall {
  id: string;
  name: string;
  input: string;
  inputChars: number;
  hook: HookDecision;
  /** Null: it never came. */
  result: PageResult | null;
}

export interface PageResult {
  /** Characters that the model saw (UTF-16 units). */
  chars: number;
  isError: boolean;
  preview: string;
  /** ISO time at which it was there, where the log has it. */
  at: string | null;
}
