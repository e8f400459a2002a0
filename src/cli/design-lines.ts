import type { Sigma } from '../model/estimate.js';
import type { CampaignPlan } from '../model/plan.js';
import type { MetricDeclaration, MetricVerdict } from '../model/verdict.js';
import type { Design } from '../report/index.js';
import {
  DEFAULT_SIGMA,
  declareMetrics,
  decreaseInUnit,
  decreaseOnScale,
  detectableEffect,
  type EarlierSigma,
  type Proposal,
  poolSigma,
  proposeDesigns,
} from '../statistics/index.js';
import { listCampaigns } from '../store/index.js';
import { isAa } from './aa.js';
import { estimateCost } from './money.js';
import { savedVerdicts } from './noise-floor.js';

/**
 * The design of a plan of two arms; null for others. The spread is that of the primary metric, pooled over the finished campaigns below
 * `out` of the same settings and the same kinds of arms (whatever their tasks), else the stated defaults.
 */
export function designOf(plan: CampaignPlan, detect: number | undefined, out: string): Design | null {
  if (plan.arms.length !== 2) return null;
  const metric = ratioMetric(plan);
  const { sigma, campaigns } = pooledSigma(plan, metric, out);
  const size = { tasks: plan.tasks.length, runs: plan.runs };
  const seen = (question: 'corpus' | 'tasks') => {
    const effect = detectableEffect(sigma, size, question);
    return Number.isFinite(effect) ? decreaseInUnit(metric.kind, effect) : null;
  };
  const options = { question: 'tasks' as const, mostRuns: 10, ...sessionCost(plan, out) };
  const proposals = (percent: number) => proposeDesigns(decreaseOnScale(metric.kind, percent), sigma, options);
  return {
    ...{ metric: metric.name, label: metric.label, ...size, sigma, campaigns },
    detectable: { corpus: seen('corpus'), tasks: seen('tasks') },
    detect: detect === undefined ? null : { percent: detect, proposals: proposals(detect) },
  };
}

/** The design in lines for people; empty where there is none. */
export function designLines(design: Design | null): string[] {
  if (design === null) return [];
  const { sigma, campaigns, detectable, detect, label, tasks, runs } = design;
  const of = campaigns.length === 0 ? 'cost, tokens or time' : label;
  const spread = (value: number) => value.toFixed(2);
  const within =
    spread(sigma.baseline) === spread(sigma.tested)
      ? spread(sigma.tested)
      : `${spread(sigma.tested)} and ${spread(sigma.baseline)}`;
  const source =
    campaigns.length === 0
      ? 'assumed: no earlier campaign of these settings has a report'
      : `pooled over ${campaigns.length} earlier ${campaigns.length === 1 ? 'campaign' : 'campaigns'} of these settings: ${campaigns.join(', ')}`;
  const lines = [
    `what ${tasks} × ${runs} (tasks × runs an arm) can detect with 80 % power, as a decrease of ${of}`,
    `  (spread of ln: ${spread(sigma.task)} between tasks, ${within} between runs; ${source})`,
    `  on this corpus: ${shown(detectable.corpus, 'needs 2 runs or more')}`,
    `  for tasks like these: ${shown(detectable.tasks, 'needs 2 tasks or more')}`,
  ];
  if (detect === null) return lines;
  const { percent, proposals } = detect;
  return [
    ...lines,
    `to detect a decrease of ${percent} % for tasks like these:`,
    ...(proposals.length === 0 ? ['  no design within reach'] : proposals.map(proposalLine)),
  ];
}

/** The primary metric where it is compared by ratio, else cost: the spread of a share is on another scale. */
function ratioMetric(plan: CampaignPlan): MetricDeclaration & { kind: 'ratio' | 'count' } {
  const candidates = [...declareMetrics(plan.verdict).metrics, ...declareMetrics().metrics];
  const found = candidates
    .filter(({ role }) => role === 'primary')
    .find(({ kind }) => kind === 'ratio' || kind === 'count');
  if (!found) throw new Error('the default primary metric is a ratio');
  return { ...found, kind: found.kind === 'count' ? 'count' : 'ratio' };
}

function pooledSigma(
  plan: CampaignPlan,
  metric: MetricDeclaration,
  out: string,
): { sigma: Sigma; campaigns: string[] } {
  const earlier = listCampaigns(out).flatMap(
    ({ id, dir, plan: other, manifest }): (EarlierSigma & { id: string })[] => {
      if (!manifest?.endedAt || settingsOf(other) !== settingsOf(plan)) return [];
      const found = savedVerdicts(dir)?.metrics.find((one) => one.metric.name === metric.name);
      return found?.sigma && hasNoise(found) ? [{ id, sigma: found.sigma, tasks: found.tasks, runs: found.runs }] : [];
    },
  );
  const sigma = poolSigma(earlier);
  return sigma ? { sigma, campaigns: earlier.map(({ id }) => id) } : { sigma: DEFAULT_SIGMA, campaigns: [] };
}

/** A scripted model's runs may all be equal: they tell nothing of noise. */
function hasNoise({ sigma }: MetricVerdict): boolean {
  return sigma !== null && sigma.baseline + sigma.tested > 0;
}

/** What must be equal: the settings, what kinds the arms are of, and whether both are the same. The tasks may be others. */
function settingsOf(plan: CampaignPlan): string {
  const { model, effort, maxBudgetUsd, rehearsal, toolSearch, windowTokens, jobs = 1 } = plan.regime;
  const kinds = plan.arms.map(({ build }) => build === null);
  return JSON.stringify([model, effort, maxBudgetUsd, rehearsal, toolSearch, windowTokens, jobs, kinds, isAa(plan)]);
}

function sessionCost(plan: CampaignPlan, out: string): { sessionUsd?: number } {
  const { usd } = estimateCost(
    plan,
    plan.trials.map(({ id }) => id),
    out,
  );
  return usd === undefined || plan.trials.length === 0 ? {} : { sessionUsd: usd / plan.trials.length };
}

function shown(percent: number | null, otherwise: string): string {
  return percent === null ? otherwise : `${percent.toFixed(0)} %`;
}

function proposalLine({ tasks, runs, sessions, cheapest, costUsd }: Proposal): string {
  const cost = costUsd === null ? '' : `, about $${costUsd.toFixed(2)}`;
  return `  ${tasks} tasks × ${runs} runs: ${sessions} sessions${cost}${cheapest ? ' (the fewest)' : ''}`;
}
