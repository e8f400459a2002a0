import { z } from 'zod';
export const questionSchema = z.enum(['corpus', 'tasks']);
/** The two questions of a verdict: these tasks as they are, or tasks like these. */
export type Question = z.infer<typeof questionSchema>;

export const sigmaSchema = z.object({
  task: z.number(),
  baseline: z.number(),
  tested: z.number(),
  source: z
    .enum(['campaign', 'earlier', 'defaults'])
    .describe('Said beside everything that is computed from it. `earlier`: pooled over earlier campaigns'),
});
/** Standard deviations of ln y: between tasks (of the effect), and between runs of each arm. */
export type Sigma = z.infer<typeof sigmaSchema>;

export const estimateSchema = z.object({
  question: questionSchema,
  effect: z.number(),
  interval: z
    .tuple([z.number(), z.number()])
    .nullable()
    .describe('95 %, or what the declared looks leave of it. Null where no standard error can be had; `why` says why'),
  interval90: z.tuple([z.number(), z.number()]).nullable().describe('90 %, for equivalence'),
  p: z
    .number()
    .nullable()
    .describe(
      'Two-sided, of the test behind the interval. Of a pooled share never below the p of the exact test of the same question',
    ),
  standardError: z
    .number()
    .nullable()
    .describe('Standard error on the scale of the arithmetic (ln, or the share itself)'),
  df: z.number().nullable(),
  method: z.enum(['t', 'bootstrap-t']),
  why: z.string().optional(),
  caution: z.string().optional().describe('Why the interval is to be distrusted'),
});
/** An estimate under one question. `effect` and bounds in percent or points, as the metric's unit says. */
export type Estimate = z.infer<typeof estimateSchema>;

export const signFlipSchema = z.object({
  p: z.number(),
  smallest: z.number().describe('The smallest two-sided p that this many clusters can give'),
  exact: z.boolean().describe('All patterns were gone through; false: sampled'),
  clusters: z.int().min(0),
});
export type SignFlip = z.infer<typeof signFlipSchema>;

export const exchangeTestSchema = z.object({
  p: z.number(),
  smallest: z.number().describe('The smallest two-sided p that this number of runs can give'),
  exact: z.boolean().describe('All ways were gone through; false: sampled'),
  ways: z.number().describe('How many ways there are to give the runs to the arms'),
});
/** The exact test of "on this corpus": the runs of each task are exchanged between the arms. */
export type ExchangeTest = z.infer<typeof exchangeTestSchema>;

export const rankTestSchema = z.object({
  p: z.number(),
  smallest: z.number(),
});
export type RankTest = z.infer<typeof rankTestSchema>;

export const proportionSchema = z.object({
  count: z.int().min(0),
  of: z.int().min(0),
  interval: z.tuple([z.number(), z.number()]).nullable(),
});
/** A proportion with its 95 % Wilson interval, shares 0 … 1. */
export type Proportion = z.infer<typeof proportionSchema>;

export const oneTaskSchema = z.object({
  rank: rankTestSchema.nullable(),
  medians: z
    .array(
      z.object({
        arm: z.string(),
        median: z.number(),
        runs: z.number(),
        interval: z.tuple([z.number(), z.number()]).nullable(),
      }),
    )
    .describe('Of the median, by order statistics; null below 6 runs'),
});
/** Where there is one task only. Medians in the metric's own unit. */
export type OneTask = z.infer<typeof oneTaskSchema>;

export const enoughSchema = z.object({
  tasks: z.number().nullable().describe('With as many runs as there were'),
  repos: z
    .number()
    .nullable()
    .describe('The repos that these tasks lie in, with as many tasks to a repo as there were'),
  runs: z.number().nullable().describe('With as many tasks as there were'),
});
/** What would have been enough to see the margin. Null where no number of runs or tasks would do. */
export type Enough = z.infer<typeof enoughSchema>;

export const flaggedRunSchema = z.object({
  run: z.string(),
  z: z.number().describe('Modified z over the median absolute deviation, pooled over tasks and arms'),
  first: z.boolean().describe("It is its arm's first run on this task"),
});
export type FlaggedRun = z.infer<typeof flaggedRunSchema>;

export const diagnosticsSchema = z.object({
  outliers: z.array(flaggedRunSchema),
  order: z
    .object({
      effect: z.number(),
      interval: z.tuple([z.number(), z.number()]).nullable(),
      ab: z.int().min(0),
      ba: z.int().min(0),
    })
    .nullable()
    .describe(
      "Mean difference between blocks in which the tested arm ran second (AB) and first (BA); the metric's unit",
    ),
  firstRuns: z
    .object({
      effect: z.number(),
      interval: z.tuple([z.number(), z.number()]).nullable(),
    })
    .nullable()
    .describe("First runs of each arm and task against its later ones; the metric's unit"),
});
/** Things to look at; nothing is dropped for them. */
export type Diagnostics = z.infer<typeof diagnosticsSchema>;
