import { z } from 'zod';

const count = z.int().min(0);
const armStatsSchema = z.object({
  arm: z.string(),
  valid: count,
  invalid: count,
  failed: count,
  notRun: count,
  retries: z
    .record(z.string(), count)
    .describe(
      'Failed attempts that were run again, by cause (`infra:rate_limit`). In a fair comparison both arms have similar numbers',
    ),
});
/** The four counts add up to the arm's part of the plan. */
export type ArmStats = z.infer<typeof armStatsSchema>;

export const campaignStatsSchema = z.object({
  jobs: z.number().describe('Number of trials that ran in parallel. Above 1, durations are distorted'),
  arms: z.array(armStatsSchema).describe("In the plan's order"),
  amendments: z
    .array(z.object({ at: z.string(), differences: z.array(z.string()) }))
    .describe('Changes during the campaign that the user allowed with --amend'),
});
/** Facts about how a campaign ran that bear on how far its values can be trusted. In report.json the key is `course`. */
export type CampaignStats = z.infer<typeof campaignStatsSchema>;
