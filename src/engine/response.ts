import type { ExploreResponse, ResponseSection, SectionSymbol } from '../model/engine.js';

/** Header of a file's section: 1.4.1 and later, then 0.9 (spec/codegraph.md 4.3). */
const HEADERS = [/^\*\*`([^`]+)`\*\*/, /^#### (\S+) — /];
const FENCE = '```';
const NUMBERED = /^\s*(\d+)\t/;
/** `name(kind)`; the name may hold dots, colons and operators, the kind is one lower-case word. */
const SYMBOL = /^(.+)\(([a-z_]+)\)$/;
/** Something that ends in a file extension, with or without directories before it. */
const PATH_TOKEN = /(?:[\w@.+~-]+[\\/])*[\w@+~-][\w@.+~-]*\.[A-Za-z][A-Za-z0-9]{0,9}(?![\w/])/g;

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

interface Line {
  text: string;
  /** Offset of the line's first character, in UTF-16 units. */
  start: number;
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
    sections: readSections(lines, text.length),
    noAnswer: text.trim() === '' || NO_ANSWERS.some((pattern) => pattern.test(text.trimStart())),
    mentions: readMentions(lines),
  };
}

function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  let fenced = false;
  let start = 0;
  for (const line of text.split('\n')) {
    const closes = fenced && line.trimEnd() === FENCE;
    const opens = !fenced && line.startsWith(FENCE);
    lines.push({ text: line, start, fenced: fenced && !closes, opens });
    if (opens) fenced = true;
    if (closes) fenced = false;
    start += line.length + 1;
  }
  return lines;
}

function readSections(lines: Line[], textEnd: number): ResponseSection[] {
  const headers = lines.flatMap((line, index) => {
    const path = line.fenced ? undefined : headerPath(line.text);
    return path === undefined ? [] : [{ path, index, line }];
  });
  return headers.map(({ path, index, line }, position) => {
    const next = headers[position + 1];
    const body = lines.slice(index + 1, next?.index);
    const end = next?.line.start ?? trailingQuoteStart(body) ?? textEnd;
    return { path, chars: end - line.start, symbols: readSymbols(line.text), ...readSource(body) };
  });
}

function headerPath(line: string): string | undefined {
  for (const pattern of HEADERS) {
    const path = pattern.exec(line)?.[1];
    if (path !== undefined) return path;
  }
  return undefined;
}

/**
 * Where the section ends that is followed by nothing but the response's closing quotes. The line break before a quote
 * belongs to the quote. A quote that source still follows is part of the section.
 */
function trailingQuoteStart(body: Line[]): number | undefined {
  const lastFence = body.findLastIndex((line) => line.opens || line.fenced);
  const quote = body.find((line, index) => index > lastFence && line.text.startsWith('> '));
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

function readSource(body: Line[]): Pick<ResponseSection, 'lineNumbers' | 'lineChars'> {
  const numbers: number[] = [];
  const chars: number[] = [];
  for (const line of body) {
    const match = line.fenced ? NUMBERED.exec(line.text) : null;
    if (!match) continue;
    numbers.push(Number(match[1]));
    chars.push(line.text.length - match[0].length);
  }
  return { lineNumbers: Uint32Array.from(numbers), lineChars: Uint32Array.from(chars) };
}

/**
 * Distinct file-like tokens. The engine names files by their path from the repository's root, so a bare `name.ext` is a
 * file only in its own words; in quoted source it is some comment's or import's shorthand.
 */
function readMentions(lines: Line[]): string[] {
  const mentions = new Set<string>();
  for (const line of lines) {
    for (const [token] of line.text.matchAll(PATH_TOKEN)) {
      const path = token.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
      if (!line.fenced || path.includes('/')) mentions.add(path);
    }
  }
  return [...mentions];
}
