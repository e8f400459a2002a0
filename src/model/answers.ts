/** How one arm's answers were graded. Means over the runs that have the figure; null where none has. */
export interface ArmAnswers {
  arm: string;
  /** Runs that were graded, of those that should be: all but those that failed for reasons outside the agent. */
  graded: number;
  of: number;
  /** Why runs are not graded, each reason once. */
  reasons: string[];
  /** Mean share of the vital facts. */
  factRecall: number | null;
  passed: { count: number; of: number } | null;
  /** Mean number of false claims a run. */
  falseClaims: number | null;
  groundedShare: number | null;
  /** Over all runs. */
  fabricatedCitations: number | null;
  /** Dollars for each vital fact stated: the totals over the runs that have both. Null where no fact was stated. */
  costPerFactUsd: number | null;
  /** Its 95 % interval on this corpus, in dollars. Null without two graded runs of every task that differ. */
  costPerFactInterval: [number, number] | null;
}

/** The answers of a campaign, arm by arm, over all tasks and by task. */
export interface AnswersSummary {
  arms: ArmAnswers[];
  tasks: { task: string; arms: ArmAnswers[] }[];
}
