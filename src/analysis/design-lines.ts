import type { Question, Sigma } from '../model/estimate.js';
import type { CampaignPlan } from '../model/plan.js';
import { computeRegime, hashRegime } from '../model/regime.js';
import type { MetricDeclaration, MetricVerdict } from '../model/verdict.js';
import { isAa } from '../plan/index.js';
import type { Design } from '../report/index.js';
import {
  type Admissibility,
  admissibility,
  DEFAULT_ANSWERS,
  DEFAULT_SIGMA,
  type DesignShape,
  declareMetrics,
  decreaseInUnit,
  decreaseOnScale,
  detectableEffect,
  type EarlierSigma,
  type Proposal,
  poolSigma,
  proposeDesigns,
  smallestAnswersMargin,
  tailAt,
} from '../statistics/index.js';
import { listCampaigns } from '../store/index.js';
import { estimateCost } from './estimate.js';
import { savedVerdicts } from './noise-floor.js';
import { questionOf } from './verdict-of-campaign.js';

/**
 * The design of a plan of two arms; null for others. `graded` says whether a task has expectations. The spread is that of the primary metric, pooled over the finished campaigns below
 * `out` of the same settings and the same kinds of arms (whatever their tasks), else the stated defaults.
 */
export function designOf(
  plan: CampaignPlan,
  { detect, out, graded }: { detect?: number | undefined; out: string; graded: (task: string) => boolean },
): Design | null {
  if (plan.arms.length !== 2) return null;
  const metric = ratioMetric(plan);
  const { sigma, campaigns } = pooledSigma(plan, metric, out);
  const size = { tasks: plan.tasks.length, repos: new Set(plan.tasks.map(({ repo }) => repo)).size, runs: plan.runs };
  const seen = (question: Question) => {
    const effect = detectableEffect(sigma, shapeOfPlan(plan, question));
    return Number.isFinite(effect) ? decreaseInUnit(metric.kind, effect) : null;
  };
  const possible = (question: Question) => admissibility(shapeOfPlan(plan, question));
  const growth = { question: 'tasks' as const, tasksPerRepo: size.tasks / size.repos, tail: tailOf(plan) };
  const options = { ...growth, maxRuns: 10, ...sessionCost(plan, out) };
  const proposals = (percent: number) => proposeDesigns(decreaseOnScale(metric.kind, percent), sigma, options);
  return {
    ...{ metric: metric.name, label: metric.label, ...size, sigma, campaigns, question: questionOf(plan) },
    detectable: { corpus: seen('corpus'), tasks: seen('tasks') },
    admissible: { corpus: possible('corpus'), tasks: possible('tasks') },
    answers: answersDesign(plan, graded),
    detect: detect === undefined ? null : { percent: detect, proposals: proposals(detect) },
  };
}

function answersDesign(plan: CampaignPlan, graded: (task: string) => boolean): Design['answers'] {
  const { metric, margin } = plan.verdict?.answers ?? DEFAULT_ANSWERS;
  const own = { ...plan, tasks: plan.tasks.filter(({ name }) => graded(name)) };
  const smallest = (question: Question) => {
    if (own.tasks.length === 0) return null;
    const points = smallestAnswersMargin(metric, shapeOfPlan(own, question));
    return Number.isFinite(points) && points <= 100 ? points : null;
  };
  const smallestMargin = { corpus: smallest('corpus'), tasks: smallest('tasks') };
  return { metric, margin, gradedTasks: own.tasks.length, smallestMargin };
}

/** Returns why this campaign of two arms can end in no verdict but NO VERDICT, and what would do; undefined if it can decide. */
export function undecidableNotice(plan: CampaignPlan, shape = shapeOfPlan(plan, questionOf(plan))): string | undefined {
  const { reason, remedy } = admissibility(shape);
  if (reason === null) return undefined;
  return `this campaign cannot decide anything: ${reason}. A verdict takes ${remedy}.`;
}

/** The size of a plan as the verdict will judge it: a part of a plan counts as the whole. */
export function shapeOfPlan(plan: CampaignPlan, question: Question, tail = tailOf(plan)): DesignShape {
  const tasks = plan.tasks.map(({ repo, repetitions }) => ({ repo, runs: repetitions?.all.length ?? plan.runs }));
  return { question, tasks, tail };
}

/** At the last of the declared looks. */
function tailOf({ verdict }: CampaignPlan): number {
  const looks = verdict?.looks;
  return tailAt(looks && { ...looks, look: looks.planned }) ?? 0.025;
}

/** The design in lines for people; empty where there is none. */
export function designLines(design: Design | null): string[] {
  if (design === null) return [];
  const { sigma, campaigns, detectable, admissible, question, detect, label, tasks, repos, runs } = design;
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
  const inRepos = repos < tasks ? ` in ${repos} ${repos === 1 ? 'repo' : 'repos'}` : '';
  const asked = (own: Question) => (own === question ? ' (the question of this verdict)' : '');
  const lines = [
    `what ${tasks} × ${runs} (tasks${inRepos} × runs an arm) can detect with 80 % power, as a decrease of ${of}`,
    `  (spread of ln: ${spread(sigma.task)} between tasks, ${within} between runs; ${source})`,
    `  on this corpus${asked('corpus')}: ${shown(detectable.corpus, admissible.corpus)}`,
    `  for tasks like these${asked('tasks')}: ${shown(detectable.tasks, admissible.tasks)}`,
    ...answersLines(design),
  ];
  return [...lines, ...detectLines(detect)];
}

/** The designs that `--detect` asks for. */
function detectLines(detect: Design['detect']): string[] {
  if (detect === null) return [];
  const { percent, proposals } = detect;
  return [
    `to detect a decrease of ${percent} % for tasks like these:`,
    ...(proposals.length === 0 ? ['  no design within reach'] : proposals.map(proposalLine)),
  ];
}

