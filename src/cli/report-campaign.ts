import { basename, dirname, join } from 'node:path';
import { averageDirections, compareArms, distributionOf, summarizeArm } from '../aggregate/index.js';
import { codegraphProfile } from '../engine/index.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { CampaignPlan, PlannedTrial } from '../model/plan.js';
import type { ArmRun, Comparison, Distribution } from '../model/summary.js';
import type { TrialRecord } from '../model/trial.js';
import {
  jsonText,
  type ReportedRun,
  renderAverage,
  renderComparison,
  renderRun,
  scriptedBanner,
  toJson,
} from '../report/index.js';
import {
  CAMPAIGN_FILES,
  findRuns,
  type RunOnDisk,
  readPlan,
  readRecord,
  trialFiles,
  writeAtomically,
} from '../store/index.js';
import { attaches, type MeasuredRun, measureRun } from './measure-run.js';
import type { Options } from './options.js';

export type ReadOptions = Pick<Options, 'windowTokens' | 'includeRaced' | 'includeContaminated'> & { brief?: boolean };

/** One run: its record where there is one, its figures where it left a log. */
export interface ReportRun {
  name: string;
  arm: string;
  expectsEngine: boolean;
  record: TrialRecord | undefined;
  measured: MeasuredRun | undefined;
  /** Why it could not be measured. */
  fault?: string;
}

/** One task's runs, measured, and its arms side by side. */
export interface TaskReport {
  /** Null where a folder's logs do not say. */
  task: string | null;
  title: string;
  runs: ReportRun[];
  comparison: Comparison;
}

/** A report before it is printed: made from the logs alone, so it can always be made again. */
export interface CampaignReport {
  text: string;
  /** report.json, as text. */
  json: string;
}

/**
 * Measures every run of a campaign folder and compares its arms, a table a task. Also reads folders of the bash harness:
 * there the arms are the labels in the file names.
 */
export async function makeReport(dir: string, options: ReadOptions): Promise<Result<CampaignReport>> {
  const plan = readPlan(dir);
  const tasks = await tasksOf(dir, plan, options);
  if (!tasks.ok) return tasks;
  const regime = plan.ok ? plan.value.regime : null;
  const banner = scriptedBanner(regime);
  const parts = banner === undefined ? [] : [banner];
  for (const task of tasks.value) {
    for (const run of task.runs) {
      if (!run.measured) continue;
      const { session, measure } = run.measured;
      parts.push(renderRun(session, measure, { brief: options.brief ?? true, engine: codegraphProfile }));
    }
    parts.push(renderComparison(task.comparison, { dir: task.title }));
  }
  if (tasks.value.length > 1) {
    const comparisons = tasks.value.map((task) => task.comparison);
    parts.push(renderAverage(averageDirections(comparisons), codegraphProfile.label));
  }
  const json = toJson({
    regime,
    tasks: tasks.value.map(({ task, comparison }) => ({ task, comparison })),
    runs: tasks.value.flatMap(({ task, runs }) => runs.flatMap((run) => reportedRun(task, run))),
  });
  return ok({
    text: `${parts
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .join('\n\n')}\n`,
    json: jsonText(json),
  });
}

/** Efficiency and sufficiency over all sessions of a folder, whatever their arms (spec/metrics.md 9). */
export async function makeDistribution(dir: string, options: ReadOptions): Promise<Result<Distribution>> {
  const tasks = await tasksOf(dir, readPlan(dir), options);
  return tasks.ok
    ? ok(
        distributionOf(
          tasks.value.flatMap(({ runs }) => runs.map(armRun)),
          options,
        ),
      )
    : tasks;
}

async function tasksOf(dir: string, plan: Result<CampaignPlan>, options: ReadOptions): Promise<Result<TaskReport[]>> {
  return plan.ok ? await tasksOfPlan(dir, plan.value, options) : await tasksOfFolder(dir, options);
}

