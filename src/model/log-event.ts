import type { HookDecision } from './run-page.js';
import type { HookResponse, InitEvent, ResultEvent } from './session.js';

/**
 * An event of a host's log, in words that no host owns. A host's decoder makes these; the transcript, the live view, the limits
 * and the page of a run are made of nothing else. What a log does not say is undefined.
 */
export type LogEvent = EventPlace &
  (
    | AnswerEvent
    | HostTextEvent
    | InputEvent
    | ResultLogEvent
    | CompactionEvent
    /** The host asked for the summary of a compaction. `error`: why the answer was of no use; such a request is paid for too. */
    | { kind: 'compaction-attempt'; isSuccess: boolean; error: string | undefined }
    | { kind: 'init'; init: InitEvent }
    /** The host asks the API again. */
    | ({ kind: 'retry'; attempt: number | undefined; maxRetries: number | undefined } & ApiError)
    | { kind: 'hook'; hook: HookResponse; decision: HookDecision; reason: string | undefined }
    /** A background task was stopped, or left when the process ended. */
    | { kind: 'task-stopped' }
    /** The host took the results of these calls out of the window. */
    | { kind: 'cleared'; callIds: string[] }
    /** The host switched to another model, and took these messages back. */
    | { kind: 'fallback'; model: string; retractedIds: string[] }
    /** The account's limit refused a request. `resetsAt`: seconds since 1970. */
    | { kind: 'limit'; resetsAt: number | undefined }
    /** An event of the host that no one looks at. */
    | { kind: 'other' }
    /** Not an event that the decoder knows. */
    | { kind: 'unknown' }
  );

/** Where an event stands: in which row of the log, and in which thread. */
export interface EventPlace {
  /** Identifies the row: a log may repeat it. Undefined: the event has no row, cannot come twice, and is never left behind. */
  id: string | undefined;
  /** The row that this row follows, where the log is a tree. Null: it is the first. Undefined: the log is no tree. */
  parentId: string | null | undefined;
  role: 'user' | 'assistant' | undefined;
  sessionId: string | undefined;
  /** ISO time. */
  at: string | undefined;
  /** The call that delegated to the event's thread. */
  callId: string | undefined;
  /** The event belongs to a subagent, whose thread `callId`, `agentId` or the parent row tells. */
  isSidechain: boolean;
  agentId: string | undefined;
}

/** A part of a message of the model. All parts of one request share `messageId`. */
export interface AnswerEvent {
  kind: 'answer';
  messageId: string | undefined;
  /** The host's own id of the request. */
  requestId: string | undefined;
  model: string | undefined;
  usage: LoggedUsage | undefined;
  /** The message is whole: its output tokens are no stub. */
  isFinal: boolean;
  parts: AnswerPart[];
}

export type AnswerPart =
  | { kind: 'text'; text: string }
  | { kind: 'thinking'; chars: number }
  | { kind: 'call'; id: string | undefined; name: string; input: unknown };

/** A message that the host wrote in the model's place, such as an API error. */
export interface HostTextEvent {
  kind: 'host-text';
  error: string | undefined;
  text: string;
}

/** What was put before the model. */
export interface InputEvent {
  kind: 'input';
  parts: InputPart[];
  /** The host inserted it: it is no prompt. */
  isInserted: boolean;
  /** It is a summary of a compacted conversation. */
  isSummary: boolean;
  /** The subagent whose result this is. */
  returnedAgentId: string | undefined;
}

export type InputPart =
  | { kind: 'text'; text: string }
  | { kind: 'image' }
  | { kind: 'result'; callId: string | undefined; text: string; hasImage: boolean; isError: boolean };

/** The end of an answer to a prompt. Zeros stand as the log gives them: the transcript decides whether they are real. */
export interface ResultLogEvent {
  kind: 'result';
  result: ResultEvent;
  /** Calls that the host says were denied. */
  deniedCallIds: string[];
  /** The answer's text reports the account's limit, which is lifted at this time, in seconds since 1970. */
  limitResetsAt: number | undefined;
}

export interface CompactionEvent {
  kind: 'compaction';
  /** Rows that the compaction kept. Undefined where they are not listed. */
  preservedIds: string[] | undefined;
  /** The row begins a new chain. `logicalParentId`: the row that it goes on from. */
  isBoundary: boolean;
  logicalParentId: string | undefined;
  trigger: string | undefined;
  /** Tokens of the window before, as the host estimates them. */
  tokensBefore: number | undefined;
}

interface ApiError {
  errorStatus: number | undefined;
  error: string | undefined;
}

/** Token counts as one event gives them; later events of the same request may give more. */
export interface LoggedUsage extends UsageCounts {
  /** Where the API answered in iterations of its own (server tools): the counts of each. */
  iterations: (UsageCounts & { isMessage: boolean })[];
}

export interface UsageCounts {
  /** Input tokens that were neither read from the cache nor written to it. */
  inputTokens: number | undefined;
  cacheReadTokens: number | undefined;
  cacheCreationTokens: number | undefined;
  outputTokens: number | undefined;
}
