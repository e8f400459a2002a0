import { z } from 'zod';
import {
  adviceSchema,
  droppedRunSchema,
  pooledAllocationSchema,
  pooledSufficiencySchema,
  spreadSchema,
} from './summary.js';

export const pairedFigureSchema = z.object({
  with: spreadSchema.nullable(),
  without: spreadSchema.nullable(),
  percent: z.number().nullable().describe('(with / without − 1) in percent; null where there is nothing to divide by'),
  words: z.string().describe('The sign in a word: "82% HIGHER", "41% LOWER", "equal"'),
});
/** Both arms' figure, and the first against the second. */
export type PairedFigure = z.infer<typeof pairedFigureSchema>;

export const averageFigureSchema = z.object({
  percent: z.number().nullable(),
  words: z.string(),
  of: z.int().min(0).describe('Repositories that have a percentage'),
});
/** A mean of the repositories' percentages, each rounded first as in the published average row. */
export type AverageFigure = z.infer<typeof averageFigureSchema>;

export const repoRowSchema = z.object({
  repo: z.string(),
  runs: z
    .object({
      with: z.tuple([z.number(), z.number()]),
      without: z.tuple([z.number(), z.number()]),
    })
    .describe('Runs in the figures, of those there were, by arm'),
  figures: z
    .record(z.string(), pairedFigureSchema)
    .describe('By the name of the metric, for every metric that the catalogue puts into a table over repositories'),
  windowShare: z
    .object({
      with: z.number().nullable(),
      without: z.number().nullable(),
    })
    .describe('The median residual as a share of the window; null where runs were measured against several windows'),
  sufficiency: pooledSufficiencySchema.describe('Of the arm with the tool'),
  allocation: pooledAllocationSchema,
  fixedOverheadTokens: z
    .number()
    .nullable()
    .describe('Median first context with less without, in tokens: what the tool costs before it is called'),
});
export type RepoRow = z.infer<typeof repoRowSchema>;

export const runDetailSchema = z.object({
  repo: z.string(),
  arm: z.string(),
  name: z.string(),
  cause: z.string().nullable().describe('Why the run is excluded. Null if it counts'),
  values: z
    .record(z.string(), z.number().nullable())
    .describe('By the name of the metric, for every metric that has a value of one run'),
});
/** One session of the detail, counted or not. */
export type RunDetail = z.infer<typeof runDetailSchema>;

export const gateArmSchema = z.object({
  label: z.string(),
  sessions: z.int().min(0),
  returned: z.int().min(0),
  sessionsReturned: z.int().min(0),
  blocked: z.int().min(0),
  sessionsBlocked: z.int().min(0),
});
export type GateArm = z.infer<typeof gateArmSchema>;

export const repoAggregateSchema = z.object({
  toolLabel: z.string(),
  labels: z.object({
    with: z.string(),
    without: z.string(),
  }),
  gate: z.object({
    arms: z.array(gateArmSchema),
    droppedContaminated: z.int().min(0),
    keptOnRequest: z.int().min(0),
  }),
  rows: z.array(repoRowSchema),
  averages: z.record(z.string(), averageFigureSchema),
  pooled: z.object({
    sufficiency: pooledSufficiencySchema,
    allocation: pooledAllocationSchema,
  }),
  fixedOverheadTokens: z.number().nullable(),
  adoption: z
    .object({
      called: z.int().min(0),
      of: z.int().min(0),
    })
    .nullable(),
  runs: z.array(runDetailSchema),
  excluded: z.array(
    droppedRunSchema.extend({
      repo: z.string(),
      arm: z.string(),
    }),
  ),
  warnings: z.array(
    adviceSchema.extend({
      repo: z.string(),
    }),
  ),
  caveats: z.array(z.string()),
  distorted: z.array(z.string()).optional().describe('As in Comparison'),
});
export type RepoAggregate = z.infer<typeof repoAggregateSchema>;
