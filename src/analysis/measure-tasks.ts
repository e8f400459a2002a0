import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { compareArms, logSetWarnings, summarizeArm } from '../aggregate/index.js';
import { engineFor } from '../engine/registry.js';
import { hostLog } from '../host/logs.js';
import type { EngineProfile } from '../model/engine.js';
import { type Failure, fail, ok, type Result } from '../model/failure.js';
import type { Grade } from '../model/grade.js';
import type { ToolTable } from '../model/host-tools.js';
import type { Options } from '../model/options.js';
import type { CampaignPlan, PlannedTrial } from '../model/plan.js';
import type { ArmRun, Comparison } from '../model/summary.js';
import type { TrialRecord } from '../model/trial.js';
import { CAMPAIGN_FILES, findRuns, type RunOnDisk, readGrade, readRecord, trialFiles } from '../store/index.js';
import { measureMany } from './measure-many.js';
import type { ManyMeasured } from './measure-one.js';
import { attaches, type MeasuredRun, measureRun } from './measure-run.js';

export type ReadOptions = Pick<Options, 'windowTokens' | 'includeRaced' | 'includeContaminated'> & {
  /** As in Options: what is printed beside the verdicts' own estimates. */
  full?: boolean;
  publishedAverages?: boolean;
  /** Read as a directory of the bash harness, whatever else lies in it. */
  published?: boolean;
  /** As in Options: what a report decides, and holds its verdicts against. */
  gate?: string | false | undefined;
  gateWithoutAnswers?: boolean;
  noise?: string | undefined;
};

