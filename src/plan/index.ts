export { aaOf, isAa } from './aa.js';
export { comparePlans } from './compare-plans.js';
export { mergePlans, partTasks } from './part.js';
export { planCampaign, planHash } from './plan-campaign.js';
export { splitPrompts } from './prompts.js';
