import type { CampaignPlan } from '../model/plan.js';
import { median } from '../statistics/index.js';
import { listCampaigns, readJournal } from '../store/index.js';

/** What the trials that are still to be run may cost. */
export interface Estimate {
  /** By the median cost of earlier trials; undefined when there are none to go by. */
  usd: number | undefined;
  /** How many earlier trials it rests on. */
  trials: number;
  /** The most that the budgets allow. */
  mostUsd: number;
}

/**
 * Estimates by the journals of the campaigns under `out`: the median cost of the same task and arm on the same model and effort, else
 * of the same task, else of any trial, per prompt. A rehearsal's costs are the scripted model's and tell nothing.
 */
export function estimateCost(plan: CampaignPlan, missing: readonly string[], out: string): Estimate {
  const earlier = earlierCosts(plan, out);
  const promptsOf = (task: string) => plan.tasks.find(({ name }) => name === task)?.prompts.length ?? 1;
  let usd: number | undefined = earlier.length === 0 ? undefined : 0;
  let mostUsd = 0;
  for (const { id, task, arm } of plan.trials) {
    if (!missing.includes(id)) continue;
    const prompts = promptsOf(task);
    mostUsd += plan.regime.maxBudgetUsd * prompts;
    const sameTask = earlier.filter((one) => one.task === task && one.prompts === prompts);
    const sameArm = sameTask.filter((one) => one.arm === arm);
    const alike = [sameArm, sameTask, earlier].find((group) => group.length > 0) ?? [];
    if (usd !== undefined) usd += median(alike.map((one) => one.usdPerPrompt)) * prompts;
  }
  return { usd, trials: earlier.length, mostUsd };
}

/**
 * Estimates how long the trials of a plan take, in milliseconds: the median time of the same task and arm in earlier campaigns, else of
 * any trial, per prompt, divided among `--jobs`. Undefined without earlier trials.
 */
export function estimateDuration(plan: CampaignPlan, out: string): number | undefined {
  const earlier = earlierCosts(plan, out).filter((trial) => trial.msPerPrompt !== undefined);
  if (earlier.length === 0) return undefined;
  const promptsOf = (task: string) => plan.tasks.find(({ name }) => name === task)?.prompts.length ?? 1;
  const times = plan.trials.map(({ task, arm }) => {
    const same = earlier.filter((trial) => trial.task === task && trial.arm === arm);
    return median((same.length > 0 ? same : earlier).map(({ msPerPrompt }) => msPerPrompt ?? 0)) * promptsOf(task);
  });
  return times.reduce((sum, ms) => sum + ms, 0) / (plan.regime.jobs ?? 1);
}

/** Returns what a whole plan may cost and take, in a line of at most 80 columns. `limit` is `--max-campaign-usd`. */
export function formatPlanCost(plan: CampaignPlan, out: string, limit?: number): string {
  if (plan.regime.rehearsal) return 'costs nothing: the model is scripted';
  const ids = plan.trials.map(({ id }) => id);
  const { usd, trials, mostUsd } = estimateCost(plan, ids, out);
  const most = `at most $${Math.min(mostUsd, limit ?? mostUsd).toFixed(2)}`;
  if (usd === undefined) return `${most} ($${plan.regime.maxBudgetUsd} a prompt); no earlier campaign to estimate by`;
  const ms = estimateDuration(plan, out);
  const time = ms === undefined ? '' : ` and ${Math.max(1, Math.round(ms / 60_000))} min`;
  return `about $${usd.toFixed(2)}${time} (from ${trials} earlier trial${trials === 1 ? '' : 's'}); ${most}`;
}

interface EarlierCost {
  task: string;
  arm: string;
  prompts: number;
  usdPerPrompt: number;
  /** Undefined if the journal lacks the start of the trial. */
  msPerPrompt: number | undefined;
}

function earlierCosts(plan: CampaignPlan, out: string): EarlierCost[] {
  const { model, effort } = plan.regime;
  return listCampaigns(out).flatMap(({ dir, plan: other }) => {
    const { regime } = other;
    if (regime.rehearsal || regime.model !== model || regime.effort !== effort) return [];
    const journal = readJournal(dir);
    const starts = new Map<string, number>();
    return journal.flatMap((entry): EarlierCost[] => {
      // Of several attempts, the last start before the end counts.
      if (entry.event === 'trial-start') starts.set(entry.trialId, Date.parse(entry.at));
      if (entry.event !== 'trial-end' || entry.outcome !== 'ok' || !entry.costUsd) return [];
      const trial = other.trials.find(({ id }) => id === entry.trialId);
      if (!trial) return [];
      const prompts = other.tasks.find(({ name }) => name === trial.task)?.prompts.length ?? 1;
      const started = starts.get(trial.id);
      const msPerPrompt = started === undefined ? undefined : (Date.parse(entry.at) - started) / prompts;
      return [{ task: trial.task, arm: trial.arm, prompts, usdPerPrompt: entry.costUsd / prompts, msPerPrompt }];
    });
  });
}

/** The estimate in a clause. */
export function formatEstimate({ usd, trials: earlier, mostUsd }: Estimate, trials: number, limit?: number): string {
  const about =
    usd === undefined
      ? 'no earlier campaign to estimate the cost by'
      : `about $${usd.toFixed(2)} (by ${earlier} earlier trial${earlier === 1 ? '' : 's'})`;
  const bound = limit === undefined ? '' : `, stopped at $${limit.toFixed(2)}`;
  return `${trials} trial${trials === 1 ? '' : 's'} to run, ${about}, at most $${mostUsd.toFixed(2)} by their budgets${bound}`;
}
