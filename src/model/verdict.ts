import { z } from 'zod';
import {
  diagnosticsSchema,
  enoughSchema,
  estimateSchema,
  exchangeTestSchema,
  oneTaskSchema,
  proportionSchema,
  type Question,
  questionSchema,
  sigmaSchema,
  signFlipSchema,
} from './estimate.js';
import type { Validity } from './trial.js';

export const metricKindSchema = z.enum(['ratio', 'count', 'share', 'binary', 'pooled', 'totals']);
/**
 * How a metric is taken into the arithmetic:
 * `ratio` ln y · `count` ln(y+1), may be 0 · `share` plain value of a run · `binary` 0/1 a run · `pooled` part over whole, summed over runs ·
 * `totals` ln of one total over another, each summed over runs.
 */
export type MetricKind = z.infer<typeof metricKindSchema>;

export const metricRoleSchema = z.enum(['primary', 'secondary', 'exploratory']);
/** `primary`: the one that decides. `secondary`: Holm over all of them. The rest can only suggest. */
export type MetricRole = z.infer<typeof metricRoleSchema>;

export const metricDeclarationSchema = z.object({
  name: z.string().describe("Key in an observation's `values`, or in `pooled` for a pooled share"),
  label: z.string().describe('As printed'),
  kind: metricKindSchema,
  better: z.enum(['lower', 'higher']),
  role: metricRoleSchema,
  margin: z.number().describe('Half width of "equivalent": percent for `ratio` and `count`, points for the others'),
  cumulative: z
    .boolean()
    .describe(
      'It only grows during a session: of a run that was cut off it is a lower bound. Others of such a run are no value at all',
    ),
});
/** A metric as declared before the runs. */
export type MetricDeclaration = z.infer<typeof metricDeclarationSchema>;

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

export const looksDesignSchema = z.object({
  planned: z.int().min(0),
  look: z.int().min(0).describe('From 1. 0: before the first declared look'),
  rule: z
    .enum(['pocock', 'obrien-fleming', 'bonferroni'])
    .describe('`bonferroni`: the looks are comparisons of their own (nightly runs), not looks at growing data'),
});
/** Interim looks that were declared beforehand. */
export type LooksDesign = z.infer<typeof looksDesignSchema>;

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

export const verdictWordSchema = z.enum(['better', 'worse', 'equivalent', 'inconclusive', 'none', 'withheld']);
/** `withheld`: better, and no claim, because the answers are worse, not shown to be as good, or not graded. */
export type VerdictWord = z.infer<typeof verdictWordSchema>;

const designRemedySchema = z.object({ text: z.string(), runs: z.int().min(0).nullable() });
/** What a design lacks for a verdict. `runs` is the number of runs an arm that would do; null if it takes other tasks. */
export type DesignRemedy = z.infer<typeof designRemedySchema>;

const armValuesSchema = z
  .object({ tested: z.number(), baseline: z.number() })
  .describe('The values that the effect compares, over complete pairs; geometric means where the unit is percent');
/**
 * A metric's value in each arm, in the metric's own unit and over the runs of complete pairs. Each task weighs the same. For `ratio`
 * and `count` they are geometric means, so that their quotient is the effect. For `pooled` and `totals` they are one total over another.
 */
export type ArmValues = z.infer<typeof armValuesSchema>;

export const metricVerdictSchema = z.object({
  metric: metricDeclarationSchema,
  unit: z.enum(['percent', 'points']),
  verdict: verdictWordSchema,
  words: z.string().describe('The verdict in a sentence, with effect, interval, and the question it answers'),
  reason: z
    .string()
    .nullable()
    .describe('Why there is no verdict, or why it is inconclusive although its interval is beyond 0'),
  withheld: z
    .string()
    .optional()
    .describe(
      'What is printed in place of `better` where the claim is withheld: "CHEAPER AND WORSE". Undefined elsewhere',
    ),
  remedy: designRemedySchema
    .nullish()
    .describe('The smallest extension of the design that could get a verdict. Null if the design allows one'),
  lead: estimateSchema.nullable(),
  other: estimateSchema.nullable(),
  armValues: armValuesSchema.nullish(),
  tasks: z.number(),
  clusters: z.int().min(0),
  runs: z.tuple([z.int().min(0), z.int().min(0)]).describe('Pairs a task, fewest and most'),
  detectable: z
    .number()
    .nullable()
    .describe(
      'Smallest decrease that the design sees with 80 % power; percent or points, positive. Null if it sees none',
    ),
  enough: enoughSchema.nullable(),
  signFlip: signFlipSchema.nullable().describe('The exact test of "for tasks like these"'),
  exchange: exchangeTestSchema
    .nullable()
    .describe('The exact test of "on this corpus"; null if that was not the question'),
  holm: z.number().nullable().describe("Holm's adjusted p, for a secondary metric"),
  oneTask: oneTaskSchema.nullable(),
  ratioOfSums: z
    .object({
      effect: z.number(),
      interval: z.tuple([z.number(), z.number()]).nullable(),
    })
    .nullable()
    .describe('Sum of the tested arm over the sum of the baseline, less 1, in percent; interval from 6 clusters on'),
  percentile: z
    .tuple([z.number(), z.number()])
    .nullable()
    .describe('Percentile bootstrap of a pooled share, from 30 clusters on'),
  proportions: z
    .array(
      z.object({
        arm: z.string(),
        share: proportionSchema,
      }),
    )
    .nullable(),
  mcnemar: z.number().nullable(),
  dropped: z.array(z.string()).describe('Pairs that lost a side, each with its reason'),
  pairs: z
    .object({
      of: z.int().min(0),
      lostTested: z.int().min(0),
      lostBaseline: z.int().min(0),
    })
    .describe('All pairs, and the runs of each arm that cannot be compared'),
  censored: z
    .object({
      runs: z.array(z.string()),
      bound: z.enum(['at-least', 'at-most', 'unknown']),
    })
    .nullable()
    .describe('Runs that were cut off, with a value or without: `bound` says what that makes of the effect'),
  diagnostics: diagnosticsSchema,
  sigma: sigmaSchema.nullable().describe("Of the runs' noise and the tasks' differences in these data, ln scale"),
});
export type MetricVerdict = z.infer<typeof metricVerdictSchema>;

