import MarkdownIt from 'markdown-it';
import type { Citation } from '../../model/grade.js';
import { escapeRegExp } from '../../util/escape-reg-exp.js';

/** A sentence of an answer, and what it states. */
export interface AnswerMark {
  quote: string;
  label: string;
}

/** A longer answer is cut: no agent writes one to be read. */
const MAX_ANSWER_CHARS = 200_000;
/** Brackets that no answer needs. As punctuation they leave the Markdown around them as it is. */
const [START, END] = ['⸨', '⸩'];

/**
 * An answer as HTML. Markup in it is shown as text, images are not loaded and links lead nowhere. Marked sentences stand in `<mark>` with
 * their labels, citations in a `<span>` that says whether they were found.
 */
export function answerHtml(answer: string, marks: AnswerMark[], citations: readonly Citation[]): string {
  const text = answer.slice(0, MAX_ANSWER_CHARS).replaceAll(START, '((').replaceAll(END, '))');
  const places = placesOf(text, marks);
  const html = markdown().render(withBrackets(text, places));
  const isWhole = html.split(START).length - 1 === places.length && html.split(END).length - 1 === places.length;
  // Markdown can swallow a bracket, for instance after the fence of a code block. Then nothing is marked rather than the wrong thing.
  const shown = isWhole ? html : markdown().render(text);
  const wrapped = wrapTexts(shown, isWhole ? places.map(({ labels }) => labels.join(', ')) : [], citations);
  return answer.length > MAX_ANSWER_CHARS
    ? `${wrapped}<p class="muted">The answer goes on; see the transcript.</p>`
    : wrapped;
}

let renderer: ReturnType<typeof makeRenderer> | undefined;

function markdown() {
  renderer ??= makeRenderer();
  return renderer;
}

function makeRenderer() {
  const made = new MarkdownIt({ html: false, linkify: false }).disable('image');
  const { rules } = made.renderer;
  const hrefs: string[] = [];
  rules.link_open = (tokens, index) => {
    hrefs.push(String(tokens[index]?.attrGet('href') ?? ''));
    return '<span class="link">';
  };
  rules.link_close = () => ` <span class="k">(${escapeHtml(hrefs.pop() ?? '')})</span></span>`;
  // The page's own outline stays as it is.
  rules.heading_open = () => '<p><b>';
  rules.heading_close = () => '</b></p>\n';
  return made;
}

interface MarkedPlace {
  start: number;
  end: number;
  labels: string[];
}

/** Where the quotes stand, in order; those that overlap are one place. */
function placesOf(text: string, marks: AnswerMark[]): MarkedPlace[] {
  const found = marks.flatMap(({ quote, label }): MarkedPlace[] => {
    const at = quote.trim() === '' ? -1 : text.indexOf(quote);
    if (at === -1) return [];
    // Behind the signs that begin a list item, a heading, a quotation or the cell of a table.
    const signs = /^(?:\s*(?:[-*+>]|\d+[.)]|#{1,6})\s+)*(?:\|\s*)?/.exec(quote)?.[0].length ?? 0;
    const last = /\s*\|?\s*$/.exec(quote)?.[0].length ?? 0;
    const place = { start: at + signs, end: at + quote.length - last, labels: [label] };
    return place.start < place.end ? [place] : [];
  });
  const merged: MarkedPlace[] = [];
  for (const place of found.toSorted((a, b) => a.start - b.start)) {
    const before = merged.at(-1);
    if (!before || place.start >= before.end) {
      merged.push(place);
      continue;
    }
    before.end = Math.max(before.end, place.end);
    before.labels.push(...place.labels.filter((label) => !before.labels.includes(label)));
  }
  return merged;
}

function withBrackets(text: string, places: MarkedPlace[]): string {
  return places
    .toReversed()
    .reduce(
      (whole, { start, end }) => `${whole.slice(0, start)}${START}${whole.slice(start, end)}${END}${whole.slice(end)}`,
      text,
    );
}

/** Wraps what stands between tags, so that every element stays well nested. `labels` are those of the marks, in order. */
function wrapTexts(html: string, labels: string[], citations: readonly Citation[]): string {
  const cite = citationMarker(citations);
  let place = -1;
  let isMarked = false;
  return html
    .split(/(<[^>]*>)/)
    .map((part) => {
      if (part.startsWith('<')) return part;
      return part
        .split(new RegExp(`([${START}${END}])`))
        .map((piece) => {
          if (piece === START || piece === END) {
            isMarked = piece === START;
            if (isMarked) place += 1;
            return '';
          }
          const own = cite(piece);
          return isMarked && /\S/.test(piece) ? `<mark title="${escapeHtml(labels[place] ?? '')}">${own}</mark>` : own;
        })
        .join('');
    })
    .join('');
}

function citationMarker(citations: readonly Citation[]): (text: string) => string {
  const states = new Map(citations.map(({ text, state }) => [escapeHtml(text), state]));
  if (states.size === 0) return (text) => text;
  const longestFirst = [...states.keys()].toSorted((a, b) => b.length - a.length);
  const pattern = new RegExp(`(?<![\\w/.-])(?:${longestFirst.map(escapeRegExp).join('|')})(?![\\w/-]|\\.\\w)`, 'g');
  return (text) =>
    text.replace(pattern, (cited) => {
      const state = states.get(cited) ?? '';
      const isFound = state === 'resolved';
      const said = isFound ? 'found in the source' : `not found: ${state}`;
      return `<span class="cite${isFound ? '' : ' bad'}" title="${said}">${cited}${isFound ? ' ✓' : ' ✕'}</span>`;
    });
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
