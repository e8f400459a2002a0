import { escapeRegExp } from '../util/escape-reg-exp.js';
import { withoutLongQuotes } from './text.js';

const MASK = '[tool]';
/** `@path` in a prompt makes the CLI read that file; the judge is shown a sign that looks alike. */
const SAFE_AT = '＠';
const MIN_COPIED_CHARS = 25;
/** Their names are English words too, so they are masked only where they are called tools. */
const HOST_TOOLS = /`?\b(?:Grep|Glob|Bash|Read|Task|Agent|LS)\b`? tool/g;

/**
 * An answer as a judge sees it: names of tools are masked, sentences copied from a prompt and long pasted files are gone. What a judge
 * quotes must stand in this text.
 */
export function shownAnswer(text: string, prompts: string[], toolNames: readonly string[]): string {
  const own = withoutCopies(withoutLongQuotes(text), prompts);
  return maskTools(own, toolNames).replaceAll('@', SAFE_AT).trim();
}

/** A quote as it stands in the answer: the shown text differs from it in one sign. */
export function quoteAsWritten(quote: string): string {
  return quote.replaceAll(SAFE_AT, '@');
}

/** The text without the names of the tools of any arm, which would tell the judge which arm wrote it. */
export function maskTools(text: string, toolNames: readonly string[]): string {
  const names = [...new Set(toolNames)].filter((name) => name.length > 2).toSorted((a, b) => b.length - a.length);
  const tools = new RegExp(
    `\\bmcp__[\\w-]+|(?<![\\w/.-])(?:${['MCP', ...names].map(escapeRegExp).join('|')})(?![\\w-])`,
    'giu',
  );
  return text.replace(tools, MASK).replace(HOST_TOOLS, `${MASK} tool`);
}

function withoutCopies(text: string, prompts: string[]): string {
  const sentences = prompts
    .flatMap((prompt) => [prompt, ...prompt.split(/(?<=[.?!:;])\s+/)])
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length >= MIN_COPIED_CHARS)
    .toSorted((a, b) => b.length - a.length);
  return sentences.reduce((kept, sentence) => {
    const words = sentence.split(/\s+/).map(escapeRegExp).join('\\s+');
    return kept.replace(new RegExp(words, 'giu'), ' ');
  }, text);
}

/** The form in which a quote is looked for: signs of Markdown are gone and white space is collapsed. Letters stay as they are. */
export function quotable(text: string): string {
  return text.replace(/[`*_]/g, '').replace(/\s+/g, ' ').trim();
}

const MIN_QUOTE_CHARS = 8;

/** Whether a quote stands in a shown text. One of a few characters shows nothing, unless it is the whole text. */
export function isQuoteOf(quote: string, shown: string): boolean {
  const [wanted, text] = [quotable(quote), quotable(shown)];
  if (wanted === '' || (wanted.length < MIN_QUOTE_CHARS && wanted !== text)) return false;
  return text.includes(wanted);
}
