export type { CampaignContext, Judgement, TrialKey } from './context.js';
export { type CampaignResult, executeCampaign } from './execute-campaign.js';
