import { describe, expect, it } from 'vitest';
import { judgedGrade, summarizeJudge } from '../../src/analysis/judge-summary.js';
import type { Grade } from '../../src/model/grade.js';
import type { Label } from '../../src/model/labels.js';

const FIGURES = { groundedShare: null, fabricatedCitations: null, falseClaims: null };

/** A run with one vital fact, which the matching does not find. */
function runOf(name: string, arm: string, isFound: boolean, extra: Partial<Grade> = {}) {
  const state = isFound ? 'supported' : 'absent';
  const grade = {
    ...{ answerHash: `answer of ${name}`, trialId: name, task: 'one', state: 'graded', commands: [], wrong: [] },
    facts: [{ id: 'f', prompt: 0, vital: true, conversation: { state: 'absent' }, own: { state: 'absent' } }],
    figures: { ...FIGURES, factRecall: 0, passed: 0, factsSupported: 0 },
    judge: {
      ...{ model: 'haiku', effort: 'low', votes: 3, promptVersion: 1, cliVersion: '2', state: 'judged', costUsd: 0.01 },
      statements: [{ id: 'f', kind: 'fact', claimHash: 'c', conversation: state, votes: [{ state }, { state }] }],
      figures: {
        factRecall: isFound ? 1 : 0,
        passed: isFound ? 1 : 0,
        factsSupported: isFound ? 1 : 0,
        falseClaims: null,
      },
    },
    ...extra,
  } as unknown as Grade;
  return { name, task: 'one', arm, grade };
}
const labelOf = (trialId: string, isStated: boolean, extra: Partial<Label> = {}): Label => ({
  ...{ trialId, prompt: 0, fact: 'f', claimHash: 'c', answerHash: `answer of ${trialId}`, at: '' },
  state: isStated ? 'supported' : 'absent',
  ...extra,
});

/** Runs and labels of two arms; of each arm: found and stated, found only, stated only, neither. */
function campaignOf(counts: Record<string, [number, number, number, number]>) {
  const made = Object.entries(counts).flatMap(([arm, numbers]) =>
    numbers.flatMap((count, kind) =>
      Array.from({ length: count }, (_, index) => {
        const name = `${arm}-${kind}-${index}`;
        return { run: runOf(name, arm, kind < 2), label: labelOf(name, kind === 0 || kind === 2) };
      }),
    ),
  );
  return { runs: made.map(({ run }) => run), labels: made.map(({ label }) => label) };
}

