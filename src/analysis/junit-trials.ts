import type { CampaignPlan } from '../model/plan.js';
import type { JunitTrial } from '../report/index.js';
import type { ReportRun, TaskReport } from './measure-tasks.js';

/** Every trial as CI sees it: those that count, those that do not and why, and those that were planned and not run. */
export function junitTrials(tasks: TaskReport[], plan: CampaignPlan | undefined): JunitTrial[] {
  const finished = tasks.flatMap((task) => task.runs.map((run) => trialOf(run, task)));
  const names = new Set(finished.map(({ name }) => name));
  const missing = (plan?.trials ?? []).filter(({ id }) => !names.has(id));
  return [
    ...finished,
    ...missing.map(({ id, task }) => ({ name: id, task, durationMs: null, error: null, isMissing: true })),
  ];
}

function trialOf({ name, arm, record, measured }: ReportRun, { task, comparison }: TaskReport): JunitTrial {
  const summary = comparison.arms.find(({ label }) => label === arm);
  const dropped = summary?.runs.dropped.find((one) => one.name === name);
  const detail = dropped?.detail ?? record?.failure?.message ?? 'its figures do not count';
  return {
    ...{ name, task, isMissing: false },
    durationMs: measured?.measure.durationMs ?? null,
    error: dropped ? { cause: dropped.cause, detail } : null,
  };
}
