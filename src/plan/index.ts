export { planCampaign, planHash } from './plan-campaign.js';
export { splitPrompts } from './prompts.js';
