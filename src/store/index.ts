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
export { messageOf, readJson, writeAtomically, writeJson } from './files.js';
export { CAMPAIGN_FILES, recordFile, trialFiles } from './layout.js';
export { findRuns, type RunOnDisk, segmentsOf } from './runs.js';
