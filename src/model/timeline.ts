import type { ByFamily, Family } from './measure.js';

/** A tool result that joined a window. */
export interface TimelineResult {
  /** Position of its call among all calls of the session, from 1. */
  call: number;
  tool: string;
  family: Family;
  chars: number;
  /** What it occupies, estimated: its characters by the session's characters per token. */
  tokens: number;
}

/** One request with what was appended to the window since the request before it. */
export interface TimelineStep {
  /** Position among the thread's requests, from 1. */
  request: number;
  /** Segment index, from 0. */
  segment: number;
  /** Prompt tokens of the request before; null for the first. */
  ctxBeforeTokens: number | null;
  /** Prompt tokens of this request. */
  ctxTokens: number;
  joined: TimelineResult[];
  /** Characters that joined and are no tool result: the model's own output, prompts, reminders. */
  proseChars: number;
  /** Compaction boundaries since the request before. */
  compactions: number;
  /** Tokens of results that those compactions dropped. */
  compactedTokens: number;
  /** Tokens of older results that went because the window did not grow by what joined it. */
  shedTokens: number;
  /** What is resident at this request. */
  residentTokens: ByFamily;
}

/** A thread's window request by request: the steps from which the occupancy measure is computed. */
export interface ThreadTimeline {
  /** Null: the main thread. */
  thread: string | null;
  charsPerToken: number;
  calibrated: boolean;
  steps: TimelineStep[];
  /** Results after the last request: never in a prompt, hence not resident. */
  afterwards: TimelineResult[];
}
