import type { AllocationMeasure, Bucket, ContaminationMeasure, Measure } from './measure.js';
import type { Validity } from './trial.js';

/** One run of an arm, as it goes into a summary. */
export interface ArmRun {
  /** File or trial name, used to name what is left out. */
  name: string;
  /** Null where a trial failed before it had a session: it is dropped, but named and counted like any other. */
  measure: Measure | null;
  /** The arm has the tool under test attached. Only there can a run be raced, and only there does adoption mean anything. */
  expectsEngine: boolean;
  /** From the trial record, where there is one (logs of other harnesses have none). */
  validity?: Validity;
  /** Why it is not valid, in words, from the trial record. */
  cause?: string;
}

/**
 * Reason why a run is in no figure. `not-ok`: a prompt has no successful result (docs/metrics.md, "Throughput and
 * behaviour").
 */
export type DropCause = Exclude<Validity, 'valid'> | 'not-ok';

export interface DroppedRun {
  name: string;
  cause: DropCause;
  detail?: string;
}

/** Median (mean of the middle two), smallest and largest over the `n` runs that have the figure. */
export interface Spread {
  median: number;
  min: number;
  max: number;
  n: number;
}

/** Sufficiency pooled over every answered explore call of the kept runs. */
export interface PooledSufficiency {
  answered: number;
  errored: number;
  concurrent: number;
  noAnswer: number;
  undelivered: number;
  denied: number;
  buckets: Record<Bucket, number>;
}

/** Allocation pooled over the characters of the kept runs that have both sections and an answer. */
export type PooledAllocation = Pick<
  AllocationMeasure,
  'envelopeChars' | 'usedChars' | 'usedPathChars' | 'efficiency' | 'efficiencyPath'
> & { runs: number };

export interface ArmSummary {
  label: string;
  /** How the tool under test is called in print: "codegraph". */
  toolLabel: string;
  expectsEngine: boolean;
  runs: {
    total: number;
    kept: string[];
    dropped: DroppedRun[];
    byCause: Partial<Record<DropCause, number>>;
    /** Raced or contaminated, yet kept because it was asked for. */
    keptOnRequest: DroppedRun[];
    /** Kept runs of one prompt: nothing comes after them that their residual could be charged to. */
    singlePrompt: number;
  };
  /** By the name of the metric, for every metric that the catalogue gives a row. */
  figures: Record<string, Spread | null>;
  sufficiency: PooledSufficiency;
  allocation: PooledAllocation;
  /** Kept runs that called the tool at least once; null in an arm without it. */
  adoption: { called: number; of: number } | null;
  /** Over ALL runs, the dropped ones included. */
  contamination: Pick<ContaminationMeasure, 'invoke' | 'data'> & { runsReturned: number; runsBlocked: number };
  /** Of the kept runs. */
  quality: {
    /** Runs whose characters per token are the fallback, not measured. */
    uncalibrated: string[];
    /** Runs in which requests went to a model other than the one asked for. */
    modelFallbacks: string[];
    /** Runs in which the tool was called and never answered. */
    neverAnswered: string[];
    /** Called tools that no metric knows, over all runs; sorted. */
    unknownTools: string[];
    retries: number;
    subagentErrors: number;
    windowTokens: number[];
  };
}

/** One metric of the first arm compared with the second. `percent` is null if the second value is 0. */
export interface Direction {
  /** Name of the metric. */
  figure: string;
  percent: number | null;
  /** "82% HIGHER", "12% LOWER", "equal", "no percentage: 0 in baseline". */
  words: string;
  /** The arms' ranges have a value in common: the medians' order may be chance. */
  rangesOverlap: boolean;
}

/** A warning is data, with what to do about it. */
export interface Advice {
  code:
    | 'same-session'
    | 'missing-segment'
    | 'no-runs'
    | 'one-run'
    | 'single-prompt'
    | 'validity-differs'
    | 'runs-differ'
    | 'contaminated'
    | 'kept-on-request'
    | 'adoption'
    | 'uncalibrated'
    | 'model-fallback'
    | 'windows-differ'
    | 'never-answered'
    | 'unknown-tools'
    | 'no-comparison';
  message: string;
  advice: string;
}

/** Two or more arms side by side, in the order given; directions only where there are exactly two. */
export interface Comparison {
  arms: ArmSummary[];
  directions: Direction[];
  warnings: Advice[];
  /** What changes how the table is read, whatever it says. */
  caveats: string[];
  /** Names of metrics that running trials in parallel distorts. They are marked wherever they are printed. Undefined means none. */
  distorted?: string[];
}

export interface Quartiles {
  n: number;
  median: number | null;
  p25: number | null;
  p75: number | null;
  min: number | null;
}

export interface DistributionSlice extends Quartiles {
  name: 'all' | 'one prompt' | 'several prompts';
  /** Used over returned characters of all its sessions. */
  pooled: number | null;
  /** The same by the path channel alone. */
  pathOnly: number | null;
}

/** Allocation efficiency and sufficiency over many sessions. */
export interface Distribution {
  sessions: number;
  /** What is wrong with the logs as a set; printed before any figure. */
  warnings: Advice[];
  dropped: DroppedRun[];
  /** Sessions that count but have no efficiency: no explore with sections, or no answer. */
  without: number;
  calls: number;
  fileSections: number;
  slices: DistributionSlice[];
  perCall: Quartiles;
  sufficiency: PooledSufficiency;
}
