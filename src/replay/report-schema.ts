import { z } from 'zod';

/** `replay --json`. The zod schemas are the types. Missing is null, never 0. Every time ends in `Ms`; nothing else varies between runs. */

const count = z.int().min(0);
const share = z.number().min(0).max(1);
const milliseconds = z.number().min(0);
const range = z.tuple([z.int(), z.int()]).describe('first and last line, both included');

const deliveredFile = z.strictObject({
  path: z.string(),
  chars: count,
  share: share.describe('of the characters of source of the response'),
  ranges: z.array(range),
  definitions: z.array(z.string()).describe('symbols whose definition line was delivered'),
});

const fileAccount = z.strictObject({
  path: z.string(),
  rank: z.number().nullable(),
  score: z.number().nullable(),
  reservedChars: z.number().nullable(),
  deliveredChars: z.number().nullable(),
  skipped: z.string().nullable(),
});

const callFactsSchema = z.strictObject({
  outcome: z.enum(['answered', 'no-answer', 'error']),
  error: z.strictObject({ kind: z.string(), message: z.string() }).nullable(),
  hash: z.string().describe('SHA-256 of the response, or of the error'),
  chars: count,
  sourceChars: count.describe('characters in sections of source'),
  estimatedTokens: count.describe('characters / 2.3: an estimate, not a count'),
  repeatedChars: count.describe('characters of source lines that an earlier call of the session had delivered'),
  files: z.array(deliveredFile).describe('in the order of the response'),
  account: z.array(fileAccount).nullable().describe("the engine's own account of the files; null where it gives none"),
});
export type CallFacts = z.infer<typeof callFactsSchema>;

const recallSchema = z.strictObject({ files: share.nullable(), symbols: share.nullable(), lines: share.nullable() });

const goldScoreSchema = z.strictObject({
  items: z.array(
    z.strictObject({
      kind: z.enum(['file', 'symbol', 'line', 'text']),
      label: z.string(),
      of: count,
      found: count,
      missing: z.array(range),
    }),
  ),
  recall: recallSchema,
  recallAtChars: z.array(z.strictObject({ chars: count, recall: recallSchema })),
  forbidden: z.array(z.string()).describe('texts that must not occur, and do'),
  answerShare: share.nullable(),
  incidentalShare: share.nullable(),
  weakFiles: z.array(z.string()),
});

export const RULES = [
  'lost-file',
  'lost-symbol',
  'lost-line',
  'lost-text',
  'forbidden-text',
  'new-error',
  'new-no-answer',
  'less-source',
  'answer-share',
  'incidental-share',
  'host-cap',
  'slower',
  'bug-fixed',
] as const;
export type Rule = (typeof RULES)[number];

const findingSchema = z.strictObject({
  rule: z.enum(RULES),
  subject: z.string().describe('the file, symbol, place or text that it is about; empty for the whole case'),
  text: z.string(),
  accepted: z.string().nullable().describe('the reason with which it was accepted; null if it was not'),
});
export type Finding = z.infer<typeof findingSchema>;

export const CASE_STATES = [
  'worse',
  'nondeterministic',
  'unanswered',
  'accepted',
  'changed',
  'better',
  'known-bug',
  'equal',
] as const;
export type CaseState = (typeof CASE_STATES)[number];

const caseResultSchema = z.strictObject({
  id: z.string(),
  state: z.enum(CASE_STATES),
  expect: z.enum(['pass', 'fail']),
  findings: z.array(findingSchema),
  weakLosses: z.array(z.string()).describe('files of the weak gold that the new build does not deliver any more'),
  nondeterministic: z
    .array(
      z.strictObject({
        side: z.enum(['new', 'baseline']),
        call: count.describe('index of the call, from 0'),
        line: count.describe('first line that differs, from 1'),
        first: z.string(),
        other: z.string(),
      }),
    )
    .describe('calls whose response is not equal to itself over the repeats'),
  calls: z.array(
    z.strictObject({
      tool: z.string(),
      arguments: z.record(z.string(), z.unknown()),
      new: callFactsSchema,
      baseline: callFactsSchema,
    }),
  ),
  gold: z.strictObject({ new: goldScoreSchema, baseline: goldScoreSchema }).nullable(),
});
export type CaseResult = z.infer<typeof caseResultSchema>;

const latencySchema = z.strictObject({
  coldMs: milliseconds.nullable().describe('the first call after the start of the server'),
  warmP50Ms: milliseconds.nullable(),
  warmP95Ms: milliseconds.nullable(),
  warmCalls: count,
});
export type Latency = z.infer<typeof latencySchema>;

const surfaceSchema = z.strictObject({
  hash: z.string(),
  tools: z.array(z.string()),
  toolsChars: count,
  instructionsChars: count,
  isStable: z.boolean().describe('equal in all sessions of the build'),
});

const sides = <T extends z.ZodType>(side: T) => z.strictObject({ new: side, baseline: side });

const suiteResultSchema = z.strictObject({
  name: z.string(),
  file: z.string().describe('absolute path of the suite'),
  repo: z.string(),
  pin: z.string().describe('commit, package version or "folder"'),
  treeHash: z.string().nullable(),
  failure: z.strictObject({ reason: z.string(), message: z.string() }).nullable().describe('why the suite was not run'),
  surface: sides(surfaceSchema.nullable()).nullable(),
  surfaceDiff: z.array(z.string()).describe('lines of the tool list and instructions that differ: + new, - baseline'),
  latency: sides(latencySchema).nullable(),
  findings: z.array(findingSchema).describe('of the suite as a whole'),
  cases: z.array(caseResultSchema),
});
export type SuiteResult = z.infer<typeof suiteResultSchema>;

const buildSchema = z.strictObject({
  title: z.string(),
  pin: z.string(),
  version: z.string(),
  artefactHash: z.string(),
});
export type ReplayBuild = z.infer<typeof buildSchema>;

export const replayReportSchema = z.strictObject({
  format: z.literal(1),
  new: buildSchema,
  baseline: buildSchema,
  index: z.enum(['own', 'head', 'baseline']).describe('own: each build answers from its own index'),
  repeats: count,
  gate: z.strictObject({
    result: z.enum(['pass', 'fail', 'incomplete']),
    text: z.string(),
  }),
  counts: z.record(z.enum(CASE_STATES), count),
  signTest: z
    .strictObject({ better: count, worse: count, p: share })
    .describe('exact two-sided sign test over the cases with better or worse gold: cases, not users'),
  /** Said with every report. */
  caveat: z.string(),
  suites: z.array(suiteResultSchema),
});
export type ReplayReport = z.infer<typeof replayReportSchema>;