/**
 * Returns in a few lines what a plan of two arms can show by the rule of its verdict: the smallest decrease, and what its answers must be
 * shown to be.
 */
export function shortDesignLines(plan: CampaignPlan, design: Design | null): string[] {
  if (design === null) return [];
  const { admissible, detectable, question, campaigns, detect } = design;
  const label = campaigns.length === 0 ? 'cost' : design.label;
  const source = campaigns.length === 0 ? 'assumed spread' : `spread of ${campaigns.length} earlier`;
  const shows = (own: Question) => {
    const percent = admissible[own].reason === null ? detectable[own] : null;
    return percent === null ? undefined : `${label} −${percent.toFixed(0)} % or more`;
  };
  const needs = (own: Question) => admissible[own].remedy ?? 'more tasks or runs';
  const other = question === 'corpus' ? 'tasks' : 'corpus';
  const where = { corpus: 'these tasks', tasks: 'other tasks' };
  const lead = shows(question);
  const beside = shows(other);
  return [
    lead === undefined
      ? `! this design can decide nothing about ${where[question]}: it takes ${needs(question)}`
      : `can show with 80 % power: ${lead} on ${where[question]} (${source})`,
    beside === undefined ? `nothing about ${where[other]}: it takes ${needs(other)}` : `on ${where[other]}: ${beside}`,
    answersLine(plan, design),
    ...detectLines(detect),
  ];
}

function answersLine({ verdict }: CampaignPlan, { answers, tasks, question }: Design): string {
  if (verdict?.answers === null) return 'answers: not asked for';
  const { margin, gradedTasks, smallestMargin } = answers;
  if (gradedTasks === 0) return 'answers: no task has facts to grade by, so a saving will be no claim';
  const points = smallestMargin[question];
  const part = `facts for ${gradedTasks} of ${tasks} ${tasks === 1 ? 'task' : 'tasks'}`;
  const isEnough = points !== null && points <= margin;
  const shown = points === null ? 'no bound' : `a loss below ${points.toFixed(0)} points`;
  return `${isEnough ? '' : '! '}answers: can show ${shown}, ${margin} allowed (${part})`;
}

/** What the design can show of the answers, on which every claim on cost, tokens and time hangs. */
function answersLines({ answers, tasks, question }: Design): string[] {
  const { metric, margin, gradedTasks, smallestMargin } = answers;
  if (gradedTasks === 0) {
    return ['answers: no task has `expects`, so no claim on cost, tokens or time is possible (docs/answers.md)'];
  }
  const which = metric === 'factRecall' ? 'facts stated' : 'passed';
  const part = gradedTasks < tasks ? `; ${tasks - gradedTasks} of ${tasks} tasks have no \`expects\`` : '';
  const line = (own: Question, name: string) => {
    const points = smallestMargin[own];
    const asked = own === question ? ' (the question of this verdict)' : '';
    const enough =
      points === null
        ? 'no margin can be kept'
        : `${points.toFixed(1)} points, ${points <= margin ? 'enough' : 'not enough'}`;
    return `  ${name}${asked}: ${enough}`;
  };
  return [
    `answers: the margin (of ${which}) that answers of equal worth would be shown to keep with 80 % power; declared are ${margin} points${part}`,
    line('corpus', 'on this corpus'),
    line('tasks', 'for tasks like these'),
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
  const key = settingsKey(plan);
  const earlier = listCampaigns(out).flatMap(
    ({ id, dir, plan: other, manifest }): (EarlierSigma & { id: string })[] => {
      if (!manifest?.endedAt || key === null || settingsKey(other) !== key) return [];
      const found = savedVerdicts(dir)?.metrics.find((one) => one.metric.name === metric.name);
      return found?.sigma && hasNoise(found) ? [{ id, sigma: found.sigma, tasks: found.tasks, runs: found.runs }] : [];
    },
  );
  const sigma = poolSigma(earlier);
  return sigma ? { sigma, campaigns: earlier.map(({ id }) => id) } : { sigma: DEFAULT_SIGMA, campaigns: [] };
}

/** A scripted model's runs may all be equal: they tell nothing of noise. */
function hasNoise({ sigma }: Pick<MetricVerdict, 'sigma'>): boolean {
  return sigma !== null && sigma.baseline + sigma.tested > 0;
}

/** Returns what campaigns must have in common to share a spread: the settings and the kinds of arms. Their tasks may differ. */
function settingsKey(plan: CampaignPlan): string | null {
  const settings = computeRegime({ plan }).filter(({ scope }) => scope === 'campaign');
  return hashRegime(settings, [plan.arms.map(({ build }) => build === null), isAa(plan)]);
}

function sessionCost(plan: CampaignPlan, out: string): { sessionUsd?: number } {
  const { usd } = estimateCost(
    plan,
    plan.trials.map(({ id }) => id),
    out,
  );
  return usd === undefined || plan.trials.length === 0 ? {} : { sessionUsd: usd / plan.trials.length };
}

function shown(percent: number | null, { reason, remedy }: Admissibility): string {
  if (reason !== null) return `no verdict is possible: ${reason}; it takes ${remedy}`;
  return percent === null ? 'no decrease, however large' : `${percent.toFixed(0)} %`;
}

function proposalLine({ tasks, repos, runs, sessions, cheapest, costUsd }: Proposal): string {
  const cost = costUsd === null ? '' : `, about $${costUsd.toFixed(2)}`;
  const inRepos = repos < tasks ? ` in ${repos} repos` : '';
  return `  ${tasks} tasks${inRepos} × ${runs} ${runs === 1 ? 'run' : 'runs'}: ${sessions} sessions${cost}${cheapest ? ' (the fewest)' : ''}`;
}
