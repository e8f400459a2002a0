import type { AnswersSummary, ArmAnswers, JudgeSummary } from '../model/answers.js';
import type { Grade } from '../model/grade.js';

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
    costPerFactUsd: costPerFact(own),
  };
}

/** A ratio of totals: a run that stated nothing adds its cost all the same. */
function costPerFact(runs: GradedRun[]): number | null {
  let [costUsd, facts] = [0, 0];
  for (const run of runs) {
    const own = run.grade?.figures.factsSupported ?? null;
    if (own === null || run.costUsd === null) continue;
    costUsd += run.costUsd;
    facts += own;
  }
  return facts === 0 ? null : costUsd / facts;
}

function meanOf(values: number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length;
}
