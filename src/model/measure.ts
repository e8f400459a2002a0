/** Tool families of spec/metrics.md 1; `tool` is the tool under test. */
export const FAMILIES = ['tool', 'read', 'search', 'bash', 'other'] as const;
export type Family = (typeof FAMILIES)[number];
export type ByFamily = Record<Family, number>;

export const BUCKETS = ['explore_again', 'read_returned', 'read_missed', 'search', 'sufficient'] as const;
export type Bucket = (typeof BUCKETS)[number];

/** What a shell command does to the tool under test (spec/metrics.md 5). */
export type CommandClass = 'invoke' | 'data' | 'mention';
export type CommandVerdict = 'blocked' | 'returned';

export const MEASURE_FORMAT_VERSION = 2;

/** All measures of one session: the shape of spec/metrics.md 10. Absent is null, never 0. */
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
  occupancy: OccupancyMeasure | null;
  sufficiency: SufficiencyMeasure;
  allocation: AllocationMeasure;
  contamination: ContaminationMeasure;
  duplicates: { sourceChars: number; duplicateChars: number; share: number | null };
  subagents: SubagentMeasure[];
  diagnostics: MeasureDiagnostics;
}

export interface OccupancyMeasure {
  ctxBaseTokens: number;
  /** Null: the session ends in a compaction, after which no request tells the window's size. */
  ctxFinalTokens: number | null;
  windowTokens: number;
  charsPerToken: number;
  /** The ratio was measured in this session (false: the fallback 3.0). */
  calibrated: boolean;
  /** Lower median of the relative error over single-result gaps; null where there is no such gap. */
  dispersion: number | null;
  compactions: number;
  evictedTokens: number;
  residualTokens: ByFamily;
  contributedTokens: ByFamily;
  chars: ByFamily;
  results: ByFamily;
}

export interface SufficiencyMeasure {
  answered: number;
  errored: number;
  concurrent: number;
  buckets: Record<Bucket, number>;
  noAnswer: number;
  undelivered: number;
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
  undelivered?: boolean;
}

export interface AllocationMeasure {
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
}