/** A run without a log has no measure; it stands among the excluded. */
function reportedRun(task: string | null, { name, arm, measured, record }: ReportRun): ReportedRun[] {
  return measured ? [{ name, arm, task, measure: measured.measure, validity: record?.validity ?? null }] : [];
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

async function tasksOfPlan(dir: string, plan: CampaignPlan, options: ReadOptions): Promise<Result<TaskReport[]>> {
  const reports: TaskReport[] = [];
  for (const task of plan.tasks) {
    const runs: ReportRun[] = [];
    for (const trial of plan.trials.filter((one) => one.task === task.name)) {
      const run = await measureTrial(dir, plan, trial, options);
      if (!run.ok) return run;
      if (run.value) runs.push(run.value);
    }
    const labels = plan.arms.map((arm) => arm.label);
    reports.push({
      task: task.name,
      // The campaign's own name: the report is the same wherever the folder lies and however it was named.
      title: plan.tasks.length > 1 ? `${basename(dir)} · ${task.name}` : basename(dir),
      runs,
      comparison: compare(labels, runs, options),
    });
  }
  return ok(reports);
}

async function measureTrial(
  dir: string,
  plan: CampaignPlan,
  trial: PlannedTrial,
  options: ReadOptions,
): Promise<Result<ReportRun | undefined>> {
  const record = readRecord(dir, plan, trial);
  if (!record.ok) return record;
  // Without a record the trial was never finished: its logs, if any, are a part of a session.
  if (!record.value) return ok(undefined);
  const { segments } = record.value;
  const files = trialFiles(dir, plan, trial).logs.slice(0, segments.length);
  const expectsEngine = plan.arms.find((arm) => arm.label === trial.arm)?.build !== null;
  const run = { name: trial.id, arm: trial.arm, expectsEngine, record: record.value };
  if (segments.length === 0) return ok({ ...run, measured: undefined });
  const measured = await measureRun(files, {
    profile: codegraphProfile,
    windowTokens: options.windowTokens,
    expectsEngine,
    plannedPrompts: plan.tasks.find((task) => task.name === trial.task)?.prompts.length,
  });
  // A segment that wrote nothing (claude did not start) has no figures; its record says why.
  return ok({ ...run, measured: measured.ok ? measured.value : undefined });
}

/** Folders without a plan: runs are compared within one folder, the repetitions' own folders (`run3`) aside. */
async function tasksOfFolder(dir: string, options: ReadOptions): Promise<Result<TaskReport[]>> {
  const found = findRuns(dir);
  if (!found.ok) return found;
  const groups = new Map<string, RunOnDisk[]>();
  for (const run of found.value) {
    const folders = dirname(run.name)
      .split('/')
      .filter((part) => part !== '.' && !/^run\d+$/.test(part));
    const group = folders.join('/');
    groups.set(group, [...(groups.get(group) ?? []), run]);
  }
  const reports: TaskReport[] = [];
  for (const [group, runs] of groups) {
    const labels = inUsualOrder([...new Set(runs.map((run) => run.label))]);
    const report = await reportRuns(group === '' ? basename(dir) : group, runs, labels, options);
    if (!report.ok) return report;
    reports.push({ ...report.value, task: group === '' ? null : group });
  }
  return ok(reports);
}

/** The arm under test stands first, as in the published tables. */
function inUsualOrder(labels: string[]): string[] {
  const isTested = (label: string) => label === 'new' || label === 'with';
  return labels.toSorted((a, b) => Number(isTested(b)) - Number(isTested(a)));
}

/** Measures given runs and compares the given labels, in that order. */
export async function reportRuns(
  title: string,
  found: RunOnDisk[],
  labels: string[],
  options: ReadOptions,
): Promise<Result<TaskReport>> {
  const runs: ReportRun[] = [];
  for (const run of found.filter((one) => labels.includes(one.label))) {
    const measured = await measureRun(run.files, { profile: codegraphProfile, windowTokens: options.windowTokens });
    const common = { name: run.name, arm: run.label, record: undefined };
    if (measured.ok) {
      const expectsEngine = attaches(measured.value.session, codegraphProfile);
      runs.push({ ...common, expectsEngine, measured: measured.value });
    } else {
      // One that is no transcript is named among the dropped; the others still make a table.
      runs.push({ ...common, expectsEngine: false, measured: undefined, fault: measured.failure.message });
    }
  }
  const faults = runs.flatMap(({ fault }) => fault ?? []);
  if (faults.length > 0 && faults.length === runs.length) {
    return fail({ reason: 'bad-input', message: faults.join('\n') });
  }
  const missing = labels.filter((label) => !runs.some((run) => run.arm === label));
  if (missing.length > 0) {
    const there = [...new Set(found.map((run) => run.label))].join(', ');
    return fail({
      reason: 'bad-input',
      message: `no run of ${missing.join(', ')} in ${title}`,
      advice: `the labels there are: ${there}`,
    });
  }
  return ok({ task: null, title, runs, comparison: compare(labels, runs, options) });
}

function compare(labels: string[], runs: ReportRun[], options: ReadOptions): Comparison {
  const summaries = labels.map((label) => {
    const ofArm = runs.filter((run) => run.arm === label).map(armRun);
    return summarizeArm(label, ofArm, {
      includeRaced: options.includeRaced,
      includeContaminated: options.includeContaminated,
      engine: codegraphProfile,
    });
  });
  return compareArms(summaries);
}

function armRun({ name, measured, expectsEngine, record, fault }: ReportRun): ArmRun {
  return {
    name,
    measure: measured?.measure ?? null,
    expectsEngine,
    validity: record?.validity,
    cause: record?.evidence.cause ?? record?.failure?.message ?? fault,
  };
}
