import type { Redactor } from '../../redaction/index.js';
import { visibleText } from '../../util/visible-text.js';

/** Links are made by us of file names; they are percent-encoded, so nothing is hidden in them. */
const NO_TEXT = new Set(['href']);

/**
 * A copy of plain data of which every string may stand on a page: redacted first, while it is as it was written; then with nothing
 * hidden in it. So is every key that is no plain name: tools are counted by their names, which a transcript chooses.
 */
export function safeTexts<T>(value: T, redactor: Redactor | undefined): T {
  const safe = redacted(value, redactor);
  return inTexts(safe, visibleText, (key) => visibleText(redactor?.text(key) ?? key));
}

/** The same without making anything visible: for texts that are still to be cut. */
export function redacted<T>(value: T, redactor: Redactor | undefined): T {
  redactor?.learn({ value });
  return redactor ? redactor.value(value) : value;
}

/** A transcript's lines, each one JSON, redacted and with nothing hidden in them. */
export function safeLines(text: string, redactor: Redactor | undefined): string {
  const lines = text.split('\n');
  redactor?.learn({ lines: text });
  return visibleText((redactor ? lines.map((line) => (line === '' ? line : redactor.json(line))) : lines).join('\n'));
}

type Change = (text: string) => string;

function inTexts<T>(value: T, change: Change, changeKey: Change): T {
  if (typeof value === 'string') return change(value) as T;
  if (Array.isArray(value)) return value.map((item) => inTexts(item, change, changeKey)) as T;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [
    /^\w+$/.test(key) ? key : changeKey(key),
    NO_TEXT.has(key) ? item : inTexts(item, change, changeKey),
  ]);
  return Object.fromEntries(entries) as T;
}
