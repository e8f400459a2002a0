import { z } from 'zod';

/** How Claude Code 2.1.197 asks the model for the summary that a compaction leaves in place of the conversation. */
const REQUEST = 'Your task is to create a detailed summary of the conversation';
/** How the message begins with which Claude Code 2.1.197 goes on after a compaction. */
const CONTINUATION = 'This session is being continued from a previous conversation';
const NOTE = /^\[rehearsal\] (\{.*\})$/m;

const noteSchema = z.object({
  prompt: z.string(),
  promptIndex: z.number(),
  step: z.number(),
  compactions: z.number(),
  lastCall: z.string().optional(),
});

/**
 * Where a conversation was when it was compacted. It stands in the summary, so that the turns after a compaction can be read from
 * the request alone.
 */
export type CompactionNote = z.infer<typeof noteSchema>;

/** Checks whether a text is the host's request for a summary of the conversation. */
export function asksForSummary(text: string): boolean {
  return text.includes(REQUEST);
}

/** Checks whether a text is the one with which a conversation goes on after a compaction. */
export function isContinuation(text: string): boolean {
  return text.startsWith(CONTINUATION);
}

/** Returns a summary with the note in it, inside of its `<summary>` tags if it has them. */
export function withNote(summary: string, note: CompactionNote): string {
  const line = `[rehearsal] ${JSON.stringify(note)}\n`;
  const end = summary.lastIndexOf('</summary>');
  return end < 0 ? `${summary}\n\n${line}` : `${summary.slice(0, end)}\n${line}${summary.slice(end)}`;
}

/** Reads the note in a summary. Undefined if the summary has none, for example if a real model wrote it. */
export function readNote(text: string): CompactionNote | undefined {
  const json = NOTE.exec(text)?.[1];
  if (json === undefined) return undefined;
  try {
    return noteSchema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
