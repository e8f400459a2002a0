export type { CampaignContext, Judgement, TrialKey } from './context.js';
export { type CampaignResult, executeCampaign } from './execute-campaign.js';
export { type Counts, countTrials, readStanding } from './progress.js';
