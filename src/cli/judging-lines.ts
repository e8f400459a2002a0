import type { CampaignGrades } from '../grading/index.js';

/** Prints how far the judge is. */
export function onJudging(done: number, of: number, costUsd: number): void {
  process.stderr.write(`judge: answer ${done} of ${of}, $${costUsd.toFixed(2)} so far\n`);
}

/** Returns what the judge did, on one line. */
export function judgingLine(judged: NonNullable<CampaignGrades['judged']>): string {
  const { costUsd, overBudget } = judged;
  const unpaid = overBudget === 0 ? '' : `, ${overBudget} not asked (grading.maxGradeUsd is spent)`;
  return `judge: ${judged.judged} judged, ${judged.cached} judged before, ${judged.failed} failed${unpaid}; $${costUsd.toFixed(2)}, in no arm’s cost`;
}
