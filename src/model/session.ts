import type { ExploreResponse } from './engine.js';
import type { ToolKind } from './host-tools.js';
import type { SessionHost } from './session-host.js';

/**
 * A parsed transcript: what the model was shown and what it did, reduced to what the metrics need (docs/metrics.md,
 * "What is counted"). Its size does not grow with the length of tool results.
 */
export interface Session {
  /** The agent host that wrote the log. */
  host: SessionHost;
  /** The segments' files in order, or `-` for standard input. */
  files: string[];
  segments: Segment[];
  /** The main thread first, always there; subagent threads in order of appearance. */
  threads: Thread[];
  /** Text of the answer: every segment's `result` text joined by a blank line; else the last main-thread text. */
  answer: string | undefined;
  diagnostics: SessionDiagnostics;
}

/** What was met on the way and is worth telling (counted, never fatal). */
export interface SessionDiagnostics {
  lines: number;
  /** Lines that did not parse, or held bytes that are no UTF-8 (read with U+FFFD in their place). */
  unparsedLines: { file: string; line: number }[];
  /** Lines that held an event, or a part of one, that could not be read. */
  lostLines: number;
  /** Rows that the log repeats (same uuid): each was read once. */
  repeatedRows: number;
  retries: number;
  /** Models to which the host says it switched. */
  fallbackModels: string[];
  /** Models that answered on the main thread although the session began with another. */
  otherModels: string[];
  /** Agent/Task results that are an API error but are logged as a success (docs/claude-code.md, "Subagents"). */
  subagentErrors: number;
  /** Lines of all files that are an event of the host. */
  knownEvents: number;
}

/** One `claude -p` process: one file of events. */
export interface Segment {
  file: string;
  /** Lines of this file that are an event of the host; 0: the file is not a transcript. */
  knownEvents: number;
  inits: InitEvent[];
  results: ResultEvent[];
  /** `session_id` of the last event that carried one. */
  lastSessionId: string | undefined;
  /** Set when the last assistant event of the main thread is synthetic: its `error` (or "" when it has none). */
  lastSyntheticError: string | undefined;
  retries: { attempt: number; errorStatus: number | undefined; error: string | undefined }[];
  hookResponses: HookResponse[];
  /** Background tasks that were stopped or left when the process ended (task_notification "stopped"). */
  stoppedTasks: number;
  /** Requests for the summary of a compaction, in order. They stand in no assistant event. */
  compactionAttempts: { isSuccess: boolean; error: string | undefined }[];
  /** The account's limit refused a request; the last refusal counts. `resetsAt`: seconds since 1970. */
  limit: { resetsAt: number | undefined } | undefined;
}

export interface InitEvent {
  sessionId: string | undefined;
  model: string | undefined;
  tools: string[];
  mcpServers: { name: string; status: string }[];
  cliVersion: string | undefined;
  skills: string[];
  agents: string[];
  plugins: string[];
  hasMemory: boolean;
  /** The folder in which the session works, where the log says. */
  cwd?: string | undefined;
}

/** Tokens of the context window where nothing tells its size. */
export const DEFAULT_WINDOW_TOKENS = 200_000;

/** A `result` event. Absent fields stay undefined: missing is not zero. */
export interface ResultEvent {
  subtype: string;
  isError: boolean;
  text: string | undefined;
  durationMs: number | undefined;
  /** Cumulative within one process. */
  totalCostUsd: number | undefined;
  /** Cumulative within one process. */
  apiDurationMs: number | undefined;
  outputTokens: number | undefined;
  numTurns: number | undefined;
  apiErrorStatus: number | undefined;
  terminalReason: string | undefined;
  stopReason: string | undefined;
  /** Tokens of the context window by model, as the result's `modelUsage` gives them. */
  contextWindows: Map<string, number>;
  /** Tokens of all models, subagents and compactions included. Cumulative within one process. */
  modelUsage?: ModelUsage | undefined;
  permissionDenials: number;
}

export interface HookResponse {
  /** The hook ran before a call and decides about it. */
  isBeforeCall: boolean;
  /** The tool that the hook ran before, as the name of the hook tells it. */
  beforeTool: string | undefined;
  event: string | undefined;
  name: string | undefined;
  toolUseId: string | undefined;
  outcome: string | undefined;
  exitCode: number | undefined;
}

/** What a process was charged for, in tokens. */
export interface ModelUsage {
  /** Neither read from the cache nor written to it. */
  inputTokens: number;
  cacheReadTokens: number;
  cacheCreationTokens: number;
  outputTokens: number;
}

/** A thread: the main one (`id` null) or a subagent (`id` = the delegating call's id). */
export interface Thread {
  id: string | null;
  requests: ModelRequest[];
  /** All tool calls of the thread in the order of their tool_use blocks. */
  calls: ToolCall[];
  /** Everything that bears on the context window, in stream order. */
  timeline: TimelineEntry[];
  lastText: string | undefined;
  /**
   * Requests and calls that were paid for and are no longer part of the conversation: left behind by a rewind, or taken back by
   * the host after a refusal. They stand in none of the lists above.
   */
  abandoned: { requests: ModelRequest[]; calls: ToolCall[] };
}

export type TimelineEntry =
  | { kind: 'request'; request: ModelRequest }
  | { kind: 'result'; call: ToolCall; result: ToolResult }
  | { kind: 'userText'; chars: number; hasImage?: boolean }
  | {
      kind: 'compaction';
      preservedUuids: string[] | undefined;
      trigger?: string;
      tokensBefore?: number;
      segment: number;
    }
  /** The host took the results of these calls out of the window. */
  | { kind: 'cleared'; toolUseIds: string[] };

