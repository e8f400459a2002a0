import { describe, expect, it } from 'vitest';
import type { AnswersDeclaration, Observation } from '../../src/model/verdict.js';
import { gateOf, verdictsOf } from '../../src/statistics/index.js';
import { COST, DESIGN, observation } from './rig.js';

/** Cost around 1 dollar at the baseline and 0.8 in the new arm, and the share of facts that each run stated. */
function campaign(
  tasks: number,
  runs: number,
  recall: (arm: string, task: number, run: number) => number | null,
  more: (arm: string, task: number, run: number) => Partial<Observation> = () => ({}),
): Observation[] {
  return Array.from({ length: tasks }, (_, task) =>
    Array.from({ length: runs }, (_, run) =>
      ['baseline', 'new'].map((arm) => {
        const costUsd = (arm === 'new' ? 0.8 : 1) * (1 + ((task * 7 + run * 3 + arm.length) % 5) / 200);
        const factRecall = recall(arm, task, run);
        const passed = factRecall === null ? null : Number(factRecall === 1);
        const values = { costUsd, factRecall, passed };
        return observation({
          task: `q${task}`,
          repo: `q${task}`,
          arm,
          repetition: run + 1,
          values,
          ...more(arm, task, run),
        });
      }),
    ).flat(),
  ).flat();
}

/** A small deterministic spread around 0, at most ±0.05. */
const wobble = (task: number, run: number) => (((task * 5 + run * 3) % 7) - 3) / 60;

function report(observations: Observation[], answers?: AnswersDeclaration, question: 'tasks' | 'corpus' = 'tasks') {
  return verdictsOf(observations, { ...DESIGN, question, metrics: [COST], answers });
}
const headline = (observations: Observation[], answers?: AnswersDeclaration) => report(observations, answers).headline;

