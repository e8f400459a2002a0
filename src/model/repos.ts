import type { Advice, DroppedRun, PooledAllocation, PooledSufficiency, Spread } from './summary.js';

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

export interface RepoRow {
  repo: string;
  /** Runs in the figures, of those there were, by arm. */
  runs: { with: [number, number]; without: [number, number] };
  /** By the name of the metric, for every metric that the catalogue puts into a table over repositories. */
  figures: Record<string, PairedFigure>;
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
  /** Why the run is excluded. Null if it counts. */
  cause: string | null;
  /** By the name of the metric, for every metric that has a value of one run. */
  values: Record<string, number | null>;
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
  averages: Record<string, AverageFigure>;
  pooled: { sufficiency: PooledSufficiency; allocation: PooledAllocation };
  fixedOverheadTokens: number | null;
  adoption: { called: number; of: number } | null;
  runs: RunDetail[];
  excluded: (DroppedRun & { repo: string; arm: string })[];
  warnings: (Advice & { repo: string })[];
  caveats: string[];
  /** As in Comparison. */
  distorted?: string[];
}
