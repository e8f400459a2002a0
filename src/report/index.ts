export { renderAverage, renderComparison, renderMarkdown } from './comparison.js';
export { renderCsv } from './csv.js';
export { renderDistribution } from './distribution.js';
export { jsonText, type ReportedRun, toJson } from './json.js';
export { type NightlyVerdict, renderNightly } from './nightly.js';
export {
  type DoctorCheck,
  fenceLine,
  renderConfigFaults,
  renderDoctor,
  renderFailure,
  scriptedBanner,
} from './notices.js';
export { writeOut } from './out.js';
export { renderPlan } from './plan.js';
export { renderProbe } from './probe.js';
export { createProgress } from './progress.js';
export type { RegimeBox } from './repo-sections.js';
export { renderRepos, renderReposMarkdown } from './repos.js';
export { renderRun } from './run.js';
export { renderSelftest, type SelftestVerdict } from './selftest.js';
export { renderTimeline, type TimelineJson, timelineJson } from './timeline.js';
