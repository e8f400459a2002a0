import { z } from 'zod';
import { BUCKETS, FAMILIES } from './families.js';

/** Whole numbers of things, characters or tokens: never negative, never a fraction. */
const count = z.int().min(0);
const share = z.number().min(0).max(1);
export const byFamilySchema = z.strictObject({
  tool: z.number().min(0).describe('the tool under test'),
  read: z.number().min(0),
  search: z.number().min(0),
  bash: z.number().min(0),
  other: z.number().min(0),
});
export const familySchema = z.enum(FAMILIES);
export const bucketSchema = z.enum(BUCKETS);
const thread = z.string().nullable().describe('null: the main thread; else the id of the delegating call');
const fate = z.strictObject({ blocked: count, returned: count });

const occupancySchema = z.strictObject({
  ctxBaseTokens: count.describe('prompt of the first request'),
  ctxFinalTokens: count.nullable().describe('prompt of the last request; null: the session ends in a compaction'),
  windowTokens: count.describe('the window that shares are printed of'),
  windowSource: z
    .enum(['set', 'reported', 'default'])
    .describe('set by the user, reported by the host, or the default'),
  charsPerToken: z.number().positive(),
  calibrated: z.boolean().describe('false: charsPerToken is the default 3.0, an estimate'),
  dispersion: z.number().min(0).nullable().describe('lower median of the relative error'),
  hiddenGaps: count.describe('gaps that grew by more tokens than their characters can have'),
  hiddenTokens: count.describe('what they grew by beyond their characters; part of the base'),
  compactions: count,
  evictedTokens: count,
  residualTokens: byFamilySchema.describe('still in the window at the end'),
  contributedTokens: byFamilySchema.describe('all that ever joined'),
  chars: byFamilySchema,
  results: byFamilySchema,
});

const notMeasured = z
  .string()
  .optional()
  .describe('why the answers of this server cannot be measured so; then the counts are empty and the shares null');

const sufficiencySchema = z.strictObject({
  notMeasured,
  answered: count,
  errored: count,
  concurrent: count.describe('file-access calls of the same message as an explore'),
  buckets: z.strictObject({
    explore_again: count,
    read_returned: count,
    read_missed: count,
    search: count,
    sufficient: count,
  }),
  noAnswer: count,
  undelivered: count,
  everAnswered: z.boolean().nullable().describe('false: the tool never answered; null: no explore came back'),
  denied: count.describe('calls that the hook denied and that were stepped over'),
  calls: z.array(
    z.strictObject({
      thread,
      query: z.string(),
      files: z.array(z.string()),
      chars: count,
      bucket: bucketSchema,
      next: z.string(),
      named: z.boolean().optional(),
      noAnswer: z.boolean().optional(),
      unread: z.boolean().optional().describe('no source and no known message; counts as no answer'),
      undelivered: z.boolean().optional(),
    }),
  ),
});

export const allocationSchema = z.strictObject({
  notMeasured,
  envelopeChars: count,
  usedChars: count,
  usedPathChars: count,
  efficiency: share.nullable(),
  efficiencyPath: share.nullable(),
  filesReturned: count,
  filesUsed: count,
  hasAnswer: z.boolean(),
  calls: z.array(
    z.strictObject({
      envelopeChars: count,
      usedChars: count,
      efficiency: share.nullable(),
      files: count,
      filesUsed: count,
    }),
  ),
  files: z.array(
    z.strictObject({
      path: z.string(),
      chars: count,
      calls: count,
      via: z.enum(['path', 'symbol']).nullable(),
      symbol: z.string().optional(),
    }),
  ),
});

const diagnosticsSchema = z.strictObject({
  retries: count,
  fallbackModels: z.array(z.string()).describe('models to which the host says it switched'),
  otherModels: z
    .array(z.string())
    .describe('models of main-thread requests, other than the one the session began with'),
  subagentErrors: count,
  lines: count,
  unparsedLines: z.array(z.strictObject({ file: z.string(), line: count })),
  lostLines: count.describe('lines that held an event, or a part of one, that could not be read'),
  missingSegments: z.array(count).describe('segments, from 1, that are missing before a later one'),
  repeatedRows: count.describe('rows that the log repeats, each of which was read once'),
  segments: z.array(
    z.strictObject({
      sessionId: z.string().nullable(),
      subtype: z.string().nullable(),
      isError: z.boolean().nullable(),
    }),
  ),
  unknownTools: z.array(z.string()).describe('called tools of which no metric knows what they do'),
  unreadAnswers: z
    .array(z.strictObject({ thread, tool: z.string(), text: z.string() }))
    .describe('explore answers without source that are no known message'),
});

