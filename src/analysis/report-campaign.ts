import { basename, join } from 'node:path';
import { averageDirections, distributionOf, isAboutLogs } from '../aggregate/index.js';
import type { EngineProfile } from '../model/engine.js';
import { ok, type Result } from '../model/failure.js';
import type { Manifest } from '../model/manifest.js';
import type { Environment } from '../model/options.js';
import type { CampaignPlan } from '../model/plan.js';
import { computeRegime } from '../model/regime.js';
import type { Distribution } from '../model/summary.js';
import type { Redactor } from '../redaction/index.js';
import {
  fenceLine,
  jsonText,
  type ReportedRun,
  type ReportJson,
  renderAnswers,
  renderAverage,
  renderBrief,
  renderCampaignStats,
  renderComparison,
  renderContamination,
  renderCsv,
  renderMarkdown,
  renderReportMarkdown,
  renderRepos,
  renderReposMarkdown,
  renderRun,
  renderVerdicts,
  reportFile,
  scriptedBanner,
  toJson,
} from '../report/index.js';
import { CAMPAIGN_FILES, readPlan, writeAtomically } from '../store/index.js';
import { makeBrief } from './brief-report.js';
import type { GateDecision } from './gate.js';
import { type CampaignContents, detailsOf, type MeasuredCampaign, measureCampaign } from './measure-campaign.js';
import { armRun, armRunsOf, type ReadOptions, type ReportRun, type TaskReport, tasksOf } from './measure-tasks.js';
import { campaignRedactor } from './redact-campaign.js';

/** A report before it is printed: made from the logs alone, so it can always be made again. */
export interface CampaignReport {
  /** At most 22 lines of 80 columns, without the paths. Null for a folder without a plan. */
  brief: string | null;
  /** The whole report. */
  text: string;
  markdown: string;
  /** One line a run. */
  csv: string;
  /** report.json, as text. */
  json: string;
  /** Null where the exit code hangs on no metric. */
  gate: GateDecision | null;
  /** What it was made of. */
  measured: MeasuredCampaign;
  /** What was redacted in the texts above; also for what is read from the logs once more. */
  redactor: Redactor;
}

/**
 * Measures every run of a campaign folder and compares its arms, a table a task. Also reads folders of the bash harness:
 * there the arms are the labels in the file names.
 */
export async function makeReport(
  dir: string,
  options: ReadOptions,
  redactor: Redactor,
): Promise<Result<CampaignReport>> {
  const read = await measureCampaign(dir, options, redactor);
  if (!read.ok) return read;
  const measured = read.value;
  return ok({
    brief: briefOf(measured),
    text: textOf(measured, options),
    markdown: markdownOf(measured, options),
    csv: renderCsv(detailsOf(measured.shown.tasks, measured.engine), measured.course?.jobs ?? null),
    json: jsonOf(measured),
    gate: measured.gate,
    measured,
    redactor,
  });
}

function briefOf(campaign: MeasuredCampaign): string | null {
  const brief = makeBrief(campaign);
  return brief === null ? null : renderBrief(brief);
}

function textOf(campaign: MeasuredCampaign, options: ReadOptions): string {
  const { aggregate, answers, verdicts, gate, shown, engine } = campaign;
  const contamination = contaminationText(shown, campaign.engine);
  const showRuns = aggregate === null || options.full === true;
  return joined([
    ...headOf(campaign),
    ...(aggregate ? [] : [contamination]),
    renderAnswers(answers),
    ...(verdicts ? [renderVerdicts(verdicts)] : []),
    ...(gate ? [gate.words] : []),
    // Over several repos the regime box comes first and holds the contamination gate; its commands follow the tables.
    ...(aggregate ? [renderRepos(aggregate, reposOptions(campaign, options)), contamination] : []),
    ...shown.tasks.flatMap((task) => [
      ...(showRuns ? runBlocks(task, options, engine) : []),
      renderComparison(task.comparison, { dir: task.title, directions: directionsOf(campaign, options) }),
    ]),
    ...(aggregate ? [] : averageOf(shown.tasks, options, campaign.engine)),
  ]);
}

function markdownOf(campaign: MeasuredCampaign, options: ReadOptions): string {
  const { aggregate, answers, verdicts, gate, shown } = campaign;
  const overRepos = aggregate && {
    title: `With and without ${aggregate.toolLabel}`,
    text: renderReposMarkdown(aggregate, reposOptions(campaign, options)),
  };
  const average = aggregate ? [] : averageOf(shown.tasks, options, campaign.engine);
  const directions = directionsOf(campaign, options);
  return renderReportMarkdown({
    dir: basename(campaign.dir),
    head: headOf(campaign).flatMap((text) => text.split('\n')),
    verdicts,
    gate,
    answers: renderAnswers(answers),
    contamination: contaminationText(shown, campaign.engine),
    sections: [
      ...(overRepos ? [overRepos] : []),
      ...shown.tasks.map((task) => ({ title: task.title, text: renderMarkdown(task.comparison, directions) })),
      ...average.map((text) => ({ title: 'Published average over the tasks', text })),
    ],
  });
}

