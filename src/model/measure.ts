/** Tool families (docs/metrics.md, "What is counted"). `tool` is the tool under test. */
export const FAMILIES = ['tool', 'read', 'search', 'bash', 'other'] as const;
export type Family = (typeof FAMILIES)[number];
export type ByFamily = Record<Family, number>;

export const BUCKETS = ['explore_again', 'read_returned', 'read_missed', 'search', 'sufficient'] as const;
export type Bucket = (typeof BUCKETS)[number];

/**
 * Classes of shell commands by how they reach the tool under test (docs/isolation.md, "What the classifier decides").
 */
export type CommandClass = 'invoke' | 'data' | 'mention';
export type CommandVerdict = 'blocked' | 'returned';

export const MEASURE_FORMAT_VERSION = 2;

/** All measures of one session. Absent is null, never 0. */
export interface Measure {
  formatVersion: number;
  files: string[];
  ok: boolean;
  raced: boolean;
  /** Main-thread requests. */
  requests: number;
  requestsAllThreads: number;
  toolCalls: number;
  /** Calls by tool name, bookkeeping included. */
  counts: Record<string, number>;
  durationMs: number | null;
  costUsd: number | null;
  tokensProcessed: number | null;
  outputTokens: number | null;
  /** All tokens that were charged for: prompts and output of every model, hidden requests included. */
  tokensPaid: number | null;
  hidden: HiddenMeasure;
  pressure: PressureMeasure;
  occupancy: OccupancyMeasure | null;
  sufficiency: SufficiencyMeasure;
  allocation: AllocationMeasure;
  contamination: ContaminationMeasure;
  duplicates: { sourceChars: number; duplicateChars: number; share: number | null };
  subagents: SubagentMeasure[];
  diagnostics: MeasureDiagnostics;
}

/** Requests that stand in no log, such as the one for the summary of a compaction. Part of `costUsd` and of `tokensPaid`. */
export interface HiddenMeasure {
  /** Attempts to compact. Null: the log does not count them. */
  requests: number | null;
  /** What the results were charged for beyond the requests in the log. */
  promptTokens: number | null;
  /** Null in a session with subagents, whose real output no result gives apart. */
  outputTokens: number | null;
  /** Worked out from the session's cost and the ratios between the prices. */
  costUsd: number | null;
}

/** What the size of the window did to a session. */
export interface PressureMeasure {
  /** Of the main thread, in order. */
  compactions: Compaction[];
  /** Summaries that were of no use. The host paid for each and went on with the full window. */
  failedCompactions: number;
  /** Prompts that were answered before the first compaction began. Null without a compaction, and for a transcript on disk. */
  promptsBeforeCompaction: number | null;
  /** Source lines that explores and Reads delivered, each as often as it came. */
  linesDelivered: number;
  /** Of these, lines that had been delivered before a compaction, and had not come again since. */
  linesRedelivered: number;
  /** By prompt; null where its process gives no cost. */
  costByPromptUsd: (number | null)[];
  silentClearings: SilentClearing[];
}

export interface Compaction {
  /** The prompt that was being answered, or about to be, from 1. */
  prompt: number;
  /** Requests of the main thread before it. */
  afterRequest: number;
  trigger: string | null;
  /** Tokens of the window before, as the host estimates them. */
  tokensBefore: number | null;
}

/** A prompt that shrank by more than 200 tokens and 5 % although the log has no boundary: the host cleared something unseen. */
export interface SilentClearing {
  /** The request with the smaller prompt, from 1. */
  request: number;
  tokens: number;
  /** The longest time without an event before it. Null without timestamps. */
  pauseMs: number | null;
}

/** Where the size of the window comes from: the user set it, the host reported it for the model, or neither did. */
export type WindowSource = 'set' | 'reported' | 'default';

