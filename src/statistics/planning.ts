import type { Question, Sigma } from '../model/estimate.js';
import { tQuantile } from './distributions.js';
import { mean, sum, variance } from './moments.js';
import { differenceOf, type PairedTask } from './pairs.js';

/** Between tasks 0.25, between runs 0.30, in ln: what a campaign is planned with before there is one. */
export const DEFAULT_SIGMA: Sigma = { task: 0.25, baseline: 0.3, tested: 0.3, source: 'defaults' };

const POWER = 0.8;
const TAIL = 0.025;
const MOST_TASKS = 10_000;
const MOST_RUNS = 1_000;

export interface DesignSize {
  tasks: number;
  /** Of each arm and task. */
  runs: number;
}

/** √([σ_τ² + σ_A²/R + σ_B²/R] / Q) for "tasks like these"; without σ_τ for "on this corpus" (spec/statistics.md 5). */
export function plannedError(sigma: Sigma, { tasks, runs }: DesignSize, question: Question): number {
  const between = question === 'tasks' ? sigma.task ** 2 : 0;
  return Math.sqrt((between + (sigma.baseline ** 2 + sigma.tested ** 2) / runs) / tasks);
}

/**
 * The smallest effect, on the scale of the arithmetic, that this size sees with 80 % power: (t_.975 + t_.80)·SE, with Q − 1 df
 * for "tasks like these", 2·Q·(R − 1) for "on this corpus". Infinite without degrees of freedom.
 */
export function detectableEffect(sigma: Sigma, size: DesignSize, question: Question, tail = TAIL): number {
  const df = question === 'tasks' ? size.tasks - 1 : 2 * size.tasks * (size.runs - 1);
  return df < 1 ? Number.POSITIVE_INFINITY : multiplier(df, tail) * plannedError(sigma, size, question);
}

/** (t_.975 + t_.80) for these degrees of freedom; `tail` in place of 0.025 where looks were declared. */
export function multiplier(df: number, tail = TAIL): number {
  return tQuantile(1 - tail, df) + tQuantile(POWER, df);
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
  const between = Math.max(0, variance(tasks.map(differenceOf)) - (baseline + tested) * inverse);
  if (!Number.isFinite(baseline + tested + between)) return null;
  return {
    task: Math.sqrt(between),
    baseline: Math.sqrt(baseline),
    tested: Math.sqrt(tested),
    source: 'campaign',
  };
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

/** The fewest tasks that see `effect` with these runs; null where 10,000 would not. At least 6 for "tasks like these". */
export function tasksFor(effect: number, sigma: Sigma, runs: number, question: Question): number | null {
  const least = question === 'tasks' ? 6 : 1;
  return leastThat(least, MOST_TASKS, (tasks) => detectableEffect(sigma, { tasks, runs }, question) <= effect);
}

/** The fewest runs that see `effect` with these tasks; null where no number would, the tasks' own differences being too large. */
export function runsFor(effect: number, sigma: Sigma, tasks: number, question: Question): number | null {
  if (question === 'tasks' && tasks < 6) return null;
  return leastThat(1, MOST_RUNS, (runs) => detectableEffect(sigma, { tasks, runs }, question) <= effect);
}

/** `does` holds from some number on. */
function leastThat(from: number, to: number, does: (n: number) => boolean): number | null {
  if (!does(to)) return null;
  let [low, high] = [from, to];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (does(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

export interface Proposal extends DesignSize {
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
  options: { question: Question; mostRuns?: number; sessionUsd?: number },
): Proposal[] {
  const proposals: Omit<Proposal, 'cheapest'>[] = [];
  for (let runs = 1; runs <= (options.mostRuns ?? 20); runs++) {
    const tasks = tasksFor(effect, sigma, runs, options.question);
    const last = proposals.at(-1);
    if (tasks === null || (last && tasks >= last.tasks)) continue;
    const sessions = 2 * tasks * runs;
    proposals.push({
      tasks,
      runs,
      sessions,
      detectable: detectableEffect(sigma, { tasks, runs }, options.question),
      costUsd: options.sessionUsd === undefined ? null : sessions * options.sessionUsd,
    });
  }
  const fewest = Math.min(...proposals.map((one) => one.sessions));
  const cheapest = proposals.find((one) => one.sessions === fewest);
  return proposals.map((one) => ({ ...one, cheapest: one === cheapest }));
}