/** One run: its record where there is one, its figures where it left a log. */
export interface ReportRun {
  name: string;
  arm: string;
  expectsEngine: boolean;
  record: TrialRecord | undefined;
  measured: MeasuredRun | undefined;
  /** Undefined where the run was not graded. */
  grade?: Grade | undefined;
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

/** Every task of a campaign folder, measured; of a folder without a plan, every folder of logs in it. */
export async function tasksOf(
  dir: string,
  plan: Result<CampaignPlan>,
  options: ReadOptions,
): Promise<Result<TaskReport[]>> {
  // A plan that is there and cannot be read does not make the campaign a folder of logs.
  if (!plan.ok && options.published !== true && existsSync(join(dir, CAMPAIGN_FILES.plan))) return plan;
  const reports = plan.ok ? await tasksOfPlan(dir, plan.value, options) : await tasksOfFolder(dir, options);
  return reports.ok ? ok(withLogWarnings(reports.value)) : reports;
}

/** Adds what is wrong with the logs as a set, over all tasks, to each task that it concerns. */
function withLogWarnings(reports: TaskReport[]): TaskReport[] {
  const all = reports.flatMap(({ runs }) => runs.map(armRun));
  return reports.map((report) => {
    const logs = logSetWarnings(all, report.runs.map(armRun));
    return { ...report, comparison: { ...report.comparison, warnings: [...logs, ...report.comparison.warnings] } };
  });
}

async function tasksOfPlan(dir: string, plan: CampaignPlan, options: ReadOptions): Promise<Result<TaskReport[]>> {
  const reports: TaskReport[] = [];
  // A part of a plan names tasks of which it holds no trial.
  for (const task of plan.tasks.filter(({ name }) => plan.trials.some((trial) => trial.task === name))) {
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
      comparison: compare(labels, runs, { ...options, engine: engineFor(plan.engine) }, plan.regime.jobs),
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
  const task = plan.tasks.find(({ name }) => name === trial.task);
  const grade = readGrade(dir, plan, trial);
  if (!grade.ok) return grade;
  const run = { name: trial.id, arm: trial.arm, expectsEngine, record: record.value, grade: grade.value };
  if (segments.length === 0) return ok({ ...run, measured: undefined });
  const measured = await measureRun(files, {
    profile: engineFor(plan.engine),
    windowTokens: options.windowTokens,
    expectsEngine,
    plannedPrompts: task?.prompts.length,
    setWindowTokens: task?.contextWindow,
    host: plan.host,
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
async function reportRuns(
  title: string,
  found: RunOnDisk[],
  labels: string[],
  options: ReadOptions,
): Promise<Result<TaskReport>> {
  const engine = engineFor(undefined);
  const runs: ReportRun[] = [];
  for (const run of found.filter((one) => labels.includes(one.label))) {
    const measured = await measureRun(run.files, { profile: engine, windowTokens: options.windowTokens });
    const common = { name: run.name, arm: run.label, record: undefined };
    if (measured.ok) {
      const expectsEngine = attaches(measured.value.session, engine);
      runs.push({ ...common, expectsEngine, measured: measured.value });
    } else {
      // One that is no transcript is named among the dropped; the others still make a table.
      runs.push({ ...common, expectsEngine: false, measured: undefined, fault: measured.failure.message });
    }
  }
  const refused = refuse(title, found, labels, runs);
  if (refused) return fail(refused);
  return ok({ task: null, title, runs, comparison: compare(labels, runs, options) });
}

/** The comparison alone, of as many runs as there are: several are read at once, and no session is kept. */
export async function compareRuns(
  title: string,
  found: RunOnDisk[],
  labels: string[],
  options: ReadOptions,
): Promise<Result<Comparison>> {
  const wanted = found.filter((one) => labels.includes(one.label));
  const outcomes = await measureMany(wanted.map(({ files }) => ({ files, windowTokens: options.windowTokens })));
  const runs = wanted.map(({ name, label }, index) => ({ arm: label, ...manyRun(name, outcomes[index]) }));
  const refused = refuse(title, found, labels, runs);
  if (refused) return fail(refused);
  const comparison = compareArmRuns(labels, runs, options, hostLog().tools);
  const logs = logSetWarnings(runs.map(({ run }) => run));
  return ok({ ...comparison, warnings: [...logs, ...comparison.warnings] });
}

/** Every run below a folder without a plan, as it goes into a distribution. */
export async function armRunsOf(dir: string, options: ReadOptions): Promise<Result<ArmRun[]>> {
  const found = findRuns(dir);
  if (!found.ok) return found;
  const outcomes = await measureMany(found.value.map(({ files }) => ({ files, windowTokens: options.windowTokens })));
  const runs = found.value.map(({ name, label }, index) => ({ arm: label, ...manyRun(name, outcomes[index]) }));
  const refused = refuse(dir, found.value, [], runs);
  return refused ? fail(refused) : ok(runs.map(({ run }) => run));
}

/** One that is no transcript is named among the dropped; the others still count. */
function manyRun(name: string, outcome: Result<ManyMeasured> | undefined): { run: ArmRun; fault?: string } {
  if (outcome?.ok) return { run: { name, measure: outcome.value.measure, expectsEngine: outcome.value.attaches } };
  const fault = outcome?.failure.message ?? 'it was not read';
  return { run: { name, measure: null, expectsEngine: false, cause: fault }, fault };
}

/** Logs of which none is a transcript, or a label without a run, make no table. */
function refuse(
  title: string,
  found: RunOnDisk[],
  labels: string[],
  runs: { arm: string; fault?: string | undefined }[],
): Failure | undefined {
  const faults = runs.flatMap(({ fault }) => fault ?? []);
  if (faults.length > 0 && faults.length === runs.length) return { reason: 'bad-input', message: faults.join('\n') };
  const missing = labels.filter((label) => !runs.some((run) => run.arm === label));
  if (missing.length === 0) return undefined;
  return {
    reason: 'bad-input',
    message: `no run of ${missing.join(', ')} in ${title}`,
    advice: `the labels there are: ${[...new Set(found.map((run) => run.label))].join(', ')}`,
  };
}

/** Returns the tools of the host that the runs' logs are of; those of the default host where there is no log. */
export function toolsOfHost(runs: ReportRun[]): ToolTable {
  return runs.find(({ measured }) => measured)?.measured?.session.host.tools ?? hostLog().tools;
}

/** How runs are compared. `engine`: undefined for logs of which no plan says what engine they are of. */
type CompareOptions = ReadOptions & { engine?: EngineProfile };

function compare(labels: string[], runs: ReportRun[], options: CompareOptions, jobs?: number): Comparison {
  return compareArmRuns(
    labels,
    runs.map((run) => ({ arm: run.arm, run: armRun(run) })),
    options,
    toolsOfHost(runs),
    jobs,
  );
}

function compareArmRuns(
  labels: string[],
  runs: { arm: string; run: ArmRun }[],
  options: CompareOptions,
  tools: ToolTable,
  jobs?: number,
): Comparison {
  const summaries = labels.map((label) => {
    const ofArm = runs.filter((run) => run.arm === label).map(({ run }) => run);
    return summarizeArm(label, ofArm, {
      includeRaced: options.includeRaced,
      includeContaminated: options.includeContaminated,
      engine: options.engine ?? engineFor(undefined),
      tools,
    });
  });
  return compareArms(summaries, jobs);
}

/** A run as it goes into a summary. */
export function armRun({ name, measured, expectsEngine, record, fault }: ReportRun): ArmRun {
  return {
    name,
    measure: measured?.measure ?? null,
    expectsEngine,
    validity: record?.validity,
    cause: record?.evidence.cause ?? record?.failure?.message ?? fault,
  };
}