describe('summarizeJudge', () => {
  it('calibrates a judge that agrees, and corrects its recall for its errors', () => {
    const { runs, labels } = campaignOf({ new: [8, 1, 1, 10], baseline: [10, 1, 1, 8] });
    const summary = summarizeJudge(['new', 'baseline'], runs, labels);
    // 18 of 20 and 18 of 20; κ = (0.9 − 0.5) / 0.5.
    expect(summary).toMatchObject({
      state: 'calibrated',
      reason: null,
      labels: 40,
      labelledAnswers: 40,
      judged: 40,
      of: 40,
      unanimousShare: 1,
    });
    expect(summary?.kappa?.value).toBeCloseTo(0.8, 12);
    expect(summary?.sensitivity).toMatchObject({ count: 18, of: 20 });
    expect(summary?.specificity).toMatchObject({ count: 18, of: 20 });
    const [tested, baseline] = summary?.arms ?? [];
    expect(tested).toMatchObject({ arm: 'new', rawRecall: 0.45, sensitivity: { count: 8, of: 9 } });
    // (0.45 + 0.9 − 1) / 0.8 and (0.55 + 0.9 − 1) / 0.8
    expect(tested?.correctedRecall).toBeCloseTo(0.4375, 12);
    expect(baseline?.correctedRecall).toBeCloseTo(0.5625, 12);
    expect(summary?.disagreements).toEqual([{ task: 'one', share: 0.5 }]);
    expect(summary?.costUsd).toBeCloseTo(0.4, 12);
  });

  it.each([
    ['fewer than 30 labels', { new: [7, 0, 0, 7], baseline: [7, 0, 0, 8] }, /^29 of at least 30 labels/],
    ['a κ below 0.6', { new: [10, 2, 5, 8], baseline: [10, 3, 5, 7] }, /^κ 0\.40 is below 0\.6/],
    ['one word throughout', { new: [20, 0, 0, 0], baseline: [20, 0, 0, 0] }, /same word throughout/],
    // Of what was stated the judge misses 6 of 12 in one arm and none in the other.
    ['errors on one arm alone', { new: [6, 0, 6, 20], baseline: [20, 0, 0, 20] }, /errs differently on the two arms/],
  ])('is exploratory with %s', (_, counts, reason) => {
    const { runs, labels } = campaignOf(counts as unknown as Parameters<typeof campaignOf>[0]);
    const summary = summarizeJudge(['new', 'baseline'], runs, labels);
    expect(summary?.state).toBe('exploratory');
    expect(summary?.reason).toMatch(reason);
  });

  it('is exploratory with 36 labels from 9 answers, and calibrated with 40 from 10', () => {
    const summaryOf = (answers: number) => {
      const runs = Array.from({ length: answers }, (_, index) => {
        const run = runOf(`run-${index}`, index % 2 === 0 ? 'new' : 'baseline', true);
        const statements = ['a', 'b', 'c', 'd'].map((id, at) => {
          const conversation = at < 2 ? 'supported' : 'absent';
          return { id, kind: 'fact', claimHash: 'c', conversation, votes: [] };
        });
        return { ...run, grade: { ...run.grade, judge: { ...run.grade.judge, statements } } as unknown as Grade };
      });
      const labels = runs.flatMap(({ name }) =>
        ['a', 'b', 'c', 'd'].map((fact, at) => labelOf(name, at < 2, { fact })),
      );
      return summarizeJudge(['new', 'baseline'], runs, labels);
    };
    expect(summaryOf(9)).toMatchObject({ state: 'exploratory', labels: 36, labelledAnswers: 9 });
    expect(summaryOf(9)?.reason).toMatch(/^labels from 9 of at least 10 answers/);
    expect(summaryOf(10)).toMatchObject({ state: 'calibrated', labels: 40, labelledAnswers: 10 });
  });

  it('uses no label of another answer, another claim or another fact, and no undecided statement', () => {
    const { runs, labels } = campaignOf({ new: [2, 0, 0, 0], baseline: [0, 0, 0, 2] });
    const [first] = labels;
    const stale = [
      { ...labels[0], answerHash: 'other' },
      { ...labels[1], claimHash: 'other' },
      { ...labels[2], fact: 'other' },
    ] as Label[];
    expect(summarizeJudge(['new'], runs, stale)?.labels).toBe(0);
    const undecided = runs.map((run) => {
      const statements = run.grade.judge?.statements.map((one) => ({ ...one, conversation: 'undecided' as const }));
      return { ...run, grade: { ...run.grade, judge: { ...run.grade.judge, statements } } as Grade };
    });
    expect(summarizeJudge(['new'], undecided, first ? [first] : [])?.labels).toBe(0);
  });

  it('is exploratory if the judge was asked in two ways, and null if it was not asked', () => {
    const { runs, labels } = campaignOf({ new: [10, 0, 0, 10], baseline: [10, 0, 0, 10] });
    const [first, ...rest] = runs;
    const other = {
      ...first,
      grade: { ...first?.grade, judge: { ...first?.grade.judge, model: 'sonnet' } },
    } as typeof first;
    expect(summarizeJudge(['new'], [...(other ? [other] : []), ...rest], labels)?.reason).toMatch(
      /^it was asked in 2 ways/,
    );
    const unasked = runs.map((run) => ({ ...run, grade: { ...run.grade, judge: undefined } }));
    expect(summarizeJudge(['new'], unasked, labels)).toBeNull();
  });
});

describe('judgedGrade', () => {
  it('takes the judge’s figures, none without a judgement, and leaves what the agent failed at 0', () => {
    expect(judgedGrade(runOf('a', 'new', true).grade).figures).toMatchObject({ factRecall: 1, passed: 1 });
    const failed = runOf('a', 'new', true);
    const unjudged = { ...failed.grade, judge: { ...failed.grade.judge, state: 'failed', reason: 'no JSON' } } as Grade;
    expect(judgedGrade(unjudged)).toMatchObject({ state: 'not-graded', figures: { factRecall: null } });
    expect(judgedGrade(unjudged).reason).toMatch(/no JSON/);
    const agent = { ...failed.grade, state: 'agent-failed' as const };
    expect(judgedGrade(agent)).toBe(agent);
  });

  it('counts the commands of a change task beside the judged facts', () => {
    const commands = [
      { run: 'a', weight: 1, regression: false, state: 'passed' },
      { run: 'b', weight: 2, regression: false, state: 'failed' },
    ];
    const { grade } = runOf('a', 'new', true, { commands } as unknown as Partial<Grade>);
    // One fact and one command of weight 1, of one fact and commands of weight 3.
    expect(judgedGrade(grade).figures).toMatchObject({ factRecall: 0.5, passed: 0, factsSupported: 2 });
  });
});