describe('a claim on cost', () => {
  it('stands where the answers are shown to lose less than the margin', () => {
    const made = report(campaign(8, 3, (arm, task, run) => 0.8 + wobble(task, run + (arm === 'new' ? 2 : 0))));
    expect(made.answers).toMatchObject({ state: 'not-inferior', metric: 'factRecall', margin: 10 });
    expect(made.answers.bound ?? -100).toBeGreaterThan(-10);
    expect(made.metrics[0]?.verdict).toBe('better');
    expect(made.headline).toMatch(/^cost BETTER, −/);
    expect(gateOf(made, 'costUsd', 'not-worse')?.result).toBe('pass');
  });

  it('is CHEAPER AND WORSE where they are shown to be worse', () => {
    const made = report(campaign(8, 3, (arm, task, run) => (arm === 'new' ? 0.6 : 0.8) + wobble(task, run)));
    expect(made.answers.state).toBe('worse');
    expect(made.headline).toMatch(/^cost CHEAPER AND WORSE, −/);
    expect(made.metrics[0]).toMatchObject({ verdict: 'withheld', withheld: 'CHEAPER AND WORSE' });
    expect(made.metrics[0]?.words).toMatch(/^cost: CHEAPER AND WORSE — /);
    expect(gateOf(made, 'costUsd', 'not-worse', true)).toMatchObject({ result: 'fail' });
  });

  it('is no claim where they are not shown to be equal, with the bound and how many tasks would do', () => {
    // Differences of ±0.3 between tasks, 0 on average: t(.95, 7) · 0.3207 / √8 = 1.895 · 0.1134 = 21.5 points.
    const made = report(campaign(8, 1, (arm, task) => (arm === 'new' ? 0.5 + (task % 2 === 0 ? 0.3 : -0.3) : 0.5)));
    expect(made.answers.effect).toBeCloseTo(0, 9);
    expect(made.answers.bound).toBeCloseTo(-21.49, 1);
    expect(made.headline).toMatch(
      /^cost CHEAPER, ANSWERS NOT SHOWN EQUAL \(bound −21\.5 points, margin −10\): no claim/,
    );
    expect(gateOf(made, 'costUsd', 'not-worse', true)?.result).toBe('no-verdict');
    const repeated = report(campaign(8, 2, (arm, task) => (arm === 'new' ? 0.5 + (task % 2 === 0 ? 0.3 : -0.3) : 0.5)));
    // (t.95 + t.80)·0.3207/√Q ≤ 0.10 first holds for Q = 66: (1.669 + 0.847)·0.3207/8.124 = 0.0993.
    expect(repeated.answers.enough).toBeGreaterThan(60);
    expect(repeated.answers.enough).toBeLessThan(70);
    expect(repeated.headline).toMatch(/no claim; 6\d tasks would do, −/);
  });

  it('is CHEAPER, ANSWERS NOT GRADED without grades, and where more than a tenth is missing', () => {
    expect(headline(campaign(8, 2, () => null))).toMatch(/^cost CHEAPER, ANSWERS NOT GRADED, −/);
    const some = report(campaign(8, 2, (_, task, run) => (task < 2 && run === 0 ? null : 0.8)));
    expect(some.headline).toMatch(/^cost CHEAPER, ANSWERS NOT GRADED, −/);
    expect(some.answers.reason).toMatch(/^2 of 16 pairs lost a side/);
    expect(gateOf(some, 'costUsd', 'not-worse')?.result).toBe('no-verdict');
    expect(gateOf(some, 'costUsd', 'not-worse')?.words).toMatch(/--gate-without-answers/);
    expect(gateOf(some, 'costUsd', 'not-worse', true)?.result).toBe('pass');
  });

  it('needs no answers on metrics that are neither cost, tokens nor time', () => {
    const calls = { ...COST, name: 'toolCalls', label: 'tool calls', kind: 'count' as const };
    const observations = campaign(8, 2, () => null).map((one) => ({
      ...one,
      values: { toolCalls: (one.arm === 'new' ? 5 : 20) + Number(one.task.slice(1)) + (one.repetition % 2) },
    }));
    const made = verdictsOf(observations, { ...DESIGN, metrics: [calls], answers: undefined });
    expect(made.metrics[0]?.verdict).toBe('better');
    expect(gateOf(made, 'toolCalls', 'not-worse')?.result).toBe('pass');
  });

  it('counts a trial that the agent failed as an exam of 0, and one that failed otherwise as none', () => {
    const failed = (validity: Observation['validity'], agentFailed: boolean) => (arm: string, task: number) =>
      arm === 'new' && task < 4 ? { validity, counts: false, agentFailed } : {};
    const recall = (arm: string, task: number, run: number) =>
      arm === 'new' && task < 4 ? 0 : 0.9 + wobble(task, run);
    const agent = report(campaign(8, 2, recall, failed('agent-failed', true)), undefined);
    expect(agent.answers.effect).toBeLessThan(-40);
    const infra = report(campaign(8, 2, recall, failed('infra', false)));
    expect(infra.answers.state).toBe('not-graded');
  });

  it('is judged by passed where that was declared', () => {
    const answers: AnswersDeclaration = { metric: 'passed', margin: 10 };
    const made = report(
      campaign(8, 2, (arm) => (arm === 'new' ? 0.9 : 1)),
      answers,
    );
    expect(made.answers).toMatchObject({ metric: 'passed', effect: -100, state: 'worse' });
  });
});

describe('answers without any spread', () => {
  // 1 − 0.05^(1/n) of the pairs may lie elsewhere, at −100 points: n = 28 gives 10.1, n = 29 gives 9.8.
  it.each([
    [28, 'not-shown'],
    [29, 'not-inferior'],
  ])('of %i equal tasks are %s at a margin of 10', (tasks, state) => {
    expect(report(campaign(tasks, 1, () => 1)).answers.state).toBe(state);
  });

  it('say how many tasks would do', () => {
    expect(report(campaign(8, 1, () => 1)).answers).toMatchObject({ effect: 0, enough: 29, state: 'not-shown' });
    expect(
      report(
        campaign(4, 4, () => 1),
        undefined,
        'corpus',
      ).answers.enough,
    ).toBe(8);
  });

  it('are worse where every pair lost more than chance explains', () => {
    expect(report(campaign(8, 1, (arm) => (arm === 'new' ? 0.1 : 1))).answers.state).toBe('worse');
    expect(report(campaign(3, 1, (arm) => (arm === 'new' ? 0.6 : 1))).answers.state).toBe('not-shown');
  });
});
