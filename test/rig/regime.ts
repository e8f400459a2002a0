import type { Regime } from '../../src/model/plan.js';

/** The regime of plans that a test writes by hand; no test's expectation rests on these values. */
export const REGIME: Regime = {
  model: 'sonnet',
  effort: 'high',
  maxBudgetUsd: 4,
  rehearsal: false,
  toolSearch: false,
  fence: 'auto',
  windowTokens: 200_000,
};