function jsonOf({ shown, aggregate, answers, verdicts, course, gate }: MeasuredCampaign): string {
  return jsonText(
    toJson({
      regime: shown.plan ? regimeJson(shown.plan, shown.manifest) : null,
      tasks: shown.tasks.map(({ task, comparison }) => ({ task, comparison })),
      runs: shown.tasks.flatMap(({ task, runs }) => runs.flatMap((run) => reportedRun(task, run))),
      aggregate,
      answers,
      verdicts,
      course,
      gate,
    }),
  );
}

function regimeJson(plan: CampaignPlan, manifest: Manifest | undefined): ReportJson['regime'] {
  const settings = computeRegime({ plan, manifest }).map(({ name, value }) => [name, value ?? null]);
  return { ...plan.regime, settings: Object.fromEntries(settings) };
}

/** The scripted model first: then no figure says anything of the engine, fenced or not. What is wrong with the logs comes next. */
function headOf({ shown: { plan, manifest, tasks }, course, engine }: MeasuredCampaign): string[] {
  const banner = scriptedBanner(plan?.regime ?? null, engine.label);
  const fence = manifest === undefined ? undefined : fenceLine(manifest.fence);
  const logs = tasks.flatMap(({ comparison }) => comparison.warnings.filter(isAboutLogs));
  const warnings = new Set(logs.map(({ message, advice }) => `! ${message} → ${advice}`));
  return [banner, ...warnings, fence, course ? renderCampaignStats(course) : ''].flatMap((line) => line || []);
}

function reposOptions({ dir, regime, verdicts }: MeasuredCampaign, { full, publishedAverages }: ReadOptions) {
  const shown = { directions: verdicts === null || full === true, averages: publishedAverages === true };
  return { dir: basename(dir), regime, shown };
}

/** Beside a verdict, the medians' directions would be a second answer to the same question. */
function directionsOf({ verdicts }: MeasuredCampaign, { full }: ReadOptions) {
  if (verdicts === null) return undefined;
  return full === true ? 'published' : 'none';
}

function contaminationText({ tasks }: CampaignContents, { label }: EngineProfile): string {
  return renderContamination(
    tasks.flatMap(({ runs }) => runs.map(contaminationOf)),
    label,
  );
}

/** Over several tasks and where it is asked for: the published average row, labelled as what it is. */
function averageOf(tasks: TaskReport[], { publishedAverages }: ReadOptions, { label }: EngineProfile): string[] {
  if (tasks.length < 2 || publishedAverages !== true) return [];
  return [renderAverage(averageDirections(tasks.map((task) => task.comparison)), label)];
}

function runBlocks({ runs }: TaskReport, options: ReadOptions, engine: EngineProfile): string[] {
  return runs.flatMap(({ measured }) => {
    if (!measured) return [];
    return [renderRun(measured.session, measured.measure, { brief: options.full !== true, engine })];
  });
}

function joined(parts: string[]): string {
  const there = parts.map((part) => part.trim()).filter((part) => part !== '');
  return `${there.join('\n\n')}\n`;
}

/** Computes efficiency and sufficiency over all sessions of a folder, of any arm. */
export async function makeDistribution(dir: string, options: ReadOptions): Promise<Result<Distribution>> {
  const plan = readPlan(dir);
  if (!plan.ok) {
    const runs = await armRunsOf(dir, options);
    return runs.ok ? ok(distributionOf(runs.value, options)) : runs;
  }
  const tasks = await tasksOf(dir, plan, options);
  if (!tasks.ok) return tasks;
  return ok(
    distributionOf(
      tasks.value.flatMap(({ runs }) => runs.map(armRun)),
      options,
    ),
  );
}

/** A run without a log has no measure; it stands among the excluded. */
function reportedRun(task: string | null, { name, arm, measured, record }: ReportRun): ReportedRun[] {
  if (!measured) return [];
  const run = { name, arm, task, measure: measured.measure, validity: record?.validity ?? null };
  return [record?.cliAttempts ? { ...run, cliAttempts: record.cliAttempts } : run];
}

function contaminationOf({ name, measured, record }: ReportRun) {
  return { name, measure: measured?.measure ?? null, cliAttempts: record?.cliAttempts ?? [] };
}

/** Writes the report into the campaign folder, with the tables of the default; returns the report as it was asked for. */
export async function saveReport(
  dir: string,
  options: ReadOptions,
  environment: Environment,
): Promise<Result<CampaignReport>> {
  const report = await makeReport(dir, options, campaignRedactor(dir, environment));
  if (!report.ok) return report;
  const plain = { ...options, full: false, publishedAverages: false };
  const whole = reportFile({ brief: report.value.brief, text: textOf(report.value.measured, plain) });
  const text = writeAtomically(join(dir, CAMPAIGN_FILES.reportText), whole);
  if (!text.ok) return text;
  const json = writeAtomically(join(dir, CAMPAIGN_FILES.reportJson), `${report.value.json}\n`);
  if (!json.ok) return json;
  // Read here alone: who only prints a report should not wait for what draws the page.
  const { writeHtml } = await import('./page/write-html.js');
  const html = await writeHtml(report.value.measured, { redactor: report.value.redactor });
  return html.ok ? report : html;
}
