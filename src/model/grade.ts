import { z } from 'zod';
import { judgeGradeSchema } from './judge.js';

/** What grading one trial gave: `<log>.grade.json`. The zod schema is the type. Missing is null, never 0. */

const count = z.int().min(0);
const share = z.number().min(0).max(1).nullable();

export const FACT_STATES = ['supported', 'partial', 'absent', 'contradicted', 'undecided'] as const;
const factState = z.enum(FACT_STATES);
export type FactState = (typeof FACT_STATES)[number];

const mention = z.looseObject({
  state: factState,
  quote: z.string().optional().describe('the sentence of the answer that states it'),
  negated: z.boolean().optional().describe('its words stand there, under a negation'),
});
export type Mention = z.infer<typeof mention>;

const factGrade = z.looseObject({
  id: z.string(),
  prompt: count.describe('index of the prompt that asks for it'),
  vital: z.boolean(),
  recalls: z.string().optional().describe('the fact of an earlier prompt that this prompt asks for again'),
  own: mention.describe('in the answer to its own prompt'),
  conversation: mention.describe('in that answer and those before it; this one counts'),
  cited: z.boolean().describe('some `at` of the fact is cited'),
});
export type FactGrade = z.infer<typeof factGrade>;

const wrongGrade = z.looseObject({ id: z.string(), prompt: count, found: z.boolean(), quote: z.string().optional() });
export type WrongGrade = z.infer<typeof wrongGrade>;

const citationGrade = z.looseObject({
  text: z.string(),
  state: z.enum(['resolved', 'path-not-found', 'beyond-end', 'symbol-not-found']),
  file: z.string().optional().describe('the file that was found, relative to the root'),
  prompt: count.describe('index of the first answer that names it'),
});
/** A place in the code that an answer names, without decoration: `lib/response.js:111`, `gin.go:600-613`, `tree.go:getValue`. */
export type Citation = z.infer<typeof citationGrade>;

const commandGrade = z.looseObject({
  run: z.string(),
  weight: z.number(),
  regression: z.boolean(),
  state: z.enum(['passed', 'failed', 'deadline', 'flooded', 'not-run']),
  exitCode: z.int().nullable(),
  durationMs: z.number(),
  outputTail: z.array(z.string()),
});
export type CommandGrade = z.infer<typeof commandGrade>;

const answerState = z.enum(['graded', 'empty', 'another-language']);
export type AnswerState = z.infer<typeof answerState>;

export const gradeFiguresSchema = z.looseObject({
  factRecall: share.describe(
    'share of the vital facts supported; of a change task the weighted share of its commands passed',
  ),
  passed: z.union([z.literal(0), z.literal(1)]).nullable(),
  falseClaims: count.nullable(),
  groundedShare: share,
  fabricatedCitations: count.nullable(),
  earlyRecall: share
    .optional()
    .describe(
      'of the facts that a later prompt asks for again, the share that the answer to their first prompt states',
    ),
  retention: share.optional().describe('of the same facts, the share that the answer to the later prompt states'),
  factsSupported: z
    .number()
    .min(0)
    .nullable()
    .describe('vital facts supported, or commands passed: what costPerFact divides by'),
});
export type GradeFigures = z.infer<typeof gradeFiguresSchema>;

export const GRADE_FORMAT_VERSION = 1;

export const gradeSchema = z.looseObject({
  formatVersion: z.literal(GRADE_FORMAT_VERSION),
  trialId: z.string(),
  task: z.string(),
  /** Over everything that the grade rests on; an equal hash means an equal grade. */
  graderHash: z.string(),
  answerHash: z.string(),
  state: z
    .enum(['graded', 'agent-failed', 'not-graded'])
    .describe(
      'agent-failed: the agent ended without a result, which is graded 0; not-graded: only the citations are there',
    ),
  reason: z.string().optional().describe('why it is not graded, or what failed'),
  answers: z.array(z.looseObject({ prompt: count, chars: count.nullable(), state: answerState })),
  citations: z.array(citationGrade).nullable().describe('null where the pristine source was not to be had'),
  sourceProblem: z.string().optional(),
  facts: z.array(factGrade),
  wrong: z.array(wrongGrade),
  commands: z.array(commandGrade),
  figures: gradeFiguresSchema.describe('without a model: by `accept`, citations and commands'),
  judge: judgeGradeSchema.optional().describe('absent where no judge was asked'),
  costUsd: z.number().min(0).describe('what grading cost; never part of an arm’s cost'),
  durationMs: z.number(),
});
export type Grade = z.infer<typeof gradeSchema>;

/** What a judge did in one call of `grade`. */
const judgingSchema = z.looseObject({
  judged: count,
  cached: count.describe('judgements that were there already and still hold'),
  failed: count.describe('trials without a judgement: too many of their votes failed or are void'),
  overBudget: count.describe('trials that were not judged because the money for grading was spent'),
  costUsd: z.number().min(0).describe('of this call alone'),
});
export type JudgingSummary = z.infer<typeof judgingSchema>;

/** What `grade <campaign> --json` prints. */
export const gradesSchema = z.looseObject({
  formatVersion: z.literal(1),
  grades: z.array(gradeSchema),
  cached: count.describe('grades that were there already and still hold'),
  skipped: z.array(z.string()).describe('trials that were not run, or failed for reasons outside the agent'),
  judged: judgingSchema.nullable().describe('null where no judge was asked'),
});

/** A line of what `grade --answers --json` prints. Other fields of the line that was read stand in it as they were. */
export const looseGradeSchema = gradeFiguresSchema.extend({
  prompt: count,
  state: answerState,
  facts: z.record(z.string(), factState).describe('the facts of this prompt, by id'),
  wrong: z.array(z.string()).describe('wrong claims that the answer states, by id'),
  citations: z.array(citationGrade).nullable(),
});
