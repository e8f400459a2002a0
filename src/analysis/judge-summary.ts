import { withCommands } from '../grading/index.js';
import type { JudgedArm, JudgeSummary } from '../model/answers.js';
import type { LABELS } from '../model/expects.js';
import type { Grade } from '../model/grade.js';
import type { JudgedStatement, JudgeGrade } from '../model/judge.js';
import type { Label } from '../model/labels.js';
import { type Agreement, cohenKappa, correctedShare, fisher, wilson } from '../statistics/index.js';

/** A judge that agrees less with a person than that decides nothing. */
const MIN_KAPPA = 0.6;
const MIN_LABELS = 30;
/** Facts of one answer are not independent of each other, so the labels must come from at least this many answers. */
const MIN_LABELLED_ANSWERS = 10;
/** A difference between the arms that is this unlikely by chance means that the judge favors one arm. */
const DIFFERENTIAL_LEVEL = 0.05;
/** Judge and matching may disagree on as large a share of a task's facts. */
const MAX_DISAGREEMENT = 0.2;

/** A run of a campaign, as far as its judgement goes. */
export interface JudgedRun {
  name: string;
  task: string;
  arm: string;
  grade?: Grade | undefined;
}

/** What the judge made of a campaign's answers, held against the labels of a person; null where no judge was asked. */
export function summarizeJudge(arms: string[], runs: JudgedRun[], labels: Label[]): JudgeSummary | null {
  const asked = runs.filter((run) => run.grade?.judge !== undefined);
  if (asked.length === 0) return null;
  const judges = asked.flatMap(({ grade }) => grade?.judge ?? []);
  const settings = [...new Set(judges.map(settingsOf))].sort();
  const judged = judges.filter(({ state }) => state === 'judged');
  const cases = asked.flatMap((run) => casesOf(run, labels));
  const kappa = cohenKappa(agreementOf(cases));
  const byArm = arms.map((arm) => ({ arm, own: cases.filter((one) => one.arm === arm) }));
  const { sensitivity, specificity } = ratesOf(cases);
  const why = exploratoryBecause({ settings, cases, kappa: kappa?.value ?? null, byArm: byArm.map(({ own }) => own) });
  return {
    settings,
    judged: judged.length,
    of: asked.length,
    reasons: [...new Set(judges.flatMap(({ state, reason }) => (state === 'failed' ? (reason ?? 'no reason') : [])))],
    state: why === null ? 'calibrated' : 'exploratory',
    reason: why,
    labels: cases.length,
    labelledAnswers: countAnswers(cases),
    ...{ kappa, sensitivity, specificity },
    arms: byArm.map(({ arm, own }): JudgedArm => {
      const raw = meanRecall(asked.filter((run) => run.arm === arm));
      return { arm, ...ratesOf(own), rawRecall: raw, correctedRecall: corrected(raw, sensitivity, specificity) };
    }),
    unanimousShare: unanimousShareOf(judges.flatMap(({ statements }) => statements)),
    disagreements: disagreementsOf(asked),
    costUsd: judges.reduce((sum, { costUsd }) => sum + costUsd, 0),
  };
}

/**
 * The grade on which the verdict rests if the judge is calibrated: its judgement in place of the matching. A run without a judgement has no
 * grade then. What an agent failed stays 0, and commands of a change task count as before.
 */
export function judgedGrade(grade: Grade): Grade {
  if (grade.state === 'agent-failed' || !grade.facts.some(({ vital }) => vital)) return grade;
  const { judge, figures, commands } = grade;
  if (judge?.state !== 'judged') {
    const nothing = { factRecall: null, passed: null, factsSupported: null, falseClaims: null };
    const reason = `the judge gave no judgement: ${judge?.reason ?? 'it was not asked'}`;
    return { ...grade, state: 'not-graded', reason, figures: { ...figures, ...nothing } };
  }
  const own = { ...figures, ...judge.figures };
  if (commands.length === 0) return { ...grade, state: 'graded', figures: own };
  return { ...grade, figures: withCommands(own, grade.facts.filter(({ vital }) => vital).length, commands) };
}

function settingsOf({ model, effort, votes, promptVersion, cliVersion }: JudgeGrade): string {
  return `${model}, effort ${effort}, ${votes} ${votes === 1 ? 'vote' : 'votes'}, prompt ${promptVersion}, claude ${cliVersion}`;
}

type State = (typeof LABELS)[number];

/** One fact of one run, as the judge and as a person see it. */
interface Case {
  arm: string;
  /** The answer that was read: the run and the prompt. */
  answer: string;
  judge: boolean;
  person: boolean;
}

