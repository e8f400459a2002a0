import type { Question, Sigma } from '../model/estimate.js';
import { type DesignShape, evenShape } from './admissible.js';
import { tasksEstimate } from './estimate.js';
import { groupBy, mean, sum, variance } from './moments.js';
import { differenceOf, type PairedTask } from './pairs.js';
import { detectableErrors } from './power.js';

/** Between tasks 0.25, between runs 0.30, in ln: what a campaign is planned with before there is one. */
export const DEFAULT_SIGMA: Sigma = { task: 0.25, baseline: 0.3, tested: 0.3, source: 'defaults' };

const MAX_TASKS = 10_000;
const MAX_RUNS = 1_000;

/** √(Σ_q [σ_τ² + σ_A²/R_q + σ_B²/R_q]) / Q for "tasks like these"; without σ_τ for "on this corpus". On the scale of the arithmetic. */
export function plannedError(sigma: Sigma, { question, tasks }: DesignShape): number {
  const between = question === 'tasks' ? sigma.task ** 2 : 0;
  const own = tasks.map(({ runs }) => between + (sigma.baseline ** 2 + sigma.tested ** 2) / runs);
  return Math.sqrt(sum(own)) / tasks.length;
}

/**
 * The smallest effect, on the scale of the arithmetic, of which this design's verdict says BETTER or WORSE with 80 % power. Infinite where
 * no verdict is possible.
 */
export function detectableEffect(sigma: Sigma, shape: DesignShape): number {
  const errors = detectableErrors(shape);
  return Number.isFinite(errors) ? errors * plannedError(sigma, shape) : errors;
}

/** Spread of graded answers, as shares, that a campaign is planned with: by metric, between tasks and between runs. */
const ANSWERS_SIGMA = { factRecall: { task: 0.05, run: 0.15 }, passed: { task: 0.05, run: 0.4 } };
/** The bound on the loss of answers is one-sided. */
const ANSWERS_TAIL = 0.05;

/**
 * The smallest margin, in points, within which this design shows with 80 % power that answers that are equally good are as good. Infinite
 * where no bound is possible.
 */
export function smallestAnswersMargin(metric: keyof typeof ANSWERS_SIGMA, shape: DesignShape): number {
  const { task, run } = ANSWERS_SIGMA[metric];
  const sigma: Sigma = { task, baseline: run, tested: run, source: 'defaults' };
  return 100 * detectableEffect(sigma, { ...shape, tail: ANSWERS_TAIL });
}

/**
 * σ from the pairs of a campaign: the pooled variances within tasks and arms, and what of the spread of d_q they leave over
 * (never below 0). Null below two tasks or without a task of two pairs.
 */
export function sigmaOf(tasks: PairedTask[]): Sigma | null {
  const within = (arm: 'baseline' | 'tested') => {
    const several = tasks.filter((task) => task.pairs.length > 1);
    const squares = several.map((task) => variance(task.pairs.map((pair) => pair[arm].x)) * (task.pairs.length - 1));
    return sum(squares) / sum(several.map((task) => task.pairs.length - 1));
  };
  const [baseline, tested] = [within('baseline'), within('tested')];
  const inverse = mean(tasks.map((task) => 1 / task.pairs.length));
  const between = Math.max(0, taskVariance(tasks) - (baseline + tested) * inverse);
  if (!Number.isFinite(baseline + tested + between)) return null;
  return {
    task: Math.sqrt(between),
    baseline: Math.sqrt(baseline),
    tested: Math.sqrt(tested),
    source: 'campaign',
  };
}

/** Q · SE² of the mean over tasks: the variance of d_q, with what tasks of one repo have in common. */
function taskVariance(tasks: PairedTask[]): number {
  if (groupBy(tasks, ({ repo }) => repo).size < 2) return variance(tasks.map(differenceOf));
  const estimate = tasksEstimate(tasks);
  return 'why' in estimate ? 0 : tasks.length * estimate.standardError ** 2;
}

/** Of one campaign, with the sizes that its σ rest on. */
export interface EarlierSigma {
  sigma: Sigma;
  tasks: number;
  /** Pairs a task, fewest and most. */
  runs: [number, number];
}

