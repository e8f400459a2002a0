import { z } from 'zod';
export const armCourseSchema = z.object({
  arm: z.string(),
  valid: z.int().min(0),
  invalid: z.int().min(0),
  failed: z.int().min(0),
  notRun: z.int().min(0),
  retries: z
    .record(z.string(), z.int().min(0))
    .describe(
      'Failed attempts that were run again, by cause (`infra:rate_limit`): for a fair comparison both arms should have had alike',
    ),
});
/** The four counts add up to the arm's part of the plan. */
export type ArmCourse = z.infer<typeof armCourseSchema>;

export const campaignCourseSchema = z.object({
  jobs: z.number().describe('Trials side by side; above 1 durations are distorted'),
  arms: z.array(armCourseSchema).describe("In the plan's order"),
  amendments: z
    .array(
      z.object({
        at: z.string(),
        differences: z.array(z.string()),
      }),
    )
    .describe('What changed in mid-campaign and was let in with --amend'),
});
/** How a campaign went, as its report tells it: what bears on how far its figures can be trusted. */
export type CampaignCourse = z.infer<typeof campaignCourseSchema>;
