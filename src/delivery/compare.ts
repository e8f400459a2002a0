import type { DeliveryCase } from '../model/delivery.js';
import type { AnswerPart } from './answers.js';

/** A part of a tool result in a request to the Messages API. */
export interface ShownPart {
  type: string;
  text?: string | undefined;
  source?: { data?: string | undefined } | undefined;
}

type Compared = Pick<DeliveryCase, 'sentChars' | 'state' | 'shownChars' | 'keptChars' | 'words' | 'file'>;

const MAX_WORDS_CHARS = 300;
/** Less of an answer than this may be in a text by chance. */
const MIN_KEPT_CHARS = 20;

/**
 * Compares what a server answered with what the next request held in its place. `readFile` returns the text of a file that the host
 * names, undefined if there is none.
 */
export function compareDelivery(
  sent: AnswerPart[],
  shown: string | ShownPart[],
  readFile: (path: string) => string | undefined,
): Compared {
  const parts: ShownPart[] = typeof shown === 'string' ? [{ type: 'text', text: shown }] : shown;
  const text = parts.map((part) => part.text ?? '').join('');
  const sentText = sent.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const sentImages = sent.flatMap((part) => (part.type === 'image' ? part.data : []));
  const images = parts.flatMap((part) => part.source?.data ?? []);
  const sizes = {
    sentChars: sentText.length + sentImages.join('').length,
    shownChars: text.length + images.join('').length,
  };
  const isSameImages = images.length === sentImages.length && images.every((data, index) => data === sentImages[index]);
  if (text === sentText && isSameImages) {
    return { ...sizes, state: 'whole', keptChars: sizes.sentChars, words: null, file: null };
  }
  const { keptChars, rest } = findKept(sentText, text);
  const words = rest.trim().slice(0, MAX_WORDS_CHARS) || null;
  const path = /(?:saved to|file|at):?\s+(\/\S+?\.\w+)\b/.exec(text)?.[1];
  const saved = path === undefined ? undefined : readFile(path);
  const file = saved === undefined ? null : { isWhole: isSaved(saved, sent) };
  const isImageChanged = images.length > 0 && images.length === sentImages.length;
  const state = isImageChanged ? 'changed' : file ? 'spilled' : keptChars > 0 ? 'cut' : 'refused';
  return { ...sizes, state, keptChars, words, file };
}

/** A host saves a text as it is, or the parts of the result as JSON. */
function isSaved(saved: string, sent: AnswerPart[]): boolean {
  const texts = sent.flatMap((part) => (part.type === 'text' ? part.text : []));
  if (saved === texts.join('') || saved === texts.join('\n')) return true;
  try {
    const parts: unknown = JSON.parse(saved);
    return JSON.stringify(parts) === JSON.stringify(sent) || saved === texts.join('');
  } catch {
    return false;
  }
}

/** Finds the longest beginning of the answer in what was shown, as it was or inside of JSON. `rest`: what was shown without it. */
function findKept(sent: string, shown: string): { keptChars: number; rest: string } {
  const plain = findBeginning(sent, shown);
  if (plain.end > plain.start) return { keptChars: plain.end - plain.start, rest: without(shown, plain) };
  const json = findBeginning(JSON.stringify(sent).slice(1, -1), shown);
  // An escape may be cut in its middle.
  const kept = shown.slice(json.start, json.end).replace(/\\(?:u[0-9a-f]{0,3})?$/, '');
  return { keptChars: kept === '' ? 0 : JSON.parse(`"${kept}"`).length, rest: without(shown, json) };
}

/** Where the longest beginning of a text stands in another; an empty range if it does not. */
function findBeginning(text: string, shown: string): { start: number; end: number } {
  const start = text.length < MIN_KEPT_CHARS ? -1 : shown.indexOf(text.slice(0, MIN_KEPT_CHARS));
  if (start < 0) return { start: 0, end: 0 };
  let end = start;
  while (end < shown.length && shown[end] === text[end - start]) end++;
  return { start, end };
}

function without(shown: string, { start, end }: { start: number; end: number }): string {
  return `${shown.slice(0, start)}${shown.slice(end)}`;
}
