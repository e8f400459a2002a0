export {
  createCampaignDir,
  type LockHolder,
  noteTrialStart,
  readManifest,
  readPlan,
  readRecord,
  saveRecord,
  setEarlierAttemptAside,
  takeLock,
  unfinishedTrials,
  writeManifest,
} from './campaign-dir.js';
export { messageOf, writeAtomically } from './files.js';
export { CAMPAIGN_FILES, trialFiles } from './layout.js';
export { findHostSession, type HostSession } from './host-sessions.js';
export { findRuns, type RunOnDisk, segmentsOf } from './runs.js';
