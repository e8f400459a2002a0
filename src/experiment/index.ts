export { abArms, abBaseline, needsNoEngine, pinWithBuild, WITHOUT_ENGINE, withWithoutArms } from './arms.js';
export { leaseCache, leaseCacheToClean } from './cache-lease.js';
export { DEMO_BASELINE, DEMO_HEAD, demoConfig } from './demo-config.js';
export { examine } from './doctor.js';
export { type CampaignOutcome, missingTrials, runExperiment } from './experiment.js';
export type { ExperimentContext, ExperimentRequest } from './experiment-request.js';
export {
  draftFacts,
  GradingSources,
  gradeCampaignFolder,
  openLabelling,
  runTaskCommands,
  withTemporaryRoot,
} from './grading.js';
export { hiddenPlaces } from './hidden-places.js';
export { namedCampaign, README_CAMPAIGN } from './named-campaign.js';
export { planCommands } from './plan-commands.js';
export { planExperiment } from './plan-experiment.js';
export { findPlanPlaces } from './plan-places.js';
export { chooseTasks, findRepo } from './tasks.js';
export { checkTemporaryPlace, openTemporaryRoot } from './temporary.js';
