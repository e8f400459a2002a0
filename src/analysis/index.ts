export {
  type ComparableCampaign,
  differencesBetween,
  judgeAcross,
  labelsInBoth,
  observed,
  readComparable,
} from './across.js';
export { controlsAtCeiling } from './ceiling.js';
export { designLines, designOf, shapeOfPlan, shortDesignLines, undecidableNotice } from './design-lines.js';
export { type Estimate, estimateCost, formatEstimate, formatPlanCost } from './estimate.js';
export { checkGate, decideGate, type Gate, type GateDecision, resolveGate } from './gate.js';
export { junitTrials } from './junit-trials.js';
export { labelRuns } from './label-runs.js';
export { compareRuns, type ReadOptions } from './measure-tasks.js';
export { findNoise, noiseFloors } from './noise-floor.js';
export { renderCampaignPage, writeHtml } from './page/write-html.js';
export { campaignRedactor, redacted, tellRedaction } from './redact-campaign.js';
export { type CampaignReport, makeDistribution, makeReport, saveReport } from './report-campaign.js';
