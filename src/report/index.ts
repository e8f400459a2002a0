export { renderAverage, renderComparison, renderMarkdown } from './comparison.js';
export { renderDistribution } from './distribution.js';
export { jsonText, type ReportedRun, toJson } from './json.js';
export { type DoctorCheck, renderConfigFaults, renderDoctor, renderFailure, scriptedBanner } from './notices.js';
export { writeOut } from './out.js';
export { renderPlan } from './plan.js';
export { renderProbe } from './probe.js';
export { createProgress } from './progress.js';
export { renderRun } from './run.js';
