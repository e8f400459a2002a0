export { mergeCampaigns } from './merge-campaigns.js';
export { type ShareOptions, shareCampaign } from './share/share-campaign.js';
export { sharedWords } from './share/words.js';
