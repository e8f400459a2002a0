/** The trial that a request belongs to: with the request itself, all that an answer may depend on. */
export interface RehearsalKey {
  task: string;
  arm: string;
  /** From 1. */
  repetition: number;
}

/** A tool call and what it gave. */
export interface RehearsalCall {
  name: string;
  input: Record<string, unknown>;
  text: string;
  isError: boolean;
}

/** One request of the CLI, read as a step of the conversation. */
export interface RehearsalTurn extends RehearsalKey {
  /**
   * The last prompt of a user, without the host's reminders. Empty when the conversation holds none. After a compaction still the
   * prompt that is being answered.
   */
  prompt: string;
  /** 0 for the session's first prompt. Goes on counting after a compaction. */
  promptIndex: number;
  /** How often the model has answered since that prompt. */
  step: number;
  /** The host asks for a summary of the conversation, to go on from that summary. No tools may be called. */
  isCompaction: boolean;
  /** Compactions that lie behind this request. */
  compactions: number;
  /** The text with which the conversation goes on after a compaction. Undefined before the first one. */
  summary: string | undefined;
  /** Names of the tools that are offered. */
  tools: string[];
  /** What the calls of the last answer gave, in the order of the calls. */
  toolResults: RehearsalCall[];
  /** All answered calls since the prompt, in order. */
  earlierCalls: RehearsalCall[];
  /** The model's last text before this request. */
  lastText: string;
  /** The host asks on a subagent's behalf. */
  isSubagent: boolean;
  /** The session's working directory, as the host tells it to the model. */
  workingDirectory: string | undefined;
}

/**
 * What goes wrong instead of an answer: no answer ever, the connection closed before the answer or in its middle, an answer
 * that is no JSON, 529, or another status.
 */
export type Fault =
  | 'hang'
  | 'drop'
  | 'cut'
  | 'malformed'
  | 'overloaded'
  | { status: number; type?: string; message?: string };

export interface Reply {
  text?: string;
  toolCalls?: { name: string; input: Record<string, unknown> }[];
  /** Undefined: in proportion to the characters of the request and the answer. */
  usage?: { inputTokens: number; outputTokens: number };
  /** Why the model stopped, in the API's words; undefined: `tool_use` with calls, else `end_turn`. */
  stopReason?: 'max_tokens' | 'refusal';
  fault?: Fault;
  delayMs?: number;
}

export type RehearsalScript = (turn: RehearsalTurn) => Reply | Promise<Reply>;

/** A request as it came in. */
export interface RehearsalRequest {
  key: RehearsalKey;
  kind: 'messages' | 'count_tokens';
  body: unknown;
}

/** A running scripted model. */
export interface Rehearsal {
  baseUrl: string;
  /** Variables that point `claude` at this model, under this trial's key. */
  environment(key: RehearsalKey): Record<string, string>;
  /** Every request so far, in order of arrival. */
  requests(): RehearsalRequest[];
  /** Ends the server and every open answer. */
  stop(): Promise<void>;
}
