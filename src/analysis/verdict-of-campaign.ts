import { isTimed, metricNamed } from '../catalogue/index.js';
import { engineFor } from '../engine/registry.js';
import { paidRequests } from '../metrics/index.js';
import type { EngineProfile } from '../model/engine.js';
import type { Question } from '../model/estimate.js';
import type { CampaignPlan } from '../model/plan.js';
import type { LooksDesign, NoiseFloor, Observation, VerdictDesign, VerdictReport } from '../model/verdict.js';
import { isAa } from '../plan/index.js';
import { declareMetrics, noiseFloorOf, observationOf, reachedLook, verdictsOf } from '../statistics/index.js';
import type { ReportRun, TaskReport } from './measure-tasks.js';

/**
 * The verdicts of a campaign of two arms, from its measured runs; null without a plan or with another number of arms. A bench
 * asks about tasks like these, everything else about this corpus.
 */
export function verdictOfCampaign(
  tasks: TaskReport[],
  plan: CampaignPlan | undefined,
  extra: { noise?: NoiseFloor; id?: string } = {},
): VerdictReport | null {
  const [tested, baseline] = plan?.arms ?? [];
  if (!plan || !tested || !baseline || plan.arms.length !== 2) return null;
  const observations = observationsOf(tasks, plan);
  const design: VerdictDesign = {
    ...designOfPlan(plan, { tested: tested.label, baseline: baseline.label }),
    looks: looksOf(plan, observations),
    regimeDifferences: tasks.flatMap(otherModels),
    aa: isAa(plan),
    noise: extra.noise,
  };
  // An A/A campaign is its own noise floor, and later ones of its regime are held against it.
  const noise = design.aa ? noiseFloorOf(observations, design, extra.id ?? '') : extra.noise;
  return markDistorted(verdictsOf(observations, { ...design, noise }), plan.regime.jobs ?? 1);
}

type Pair = Pick<VerdictDesign, 'tested' | 'baseline'>;

function designOfPlan(plan: CampaignPlan, pair: Pair): VerdictDesign {
  return {
    ...{ ...pair, question: questionOf(plan), metrics: declareMetrics(plan.verdict).metrics, seed: plan.seed },
    ...{ answers: plan.verdict?.answers, regimeDifferences: [], scripted: plan.regime.rehearsal },
  };
}

/** Estimates two arms of a campaign that has other than two. Its verdicts are not to be shown: they are not corrected for the number of arms. */
export function estimateArms(plan: CampaignPlan, observations: Observation[], pair: Pair): VerdictReport {
  return verdictsOf(observations, designOfPlan(plan, pair));
}

/** The question that a campaign's verdict answers. */
export function questionOf({ command }: Pick<CampaignPlan, 'command'>): Question {
  return command === 'bench-readme' ? 'tasks' : 'corpus';
}

/** A verdict on time says with it that the trials took each other's. */
function markDistorted(report: VerdictReport, jobs: number): VerdictReport {
  if (jobs === 1) return report;
  const metrics = report.metrics.map((one) =>
    isTimed(metricNamed(one.metric.name))
      ? { ...one, words: `${one.words} — distorted: ${jobs} trials ran side by side (--jobs 1 measures time)` }
      : one,
  );
  return { ...report, metrics };
}

/** Every finished trial, in the plan's order, which is the order they ran in. */
export function observationsOf(tasks: TaskReport[], plan: CampaignPlan): Observation[] {
  const engine = engineFor(plan.engine);
  const runs = new Map(tasks.flatMap((task) => task.runs.map((run) => [run.name, { run, task }] as const)));
  return plan.trials.flatMap((trial, position) => {
    const found = runs.get(trial.id);
    const repo = plan.tasks.find((task) => task.name === trial.task)?.repo ?? trial.task;
    return found ? [toObservation(found.run, found.task, engine, { ...trial, repo, position })] : [];
  });
}

/** Every run of a folder without a plan, by task. In which order they ran is not known, nor which made a pair: shown, never judged. */
export function unplannedObservations(tasks: TaskReport[], engine: EngineProfile): Observation[] {
  return tasks.flatMap((task) => {
    const name = task.task ?? task.title;
    const seen = new Map<string, number>();
    return task.runs.map((run) => {
      const repetition = (seen.get(run.arm) ?? 0) + 1;
      seen.set(run.arm, repetition);
      return toObservation(run, task, engine, { task: name, repo: name, repetition, arm: run.arm, position: null });
    });
  });
}

function toObservation(
  run: ReportRun,
  { comparison }: TaskReport,
  engine: EngineProfile,
  place: Pick<Observation, 'task' | 'repo' | 'repetition' | 'arm' | 'position'>,
): Observation {
  const { measured, record, expectsEngine, name, grade } = run;
  const summary = comparison.arms.find((arm) => arm.label === run.arm);
  return observationOf({
    ...{ name, record, expectsEngine, grade, ...place },
    measure: measured?.measure ?? null,
    isEngineTool: (tool) => engine.isEngineTool(tool),
    session: measured && { requests: paidRequests(measured.session), host: measured.session.host },
    dropped: summary?.runs.dropped.find((one) => one.name === name)?.cause,
  });
}

/** The look is read off the data: the last of the equally spaced looks for which enough pairs have been run. */
function looksOf({ verdict, trials }: CampaignPlan, observations: Observation[]): LooksDesign | undefined {
  const looks = verdict?.looks;
  if (!looks) return undefined;
  const pairs = (runs: { task: string; repetition: number; arm: string }[]) => {
    const arms = runs.map(({ task, repetition, arm }) => JSON.stringify([task, repetition, arm]));
    return Math.floor(new Set(arms).size / 2);
  };
  return { ...looks, look: reachedLook(looks.planned, pairs(observations), pairs(trials)) };
}

/** Runs that another model answered in part are of another regime. */
function otherModels({ comparison }: TaskReport): string[] {
  return comparison.arms.flatMap(({ label, quality }) =>
    quality.modelFallbacks.map((run) => `another model answered part of ${run} (${label})`),
  );
}
