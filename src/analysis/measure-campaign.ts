import { basename, resolve } from 'node:path';
import { type RepoRuns, runDetails, summarizeAnswers } from '../aggregate/index.js';
import { engineFor } from '../engine/registry.js';
import { isInfraFailure } from '../model/agent-failure.js';
import type { AnswersSummary, JudgeSummary } from '../model/answers.js';
import type { CampaignStats } from '../model/campaign-stats.js';
import type { EngineProfile } from '../model/engine.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { Label } from '../model/labels.js';
import type { Manifest } from '../model/manifest.js';
import type { CampaignPlan } from '../model/plan.js';
import type { RepoAggregate, RunDetail } from '../model/repos.js';
import type { VerdictReport } from '../model/verdict.js';
import type { Redactor } from '../redaction/index.js';
import type { RegimeBox } from '../report/index.js';
import { readLabels, readManifest, readPlan } from '../store/index.js';
import { computeCampaignStats } from './campaign-stats.js';
import { decideGate, type GateDecision, resolveGate } from './gate.js';
import { judgedGrade, summarizeJudge } from './judge-summary.js';
import { armRun, type ReadOptions, type TaskReport, tasksOf, toolsOfHost } from './measure-tasks.js';
import { findNoise } from './noise-floor.js';
import { redacted } from './redact-campaign.js';
import { aggregateOf, regimeBox } from './repo-report.js';
import { verdictOfCampaign } from './verdict-of-campaign.js';

/** What the logs and files of a campaign folder say. */
export interface CampaignContents {
  /** Undefined for a folder of the bash harness. */
  plan: CampaignPlan | undefined;
  manifest: Manifest | undefined;
  tasks: TaskReport[];
}

/** A campaign measured, judged and ready to be shown in any form. */
export interface MeasuredCampaign extends CampaignContents {
  dir: string;
  /** The engine that the arms are builds of. */
  engine: EngineProfile;
  /** The same with its texts redacted: what a report shows. Its figures are those of the original. */
  shown: CampaignContents;
  regime: RegimeBox;
  verdicts: VerdictReport | null;
  /** Null where no run was graded. */
  answers: AnswersSummary | null;
  /** Null where the exit code hangs on no metric. */
  gate: GateDecision | null;
  /** Of arms with and without the engine over repos; else null. */
  aggregate: RepoAggregate | null;
  /** Retries, amendments and concurrency; null without a plan. */
  course: CampaignStats | null;
}

/** Reads and measures every run of a campaign folder (or one of the bash harness) and judges its arms. */
export async function measureCampaign(
  dir: string,
  options: ReadOptions,
  redactor: Redactor,
): Promise<Result<MeasuredCampaign>> {
  const folder = await readContents(dir, options);
  if (!folder.ok) return folder;
  const labels = readLabels(dir);
  if (!labels.ok) return labels;
  const { read, judgeSummary } = withJudge(folder.value, labels.value);
  const judged = judge(dir, read, options);
  if (!judged.ok) return judged;
  const shown = redacted(read, redactor);
  const { tasks, plan, manifest } = shown;
  const runs = tasks.flatMap((task) => task.runs);
  const sessions = runs.flatMap((run) => run.measured?.session ?? []);
  const records = runs.flatMap((run) => run.record ?? []);
  return ok({
    ...read,
    ...judged.value,
    dir,
    engine: engineFor(plan?.engine),
    shown,
    answers: plan ? answersOf(tasks, plan, redacted(judgeSummary, redactor)) : null,
    regime: regimeBox(plan, manifest, sessions),
    aggregate: aggregateOf(tasks.map(repoRuns), plan),
    course: plan ? computeCampaignStats(dir, plan, manifest, records) : null,
  });
}

/** The campaign with the grades on which its verdict rests: those of the judge, if it is calibrated. */
function withJudge(
  read: CampaignContents,
  labels: Label[],
): { read: CampaignContents; judgeSummary: JudgeSummary | null } {
  const runs = read.tasks.flatMap(({ task, title, runs: own }) => own.map((run) => ({ ...run, task: task ?? title })));
  const judgeSummary = summarizeJudge(read.plan?.arms.map(({ label }) => label) ?? [], runs, labels);
  if (judgeSummary?.state !== 'calibrated') return { read, judgeSummary };
  const tasks = read.tasks.map((task) => ({
    ...task,
    runs: task.runs.map((run) => (run.grade ? { ...run, grade: judgedGrade(run.grade) } : run)),
  }));
  return { read: { ...read, tasks }, judgeSummary };
}

function answersOf(tasks: TaskReport[], plan: CampaignPlan, judgeSummary: JudgeSummary | null): AnswersSummary | null {
  const runs = tasks.flatMap(({ task, title, runs }) =>
    runs.map(({ arm, grade, record, measured }) => ({
      ...{ task: task ?? title, arm, grade },
      costUsd: measured?.measure.costUsd ?? null,
      isInfra: record !== undefined && isInfraFailure(record),
    })),
  );
  return summarizeAnswers(
    plan.arms.map(({ label }) => label),
    runs,
    judgeSummary,
  );
}

/** Returns every run of a campaign with its values, for the CSV. */
export function detailsOf(tasks: TaskReport[], engine: EngineProfile): RunDetail[] {
  return tasks.flatMap((task) => runDetails(repoRuns(task), engine, toolsOfHost(task.runs)));
}

async function readContents(dir: string, options: ReadOptions): Promise<Result<CampaignContents>> {
  const found = options.published
    ? fail<CampaignPlan>({ reason: 'bad-input', message: 'read as a folder' })
    : readPlan(dir);
  const tasks = await tasksOf(dir, found, options);
  if (!tasks.ok) return tasks;
  const manifest = found.ok ? readManifest(dir) : ok(undefined);
  if (!manifest.ok) return manifest;
  return ok({ tasks: tasks.value, plan: found.ok ? found.value : undefined, manifest: manifest.value });
}

/** The verdicts of a campaign, beside what an A/A campaign of its regime showed, and the gate that hangs on one of them. */
function judge(
  dir: string,
  { tasks, plan, manifest }: CampaignContents,
  options: ReadOptions,
): Result<{ verdicts: VerdictReport | null; gate: GateDecision | null }> {
  if (!plan) {
    if (typeof options.gate !== 'string') return ok({ verdicts: null, gate: null });
    return fail({ reason: 'bad-input', message: `--gate ${options.gate}: a folder without a plan has no verdict` });
  }
  const noise = findNoise(dir, manifest && { plan, manifest }, options.noise);
  if (!noise.ok) return noise;
  const verdicts = verdictOfCampaign(tasks, plan, { id: basename(resolve(dir)), noise: noise.value });
  const gate = options.gate === false ? ok(undefined) : resolveGate(plan, options.gate, options.gateWithoutAnswers);
  if (!gate.ok) return gate;
  return ok({ verdicts, gate: gate.value ? decideGate(gate.value, verdicts) : null });
}

function repoRuns({ task, title, comparison, runs }: TaskReport): RepoRuns {
  return {
    repo: task ?? title,
    comparison,
    runs: runs.map((run) => ({ arm: run.arm, run: armRun(run), grade: run.grade?.figures ?? null })),
  };
}
