export {
  amendPlan,
  checkContents,
  createCampaignDir,
  mendLatest,
  readFreshReport,
  readGrade,
  readInvocation,
  readLabels,
  readManifest,
  readPlan,
  readRecord,
  removeUnfinishedWrites,
  saveGrade,
  saveLabels,
  saveRecord,
  setEarlierAttemptAside,
  writeInvocation,
  writeManifest,
} from './campaign-dir.js';
export { type CampaignOnDisk, folderBytes, listCampaigns } from './campaigns.js';
export { engineOfLog } from './engine-of-log.js';
export { atUsersPlace, checkShape, messageOf, writeAtomically } from './files.js';
export {
  appendJournal,
  droppedTrials,
  failedAttempts,
  type JournalEntry,
  noteTrialStart,
  readJournal,
  unfinishedTrials,
} from './journal.js';
export { CAMPAIGN_FILES, trialFiles } from './layout.js';
export { type LockHolder, lockHolder, takeLock } from './lock.js';
export { findRuns, type RunOnDisk, segmentsOf } from './runs.js';
export { recallStart, rememberStart, type StartFlags } from './started.js';
