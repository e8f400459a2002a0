import { z } from 'zod';
import { allocationSchema, bucketSchema, type Measure, measureSchema } from './measure.js';
import { type Validity, validitySchema } from './trial.js';

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

export const dropCauseSchema = z.union([validitySchema.exclude(['valid']), z.literal('not-ok')]);
/** Reason why a run is in no figure. `not-ok`: a prompt has no successful result (docs/metrics.md, "Throughput and behaviour"). */
export type DropCause = z.infer<typeof dropCauseSchema>;

export const droppedRunSchema = z.object({
  name: z.string(),
  cause: dropCauseSchema,
  detail: z.string().optional(),
});
export type DroppedRun = z.infer<typeof droppedRunSchema>;

export const spreadSchema = z.object({
  median: z.number(),
  min: z.number(),
  max: z.number(),
  n: z.int().min(0),
});
/** Median (mean of the middle two), smallest and largest over the `n` runs that have the figure. */
export type Spread = z.infer<typeof spreadSchema>;

export const pooledSufficiencySchema = z.object({
  answered: z.int().min(0),
  errored: z.int().min(0),
  concurrent: z.int().min(0),
  noAnswer: z.int().min(0),
  undelivered: z.int().min(0),
  denied: z.int().min(0),
  buckets: z.record(bucketSchema, z.number()),
});
/** Sufficiency pooled over every answered explore call of the kept runs. */
export type PooledSufficiency = z.infer<typeof pooledSufficiencySchema>;

export const pooledAllocationSchema = allocationSchema
  .pick({ envelopeChars: true, usedChars: true, usedPathChars: true, efficiency: true, efficiencyPath: true })
  .extend({
    runs: z.number(),
  });
/** Allocation pooled over the characters of the kept runs that have both sections and an answer. */
export type PooledAllocation = z.infer<typeof pooledAllocationSchema>;

export const armSummarySchema = z.object({
  label: z.string(),
  toolLabel: z.string().describe('How the tool under test is called in print: "codegraph"'),
  expectsEngine: z.boolean(),
  runs: z.object({
    total: z.int().min(0),
    kept: z.array(z.string()),
    dropped: z.array(droppedRunSchema),
    byCause: z.partialRecord(dropCauseSchema, z.int().min(0)),
    keptOnRequest: z.array(droppedRunSchema).describe('Raced or contaminated, yet kept because it was asked for'),
    singlePrompt: z
      .int()
      .min(0)
      .describe('Kept runs of one prompt: nothing comes after them that their residual could be charged to'),
  }),
  figures: z
    .record(z.string(), spreadSchema.nullable())
    .describe('By the name of the metric, for every metric that the catalogue gives a row'),
  sufficiency: pooledSufficiencySchema,
  allocation: pooledAllocationSchema,
  adoption: z
    .object({
      called: z.int().min(0),
      of: z.int().min(0),
    })
    .nullable()
    .describe('Kept runs that called the tool at least once; null in an arm without it'),
  contamination: measureSchema.shape.contamination
    .pick({ invoke: true, data: true })
    .extend({
      runsReturned: z.int().min(0),
      runsBlocked: z.int().min(0),
    })
    .describe('Over ALL runs, the dropped ones included'),
  quality: z
    .object({
      uncalibrated: z.array(z.string()).describe('Runs whose characters per token are the fallback, not measured'),
      modelFallbacks: z
        .array(z.string())
        .describe('Runs in which requests went to a model other than the one asked for'),
      neverAnswered: z.array(z.string()).describe('Runs in which the tool was called and never answered'),
      unknownTools: z.array(z.string()).describe('Called tools that no metric knows, over all runs; sorted'),
      retries: z.int().min(0),
      subagentErrors: z.int().min(0),
      windowTokens: z.array(z.number()),
    })
    .describe('Of the kept runs'),
});
export type ArmSummary = z.infer<typeof armSummarySchema>;

export const directionSchema = z.object({
  figure: z.string().describe('Name of the metric'),
  percent: z.number().nullable(),
  words: z.string().describe('"82% HIGHER", "12% LOWER", "equal", "no percentage: 0 in baseline"'),
  rangesOverlap: z.boolean().describe("The arms' ranges have a value in common: the medians' order may be chance"),
});
/** One metric of the first arm compared with the second. `percent` is null if the second value is 0. */
export type Direction = z.infer<typeof directionSchema>;

export const adviceSchema = z.object({
  code: z.enum([
    'same-session',
    'missing-segment',
    'no-runs',
    'one-run',
    'single-prompt',
    'validity-differs',
    'runs-differ',
    'contaminated',
    'kept-on-request',
    'adoption',
    'uncalibrated',
    'model-fallback',
    'windows-differ',
    'never-answered',
    'unknown-tools',
    'no-comparison',
  ]),
  message: z.string(),
  advice: z.string(),
});
/** A warning is data, with what to do about it. */
export type Advice = z.infer<typeof adviceSchema>;

export const comparisonSchema = z.object({
  arms: z.array(armSummarySchema),
  directions: z.array(directionSchema),
  warnings: z.array(adviceSchema),
  caveats: z.array(z.string()).describe('What changes how the table is read, whatever it says'),
  distorted: z
    .array(z.string())
    .optional()
    .describe(
      'Names of metrics that running trials in parallel distorts. They are marked wherever they are printed. Undefined means none',
    ),
});
/** Two or more arms side by side, in the order given; directions only where there are exactly two. */
export type Comparison = z.infer<typeof comparisonSchema>;

export const quartilesSchema = z.object({
  n: z.int().min(0),
  median: z.number().nullable(),
  p25: z.number().nullable(),
  p75: z.number().nullable(),
  min: z.number().nullable(),
});
export type Quartiles = z.infer<typeof quartilesSchema>;

export const distributionSliceSchema = quartilesSchema.extend({
  name: z.enum(['all', 'one prompt', 'several prompts']),
  pooled: z.number().nullable().describe('Used over returned characters of all its sessions'),
  pathOnly: z.number().nullable().describe('The same by the path channel alone'),
});
export type DistributionSlice = z.infer<typeof distributionSliceSchema>;

export const distributionSchema = z.object({
  sessions: z.int().min(0),
  warnings: z.array(adviceSchema).describe('What is wrong with the logs as a set; printed before any figure'),
  dropped: z.array(droppedRunSchema),
  without: z
    .int()
    .min(0)
    .describe('Sessions that count but have no efficiency: no explore with sections, or no answer'),
  calls: z.int().min(0),
  fileSections: z.int().min(0),
  slices: z.array(distributionSliceSchema),
  perCall: quartilesSchema,
  sufficiency: pooledSufficiencySchema,
});
/** Allocation efficiency and sufficiency over many sessions. */
export type Distribution = z.infer<typeof distributionSchema>;
