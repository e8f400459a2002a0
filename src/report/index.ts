export { renderAnswers, renderGrades, renderTaskChecks } from './answers.js';
export { renderCampaignStats } from './campaign-stats.js';
export { type ClassifiedCommand, renderClassified } from './classified.js';
export { type ComparedJson, renderCompared, renderComparedMarkdown } from './compared.js';
export { renderAverage, renderComparison, renderMarkdown } from './comparison.js';
export { renderContamination } from './contamination.js';
export { renderCsv } from './csv.js';
export { renderDelivery } from './delivery.js';
export { renderDistribution } from './distribution.js';
export { type HtmlReport, loadPageParts, renderHtml } from './html/index.js';
export { type GateWords, jsonText, type ReportedRun, type ReportJson, toJson } from './json.js';
export { type JunitTrial, renderJunit, xmlText } from './junit.js';
export { fenced, folded, inline, renderReportMarkdown } from './markdown.js';
export {
  type NightlyChart,
  type NightlyEntry,
  type NightlyJson,
  type NightlyMetric,
  type NightlyVerdict,
  renderNightly,
} from './nightly.js';
export {
  type DoctorCheck,
  fenceLine,
  renderConfigFaults,
  renderDoctor,
  renderFailure,
  scriptedBanner,
} from './notices.js';
export { writeOut } from './out.js';
export {
  type Design,
  type PlanCommands,
  type PlanJson,
  type PlanPlaces,
  renderPlan,
  renderPlanScreen,
} from './plan.js';
export { renderProbe } from './probe.js';
export { createProgress, type Progress } from './progress.js';
export type { RegimeBox } from './repo-sections.js';
export { renderRepos, renderReposMarkdown } from './repos.js';
export { renderRun } from './run.js';
export { renderSelftest, type SelftestVerdict } from './selftest.js';
export { renderTimeline, type TimelineJson, timelineJson } from './timeline.js';
export { renderVerdicts } from './verdicts.js';
