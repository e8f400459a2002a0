import { z } from 'zod';
import { LABELS } from './expects.js';

/** What a grading model said of one trial's answers, as it stands in `<log>.grade.json`. The zod schema is the type. */

const count = z.int().min(0);
const state = z.enum(LABELS);
const tallied = z.enum([...LABELS, 'undecided']);
export type JudgedState = z.infer<typeof tallied>;

const judgeVote = z.looseObject({
  state: state.nullable().describe('null where the vote is void'),
  quote: z.string().optional(),
  void: z.string().optional().describe('why the vote does not count'),
});
export type JudgeVote = z.infer<typeof judgeVote>;

const judgedStatement = z.looseObject({
  id: z.string(),
  prompt: count,
  kind: z.enum(['fact', 'wrong']),
  vital: z.boolean(),
  claimHash: z.string().describe('of the statement as it was judged'),
  own: tallied.describe('in the answer to its own prompt'),
  conversation: tallied.describe('in that answer and those before it'),
  quote: z.string().optional().describe('words of the answer, verbatim'),
  votes: z.array(judgeVote),
});
export type JudgedStatement = z.infer<typeof judgedStatement>;

export const judgeGradeSchema = z.looseObject({
  key: z
    .string()
    .describe('hash over answers, statements, prompts, judge prompt, model, effort, votes and CLI version'),
  contentHash: z.string().describe('hash over answers, statements and prompts'),
  model: z.string(),
  effort: z.string(),
  votes: z.int().min(1),
  promptVersion: z.int().min(1),
  cliVersion: z.string(),
  state: z.enum(['judged', 'failed']),
  reason: z.string().optional().describe('why there is no judgement'),
  statements: z.array(judgedStatement),
  figures: z.looseObject({
    factRecall: z.number().min(0).max(1).nullable(),
    passed: z.union([z.literal(0), z.literal(1)]).nullable(),
    factsSupported: z.number().min(0).nullable(),
    falseClaims: count.nullable(),
  }),
  costUsd: z.number().min(0).describe('never part of an arm’s cost'),
  durationMs: z.number(),
});
export type JudgeGrade = z.infer<typeof judgeGradeSchema>;

/** How a judge is asked. */
export interface JudgeSettings {
  model: string;
  effort: string;
  /** Odd, so that two states cannot tie. */
  votes: number;
  /** Bound on the cost of all votes on one answer. */
  maxUsdPerAnswer: number;
}

export const DEFAULT_JUDGE: JudgeSettings = { model: 'haiku', effort: 'low', votes: 3, maxUsdPerAnswer: 0.05 };

/** A question to a model that has no tools and sees no files. */
export interface ModelQuestion {
  /** What the question is about, for a scripted model: the trial's task, `judge` or `closed-book`, and the vote or trial from 1. */
  key: { task: string; arm: string; repetition: number };
  system: string;
  prompt: string;
  /** The JSON schema of the reply; undefined: plain text. */
  schema?: object;
  model: string;
  effort: string;
  maxUsd: number;
}

export interface ModelReply {
  text: string;
  /** What the model returned under the schema; undefined without one. */
  structured: unknown;
  costUsd: number;
}

/** A reply that could not be had. What it cost is known where the host said so. */
export interface ModelFailure {
  message: string;
  costUsd: number;
  /** Another try may do better. */
  isTransient: boolean;
}

export type AskModel = (
  question: ModelQuestion,
) => Promise<{ ok: true; reply: ModelReply } | { ok: false; failure: ModelFailure }>;
