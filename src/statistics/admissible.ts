import type { Question } from '../model/estimate.js';
import { smallestPermutation, smallestSignFlip } from './exact.js';
import { groupBy } from './moments.js';

/** The size of a design, planned or run, and what is asked of it. */
export interface DesignShape {
  question: Question;
  /** Each task's repo, and its runs an arm. */
  tasks: { repo: string; runs: number }[];
  /** What an interval leaves on each side: 0.025, or less where looks were declared. */
  tail: number;
}

/** `tasks` tasks dealt out evenly over `repos` repos, each with the same number of runs. */
export function evenShape(
  question: Question,
  { tasks, repos = tasks, runs }: { tasks: number; repos?: number; runs: number },
  tail = 0.025,
): DesignShape {
  const own = Array.from({ length: tasks }, (_, index) => ({ repo: String(index % repos), runs }));
  return { question, tasks: own, tail };
}

/** May a design get a verdict at all? */
export interface Admissibility {
  isPossible: boolean;
  /** The smallest two-sided p that the exact test of the question can give. */
  smallest: number;
  /** Why no verdict is possible; null if it is. */
  reason: string | null;
  /** The smallest extension of the design that could get one; null if none is needed. */
  remedy: string | null;
  /** Runs an arm that would do with these tasks. Null if none are needed, or if it takes other tasks. */
  runs: number | null;
}

/**
 * The one rule of what can be decided, for the plan, the start of a campaign, nightly runs and the verdict. Under "tasks like these" the
 * arms of whole clusters can be exchanged, 2 ways each. Under "on this corpus" the runs within each task can be. If not even the most
 * extreme outcome has a p at the level of the verdict, none is possible.
 */
export function admissibility(shape: DesignShape): Admissibility {
  return shape.question === 'tasks' ? forTasks(shape) : forCorpus(shape);
}

function forTasks({ tasks, tail }: DesignShape): Admissibility {
  const clusters = groupBy(tasks, ({ repo }) => repo).size;
  const smallest = smallestSignFlip(clusters);
  if (smallest <= 2 * tail) return { isPossible: true, smallest, reason: null, remedy: null, runs: null };
  let needed = clusters + 1;
  while (smallestSignFlip(needed) > 2 * tail) needed++;
  const unit = clusters < tasks.length ? 'repo' : 'task';
  return {
    isPossible: false,
    smallest,
    reason: `${count(clusters, unit)}: the smallest two-sided p of the sign-flip test is ${smallest.toPrecision(2)}; below ${needed} ${unit}s no ${levelText(tail)} verdict is possible`,
    remedy: unit === 'repo' ? `tasks in ${needed} repos` : `${needed} tasks, each in a repo of its own`,
    runs: null,
  };
}

function forCorpus({ tasks, tail }: DesignShape): Admissibility {
  const smallest = smallestPermutation(tasks.map(({ runs }) => [runs, runs]));
  const single = tasks.some(({ runs }) => runs < 2);
  if (tasks.length > 0 && !single && smallest <= 2 * tail) {
    return { isPossible: true, smallest, reason: null, remedy: null, runs: null };
  }
  const why = single
    ? 'one run a task and arm says nothing of the noise between runs'
    : `the smallest two-sided p of exchanging runs is ${smallest.toPrecision(2)}; no ${levelText(tail)} verdict is possible`;
  const runs = tasks.length === 0 ? null : runsNeeded(tasks.length, tail);
  const remedy =
    runs === null ? 'a task' : `${runs} runs an arm of ${tasks.length === 1 ? 'this task' : 'these tasks'}`;
  return { isPossible: false, smallest, reason: `${sizeText(tasks)}: ${why}`, remedy, runs };
}

/** The fewest runs an arm with which `tasks` tasks can get a verdict on this corpus: four for one task. */
export function runsNeeded(tasks: number, tail: number): number {
  let runs = 2;
  while (smallestPermutation(Array.from({ length: tasks }, () => [runs, runs])) > 2 * tail) runs++;
  return runs;
}

/** "2 tasks × 2 runs", "2 tasks with 2, 3 runs". */
function sizeText(tasks: DesignShape['tasks']): string {
  const runs = tasks.map((task) => task.runs);
  const [first = 0] = runs;
  if (runs.every((one) => one === first)) return `${count(tasks.length, 'task')} × ${count(first, 'run')}`;
  return `${count(tasks.length, 'task')} with ${runs.join(', ')} runs`;
}

/** "5%", or the level that the declared looks leave. */
function levelText(tail: number): string {
  return `${Number((200 * tail).toPrecision(2))}%`;
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
