import type { Proportion } from './estimate.js';

/** How one arm's answers were graded. Means over the runs that have the figure; null where none has. */
export interface ArmAnswers {
  arm: string;
  /** Runs that were graded, of those that should be: all but those that failed for reasons outside the agent. */
  graded: number;
  of: number;
  /** Why runs are not graded, each reason once. */
  reasons: string[];
  /** Mean share of the vital facts. */
  factRecall: number | null;
  passed: { count: number; of: number } | null;
  /** Mean number of false claims a run. */
  falseClaims: number | null;
  groundedShare: number | null;
  /** Over all runs. */
  fabricatedCitations: number | null;
  /** Dollars for each vital fact stated: the totals over the runs that have both. Null where no fact was stated. */
  costPerFactUsd: number | null;
  /** Its 95 % interval on this corpus, in dollars. Null without two graded runs of every task that differ. */
  costPerFactInterval: [number, number] | null;
}

/** Cohen's κ with its 95 % interval, over so many cases. */
export interface Kappa {
  value: number;
  interval: [number, number];
  cases: number;
}

/** What a judge said of one arm, held against a person's labels. Null where there are no labels or no judgements. */
export interface JudgedArm {
  arm: string;
  /** Of the facts that a person found stated, those that the judge found too. */
  sensitivity: Proportion | null;
  /** Of the facts that a person found not stated, those that the judge did not find either. */
  specificity: Proportion | null;
  /** Share of the vital facts that the judge found, over all judged runs. */
  rawRecall: number | null;
  /** The same, corrected for the judge's errors on both arms together (Rogan and Gladen). */
  correctedRecall: number | null;
}

/** What a grading model made of the answers, and how far it can be trusted. */
export interface JudgeSummary {
  /** Model, effort, votes, version of the judge's prompt and of the CLI. More than one: it was asked in several ways. */
  settings: string[];
  /** Runs with a judgement, of those that were judged at all. */
  judged: number;
  of: number;
  /** Why runs have no judgement, each reason once. */
  reasons: string[];
  /** `calibrated`: the verdict on the answers rests on the judge. `exploratory`: it rests on what needs no model. */
  state: 'calibrated' | 'exploratory';
  /** Why it is exploratory; null where it is calibrated. */
  reason: string | null;
  /** Facts that a person has labelled and the judge has judged. */
  labels: number;
  /** Answers to one prompt in which those facts were labelled. */
  labelledAnswers: number;
  kappa: Kappa | null;
  sensitivity: Proportion | null;
  specificity: Proportion | null;
  arms: JudgedArm[];
  /** Share of the statements on which all votes that count agreed; null where there was one vote each. */
  unanimousShare: number | null;
  /** Tasks in which the judge and the matching disagree on more than a fifth of the facts, with that share. */
  disagreements: { task: string; share: number }[];
  costUsd: number;
}

/** The answers of a campaign, arm by arm, over all tasks and by task. */
export interface AnswersSummary {
  arms: ArmAnswers[];
  tasks: { task: string; arms: ArmAnswers[] }[];
  /** Null where no judge was asked. */
  judge: JudgeSummary | null;
}