export interface OccupancyMeasure {
  ctxBaseTokens: number;
  /** Null: the session ends in a compaction, after which no request tells the window's size. */
  ctxFinalTokens: number | null;
  windowTokens: number;
  windowSource: WindowSource;
  charsPerToken: number;
  /** The ratio was measured in this session. False: it is the default 3.0, an estimate. */
  calibrated: boolean;
  /** Lower median of the relative error over gaps of tool results; null without such a gap or a measured ratio. */
  dispersion: number | null;
  /** Gaps of tool results that grew by more tokens than their characters can have. */
  hiddenGaps: number;
  /** Tokens that those gaps grew by beyond their characters: the host added them unseen. They belong to the base. */
  hiddenTokens: number;
  compactions: number;
  evictedTokens: number;
  residualTokens: ByFamily;
  contributedTokens: ByFamily;
  chars: ByFamily;
  results: ByFamily;
}

export interface SufficiencyMeasure {
  /** Why no call was classified although the tool may have answered. Then every count but `errored` and `everAnswered` is empty. */
  notMeasured?: string;
  answered: number;
  errored: number;
  concurrent: number;
  buckets: Record<Bucket, number>;
  noAnswer: number;
  undelivered: number;
  /**
   * Whether the tool answered any explore that came back. A search without a match is an answer here: the tool works. Null
   * where no explore came back.
   */
  everAnswered: boolean | null;
  /** Calls that the hook denied and that were stepped over. */
  denied: number;
  calls: SufficiencyCall[];
}

export interface SufficiencyCall {
  thread: string | null;
  query: string;
  files: string[];
  chars: number;
  bucket: Bucket;
  /** What the agent did next, as shown: `Read utils.js`, `Bash search`, `(final answer)`. */
  next: string;
  named?: boolean;
  noAnswer?: boolean;
  /** The text has no source and is no known message. It counts as no answer. */
  unread?: boolean;
  undelivered?: boolean;
}

export interface AllocationMeasure {
  /** Why nothing was attributed although the tool may have answered. Then the counts are empty and the shares null. */
  notMeasured?: string;
  envelopeChars: number;
  usedChars: number;
  usedPathChars: number;
  efficiency: number | null;
  efficiencyPath: number | null;
  filesReturned: number;
  filesUsed: number;
  hasAnswer: boolean;
  calls: AllocationCall[];
  files: AllocationFile[];
}

export interface AllocationCall {
  envelopeChars: number;
  usedChars: number;
  efficiency: number | null;
  files: number;
  filesUsed: number;
}

export interface AllocationFile {
  path: string;
  chars: number;
  calls: number;
  via: 'path' | 'symbol' | null;
  symbol?: string;
}

export interface ContaminationMeasure {
  invoke: { blocked: number; returned: number };
  data: { blocked: number; returned: number };
  commands: { thread: string | null; command: string; class: CommandClass; verdict: CommandVerdict }[];
}

export interface SubagentMeasure {
  thread: string;
  requests: number;
  ctxBaseTokens: number;
  ctxFinalTokens: number | null;
  residualTokens: ByFamily;
}

export interface MeasureDiagnostics {
  retries: number;
  fallbackModels: string[];
  /** Models that answered on the main thread although the session began with another. */
  otherModels: string[];
  subagentErrors: number;
  lines: number;
  unparsedLines: { file: string; line: number }[];
  /** Of these, lines that held an event, or a part of one, that could not be read. */
  lostLines: number;
  /** Segments, counted from 1, that are missing before a later one, by the names of the files. */
  missingSegments: number[];
  /** Rows that the log repeats, each of which was read once. */
  repeatedRows: number;
  segments: { sessionId: string | null; subtype: string | null; isError: boolean | null }[];
  /** Names of called tools that are neither in the table of host tools nor an MCP server's; sorted. */
  unknownTools: string[];
  /** Explore answers without source that are no known message of the engine or the host; `text` is their beginning. */
  unreadAnswers: { thread: string | null; tool: string; text: string }[];
}
