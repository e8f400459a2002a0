import type { ExploreResponse, ResponseSection, SectionSymbol } from '../../model/engine.js';

/** Headers of a file's section: 1.4.1 and later, then 0.9 (docs/codegraph.md, "The form of a response"). */
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

/** Kinds under which a symbol is defined in the file rather than used there. */
const DEFINING_KINDS = new Set(
  (
    'module class struct interface trait protocol function method property field variable constant enum ' +
    'enum_member type_alias namespace route component'
  ).split(' '),
);

/** The engine's messages in place of an answer begin within these characters. */
const OPENING_CHARS = 1_000;
/** The engine searched and found nothing. */
const NO_MATCH = /^No relevant code found for "/;
/** Successful results that answer nothing: no match, no index, no project. */
const NO_ANSWERS = [
  NO_MATCH,
  /^The project at .+ isn't indexed with /,
  /^No CodeGraph project is loaded for this session/,
  /^CodeGraph isn't available here/,
  /^Error: /,
];

/** A line that may begin or end something: a fence, a file's header, a quotation. The line break before it is part of it. */
const MARKED = /\n(?:```|\*\*`|#### |> )[^\n]*/g;
/**
 * An explore response reduced to what the metrics need: sections with sizes in UTF-16 units, their symbols and numbered
 * lines, and whether it answers anything: a text without a section of source is no answer. Any text is accepted.
 */
export function parseExploreResponse(text: string): ExploreResponse {
  const reading = new Reading(text);
  // With a line break before it, the first line is like the others; a match then tells where its line begins.
  for (const { 0: match, index } of `\n${text}`.matchAll(MARKED)) reading.mark(index, match.slice(1));
  const sections = reading.finish();
  const opening = text.slice(0, OPENING_CHARS).trimStart();
  const isRefusal = NO_ANSWERS.some((pattern) => pattern.test(opening));
  return {
    chars: text.length,
    sections,
    noAnswer: sections.length === 0 || isRefusal,
    isNoMatch: NO_MATCH.test(opening),
    isUnread: sections.length === 0 && !isRefusal && text.trim() !== '',
    mentions: [...reading.mentions],
  };
}

interface OpenSection {
  path: string;
  start: number;
  symbols: SectionSymbol[];
  lineNumbers: number[];
  lineChars: number[];
}

/**
 * Walks a response from one marked line to the next: what lies between is taken as a whole, so that its lines are looked
 * at by what is built into the language, which is fast from the first response on. Offsets are UTF-16 units.
 */
class Reading {
  /** Distinct file-like tokens. */
  readonly mentions = new Set<string>();
  private readonly sections: ResponseSection[] = [];
  private section: OpenSection | undefined;
  private isFenced = false;
  /** Where the text begins that was not looked at yet: all of it inside of a fence, or all of it outside. */
  private from = 0;
  /** The first quote that no fence and no header follows. */
  private quote: number | undefined;

  constructor(private readonly text: string) {}

  /** Takes the next marked line. */
  mark(start: number, line: string): void {
    if (line.startsWith(FENCE)) this.fence(start, line);
    else if (this.isFenced) return;
    else if (line.startsWith('> ')) this.quote ??= start;
    else {
      const path = headerPath(line);
      if (path === undefined) return;
      this.closeSection(start);
      this.section = { path, start, symbols: readSymbols(line), lineNumbers: [], lineChars: [] };
      this.quote = undefined;
    }
  }

  /** The sections, once every marked line is in. */
  finish(): ResponseSection[] {
    const { text } = this;
    if (this.isFenced) this.readSource(text.length);
    else this.readProse(text.length);
    // Where only quotes follow, they are the response's own. The line break before a quote belongs to the quote.
    this.closeSection(this.quote === undefined ? text.length : this.quote - 1);
    return this.sections;
  }

  /** An opening fence belongs to the prose before it, and a closing one to the prose after it. */
  private fence(start: number, line: string): void {
    if (!this.isFenced) {
      const end = start + line.length;
      this.readProse(end);
      this.isFenced = true;
      this.from = end + 1;
      this.quote = undefined;
    } else if (line.trimEnd() === FENCE) {
      this.readSource(start - 1);
      this.isFenced = false;
      this.from = start;
    }
  }

  private closeSection(end: number): void {
    if (!this.section) return;
    const { path, start, symbols, lineNumbers, lineChars } = this.section;
    this.sections.push({
      path,
      chars: end - start,
      symbols,
      lineNumbers: new Uint32Array(lineNumbers),
      lineChars: new Uint32Array(lineChars),
    });
  }

  private readSource(end: number): void {
    if (end <= this.from) return;
    const source = this.text.slice(this.from, end);
    this.mention(slashedRuns(source), true);
    if (this.section) readNumbered(source, this.section);
  }

  private readProse(end: number): void {
    this.mention(dottedRuns(this.text.slice(this.from, end)), false);
  }

  /**
   * The engine names files by their path from the repository's root, so a bare `name.ext` is a file only in its own words;
   * in quoted source it is some comment's or import's shorthand.
   */
  private mention(runs: string[], isSource: boolean): void {
    for (const run of runs) {
      for (const token of run.match(PATH_TOKEN) ?? []) {
        const path = token.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
        if (!isSource || path.includes('/')) this.mentions.add(path);
      }
    }
  }
}

/** Notes every line that begins with a number and a tab. No line is cut out: there are hundreds in every response. */
function readNumbered(source: string, { lineNumbers, lineChars }: OpenSection): void {
  for (let start = 0, end = 0; start < source.length; start = end + 1) {
    end = source.indexOf('\n', start);
    if (end === -1) end = source.length;
    let at = start;
    let code = source.charCodeAt(at);
    while (code === 32 || code === 9 || code === 13) code = source.charCodeAt(++at);
    const first = at;
    let number = 0;
    while (code >= 48 && code <= 57) {
      number = number * 10 + code - 48;
      code = source.charCodeAt(++at);
    }
    if (at === first || code !== 9) continue;
    lineNumbers.push(number);
    lineChars.push(end - at - 1);
  }
}

function headerPath(line: string): string | undefined {
  for (const { opening, pattern } of HEADERS) {
    const path = line.startsWith(opening) ? pattern.exec(line)?.[1] : undefined;
    if (path !== undefined) return path;
  }
  return undefined;
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

/** A text's runs of characters that a path may hold, as far as they have a dot before a letter: few are left to match. */
function dottedRuns(text: string): string[] {
  const runs: string[] = [];
  let right = 0;
  for (let at = text.indexOf('.'); at !== -1; at = text.indexOf('.', right)) {
    right = at + 1;
    if (!isLetter(text.charCodeAt(right))) continue;
    const [start, end] = runAround(text, at);
    runs.push(text.slice(start, end));
    right = end;
  }
  return runs;
}

/** Those of its runs that have a slash of either kind, and a dot before a letter: in source, dots alone are everywhere. */
function slashedRuns(text: string): string[] {
  const runs: string[] = [];
  let slash = text.indexOf('/');
  let back = text.indexOf('\\');
  while (slash !== -1 || back !== -1) {
    const [start, end] = runAround(text, back === -1 || (slash !== -1 && slash < back) ? slash : back);
    const run = text.slice(start, end);
    if (/\.[A-Za-z]/.test(run)) runs.push(run);
    if (slash !== -1 && slash < end) slash = text.indexOf('/', end);
    if (back !== -1 && back < end) back = text.indexOf('\\', end);
  }
  return runs;
}

/** The ends of the run that this character stands in. */
function runAround(text: string, at: number): [number, number] {
  let start = at;
  let end = at + 1;
  while (isPathChar(text.charCodeAt(start - 1))) start--;
  while (isPathChar(text.charCodeAt(end))) end++;
  return [start, end];
}

function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/** A character of PATH_TOKEN: a word character or one of @ . + ~ - / \\ */
function isPathChar(code: number): boolean {
  return isLetter(code) || (code >= 45 && code <= 57) || PATH_SIGNS.has(code);
}
