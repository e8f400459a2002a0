export { acceptCase } from './accepted.js';
export { harvest, type RecordedRun, runsOfCampaign } from './harvest.js';
export { loadSuites } from './load-suite.js';
export { renderReplayDiff } from './render-diff.js';
export { renderReplay } from './render-text.js';
export { type IndexMode, type ReplayContext, replay } from './replay.js';
export { type ReplayReport, replayReportSchema } from './report-schema.js';
