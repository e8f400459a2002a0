import type { AnswersSummary, ArmAnswers, JudgeSummary } from '../model/answers.js';
import type { Grade } from '../model/grade.js';
import { totalsInterval } from '../statistics/index.js';
import { ratio } from '../util/ratio.js';

/** A run with its grade. */
export interface GradedRun {
  task: string;
  arm: string;
  grade: Grade | undefined;
  /** The run failed for reasons outside the agent: there was nothing to grade. */
  isInfra: boolean;
  /** Null where it is not known. */
  costUsd: number | null;
}

/** The answers of a campaign by arm, in the order of `labels`; null where no run has a grade. */
export function summarizeAnswers(
  labels: string[],
  runs: GradedRun[],
  judge: JudgeSummary | null = null,
): AnswersSummary | null {
  if (runs.every(({ grade }) => grade === undefined)) return null;
  const armsOf = (own: GradedRun[]) => labels.map((arm) => summarizeArm(arm, own));
  const tasks = [...new Set(runs.map(({ task }) => task))];
  return {
    arms: armsOf(runs),
    tasks: tasks.map((task) => ({ task, arms: armsOf(runs.filter((run) => run.task === task)) })),
    judge,
  };
}

function summarizeArm(arm: string, runs: GradedRun[]): ArmAnswers {
  const own = runs.filter((run) => run.arm === arm && !run.isInfra);
  const grades = own.flatMap(({ grade }) => grade ?? []);
  const graded = grades.filter(({ state }) => state !== 'not-graded');
  const missing = own.filter(({ grade }) => grade === undefined).length;
  const reasons = grades.flatMap(({ state, reason }) => (state === 'not-graded' ? (reason ?? 'no reason') : []));
  const passed = grades.flatMap(({ figures }) => figures.passed ?? []);
  const mean = (name: 'factRecall' | 'falseClaims' | 'groundedShare') =>
    meanOf(grades.flatMap(({ figures }) => figures[name] ?? []));
  const fabricated = grades.flatMap(({ figures }) => figures.fabricatedCitations ?? []);
  return {
    arm,
    graded: graded.length,
    of: own.length,
    reasons: [...new Set([...(missing > 0 ? ['no grade was made: agent-eval grade <campaign>'] : []), ...reasons])],
    factRecall: mean('factRecall'),
    passed: passed.length === 0 ? null : { count: passed.filter((one) => one === 1).length, of: passed.length },
    falseClaims: mean('falseClaims'),
    groundedShare: mean('groundedShare'),
    fabricatedCitations: fabricated.length === 0 ? null : fabricated.reduce((sum, one) => sum + one, 0),
    ...costPerFact(own),
  };
}

/**
 * The cost of all runs over the facts that they stated, with its 95 % interval. A run that stated nothing adds its cost. A run
 * without a cost or a grade adds nothing.
 */
function costPerFact(runs: GradedRun[]): Pick<ArmAnswers, 'costPerFactUsd' | 'costPerFactInterval'> {
  const tasks = [...new Set(runs.map(({ task }) => task))].map((task) =>
    runs.flatMap((run) => {
      const [part, whole] = [run.costUsd, run.grade?.figures.factsSupported ?? null];
      return run.task !== task || part === null || whole === null ? [] : [{ part, whole }];
    }),
  );
  const graded = tasks.filter((sums) => sums.length > 0);
  const total = (key: 'part' | 'whole') => graded.flat().reduce((sum, run) => sum + run[key], 0);
  return {
    costPerFactUsd: ratio(total('part'), total('whole')),
    costPerFactInterval: graded.length === 0 ? null : totalsInterval(graded),
  };
}

function meanOf(values: number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length;
}
