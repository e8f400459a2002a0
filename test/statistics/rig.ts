import type { MetricDeclaration, Observation, VerdictDesign } from '../../src/model/verdict.js';
import type { PairedTask } from '../../src/statistics/pairs.js';

export const COST: MetricDeclaration = {
  name: 'costUsd',
  label: 'cost',
  kind: 'ratio',
  better: 'lower',
  role: 'primary',
  margin: 5,
  cumulative: true,
};

export const DESIGN: VerdictDesign = {
  tested: 'new',
  baseline: 'baseline',
  question: 'tasks',
  metrics: [COST],
  seed: 7,
  regimeDifferences: [],
  scripted: false,
  answers: null,
};

/** A task whose values are already on the scale of the arithmetic. */
export function pairedTask(task: string, baseline: number[], tested: number[], repo = task): PairedTask {
  const side = (arm: string, x: number, index: number) => ({
    run: `${task}/${arm}-${index + 1}`,
    x,
    y: x,
    part: x,
    whole: 1,
  });
  const pairs = baseline.map((x, index) => ({
    repetition: index + 1,
    baseline: side('baseline', x, index),
    tested: side('new', tested[index] ?? Number.NaN, index),
    order: index % 2 === 0 ? ('AB' as const) : ('BA' as const),
  }));
  return { task, repo, pairs };
}

export function observation(over: Partial<Observation> = {}): Observation {
  const { task = 'q1', arm = 'new', repetition = 1 } = over;
  return {
    name: `${task}/${arm}-${repetition}`,
    task,
    repo: task,
    repetition,
    arm,
    position: (arm === 'baseline') === (repetition % 2 === 1) ? 1 : 2,
    validity: 'valid',
    counts: true,
    censored: null,
    contaminationReturned: 0,
    adopted: arm === 'new' ? true : null,
    values: {},
    pooled: {},
    ...over,
  };
}

/** Observations of a metric: for each task the runs' values of both arms. */
export function observations(
  tasks: { baseline: number[]; tested: number[]; repo?: string }[],
  metric = 'costUsd',
): Observation[] {
  return tasks.flatMap(({ baseline, tested, repo }, index) => {
    const task = `q${index + 1}`;
    const of = (arm: string, values: number[]) =>
      values.map((value, run) =>
        observation({ task, repo: repo ?? task, arm, repetition: run + 1, values: { [metric]: value } }),
      );
    return [...of('baseline', baseline), ...of('new', tested)];
  });
}
