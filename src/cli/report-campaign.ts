import { basename, join, resolve } from 'node:path';
import { averageDirections, distributionOf, type RepoRuns, runDetails } from '../aggregate/index.js';
import { codegraphProfile } from '../engine/index.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { Manifest } from '../model/manifest.js';
import type { CampaignPlan } from '../model/plan.js';
import type { Distribution } from '../model/summary.js';
import type { VerdictReport } from '../model/verdict.js';
import type { Redactor } from '../redaction/index.js';
import {
  fenceLine,
  jsonText,
  type ReportedRun,
  renderAverage,
  renderComparison,
  renderContamination,
  renderCourse,
  renderCsv,
  renderMarkdown,
  renderReportMarkdown,
  renderRepos,
  renderReposMarkdown,
  renderRun,
  renderVerdicts,
  scriptedBanner,
  toJson,
} from '../report/index.js';
import { CAMPAIGN_FILES, readManifest, readPlan, writeAtomically } from '../store/index.js';
import { courseOf } from './campaign-course.js';
import { decideGate, type GateDecision, resolveGate } from './gate.js';
import type { MeasuredCampaign } from './html-of-campaign.js';
import { armRun, armRunsOf, type ReadOptions, type ReportRun, type TaskReport, tasksOf } from './measure-tasks.js';
import { findNoise } from './noise-floor.js';
import { hostRedactor, redacted } from './redact-campaign.js';
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
  /** Null where the exit code hangs on no metric. */
  gate: GateDecision | null;
  /** What it was made of, not redacted yet. */
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
  redactor = hostRedactor(),
): Promise<Result<CampaignReport>> {
  const found = options.published
    ? fail<CampaignPlan>({ reason: 'bad-input', message: 'read as a folder' })
    : readPlan(dir);
  const read = await tasksOf(dir, found, options);
  if (!read.ok) return read;
  const readFrom = found.ok ? readManifest(dir) : ok(undefined);
  if (!readFrom.ok) return readFrom;
  const measured = { tasks: read.value, plan: found.ok ? found.value : undefined, manifest: readFrom.value };
  const { tasks, plan, manifest } = await redacted(measured, redactor);
  const regime = plan?.regime ?? null;
  const aggregate = aggregateOf(tasks.map(repoRuns), plan);
  const sessions = tasks.flatMap((task) => task.runs.flatMap((run) => run.measured?.session ?? []));
  const title = { dir: basename(dir), regime: regimeBox(plan, manifest, sessions) };
  const judged = judge(dir, measured.tasks, measured.plan, measured.manifest, options);
  if (!judged.ok) return judged;
  const { verdicts, gate } = judged.value;
  const banner = scriptedBanner(regime);
  const fence = manifest === undefined ? undefined : fenceLine(manifest.fence);
  // The scripted model first: then no figure says anything of the engine, fenced or not.
  const allRuns = tasks.flatMap(({ runs }) => runs);
  const contamination = renderContamination(allRuns.map(contaminationOf), codegraphProfile.label);
  const records = allRuns.flatMap((run) => run.record ?? []);
  const course = plan ? courseOf(dir, plan, manifest, records) : null;
  const head = [banner, fence, course ? renderCourse(course) : undefined].filter((line) => line !== undefined);
  const average =
    tasks.length > 1
      ? [renderAverage(averageDirections(tasks.map((task) => task.comparison)), codegraphProfile.label)]
      : [];
  const showRuns = aggregate === null || options.brief === false;
  const json = toJson({
    regime,
    tasks: tasks.map(({ task, comparison }) => ({ task, comparison })),
    runs: tasks.flatMap(({ task, runs }) => runs.flatMap((run) => reportedRun(task, run))),
    aggregate,
    verdicts,
    course,
    gate,
  });
  const details = tasks.flatMap((task) => runDetails(repoRuns(task), codegraphProfile));
  return ok({
    text: joined([
      ...head,
      ...(aggregate ? [] : [contamination]),
      ...(verdicts ? [renderVerdicts(verdicts)] : []),
      ...(gate ? [gate.words] : []),
      // Over several repos the regime box comes first and holds the contamination gate; its commands follow the tables.
      ...(aggregate ? [renderRepos(aggregate, title), contamination] : []),
      ...tasks.flatMap((task) => [
        ...(showRuns ? runBlocks(task, options) : []),
        renderComparison(task.comparison, { dir: task.title }),
      ]),
      ...(aggregate ? [] : average),
    ]),
    markdown: renderReportMarkdown({
      ...{ dir: basename(dir), head: head.flatMap((text) => text.split('\n')), verdicts, gate, contamination },
      sections: [
        ...(aggregate
          ? [{ title: `With and without ${aggregate.toolLabel}`, text: renderReposMarkdown(aggregate, title) }]
          : []),
        ...tasks.map((task) => ({ title: task.title, text: renderMarkdown(task.comparison) })),
        ...(aggregate ? [] : average.map((text) => ({ title: 'Average over the tasks', text }))),
      ],
    }),
    csv: renderCsv(details, course?.jobs ?? null),
    json: jsonText(json),
    gate,
    measured: { dir, ...measured, verdicts, regime: title.regime },
    redactor,
  });
}

/** The verdicts of a campaign, beside what an A/A campaign of its regime showed, and the gate that hangs on one of them. */
function judge(
  dir: string,
  tasks: TaskReport[],
  plan: CampaignPlan | undefined,
  manifest: Manifest | undefined,
  options: ReadOptions,
): Result<{ verdicts: VerdictReport | null; gate: GateDecision | null }> {
  if (!plan) {
    if (typeof options.gate !== 'string') return ok({ verdicts: null, gate: null });
    return fail({ reason: 'bad-input', message: `--gate ${options.gate}: a folder without a plan has no verdict` });
  }
  const noise = findNoise(dir, manifest && { plan, manifest }, options.noise);
  if (!noise.ok) return noise;
  const verdicts = verdictOfCampaign(tasks, plan, { id: basename(resolve(dir)), noise: noise.value });
  const gate = options.gate === false ? ok(undefined) : resolveGate(plan, options.gate);
  if (!gate.ok) return gate;
  return ok({ verdicts, gate: gate.value ? decideGate(gate.value, verdicts) : null });
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
  if (!json.ok) return json;
  // Read here alone: who only prints a report should not wait for what draws the page.
  const { writeHtml } = await import('./html-of-campaign.js');
  const html = await writeHtml(report.value.measured, { redactor: report.value.redactor });
  return html.ok ? report : html;
}
