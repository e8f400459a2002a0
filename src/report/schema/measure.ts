import { z } from 'zod';
import type { Measure } from '../../model/measure.js';
import type { TimelineJson } from '../timeline.js';

/** Whole numbers of things, characters or tokens: never negative, never a fraction. */
const count = z.int().min(0);
const share = z.number().min(0).max(1);
const byFamily = z.strictObject({
  tool: z.number().min(0).describe('the tool under test'),
  read: z.number().min(0),
  search: z.number().min(0),
  bash: z.number().min(0),
  other: z.number().min(0),
});
const family = z.enum(['tool', 'read', 'search', 'bash', 'other']);
const bucket = z.enum(['explore_again', 'read_returned', 'read_missed', 'search', 'sufficient']);
const thread = z.string().nullable().describe('null: the main thread; else the id of the delegating call');
const fate = z.strictObject({ blocked: count, returned: count });

const occupancy = z.strictObject({
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
  residualTokens: byFamily.describe('still in the window at the end'),
  contributedTokens: byFamily.describe('all that ever joined'),
  chars: byFamily,
  results: byFamily,
});

const notMeasured = z
  .string()
  .optional()
  .describe('why the answers of this server cannot be measured so; then the counts are empty and the shares null');

const sufficiency = z.strictObject({
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
      bucket,
      next: z.string(),
      named: z.boolean().optional(),
      noAnswer: z.boolean().optional(),
      unread: z.boolean().optional().describe('no source and no known message; counts as no answer'),
      undelivered: z.boolean().optional(),
    }),
  ),
});

const allocation = z.strictObject({
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

const diagnostics = z.strictObject({
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

const hidden = z
  .strictObject({
    requests: count.nullable().describe('attempts to compact; null: the log does not count them'),
    promptTokens: count.nullable(),
    outputTokens: z.int().nullable().describe('null in a session with subagents'),
    costUsd: z.number().min(0).nullable().describe('by the ratios between the prices'),
  })
  .describe('requests that stand in no log; part of costUsd and of tokensPaid');

const pressure = z.strictObject({
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
});

/** The schema of `Measure`. The compiler compares it with the type. */
export const measureSchema = z
  .strictObject({
    // One value; the type says only that it is a number.
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
    hidden,
    pressure,
    occupancy: occupancy.nullable(),
    sufficiency,
    allocation,
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
        residualTokens: byFamily,
      }),
    ),
    diagnostics,
  })
  .describe('All measures of one session. Absent is null, never 0.') satisfies z.ZodType<Measure>;

const result = z.strictObject({ call: count, tool: z.string(), family, chars: count, tokens: count });

/** What `parse-run --timeline --json` prints. */
export const timelineSchema = z
  .strictObject({
    formatVersion: z.literal(1),
    files: z.array(z.string()),
    threads: z.array(
      z.strictObject({
        thread,
        charsPerToken: z.number().positive(),
        calibrated: z.boolean(),
        steps: z.array(
          z.strictObject({
            request: count,
            segment: count,
            ctxBeforeTokens: count.nullable(),
            ctxTokens: count,
            joined: z.array(result),
            proseChars: count,
            compactions: count,
            compactedTokens: count,
            shedTokens: count,
            residentTokens: byFamily,
          }),
        ),
        afterwards: z.array(result),
      }),
    ),
  })
  .describe('The windows of one session, request by request.') satisfies z.ZodType<TimelineJson>;
