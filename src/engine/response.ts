import type { ExploreResponse, ResponseSection, SectionSymbol } from '../model/engine.js';

/** Header of a file's section: 1.4.1 and later, then 0.9 (spec/codegraph.md 4.3). */
const HEADERS = [
  { opening: '**`', pattern: /^\*\*`([^`]+)`\*\*/ },
  { opening: '#### ', pattern: /^#### (\S+) — / },
];
const FENCE = '```';
/** `name(kind)`; the name may hold dots, colons and operators, the kind is one lower-case word. */
const SYMBOL = /^(.+)\(([a-z_]+)\)$/;
/** Something that ends in a file extension, with or without directories before it. */
const PATH_TOKEN = /(?:[\w@.+~-]+[\\/])*[\w@+~-][\w@.+~-]*\.[A-Za-z][A-Za-z0-9]{0,9}(?![\w/])/g;

/** Beside letters, digits, `-`, `.` and `/`, which stand together in the code table. */
const PATH_SIGNS = new Set([...'_@+~\\'].map((sign) => sign.charCodeAt(0)));

/** Kinds under which a symbol is defined in the file rather than used there (spec/metrics.md 4). */
const DEFINING_KINDS = new Set(
  (
    'module class struct interface trait protocol function method property field variable constant enum ' +
    'enum_member type_alias namespace route component'
  ).split(' '),
);

/** Successful results that answer nothing (spec/codegraph.md 4.4): no match, no index, no project. */
const NO_ANSWERS = [
  /^No relevant code found for "/,
  /^The project at .+ isn't indexed with /,
  /^No CodeGraph project is loaded for this session/,
  /^CodeGraph isn't available here/,
  /^Error: /,
];

/** A line by its place in the text: most lines are looked at and never cut out. */
interface Line {
  /** Offset of the line's first character, in UTF-16 units. */
  start: number;
  /** Offset of its line break, or the text's end. */
  end: number;
  /** Between an opening and a closing fence; the fences themselves are not. */
  fenced: boolean;
  /** An opening fence. */
  opens: boolean;
}

/**
 * An explore response reduced to what the metrics need: sections with sizes in UTF-16 units, their symbols and numbered
 * lines (spec/metrics.md 4 and 7), and whether it answers anything. Any text is accepted; one without sections has none.
 */
export function parseExploreResponse(text: string): ExploreResponse {
  const lines = splitLines(text);
  return {
    chars: text.length,
    sections: readSections(text, lines),
    noAnswer: text.trim() === '' || NO_ANSWERS.some((pattern) => pattern.test(text.trimStart())),
    mentions: readMentions(text, lines),
  };
}

function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  let fenced = false;
  for (let start = 0; start <= text.length; ) {
    const lineBreak = text.indexOf('\n', start);
    const end = lineBreak < 0 ? text.length : lineBreak;
    const isFence = text.startsWith(FENCE, start);
    const closes: boolean = fenced && isFence && text.slice(start, end).trimEnd() === FENCE;
    const opens: boolean = !fenced && isFence;
    lines.push({ start, end, fenced: fenced && !closes, opens });
    if (isFence) fenced = opens || (fenced && !closes);
    start = end + 1;
  }
  return lines;
}

function readSections(text: string, lines: Line[]): ResponseSection[] {
  const headers = lines.flatMap((line, index) => {
    const path = line.fenced ? undefined : headerPath(text, line);
    return path === undefined ? [] : [{ path, index, line }];
  });
  return headers.map(({ path, index, line }, position) => {
    const next = headers[position + 1];
    const body = lines.slice(index + 1, next?.index);
    const end = next?.line.start ?? trailingQuoteStart(text, body) ?? text.length;
    const symbols = readSymbols(text.slice(line.start, line.end));
    return { path, chars: end - line.start, symbols, ...readSource(text, body) };
  });
}

function headerPath(text: string, { start, end }: Line): string | undefined {
  for (const { opening, pattern } of HEADERS) {
    const path = text.startsWith(opening, start) ? pattern.exec(text.slice(start, end))?.[1] : undefined;
    if (path !== undefined) return path;
  }
  return undefined;
}

/**
 * Where the section ends that is followed by nothing but the response's closing quotes. The line break before a quote
 * belongs to the quote. A quote that source still follows is part of the section.
 */
function trailingQuoteStart(text: string, body: Line[]): number | undefined {
  const lastFence = body.findLastIndex((line) => line.opens || line.fenced);
  const quote = body.find((line, index) => index > lastFence && text.startsWith('> ', line.start));
  return quote && quote.start - 1;
}

function readSymbols(header: string): SectionSymbol[] {
  const dash = header.indexOf(' — ');
  if (dash < 0) return [];
  return header
    .slice(dash + 3)
    .split(', ')
    .flatMap((item) => {
      const [, name, kind] = SYMBOL.exec(item.trim()) ?? [];
      return name === undefined || kind === undefined ? [] : [{ name, kind, defines: DEFINING_KINDS.has(kind) }];
    });
}

function readSource(text: string, body: Line[]): Pick<ResponseSection, 'lineNumbers' | 'lineChars'> {
  const numbers: number[] = [];
  const chars: number[] = [];
  for (const { start, end, fenced } of body) {
    if (!fenced) continue;
    let at = start;
    while (isSpace(text.charCodeAt(at))) at++;
    const first = at;
    let number = 0;
    for (let digit = digitAt(text, at); digit >= 0; digit = digitAt(text, ++at)) number = number * 10 + digit;
    if (at === first || text[at] !== '\t') continue;
    numbers.push(number);
    chars.push(end - at - 1);
  }
  return { lineNumbers: Uint32Array.from(numbers), lineChars: Uint32Array.from(chars) };
}

function isSpace(code: number): boolean {
  return code === 32 || code === 9 || code === 13;
}

/** -1: no digit. */
function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57 ? code - 48 : -1;
}

/**
 * Distinct file-like tokens. The engine names files by their path from the repository's root, so a bare `name.ext` is a
 * file only in its own words; in quoted source it is some comment's or import's shorthand.
 */
function readMentions(text: string, lines: Line[]): string[] {
  const mentions = new Set<string>();
  for (const line of lines) {
    for (const run of dottedRuns(text, line)) {
      if (line.fenced && !/[\\/]/.test(run)) continue;
      for (const token of run.match(PATH_TOKEN) ?? []) {
        const path = token.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
        if (!line.fenced || path.includes('/')) mentions.add(path);
      }
    }
  }
  return [...mentions];
}

/** The line's runs of characters that a path may hold, as far as they have a dot before a letter: few are left to match. */
function dottedRuns(text: string, { start, end }: Line): string[] {
  const runs: string[] = [];
  let at = text.indexOf('.', start);
  while (at !== -1 && at < end) {
    let right = at + 1;
    if (isLetter(text.charCodeAt(right))) {
      let left = at;
      while (left > start && isPathChar(text.charCodeAt(left - 1))) left--;
      while (right < end && isPathChar(text.charCodeAt(right))) right++;
      runs.push(text.slice(left, right));
    }
    at = text.indexOf('.', right);
  }
  return runs;
}

function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/** A character of PATH_TOKEN: a word character or one of @ . + ~ - / \\ */
function isPathChar(code: number): boolean {
  return isLetter(code) || (code >= 45 && code <= 57) || PATH_SIGNS.has(code);
}
