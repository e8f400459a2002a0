/** The defaults of the config, apart from its schema: commands that only read logs need no schema. */
export const DEFAULTS = {
  // One task on this corpus takes four runs an arm for a verdict.
  runs: 4,
  model: 'sonnet',
  effort: 'high',
  maxBudgetUsd: 4,
  segmentDeadlineMs: 30 * 60_000,
  segmentIdleMs: 6 * 60_000,
  daemonReadyMs: 60_000,
  indexDeadlineMs: 15 * 60_000,
  buildDeadlineMs: 15 * 60_000,
  retries: 2,
  limitPauseMs: 60_000,
  longestPauseMs: 6 * 60 * 60_000,
} as const;

/** Most repetitions an arm. A plan lists every trial, so that a slip such as 1e9 would fill the memory. */
export const MAX_RUNS = 10_000;

export const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;

/** How an agent can be fenced in, as asked for. */
export const FENCES = ['auto', 'full', 'shell', 'none'] as const;
