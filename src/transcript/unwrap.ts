import { asFields } from '../util/fields.js';

/** Deeper nesting is nobody's wrapping. */
const MAX_DEPTH = 8;
const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', '"': '"', '\\': '\\', '/': '/' };

/**
 * Finds the answer in a result's text that holds it once more encoded: a JSON string, an object or a list with text in it,
 * or a text with escapes in place of its line breaks, in any nesting. `isAnswer` decides what an answer is. Undefined where no
 * reading gives one, or where several texts could be the answer.
 */
export function unwrapAnswer(text: string, isAnswer: (text: string) => boolean): string | undefined {
  const found = answersIn(text, isAnswer, 0);
  return found.length === 1 ? found[0] : undefined;
}

function answersIn(value: unknown, isAnswer: (text: string) => boolean, depth: number): string[] {
  if (depth > MAX_DEPTH) return [];
  if (typeof value === 'string') return answersInText(value, isAnswer, depth);
  if (Array.isArray(value)) {
    const parts = textParts(value);
    // The parts of one content are one text.
    if (parts !== undefined && isAnswer(parts)) return [parts];
    return value.flatMap((item) => answersIn(item, isAnswer, depth + 1));
  }
  return Object.values(asFields(value) ?? {}).flatMap((item) => answersIn(item, isAnswer, depth + 1));
}

function answersInText(text: string, isAnswer: (text: string) => boolean, depth: number): string[] {
  if (depth > 0 && isAnswer(text)) return [text];
  const value = parse(text);
  if (value !== undefined) return answersIn(value, isAnswer, depth + 1);
  const plain = withoutEscapes(text);
  return plain !== undefined && isAnswer(plain) ? [plain] : [];
}

/** The joined texts of a list that is a tool's content; undefined for any other list. */
function textParts(items: unknown[]): string | undefined {
  const texts = items.map((item) => asFields(item)?.text);
  return texts.length > 0 && texts.every((one) => typeof one === 'string') ? texts.join('') : undefined;
}

function parse(text: string): unknown {
  if (!/^\s*["[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Undefined for a text that has line breaks of its own: its escapes belong to the source that it quotes. */
function withoutEscapes(text: string): string | undefined {
  if (text.includes('\n') || !text.includes('\\n')) return undefined;
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (whole, code: string | undefined, char: string | undefined) =>
    code === undefined ? (ESCAPES[char ?? ''] ?? whole) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
