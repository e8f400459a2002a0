import type { Advice, DroppedRun, Figure, PooledAllocation, PooledSufficiency, Spread } from './summary.js';

/**
 * Figures with and without the tool under test over several repositories. `with` and `without` stand for the first and
 * second arm. Absent is null, never 0.
 */

/** Both arms' figure, and the first against the second. */
export interface PairedFigure {
  with: Spread | null;
  without: Spread | null;
  /** (with / without − 1) in percent; null where there is nothing to divide by. */
  percent: number | null;
  /** The sign in a word: "82% HIGHER", "41% LOWER", "equal". */
  words: string;
}

/** A mean of the repositories' percentages, each rounded first as in the published average row. */
export interface AverageFigure {
  percent: number | null;
  words: string;
  /** Repositories that have a percentage. */
  of: number;
}

export const RESIDUAL_FIGURES = ['requests', 'ctxFinalTokens', 'retrievalResidualTokens', 'retrievalShare'] as const;
export const THROUGHPUT_FIGURES = ['durationMs', 'toolCalls', 'tokensProcessed', 'costUsd'] as const;
export type RepoFigure = (typeof RESIDUAL_FIGURES)[number] | (typeof THROUGHPUT_FIGURES)[number];

export interface RepoRow {
  repo: string;
  /** Runs in the figures, of those there were, by arm. */
  runs: { with: [number, number]; without: [number, number] };
  figures: Record<RepoFigure, PairedFigure>;
  /** The median residual as a share of the window; null where runs were measured against several windows. */
  windowShare: { with: number | null; without: number | null };
  /** Of the arm with the tool. */
  sufficiency: PooledSufficiency;
  allocation: PooledAllocation;
  /** Median first context with less without, in tokens: what the tool costs before it is called. */
  fixedOverheadTokens: number | null;
}

/** One session of the detail, counted or not. */
export interface RunDetail {
  repo: string;
  arm: string;
  name: string;
  /** Why it is in no figure; null where it counts. */
  cause: string | null;
  requests: number | null;
  /** Calls by family: the tool, reads, Grep and Glob, shell, delegations, others. */
  tools: { engine: number; read: number; search: number; bash: number; agent: number; other: number } | null;
  retrievalResidualTokens: number | null;
  ctxFinalTokens: number | null;
  tokensProcessed: number | null;
  costUsd: number | null;
  durationMs: number | null;
  answeredExplores: number | null;
  allocationEfficiency: number | null;
  cliReturned: number | null;
  cliBlocked: number | null;
}

export interface GateArm {
  label: string;
  sessions: number;
  returned: number;
  sessionsReturned: number;
  blocked: number;
  sessionsBlocked: number;
}

export interface RepoAggregate {
  toolLabel: string;
  labels: { with: string; without: string };
  gate: { arms: GateArm[]; droppedContaminated: number; keptOnRequest: number };
  rows: RepoRow[];
  averages: Record<RepoFigure, AverageFigure>;
  pooled: { sufficiency: PooledSufficiency; allocation: PooledAllocation };
  fixedOverheadTokens: number | null;
  adoption: { called: number; of: number } | null;
  runs: RunDetail[];
  excluded: (DroppedRun & { repo: string; arm: string })[];
  warnings: (Advice & { repo: string })[];
  caveats: string[];
  /** As in Comparison. */
  distorted?: Figure[];
}
