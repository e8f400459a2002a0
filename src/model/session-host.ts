import type { ToolTable } from './host-tools.js';

/** What the readers of a session must know of the agent host that ran it. */
export interface SessionHost {
  name: string;
  /** As it is printed: "Claude Code". */
  title: string;
  tools: ToolTable;
  notices: HostNotices;
  prices: PriceWeights;
  /** The host compacts when the window has no more than so many tokens left. */
  compactionReserveTokens: number;
}

/** What a text means that the host wrote in place of a tool's result: it was held back, or there was nothing. */
export type HostNotice = 'undelivered' | 'empty';

/** The texts of the host itself among the results of tools. */
export interface HostNotices {
  /** Returns what the host says in place of a result, or about one that it cut. Undefined for any other text. */
  noticeIn(text: string): HostNotice | undefined;
  /** Whether a shell's result says in the host's words that there was no output. */
  isEmptyOutput(text: string): boolean;
  /** Whether the host had no such tool at that moment. */
  isUnavailable(head: string, isError: boolean): boolean;
  /** Whether the host knows no tool of the name that was called. */
  isNoSuchTool(head: string): boolean;
  /** Whether the call never ran: the host refused it as invalid, or an interruption rejected it. */
  hasNotRun(head: string): boolean;
  /** Whether a command ran and failed: its output follows. */
  isFailedCommand(head: string): boolean;
  /** Whether an error is the host's report of a hook's denial. */
  isHookError(text: string): boolean;
}

/** Prices in units of the base price of an input token. */
export interface PriceWeights {
  input: number;
  cacheWrite: number;
  cacheRead: number;
  output: number;
}