const hiddenSchema = z
  .strictObject({
    requests: count.nullable().describe('attempts to compact; null: the log does not count them'),
    promptTokens: count.nullable(),
    outputTokens: z.int().nullable().describe('null in a session with subagents'),
    costUsd: z.number().min(0).nullable().describe('by the ratios between the prices'),
  })
  .describe('requests that stand in no log; part of costUsd and of tokensPaid');

const pressureSchema = z.strictObject({
  compactions: z.array(
    z.strictObject({
      prompt: count.describe('from 1'),
      afterRequest: count.describe('requests of the main thread before it'),
      trigger: z.string().nullable(),
      tokensBefore: z.number().nullable().describe('of the window, as the host estimates them'),
    }),
  ),
  failedCompactions: count.describe('paid for, and of no use'),
  promptsBeforeCompaction: count.nullable().describe('answered before the first one; null without one'),
  linesDelivered: count.describe('source lines that explores and Reads delivered'),
  linesRedelivered: count.describe('of these, lines that a compaction had dropped'),
  costByPromptUsd: z.array(z.number().min(0).nullable()),
  silentClearings: z
    .array(z.strictObject({ request: count, tokens: count, pauseMs: z.number().min(0).nullable() }))
    .describe('prompts that shrank although the log has no boundary'),
  window: z
    .strictObject({
      thresholdTokens: count.describe('size of the window at which the host should compact'),
      state: z
        .enum(['held', 'not-reached', 'broken'])
        .describe(
          'held: the host compacted where the threshold says, and nowhere else; not-reached: it had no reason to; broken: it compacted well below the threshold, or did not try to above it',
        ),
    })
    .nullable()
    .describe('whether the window that the campaign set held; null: it set none'),
});

/** All measures of one session. Absent is null, never 0. */
export const measureSchema = z
  .strictObject({
    formatVersion: z.int().min(2).max(2),
    files: z.array(z.string()).describe('segments in prompt order; - is standard input'),
    ok: z.boolean().describe('every prompt has a successful result'),
    raced: z.boolean(),
    requests: count.describe('of the main thread, without what left the conversation'),
    requestsAllThreads: count,
    toolCalls: count.describe('all but ToolSearch'),
    counts: z.record(z.string(), count).describe('calls by tool name'),
    durationMs: z.number().min(0).nullable(),
    costUsd: z.number().min(0).nullable(),
    tokensProcessed: count.nullable(),
    outputTokens: count.nullable(),
    tokensPaid: count.nullable().describe('prompts and output of every model, hidden requests included'),
    hidden: hiddenSchema,
    pressure: pressureSchema,
    occupancy: occupancySchema.nullable(),
    sufficiency: sufficiencySchema,
    allocation: allocationSchema,
    contamination: z.strictObject({
      invoke: fate,
      data: fate,
      commands: z.array(
        z.strictObject({
          thread,
          command: z.string(),
          class: z.enum(['invoke', 'data', 'mention']),
          verdict: z.enum(['blocked', 'returned']),
        }),
      ),
    }),
    duplicates: z.strictObject({ sourceChars: count, duplicateChars: count, share: share.nullable() }),
    subagents: z.array(
      z.strictObject({
        thread: z.string(),
        requests: count,
        ctxBaseTokens: count,
        ctxFinalTokens: count.nullable(),
        residualTokens: byFamilySchema,
      }),
    ),
    diagnostics: diagnosticsSchema,
  })
  .describe('All measures of one session. Absent is null, never 0.');

export type Measure = z.infer<typeof measureSchema>;
/** Where the size of the window comes from: the user set it, the host reported it for the model, or neither did. */
export type WindowSource = OccupancyMeasure['windowSource'];
export type OccupancyMeasure = z.infer<typeof occupancySchema>;
export type SufficiencyMeasure = z.infer<typeof sufficiencySchema>;
export type SufficiencyCall = SufficiencyMeasure['calls'][number];
export type AllocationMeasure = z.infer<typeof allocationSchema>;
export type AllocationCall = AllocationMeasure['calls'][number];
export type AllocationFile = AllocationMeasure['files'][number];
export type ContaminationMeasure = Measure['contamination'];
export type SubagentMeasure = Measure['subagents'][number];
export type MeasureDiagnostics = z.infer<typeof diagnosticsSchema>;
/** Requests that stand in no log, such as the one for the summary of a compaction. */
export type HiddenMeasure = z.infer<typeof hiddenSchema>;
/** What the size of the window did to a session. */
export type PressureMeasure = z.infer<typeof pressureSchema>;
export type Compaction = PressureMeasure['compactions'][number];
/** A prompt that shrank by more than 200 tokens and 5 % although the log has no boundary: the host cleared something unseen. */
export type SilentClearing = PressureMeasure['silentClearings'][number];
/** How a window that was set shows in the log. */
export type WindowCheck = NonNullable<PressureMeasure['window']>;
