import { z } from 'zod';
import { byFamilySchema, familySchema } from './measure.js';

export const timelineResultSchema = z.object({
  call: z.number().describe('Position of its call among all calls of the session, from 1'),
  tool: z.string(),
  family: familySchema,
  chars: z.number(),
  tokens: z.number().describe("What it occupies, estimated: its characters by the session's characters per token"),
});
/** A tool result that joined a window. */
export type TimelineResult = z.infer<typeof timelineResultSchema>;

export const timelineStepSchema = z.object({
  request: z.number().describe("Position among the thread's requests, from 1"),
  segment: z.number().describe('Segment index, from 0'),
  ctxBeforeTokens: z.number().nullable().describe('Prompt tokens of the request before; null for the first'),
  ctxTokens: z.number().describe('Prompt tokens of this request'),
  joined: z.array(timelineResultSchema),
  proseChars: z
    .number()
    .describe("Characters that joined and are no tool result: the model's own output, prompts, reminders"),
  compactions: z.int().min(0).describe('Compaction boundaries since the request before'),
  compactedTokens: z.number().describe('Tokens of results that those compactions dropped'),
  shedTokens: z
    .number()
    .describe('Tokens of older results that went because the window did not grow by what joined it'),
  residentTokens: byFamilySchema.describe('What is resident at this request'),
});
/** One request with what was appended to the window since the request before it. */
export type TimelineStep = z.infer<typeof timelineStepSchema>;

export const threadTimelineSchema = z.object({
  thread: z.string().nullable().describe('Null: the main thread'),
  charsPerToken: z.number(),
  calibrated: z.boolean(),
  steps: z.array(timelineStepSchema),
  afterwards: z
    .array(timelineResultSchema)
    .describe('Results after the last request: never in a prompt, hence not resident'),
});
/** A thread's window request by request: the steps from which the occupancy measure is computed. */
export type ThreadTimeline = z.infer<typeof threadTimelineSchema>;