export const answersVerdictSchema = z.object({
  metric: answersDeclarationSchema.shape.metric,
  label: z.string(),
  margin: z.number(),
  state: z.enum(['not-inferior', 'worse', 'not-shown', 'not-graded', 'not-asked']),
  effect: z.number().nullable(),
  armValues: armValuesSchema.nullish(),
  interval: z.tuple([z.number(), z.number()]).nullable().describe('Two-sided, at the level of the verdicts'),
  bound: z.number().nullable().describe('One-sided 95 % bound of the loss'),
  enough: z.number().nullable().describe('Tasks that would show it, where it is not shown; null where none would'),
  reason: z.string().nullable().describe('Why the answers are not graded; null if they are'),
  words: z.string(),
});
/** Whether the tested arm's answers are as good: what a claim on cost, tokens or time hangs on. Sizes in points. */
export type AnswersVerdict = z.infer<typeof answersVerdictSchema>;

export const armValiditySchema = z.object({
  arm: z.string(),
  valid: z.int().min(0),
  of: z.int().min(0),
  causes: z.record(z.string(), z.int().min(0)),
  contaminationReturned: z.int().min(0),
  censored: z.int().min(0),
  adoption: proportionSchema.nullable(),
});
export type ArmValidity = z.infer<typeof armValiditySchema>;

export const armCostSchema = z.object({
  arm: z.string(),
  runs: z.number(),
  costUsd: z.number().nullable().describe('As charged'),
  cacheNeutralCostUsd: z.number().nullable().describe("With all input at the base price: without the cache's luck"),
  cacheReadShare: z.number().nullable().describe('Of the input tokens of a run, those read from the cache, 0 … 1'),
});
/** Mean costs of an arm over the runs that the verdict on cost compares. Null where no run has the value. */
export type ArmCost = z.infer<typeof armCostSchema>;

export const relabelingsSchema = z.object({
  count: z.int().min(0).describe('How many would be called different'),
  of: z.int().min(0),
  all: z.boolean().describe('All ways there are; false: a random sample'),
});
export type Relabelings = z.infer<typeof relabelingsSchema>;

export const noiseFloorSchema = z.object({
  campaign: z.string().describe("The A/A campaign's id"),
  tasks: z.number(),
  runs: z.tuple([z.int().min(0), z.int().min(0)]).describe('Pairs a task, fewest and most'),
  metrics: z.array(
    z.object({
      metric: z.string(),
      unit: z.enum(['percent', 'points']),
      effect: z.number().nullable(),
      halfWidth: z
        .number()
        .nullable()
        .describe(
          "Half the 95 % interval's width: how far chance reached in this campaign. Not a limit of what another design can see",
        ),
      falseAlarms: relabelingsSchema
        .nullable()
        .describe('Over ways to relabel the runs within their tasks: how many would be called BETTER or WORSE'),
    }),
  ),
});
/** What the chain shows with nothing to show: the baseline against itself. */
export type NoiseFloor = z.infer<typeof noiseFloorSchema>;

export const verdictReportSchema = z.object({
  tested: z.string(),
  baseline: z.string(),
  question: questionSchema,
  seed: z.number(),
  scripted: z.boolean(),
  aa: z.boolean().describe('Both arms are the same: whatever is seen is noise, or a fault of the chain'),
  looks: looksDesignSchema.nullable(),
  validity: z.array(armValiditySchema),
  validityDiffers: z.number().nullable().describe("Fisher's exact p for validity by arm; null without runs"),
  refusals: z.array(z.string()).describe('Why no metric gets a verdict; empty where they may'),
  metrics: z.array(metricVerdictSchema),
  answers: answersVerdictSchema,
  headline: z
    .string()
    .nullable()
    .describe(
      "The primary metric's verdict in a few words, with what the answers make of it. Null where no metric was declared",
    ),
  costs: z.array(armCostSchema).describe('Tested arm, then baseline'),
  noise: noiseFloorSchema.nullable(),
});
/** A verdict a metric, in the order declared, primary first. */
export type VerdictReport = z.infer<typeof verdictReportSchema>;