/**
 * σ pooled over campaigns: variances weighted by their degrees of freedom, tasks × (runs − 1) within and tasks − 1 between. Null
 * without a campaign that has both.
 */
export function poolSigma(campaigns: EarlierSigma[]): Sigma | null {
  const pooled = (part: 'task' | 'baseline' | 'tested') => {
    const weighted = campaigns.map(({ sigma, tasks, runs }) => {
      const df = part === 'task' ? tasks - 1 : tasks * (mean(runs) - 1);
      return { df, squares: df * sigma[part] ** 2 };
    });
    return Math.sqrt(sum(weighted.map((one) => one.squares)) / sum(weighted.map((one) => one.df)));
  };
  const [task, baseline, tested] = [pooled('task'), pooled('baseline'), pooled('tested')];
  return Number.isFinite(task + baseline + tested) ? { task, baseline, tested, source: 'earlier' } : null;
}

/** What stays as it is while a design grows. */
export interface Growth {
  question: Question;
  /** Tasks of one repo: 1 where each task has a repo of its own. */
  tasksPerRepo?: number;
  tail?: number;
}

/** `tasks` tasks with as many to a repo as before. */
export function grownShape({ question, tasksPerRepo = 1, tail }: Growth, tasks: number, runs: number): DesignShape {
  return evenShape(question, { tasks, repos: Math.max(1, Math.round(tasks / tasksPerRepo)), runs }, tail);
}

/** The fewest tasks that see `effect` with these runs; null where 10,000 would not. */
export function tasksFor(effect: number, sigma: Sigma, runs: number, growth: Growth): number | null {
  return leastThat(1, MAX_TASKS, (tasks) => detectableEffect(sigma, grownShape(growth, tasks, runs)) <= effect);
}

/** The fewest runs that see `effect` with these tasks; null where no number would: the tasks differ too much, or are too few. */
export function runsFor(effect: number, sigma: Sigma, tasks: number, growth: Growth): number | null {
  return leastThat(1, MAX_RUNS, (runs) => detectableEffect(sigma, grownShape(growth, tasks, runs)) <= effect);
}

/** The smallest number from `from` to `to` that does, where `does` holds from some number on. Doubles first: most answers are small. */
function leastThat(from: number, to: number, does: (n: number) => boolean): number | null {
  let [low, high] = [from, from];
  while (!does(high)) {
    if (high === to) return null;
    low = high + 1;
    high = Math.min(to, 2 * high);
  }
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (does(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

export interface Proposal {
  tasks: number;
  repos: number;
  /** Of each arm and task. */
  runs: number;
  /** Both arms. */
  sessions: number;
  /** On the scale of the arithmetic. */
  detectable: number;
  /** Null where a session's cost is not known. */
  costUsd: number | null;
  cheapest: boolean;
}

/**
 * For `--detect`: for each number of runs the fewest tasks that see `effect` (on the scale) with 80 % power, as long as more
 * runs still save tasks; the one with the fewest sessions is marked. Empty where nothing within reach would do.
 */
export function proposeDesigns(
  effect: number,
  sigma: Sigma,
  options: Growth & { maxRuns?: number; sessionUsd?: number },
): Proposal[] {
  const proposals: Omit<Proposal, 'cheapest'>[] = [];
  for (let runs = 1; runs <= (options.maxRuns ?? 20); runs++) {
    const tasks = tasksFor(effect, sigma, runs, options);
    const last = proposals.at(-1);
    if (tasks === null || (last && tasks >= last.tasks)) continue;
    const sessions = 2 * tasks * runs;
    const shape = grownShape(options, tasks, runs);
    proposals.push({
      ...{ tasks, runs, sessions, repos: groupBy(shape.tasks, ({ repo }) => repo).size },
      detectable: detectableEffect(sigma, shape),
      costUsd: options.sessionUsd === undefined ? null : sessions * options.sessionUsd,
    });
  }
  const fewest = Math.min(...proposals.map((one) => one.sessions));
  const cheapest = proposals.find((one) => one.sessions === fewest);
  return proposals.map((one) => ({ ...one, cheapest: one === cheapest }));
}
