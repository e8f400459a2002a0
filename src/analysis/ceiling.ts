import type { CampaignPlan } from '../model/plan.js';
import { listCampaigns, readGrade } from '../store/index.js';

/** A control that states as large a share of the vital facts leaves nothing to gain. */
const CEILING = 0.95;
const MIN_RUNS = 2;

/** By task: the campaigns below `out` in which its last arm, the control, stated at least 95 % of the vital facts on average. */
export function controlsAtCeiling(out: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { dir, id, plan } of listCampaigns(out)) {
    for (const [task, recalls] of recallsOfControl(dir, plan)) {
      const mean = recalls.reduce((sum, one) => sum + one, 0) / recalls.length;
      if (recalls.length < MIN_RUNS || mean < CEILING) continue;
      const share = `${(mean * 100).toFixed(0)}%`;
      const note = `in ${id} the control stated ${share} of the vital facts: it leaves nothing to gain, so only a loss can show`;
      found.set(task, [...(found.get(task) ?? []), note]);
    }
  }
  return found;
}

function recallsOfControl(dir: string, plan: CampaignPlan): Map<string, number[]> {
  const control = plan.arms.at(-1)?.label;
  const recalls = new Map<string, number[]>();
  for (const trial of plan.trials.filter(({ arm }) => arm === control)) {
    const grade = readGrade(dir, plan, trial);
    const recall = grade.ok ? grade.value?.figures.factRecall : undefined;
    if (typeof recall === 'number') recalls.set(trial.task, [...(recalls.get(trial.task) ?? []), recall]);
  }
  return recalls;
}
