import { z } from 'zod';
import type {
  Diagnostics,
  Enough,
  Estimate,
  ExchangeTest,
  OneTask,
  Proportion,
  Question,
  Sigma,
  SignFlip,
} from './estimate.js';
import type { Validity } from './trial.js';

/**
 * How a metric is taken into the arithmetic:
 * `ratio` ln y · `count` ln(y+1), may be 0 · `share` plain value of a run · `binary` 0/1 a run · `pooled` part over whole, summed over runs ·
 * `totals` ln of one total over another, each summed over runs.
 */
export type MetricKind = 'ratio' | 'count' | 'share' | 'binary' | 'pooled' | 'totals';

/** `primary`: the one that decides. `secondary`: Holm over all of them. The rest can only suggest. */
export type MetricRole = 'primary' | 'secondary' | 'exploratory';

/** A metric as declared before the runs. */
export interface MetricDeclaration {
  /** Key in an observation's `values`, or in `pooled` for a pooled share. */
  name: string;
  /** As printed. */
  label: string;
  kind: MetricKind;
  better: 'lower' | 'higher';
  role: MetricRole;
  /** Half width of "equivalent": percent for `ratio` and `count`, points for the others. */
  margin: number;
  /** It only grows during a session: of a run that was cut off it is a lower bound. Others of such a run are no value at all. */
  cumulative: boolean;
}

/** A run that was cut off: its sums are lower bounds, never complete values. */
export type Censoring = 'deadline' | 'budget';

/** One trial as the statistics see it. Values are null where the run has none (missing is not zero). */
export interface Observation {
  name: string;
  task: string;
  /** Tasks of one repo vary together: they are one cluster. */
  repo: string;
  /** Pairs are made of equal task and repetition. */
  repetition: number;
  arm: string;
  /** Place within its block, 1 for the arm that ran first; null where it is not known. */
  position: number | null;
  /** `not-ok`: a session with a prompt that got no successful result. */
  validity: Validity | 'not-ok';
  /** Its figures count, as in the tables (an option may keep runs that are not valid). */
  counts: boolean;
  censored: Censoring | null;
  /** The agent ended without a result, by its own doing: its answers are graded 0. Undefined means no. */
  agentFailed?: boolean;
  /** Calls that reached the tool around its server, and were answered. */
  contaminationReturned: number;
  /** The tool under test was called; null in an arm without it. */
  adopted: boolean | null;
  values: Record<string, number | null>;
  /** Sums of this run, for shares that are pooled over calls. */
  pooled: Record<string, { part: number; whole: number } | null>;
}

export const gateRuleSchema = z.enum(['not-worse', 'shown']);
/** What a gate lets pass: anything but `worse`, or only what was shown to be `better` or `equivalent`. */
export type GateRule = z.infer<typeof gateRuleSchema>;

export const answersDeclarationSchema = z.object({ metric: z.enum(['factRecall', 'passed']), margin: z.number() });
/** How answers are compared, and how much worse they may be (points) for a claim on cost, tokens or time to stand. */
export type AnswersDeclaration = z.infer<typeof answersDeclarationSchema>;

const metricName = z.string();
export const verdictDeclarationSchema = z.object({
  primary: metricName.optional(),
  secondary: z.array(metricName).optional(),
  exploratory: z.array(metricName).optional(),
  /** By metric: percent for ratios and counts, points for shares. */
  margins: z.record(metricName, z.number()).optional(),
  looks: z.object({ planned: z.number(), rule: z.enum(['pocock', 'obrien-fleming']) }).optional(),
  gate: z.object({ metric: metricName, rule: gateRuleSchema }).optional(),
  answers: answersDeclarationSchema.optional(),
});
/** What a config declares about its verdicts before the runs. Everything has a default. */
export type VerdictDeclaration = z.infer<typeof verdictDeclarationSchema>;

/** Interim looks that were declared beforehand. */
export interface LooksDesign {
  planned: number;
  /** From 1. 0: before the first declared look. */
  look: number;
  /** `bonferroni`: the looks are comparisons of their own (nightly runs), not looks at growing data. */
  rule: 'pocock' | 'obrien-fleming' | 'bonferroni';
}

/** What was fixed before the data. */
export interface VerdictDesign {
  tested: string;
  baseline: string;
  question: Question;
  metrics: MetricDeclaration[];
  /** Of the resampling; stored, so that the same data give the same report. */
  seed: number;
  looks?: LooksDesign;
  /** What differs between the arms' regimes, in words; anything here means no verdict. */
  regimeDifferences: string[];
  /** How answers are compared; undefined: the default. Null: there are no answers, and claims do not hang on them (simulated data). */
  answers?: AnswersDeclaration | null;
  /** The model was scripted: the verdict is about the script. */
  scripted: boolean;
  /** Both arms are the same (`--aa`). */
  aa?: boolean;
  /** What the same chain gave with the baseline against itself. */
  noise?: NoiseFloor;
}

/** `withheld`: better, and no claim, because the answers are worse, not shown to be as good, or not graded. */
export type VerdictWord = 'better' | 'worse' | 'equivalent' | 'inconclusive' | 'none' | 'withheld';

