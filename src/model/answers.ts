import { z } from 'zod';
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
});
/** How one arm's answers were graded. Means over the runs that have the figure; null where none has. */
export type ArmAnswers = z.infer<typeof armAnswersSchema>;

export const answersSummarySchema = z.object({
  arms: z.array(armAnswersSchema),
  tasks: z.array(
    z.object({
      task: z.string(),
      arms: z.array(armAnswersSchema),
    }),
  ),
});
/** The answers of a campaign, arm by arm, over all tasks and by task. */
export type AnswersSummary = z.infer<typeof answersSummarySchema>;
