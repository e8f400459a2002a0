import { basename, join } from 'node:path';
import { averageDirections, distributionOf, type RepoRuns, runDetails } from '../aggregate/index.js';
import { codegraphProfile } from '../engine/index.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { CampaignPlan } from '../model/plan.js';
import type { Distribution } from '../model/summary.js';
import {
  fenceLine,
  jsonText,
  type ReportedRun,
  renderAverage,
  renderComparison,
  renderContamination,
  renderCsv,
  renderMarkdown,
  renderRepos,
  renderReposMarkdown,
  renderRun,
  renderVerdicts,
  scriptedBanner,
  toJson,
} from '../report/index.js';
import { CAMPAIGN_FILES, readManifest, readPlan, writeAtomically } from '../store/index.js';
import { armRun, armRunsOf, type ReadOptions, type ReportRun, type TaskReport, tasksOf } from './measure-tasks.js';
import { aggregateOf, regimeBox } from './repo-report.js';
import { verdictOfCampaign } from './verdict-of-campaign.js';

/** A report before it is printed: made from the logs alone, so it can always be made again. */
export interface CampaignReport {
  text: string;
  markdown: string;
  /** One line a run. */
  csv: string;
  /** report.json, as text. */
  json: string;
}

/**
 * Measures every run of a campaign folder and compares its arms, a table a task. Also reads folders of the bash harness:
 * there the arms are the labels in the file names.
 */
export async function makeReport(dir: string, options: ReadOptions): Promise<Result<CampaignReport>> {
  const found = options.published
    ? fail<CampaignPlan>({ reason: 'bad-input', message: 'read as a folder' })
    : readPlan(dir);
  const tasks = await tasksOf(dir, found, options);
  if (!tasks.ok) return tasks;
  const plan = found.ok ? found.value : undefined;
  const manifest = found.ok ? readManifest(dir) : ok(undefined);
  if (!manifest.ok) return manifest;
  const regime = plan?.regime ?? null;
  const aggregate = aggregateOf(tasks.value.map(repoRuns), plan);
  const sessions = tasks.value.flatMap((task) => task.runs.flatMap((run) => run.measured?.session ?? []));
  const title = { dir: basename(dir), regime: regimeBox(plan, manifest.value, sessions) };
  const verdicts = verdictOfCampaign(tasks.value, plan);
  const banner = scriptedBanner(regime);
  const fence = manifest.value === undefined ? undefined : fenceLine(manifest.value.fence);
  // The scripted model first: then no figure says anything of the engine, fenced or not.
  const allRuns = tasks.value.flatMap(({ runs }) => runs);
  const contamination = renderContamination(allRuns.map(contaminationOf), codegraphProfile.label);
  const head = [banner, fence].filter((line) => line !== undefined);
  const average =
    tasks.value.length > 1
      ? [renderAverage(averageDirections(tasks.value.map((task) => task.comparison)), codegraphProfile.label)]
      : [];
  const showRuns = aggregate === null || options.brief === false;
  const json = toJson({
    regime,
    tasks: tasks.value.map(({ task, comparison }) => ({ task, comparison })),
    runs: tasks.value.flatMap(({ task, runs }) => runs.flatMap((run) => reportedRun(task, run))),
    aggregate,
    verdicts,
  });
  const details = tasks.value.flatMap((task) => runDetails(repoRuns(task), codegraphProfile));
  return ok({
    text: joined([
      ...head,
      ...(aggregate ? [] : [contamination]),
      ...(verdicts ? [renderVerdicts(verdicts)] : []),
      // Over several repos the regime box comes first and holds the contamination gate; its commands follow the tables.
      ...(aggregate ? [renderRepos(aggregate, title), contamination] : []),
      ...tasks.value.flatMap((task) => [
        ...(showRuns ? runBlocks(task, options) : []),
        renderComparison(task.comparison, { dir: task.title }),
      ]),
      ...(aggregate ? [] : average),
    ]),
    markdown: joined([
      ...head,
      `\`\`\`text\n${contamination}\n\`\`\``,
      ...(verdicts ? [`\`\`\`text\n${renderVerdicts(verdicts)}\n\`\`\``] : []),
      ...(aggregate ? [renderReposMarkdown(aggregate, title)] : []),
      ...tasks.value.map((task) => `## ${task.title}\n\n${renderMarkdown(task.comparison)}`),
      ...(aggregate ? [] : average),
    ]),
    csv: renderCsv(details),
    json: jsonText(json),
  });
}

function runBlocks({ runs }: TaskReport, options: ReadOptions): string[] {
  return runs.flatMap(({ measured }) => {
    if (!measured) return [];
    return [renderRun(measured.session, measured.measure, { brief: options.brief ?? true, engine: codegraphProfile })];
  });
}

function joined(parts: string[]): string {
  const there = parts.map((part) => part.trim()).filter((part) => part !== '');
  return `${there.join('\n\n')}\n`;
}

function repoRuns({ task, title, comparison, runs }: TaskReport): RepoRuns {
  return { repo: task ?? title, comparison, runs: runs.map((run) => ({ arm: run.arm, run: armRun(run) })) };
}

/** Efficiency and sufficiency over all sessions of a folder, whatever their arms (spec/metrics.md 9). */
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

/** Writes the report into the campaign folder; returns the report. */
export async function saveReport(dir: string, options: ReadOptions): Promise<Result<CampaignReport>> {
  const report = await makeReport(dir, options);
  if (!report.ok) return report;
  const text = writeAtomically(join(dir, CAMPAIGN_FILES.reportText), report.value.text);
  if (!text.ok) return text;
  const json = writeAtomically(join(dir, CAMPAIGN_FILES.reportJson), `${report.value.json}\n`);
  return json.ok ? report : json;
}