export interface MetricVerdict {
  metric: MetricDeclaration;
  unit: 'percent' | 'points';
  verdict: VerdictWord;
  /** The verdict in a sentence, with effect, interval, and the question it answers. */
  words: string;
  /** Why there is no verdict, or why it is inconclusive although its interval is beyond 0. */
  reason: string | null;
  /** What is printed in place of `better` where the claim is withheld: "CHEAPER AND WORSE". Undefined elsewhere. */
  withheld?: string;
  /** The smallest extension of the design that could get a verdict. Null if the design allows one. Undefined in older reports. */
  remedy?: DesignRemedy | null;
  lead: Estimate | null;
  other: Estimate | null;
  /** The values that the effect compares. Null without a pair. Undefined in older reports. */
  armValues?: ArmValues | null;
  tasks: number;
  clusters: number;
  /** Pairs a task, fewest and most. */
  runs: [number, number];
  /** Smallest decrease that the design sees with 80 % power; percent or points, positive. Null if it sees none. */
  detectable: number | null;
  enough: Enough | null;
  /** The exact test of "for tasks like these". */
  signFlip: SignFlip | null;
  /** The exact test of "on this corpus"; null if that was not the question. */
  exchange: ExchangeTest | null;
  /** Holm's adjusted p, for a secondary metric. */
  holm: number | null;
  oneTask: OneTask | null;
  /** Sum of the tested arm over the sum of the baseline, less 1, in percent; interval from 6 clusters on. */
  ratioOfSums: { effect: number; interval: [number, number] | null } | null;
  /** Percentile bootstrap of a pooled share, from 30 clusters on. */
  percentile: [number, number] | null;
  proportions: { arm: string; share: Proportion }[] | null;
  mcnemar: number | null;
  /** Pairs that lost a side, each with its reason. */
  dropped: string[];
  /** All pairs, and the runs of each arm that cannot be compared. */
  pairs: { of: number; lostTested: number; lostBaseline: number };
  /** Runs that were cut off, with a value or without: `bound` says what that makes of the effect. */
  censored: { runs: string[]; bound: 'at-least' | 'at-most' | 'unknown' } | null;
  diagnostics: Diagnostics;
  /** Of the runs' noise and the tasks' differences in these data, ln scale. */
  sigma: Sigma | null;
}

/** What a design lacks for a verdict. `runs` is the number of runs an arm that would do; null if it takes other tasks. */
export interface DesignRemedy {
  text: string;
  runs: number | null;
}

/**
 * A metric's value in each arm, in the metric's own unit and over the runs of complete pairs. Each task weighs the same. For `ratio`
 * and `count` they are geometric means, so that their quotient is the effect. For `pooled` and `totals` they are one total over another.
 */
export interface ArmValues {
  tested: number;
  baseline: number;
}

/** Whether the tested arm's answers are as good: what a claim on cost, tokens or time hangs on. Sizes in points. */
export interface AnswersVerdict {
  metric: AnswersDeclaration['metric'];
  label: string;
  margin: number;
  state: 'not-inferior' | 'worse' | 'not-shown' | 'not-graded' | 'not-asked';
  effect: number | null;
  /** Shares 0 … 1. Null where the answers are not compared. Undefined in older reports. */
  armValues?: ArmValues | null;
  /** Two-sided, at the level of the verdicts. */
  interval: [number, number] | null;
  /** One-sided 95 % bound of the loss. */
  bound: number | null;
  /** Tasks that would show it, where it is not shown; null where none would. */
  enough: number | null;
  /** Why the answers are not graded; null if they are. */
  reason: string | null;
  words: string;
}

export interface ArmValidity {
  arm: string;
  valid: number;
  of: number;
  causes: Record<string, number>;
  contaminationReturned: number;
  censored: number;
  adoption: Proportion | null;
}

/** Mean costs of an arm over the runs that the verdict on cost compares. Null where no run has the value. */
export interface ArmCost {
  arm: string;
  runs: number;
  /** As charged. */
  costUsd: number | null;
  /** With all input at the base price: without the cache's luck. */
  cacheNeutralCostUsd: number | null;
  /** Of the input tokens of a run, those read from the cache, 0 … 1. */
  cacheReadShare: number | null;
}

export interface Relabelings {
  /** How many would be called different. */
  count: number;
  of: number;
  /** All ways there are; false: a random sample. */
  all: boolean;
}

/** What the chain shows with nothing to show: the baseline against itself. */
export interface NoiseFloor {
  /** The A/A campaign's id. */
  campaign: string;
  tasks: number;
  /** Pairs a task, fewest and most. */
  runs: [number, number];
  metrics: {
    metric: string;
    unit: 'percent' | 'points';
    effect: number | null;
    /** Half the 95 % interval's width: how far chance reached in this campaign. Not a limit of what another design can see. */
    halfWidth: number | null;
    /** Over ways to relabel the runs within their tasks: how many would be called BETTER or WORSE. */
    falseAlarms: Relabelings | null;
  }[];
}

/** A verdict a metric, in the order declared, primary first. */
export interface VerdictReport {
  tested: string;
  baseline: string;
  question: Question;
  seed: number;
  scripted: boolean;
  /** Both arms are the same: whatever is seen is noise, or a fault of the chain. */
  aa: boolean;
  looks: LooksDesign | null;
  validity: ArmValidity[];
  /** Fisher's exact p for validity by arm; null without runs. */
  validityDiffers: number | null;
  /** Why no metric gets a verdict; empty where they may. */
  refusals: string[];
  metrics: MetricVerdict[];
  answers: AnswersVerdict;
  /** The primary metric's verdict in a few words, with what the answers make of it. Null where no metric was declared. */
  headline: string | null;
  /** Tested arm, then baseline. */
  costs: ArmCost[];
  noise: NoiseFloor | null;
}
