import { asFields, asString, detach, toJson } from './fields.js';

/** What the model saw of one piece of content (spec/metrics.md 1). */
export interface SeenText {
  text: string;
  /** Bytes that are no text (images, documents) were in it. */
  hasImage: boolean;
}

/** Text of a tool result: the string, or the joined texts of its parts, any other part as its JSON; images count nothing. */
export function resultText(content: unknown): SeenText {
  if (typeof content === 'string') return { text: content, hasImage: false };
  if (!Array.isArray(content))
    return { text: content === undefined || content === null ? '' : toJson(content), hasImage: false };
  let text = '';
  let hasImage = false;
  for (const part of content as unknown[]) {
    const fields = asFields(part);
    if (fields && isBinary(fields)) hasImage = true;
    else text += asString(fields?.text) ?? asString(part) ?? toJson(part);
  }
  return { text, hasImage };
}

/** An image, or another part that carries its bytes as base64. */
export function isBinary(part: Record<string, unknown>): boolean {
  return part.type === 'image' || asFields(part.source)?.type === 'base64';
}

const HEAD_CHARS = 2_000;
/** Enough to tell how a result begins. */
const OPENING_CHARS = 100;

/**
 * What can be judged by its words, in memory of its own: an error's first 2,000 characters, a result whole when it is no
 * longer than that, else its first 100. Heads are most of what a long session leaves in memory.
 */
export function headOf(text: string, isError: boolean): string {
  if (text.length <= HEAD_CHARS) return text;
  return detach(text.slice(0, isError ? HEAD_CHARS : OPENING_CHARS));
}
