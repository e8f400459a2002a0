import type { CampaignContext } from './context.js';
import type { CampaignResult } from './execute-campaign.js';

export type { CampaignContext, TrialCheck, TrialKey } from './context.js';
export type { CampaignResult } from './execute-campaign.js';
export { currentLockHolder, isHolderActive, isInUse } from './lock-holder.js';
export { type Counts, countTrials, readResumeState } from './resume-state.js';

/**
 * Runs every trial of the plan that has no final record yet (execute-campaign.ts). What runs trials is read only here: whoever
 * only asks how a campaign stands should not wait for it.
 */
export async function executeCampaign(context: CampaignContext): Promise<CampaignResult> {
  const { executeCampaign: execute } = await import('./execute-campaign.js');
  return await execute(context);
}
