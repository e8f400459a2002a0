import { figuresOfRun } from '../aggregate/index.js';
import { codegraphProfile } from '../engine/index.js';
import type { CampaignPlan, PlannedTrial } from '../model/plan.js';
import type { LooksDesign, NoiseFloor, Observation, VerdictReport } from '../model/verdict.js';
import { declareMetrics, observationOf, verdictsOf } from '../statistics/index.js';
import type { ReportRun, TaskReport } from './measure-tasks.js';

/**
 * The verdicts of a campaign of two arms, from its measured runs; null without a plan or with another number of arms. A bench
 * asks about tasks like these, everything else about this corpus (spec/statistics.md 2).
 */
export function verdictOfCampaign(
  tasks: TaskReport[],
  plan: CampaignPlan | undefined,
  extra: { look?: number; noise?: NoiseFloor } = {},
): VerdictReport | null {
  const [tested, baseline] = plan?.arms ?? [];
  if (!plan || !tested || !baseline || plan.arms.length !== 2) return null;
  return verdictsOf(observationsOf(tasks, plan), {
    tested: tested.label,
    baseline: baseline.label,
    question: plan.command === 'bench-readme' ? 'tasks' : 'corpus',
    metrics: declareMetrics(plan.verdict).metrics,
    seed: plan.seed,
    looks: looksOf(plan, extra.look),
    regimeDifferences: tasks.flatMap(otherModels),
    scripted: plan.regime.rehearsal,
    noise: extra.noise,
  });
}

/** Every finished trial, in the plan's order, which is the order they ran in. */
export function observationsOf(tasks: TaskReport[], plan: CampaignPlan): Observation[] {
  const runs = new Map(tasks.flatMap((task) => task.runs.map((run) => [run.name, { run, task }] as const)));
  return plan.trials.flatMap((trial, position) => {
    const found = runs.get(trial.id);
    return found ? [toObservation(found.run, found.task, plan, trial, position)] : [];
  });
}

function toObservation(
  run: ReportRun,
  { comparison }: TaskReport,
  plan: CampaignPlan,
  trial: PlannedTrial,
  position: number,
): Observation {
  const { measured, record, expectsEngine, name } = run;
  const summary = comparison.arms.find((arm) => arm.label === run.arm);
  const threads = measured ? measured.session.threads : [];
  return observationOf({
    ...{ name, record, expectsEngine, position },
    task: trial.task,
    repo: plan.tasks.find((task) => task.name === trial.task)?.repo ?? trial.task,
    repetition: trial.repetition,
    arm: trial.arm,
    measure: measured?.measure ?? null,
    figures: measured ? figuresOfRun(measured.measure, (tool) => codegraphProfile.isEngineTool(tool)) : null,
    requests: threads.flatMap((thread) => thread.requests),
    dropped: summary?.runs.dropped.find((one) => one.name === name)?.cause,
  });
}

function looksOf({ verdict }: CampaignPlan, look: number | undefined): LooksDesign | undefined {
  const looks = verdict?.looks;
  return looks && { ...looks, look: look ?? looks.planned };
}

/** Runs that another model answered in part are of another regime. */
function otherModels({ comparison }: TaskReport): string[] {
  return comparison.arms.flatMap(({ label, quality }) =>
    quality.modelFallbacks.map((run) => `another model answered part of ${run} (${label})`),
  );
}
