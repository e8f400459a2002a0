/** How a campaign went, as its report tells it: what bears on how far its figures can be trusted. */
export interface CampaignCourse {
  /** Trials side by side; above 1 durations are distorted. */
  jobs: number;
  /** In the plan's order. */
  arms: ArmCourse[];
  /** What changed in mid-campaign and was let in with --amend. */
  amendments: { at: string; differences: string[] }[];
}

/** The four counts add up to the arm's part of the plan. */
export interface ArmCourse {
  arm: string;
  valid: number;
  invalid: number;
  failed: number;
  notRun: number;
  /** Failed attempts that were run again, by cause (`infra:rate_limit`): for a fair comparison both arms should have had alike. */
  retries: Record<string, number>;
}
