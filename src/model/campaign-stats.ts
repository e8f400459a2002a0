/** Facts about how a campaign ran that bear on how far its values can be trusted. In report.json the key is `course`. */
export interface CampaignStats {
  /** Number of trials that ran in parallel. Above 1, durations are distorted. */
  jobs: number;
  /** In the plan's order. */
  arms: ArmStats[];
  /** Changes during the campaign that the user allowed with --amend. */
  amendments: { at: string; differences: string[] }[];
}

/** The four counts add up to the arm's part of the plan. */
export interface ArmStats {
  arm: string;
  valid: number;
  invalid: number;
  failed: number;
  notRun: number;
  /** Failed attempts that were run again, by cause (`infra:rate_limit`). In a fair comparison both arms have similar numbers. */
  retries: Record<string, number>;
}