/** Labels count only for the very answers and claims that were read. */
function casesOf({ name, arm, grade }: JudgedRun, labels: Label[]): Case[] {
  const isSupported = (state: State) => state === 'supported';
  return labels.flatMap((label): Case[] => {
    if (label.trialId !== name || label.answerHash !== grade?.answerHash) return [];
    const statement = grade.judge?.statements.find(({ id, kind }) => kind === 'fact' && id === label.fact);
    if (!statement || statement.claimHash !== label.claimHash || statement.conversation === 'undecided') return [];
    const answer = JSON.stringify([name, label.prompt]);
    return [{ arm, answer, judge: isSupported(statement.conversation), person: isSupported(label.state) }];
  });
}

function countAnswers(cases: Case[]): number {
  return new Set(cases.map(({ answer }) => answer)).size;
}

function agreementOf(cases: Case[]): Agreement {
  const count = (judge: boolean, person: boolean) =>
    cases.filter((one) => one.judge === judge && one.person === person).length;
  return {
    both: count(true, true),
    onlyFirst: count(true, false),
    onlySecond: count(false, true),
    neither: count(false, false),
  };
}

function ratesOf(cases: Case[]): Pick<JudgeSummary, 'sensitivity' | 'specificity'> {
  const { both, onlyFirst, onlySecond, neither } = agreementOf(cases);
  return {
    sensitivity: both + onlySecond === 0 ? null : wilson(both, both + onlySecond),
    specificity: neither + onlyFirst === 0 ? null : wilson(neither, neither + onlyFirst),
  };
}

function exploratoryBecause(found: {
  settings: string[];
  cases: Case[];
  kappa: number | null;
  byArm: Case[][];
}): string | null {
  const { settings, cases, kappa, byArm } = found;
  if (settings.length > 1)
    return `it was asked in ${settings.length} ways; agent-eval grade --judge --regrade asks again`;
  if (cases.length < MIN_LABELS)
    return `${cases.length} of at least ${MIN_LABELS} labels; agent-eval grade label adds them`;
  const answers = countAnswers(cases);
  if (answers < MIN_LABELLED_ANSWERS)
    return `labels from ${answers} of at least ${MIN_LABELLED_ANSWERS} answers; agent-eval grade label adds them`;
  if (kappa === null) return 'judge and person gave the same word throughout, so that κ says nothing';
  if (kappa < MIN_KAPPA) return `κ ${kappa.toFixed(2)} is below ${MIN_KAPPA}`;
  const biased = byArm.some((own, index) => byArm.slice(index + 1).some((other) => isDifferential(own, other)));
  return biased ? 'it errs differently on the two arms' : null;
}

/** Fisher's exact test on the judge's errors in two arms, of what was stated and of what was not. */
function isDifferential(own: Case[], other: Case[]): boolean {
  const [a, b] = [agreementOf(own), agreementOf(other)];
  const sensitivity = fisher(a.both, a.onlySecond, b.both, b.onlySecond);
  const specificity = fisher(a.neither, a.onlyFirst, b.neither, b.onlyFirst);
  return Math.min(sensitivity, specificity) < DIFFERENTIAL_LEVEL;
}

function meanRecall(runs: JudgedRun[]): number | null {
  const recalls = runs.flatMap(({ grade }) => grade?.judge?.figures.factRecall ?? []);
  return recalls.length === 0 ? null : recalls.reduce((sum, one) => sum + one, 0) / recalls.length;
}

function corrected(
  raw: number | null,
  sensitivity: JudgeSummary['sensitivity'],
  specificity: JudgeSummary['specificity'],
): number | null {
  if (raw === null || sensitivity === null || specificity === null) return null;
  return correctedShare(raw, sensitivity.count / sensitivity.of, specificity.count / specificity.of);
}

function unanimousShareOf(statements: JudgedStatement[]): number | null {
  const counted = statements
    .map(({ votes }) => votes.flatMap(({ state }) => state ?? []))
    .filter((one) => one.length > 1);
  if (counted.length === 0) return null;
  return counted.filter((states) => new Set(states).size === 1).length / counted.length;
}

function disagreementsOf(runs: JudgedRun[]): JudgeSummary['disagreements'] {
  return [...new Set(runs.map(({ task }) => task))].flatMap((task) => {
    const pairs = runs
      .filter((run) => run.task === task)
      .flatMap(({ grade }) =>
        (grade?.facts ?? []).flatMap((fact) => {
          const judged = grade?.judge?.statements.find(
            ({ id, kind }) => kind === 'fact' && id === fact.id,
          )?.conversation;
          const matched = fact.conversation.state;
          if (judged === undefined || judged === 'undecided' || matched === 'undecided') return [];
          return [(judged === 'supported') !== (matched === 'supported')];
        }),
      );
    const share = pairs.filter(Boolean).length / (pairs.length || 1);
    return share > MAX_DISAGREEMENT ? [{ task, share }] : [];
  });
}
