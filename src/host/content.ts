import { asFields, asList, asString, toJson } from '../util/fields.js';

/** The text that the model saw of one piece of content. */
export interface SeenText {
  text: string;
  /** Bytes that are no text (images, documents) were in it. */
  hasImage: boolean;
}

/** Returns a message's content as blocks: a bare string is one text block. */
export function blocksOf(content: unknown): unknown[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content);
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

const BINARY_TYPES = new Set(['image', 'audio', 'video']);
/** Shorter texts without white space are names and ids. */
const MIN_BASE64_CHARS = 256;
const BASE64 = /^(?:data:[^,]{0,200};base64,)?[A-Za-z0-9+/_-]+={0,2}$/;
/** Parts hold their bytes in `data`, `source.data`, `resource.blob` or `image_url.url`. */
const MAX_PART_DEPTH = 2;

/** Whether a part carries bytes and no text: an image, audio, or any other part that holds base64. */
export function isBinary(part: Record<string, unknown>): boolean {
  if (typeof part.text === 'string') return false;
  return BINARY_TYPES.has(part.type as string) || asFields(part.source)?.type === 'base64' || holdsBase64(part, 0);
}

function holdsBase64(fields: Record<string, unknown>, depth: number): boolean {
  for (const [key, value] of Object.entries(fields)) {
    if (typeof value === 'string') {
      if (key === 'blob' || (key === 'data' && typeof fields.mimeType === 'string')) return true;
      if (key !== 'text' && value.length >= MIN_BASE64_CHARS && BASE64.test(value)) return true;
    } else if (depth < MAX_PART_DEPTH && typeof value === 'object' && value !== null) {
      if (holdsBase64(value as Record<string, unknown>, depth + 1)) return true;
    }
  }
  return false;
}
