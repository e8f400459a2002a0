/** The two questions of a verdict: these tasks as they are, or tasks like these. */
export type Question = 'corpus' | 'tasks';

/** Standard deviations of ln y: between tasks (of the effect), and between runs of each arm. */
export interface Sigma {
  task: number;
  baseline: number;
  tested: number;
  /** Said beside everything that is computed from it. `earlier`: pooled over earlier campaigns. */
  source: 'campaign' | 'earlier' | 'defaults';
}

/** An estimate under one question. `effect` and bounds in percent or points, as the metric's unit says. */
export interface Estimate {
  question: Question;
  effect: number;
  /** 95 %, or what the declared looks leave of it. Null where no standard error can be had; `why` says why. */
  interval: [number, number] | null;
  /** 90 %, for equivalence. */
  interval90: [number, number] | null;
  /** Two-sided, of the test behind the interval. Of a pooled share never below the p of the exact test of the same question. */
  p: number | null;
  /** Standard error on the scale of the arithmetic (ln, or the share itself). */
  standardError: number | null;
  df: number | null;
  method: 't' | 'bootstrap-t';
  why?: string;
  /** Why the interval is to be distrusted. */
  caution?: string;
}

export interface SignFlip {
  p: number;
  /** The smallest two-sided p that this many clusters can give. */
  smallest: number;
  /** All patterns were gone through; false: sampled. */
  exact: boolean;
  clusters: number;
}

/** The exact test of "on this corpus": the runs of each task are exchanged between the arms. */
export interface ExchangeTest {
  p: number;
  /** The smallest two-sided p that this number of runs can give. */
  smallest: number;
  /** All ways were gone through; false: sampled. */
  exact: boolean;
  /** How many ways there are to give the runs to the arms. */
  ways: number;
}

export interface RankTest {
  p: number;
  smallest: number;
}

/** A proportion with its 95 % Wilson interval, shares 0 … 1. */
export interface Proportion {
  count: number;
  of: number;
  interval: [number, number] | null;
}

/** Where there is one task only. Medians in the metric's own unit. */
export interface OneTask {
  rank: RankTest | null;
  /** Of the median, by order statistics; null below 6 runs. */
  medians: { arm: string; median: number; runs: number; interval: [number, number] | null }[];
}

/** What would have been enough to see the margin. Null where no number of runs or tasks would do. */
export interface Enough {
  /** With as many runs as there were. */
  tasks: number | null;
  /** The repos that these tasks lie in, with as many tasks to a repo as there were. */
  repos: number | null;
  /** With as many tasks as there were. */
  runs: number | null;
}

export interface FlaggedRun {
  run: string;
  /** Modified z over the median absolute deviation, pooled over tasks and arms. */
  z: number;
  /** It is its arm's first run on this task. */
  first: boolean;
}

/** Things to look at; nothing is dropped for them. */
export interface Diagnostics {
  outliers: FlaggedRun[];
  /** Mean difference between blocks in which the tested arm ran second (AB) and first (BA); the metric's unit. */
  order: { effect: number; interval: [number, number] | null; ab: number; ba: number } | null;
  /** First runs of each arm and task against its later ones; the metric's unit. */
  firstRuns: { effect: number; interval: [number, number] | null } | null;
}
