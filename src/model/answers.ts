import { z } from 'zod';
import { proportionSchema } from './estimate.js';

export const armAnswersSchema = z.object({
  arm: z.string(),
  graded: z
    .int()
    .min(0)
    .describe(
      'Runs that were graded, of those that should be: all but those that failed for reasons outside the agent',
    ),
  of: z.int().min(0),
  reasons: z.array(z.string()).describe('Why runs are not graded, each reason once'),
  factRecall: z.number().nullable().describe('Mean share of the vital facts'),
  passed: z
    .object({
      count: z.int().min(0),
      of: z.int().min(0),
    })
    .nullable(),
  falseClaims: z.number().nullable().describe('Mean number of false claims a run'),
  groundedShare: z.number().nullable(),
  fabricatedCitations: z.number().nullable().describe('Over all runs'),
  costPerFactUsd: z
    .number()
    .nullable()
    .describe(
      'Dollars for each vital fact stated: the totals over the runs that have both. Null where no fact was stated',
    ),
  costPerFactInterval: z
    .tuple([z.number(), z.number()])
    .nullable()
    .describe('Its 95 % interval on this corpus, in dollars. Null without two graded runs of every task that differ'),
});
/** How one arm's answers were graded. Means over the runs that have the figure; null where none has. */
export type ArmAnswers = z.infer<typeof armAnswersSchema>;

export const kappaSchema = z.object({
  value: z.number(),
  interval: z.tuple([z.number(), z.number()]),
  cases: z.number(),
});
/** Cohen's κ with its 95 % interval, over so many cases. */
export type Kappa = z.infer<typeof kappaSchema>;

export const judgedArmSchema = z.object({
  arm: z.string(),
  sensitivity: proportionSchema
    .nullable()
    .describe('Of the facts that a person found stated, those that the judge found too'),
  specificity: proportionSchema
    .nullable()
    .describe('Of the facts that a person found not stated, those that the judge did not find either'),
  rawRecall: z.number().nullable().describe('Share of the vital facts that the judge found, over all judged runs'),
  correctedRecall: z
    .number()
    .nullable()
    .describe("The same, corrected for the judge's errors on both arms together (Rogan and Gladen)"),
});
/** What a judge said of one arm, held against a person's labels. Null where there are no labels or no judgements. */
export type JudgedArm = z.infer<typeof judgedArmSchema>;

export const judgeSummarySchema = z.object({
  settings: z
    .array(z.string())
    .describe(
      "Model, effort, votes, version of the judge's prompt and of the CLI. More than one: it was asked in several ways",
    ),
  judged: z.int().min(0).describe('Runs with a judgement, of those that were judged at all'),
  of: z.int().min(0),
  reasons: z.array(z.string()).describe('Why runs have no judgement, each reason once'),
  state: z
    .enum(['calibrated', 'exploratory'])
    .describe(
      '`calibrated`: the verdict on the answers rests on the judge. `exploratory`: it rests on what needs no model',
    ),
  reason: z.string().nullable().describe('Why it is exploratory; null where it is calibrated'),
  labels: z.number().describe('Facts that a person has labelled and the judge has judged'),
  labelledAnswers: z.int().min(0).describe('Answers to one prompt in which those facts were labelled'),
  kappa: kappaSchema.nullable(),
  sensitivity: proportionSchema.nullable(),
  specificity: proportionSchema.nullable(),
  arms: z.array(judgedArmSchema),
  unanimousShare: z
    .number()
    .nullable()
    .describe('Share of the statements on which all votes that count agreed; null where there was one vote each'),
  disagreements: z
    .array(
      z.object({
        task: z.string(),
        share: z.number(),
      }),
    )
    .describe('Tasks in which the judge and the matching disagree on more than a fifth of the facts, with that share'),
  costUsd: z.number(),
});
/** What a grading model made of the answers, and how far it can be trusted. */
export type JudgeSummary = z.infer<typeof judgeSummarySchema>;

export const answersSummarySchema = z.object({
  arms: z.array(armAnswersSchema),
  tasks: z.array(
    z.object({
      task: z.string(),
      arms: z.array(armAnswersSchema),
    }),
  ),
  judge: judgeSummarySchema.nullable().describe('Null where no judge was asked'),
});
/** The answers of a campaign, arm by arm, over all tasks and by task. */
export type AnswersSummary = z.infer<typeof answersSummarySchema>;
