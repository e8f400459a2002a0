export { renderAnswers, renderGrades, renderProposals, renderTaskChecks } from './answers.js';
export type { ArmsTable } from './brief/arms-table.js';
export { type Brief, renderBrief } from './brief/brief.js';
export { briefOfFile, reportFile } from './brief/file.js';
export { paintBrief } from './brief/paint.js';
export { renderCampaignStats } from './campaign-stats.js';
export { type ClassifiedCommand, renderClassified } from './classified.js';
export { renderCompared, renderComparedMarkdown } from './compared.js';
export { renderAverage, renderComparison, renderMarkdown } from './comparison.js';
export { renderContamination } from './contamination.js';
export { renderCsv } from './csv.js';
export { renderDelivery } from './delivery.js';
export { renderDistribution } from './distribution.js';
export { type HtmlReport, loadPageParts, renderHtml } from './html/index.js';
export { jsonText, toJson } from './json.js';
export { type JunitTrial, renderJunit, xmlText } from './junit.js';
export { fenced, folded, inline, renderReportMarkdown } from './markdown.js';
export { renderNightly } from './nightly.js';
export {
  fenceLine,
  renderConfigFaults,
  renderDoctor,
  renderFailure,
  scriptedBanner,
} from './notices.js';
export { writeOut } from './out.js';

export {
  type PlanCommands,
  type PlanPlaces,
  renderPlan,
  renderPlanScreen,
} from './plan.js';

export { renderProbe } from './probe.js';
export { createProgress, type Progress } from './progress.js';
export type { RegimeBox } from './repo-sections.js';
export { renderRepos, renderReposMarkdown } from './repos.js';
export { renderRun } from './run.js';
export type {
  ComparedJson,
  Design,
  DoctorCheck,
  GateWords,
  NightlyChart,
  NightlyEntry,
  NightlyJson,
  NightlyMetric,
  NightlyVerdict,
  PlanJson,
  ReportedRun,
  ReportJson,
  SelftestVerdict,
  TimelineJson,
} from './schema/report.js';
export { nightlyEntrySchema } from './schema/report.js';
export { renderSelftest } from './selftest.js';
export { renderTimeline, timelineJson } from './timeline.js';
export { renderVerdicts } from './verdicts.js';