/**
 * One request to the model: a distinct `message.id`; usage is the field-wise maximum of its copies. Prompt fields that are all 0
 * mean that the log gives no usage: no request has an empty prompt.
 */
export interface ModelRequest {
  /** The message's id; with a number behind it where a gateway gives one id to several requests. */
  id: string;
  model: string | undefined;
  inputTokens: number;
  cacheReadTokens: number;
  cacheCreationTokens: number;
  /** Streamed output tokens: a stub of a few tokens in stream logs. */
  outputTokens: number;
  /** Set where the API answered in iterations of its own (server tools): the fields above are those of the last message. */
  iterations: IterationTotals | undefined;
  /** Characters of its own output: text, thinking, and each tool_use as JSON of its input plus its name. */
  outputChars: number;
  /** Segment index, for borders in displays. */
  segment: number;
  /**
   * The longest time without an event since the request before, in milliseconds. Where answers have no time, as in the stream, the
   * answer's own time is part of it. Undefined without timestamps.
   */
  pauseMs?: number | undefined;
}

/** Token sums over all server-side iterations of a request, those of other models included: what was paid. */
export interface IterationTotals {
  inputTokens: number;
  cacheReadTokens: number;
  cacheCreationTokens: number;
  outputTokens: number;
  /** Prompt of the first message: what the client had sent. */
  firstPromptTokens: number;
}

/** A tool_use block, and its result once there is one. */
export interface ToolCall {
  /** The block's id; with a number behind it where a thread uses an id again. */
  id: string;
  /** Position among all tool_use blocks of the session, across threads and segments, from 0. */
  order: number;
  /** Tools of MCP servers are named `mcp__<server>__<tool>`, whatever the host calls them. */
  name: string;
  /** What a tool of the host does. Undefined for tools of MCP servers, and for names that the host's table does not have. */
  kind: ToolKind | undefined;
  /** Only what the metrics look at: command, file_path, path, pattern, query, notebook_path, subagent_type, projectPath. */
  input: Record<string, string>;
  requestId: string;
  thread: string | null;
  result: ToolResult | undefined;
}

export interface ToolResult {
  /** Characters that the model saw, in UTF-16 units. */
  chars: number;
  isError: boolean;
  uuid: string | undefined;
  /** An image part was in it: its gap is not used to calibrate. */
  hasImage: boolean;
  /**
   * What messages are judged by ("No such tool available", the hook's marker): the text whole when it has at most 2,000
   * characters; else the first 2,000 of an error, the first 100 of any other result.
   */
  head: string;
  /** The host put a preview in the result's place. */
  undelivered: boolean;
  /** The host had no such tool at that moment. */
  isUnavailable: boolean;
  /** The host says in words of its own that the command gave no output. */
  isEmptyOutput: boolean;
  /** The host reports a command that ran and failed: `head` holds its output. */
  isFailedCommand: boolean;
  /** Lines of the file that a Read showed, from 1 and inclusive. Only for results of Read calls. */
  readLines?: { first: number; last: number } | undefined;
  /** Only for results of explore calls. */
  response: ExploreResponse | undefined;
}

/** Returns the tokens of a request's whole prompt, cached or not; 0 where the log gives no usage. */
export function promptTokens(request: ModelRequest): number {
  return request.inputTokens + request.cacheReadTokens + request.cacheCreationTokens;
}

/** Returns the tokens of the prompt that the client sent: without what server-side iterations added to it. */
export function sentTokens(request: ModelRequest): number {
  return request.iterations?.firstPromptTokens ?? promptTokens(request);
}

/**
 * Returns the last result of each process in a log: values that are cumulative within a process are its totals there. Where a
 * cumulative value falls, another process went on in the same log.
 */
function lastOfProcesses(results: ResultEvent[]): ResultEvent[] {
  const lasts: ResultEvent[] = [];
  let total: number | undefined;
  let apiDuration: number | undefined;
  for (const result of results) {
    const { totalCostUsd, apiDurationMs } = result;
    const isNext = isBelow(totalCostUsd, total) || isBelow(apiDurationMs, apiDuration);
    if (isNext || lasts.length === 0) lasts.push(result);
    else lasts[lasts.length - 1] = { ...result, totalCostUsd: totalCostUsd ?? total };
    total = totalCostUsd ?? (isNext ? undefined : total);
    apiDuration = apiDurationMs ?? apiDuration;
  }
  return lasts;
}

/** Returns the cost of a log in US dollars. Undefined if no result gives a cost. */
export function costOfProcesses(results: ResultEvent[]): number | undefined {
  const costs = lastOfProcesses(results).flatMap(({ totalCostUsd }) => totalCostUsd ?? []);
  return costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0);
}

/** Returns what the processes of a log were charged for. Undefined if one of them does not say, or the log has no result. */
export function usageOfProcesses(results: ResultEvent[]): ModelUsage | undefined {
  const sum = { inputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0, outputTokens: 0 };
  const lasts = lastOfProcesses(results);
  for (const { modelUsage } of lasts) {
    if (modelUsage === undefined) return undefined;
    sum.inputTokens += modelUsage.inputTokens;
    sum.cacheReadTokens += modelUsage.cacheReadTokens;
    sum.cacheCreationTokens += modelUsage.cacheCreationTokens;
    sum.outputTokens += modelUsage.outputTokens;
  }
  return lasts.length === 0 ? undefined : sum;
}

function isBelow(value: number | undefined, before: number | undefined): boolean {
  return value !== undefined && before !== undefined && value < before;
}
