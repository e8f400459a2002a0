import type { Citation } from '../model/grade.js';
import { escapeRegExp } from '../util/escape-reg-exp.js';

/** Files of the pristine source, for looking citations up. */
export interface SourceFiles {
  /** Relative to the root, with `/`. Regular files only. */
  paths: readonly string[];
  /** The text of a file; undefined if it cannot be read as text. */
  read(path: string): string | undefined;
}

type CitationState = Citation['state'];

interface Candidate {
  path: string;
  lines?: [number, number];
  symbol?: string;
}

/** Extensions of code. A bare name with another one (`res.json`, `Node.js`) is more often a call or a product than a file. */
const CODE_EXTENSIONS = new Set(
  (
    'js jsx ts tsx mjs cjs mts cts go rs py pyi rb php java kt kts swift cs fs vb cc cpp cxx hpp hh mm scala clj cljs ex exs ' +
    'erl hrl hs ml mli vue svelte astro sh bash zsh ps1 sql proto lua dart groovy gradle zig nim jl pl pm cmake'
  ).split(' '),
);
const PRODUCTS =
  /^(?:node|next|vue|react|express|three|d3|nuxt|backbone|ember|angular|alpine|moment|socket|chart|deno|nest|p5)\.(?:js|ts|io)$/i;
/** The sentence proposes a file that does not exist yet. */
const PROPOSES =
  /\b(?:creat(?:e|es|ing)|new|add(?:s|ing)?(?: an?)?(?: new)?)(?: \w+)? (?:file|module|class|package|script)\b[^.\n]{0,40}$/i;

/** Characters of paths. Brackets are not among them, so that both halves of a Markdown link are read. */
const TOKEN = /[\p{L}\p{N}_.@+$~/-]+/gu;
const EXTENSION = /[^./]\.([A-Za-z][A-Za-z0-9]{0,9})$/;
const DASH = '[-–—]';
const LINES = new RegExp(`^(?::|#)L?(\\d+)(?:${DASH}L?(\\d+))?(?!\\d)`);
const SPELLED_LINES = new RegExp(
  `^["'\`*\\])]{0,4}[\\s,]{0,2}[(\\[]?["']?(?:on |at |in )?(?:lines?|L)["']?\\s*[:~]?\\s*(\\d+)(?:\\s*(?:${DASH}|to)\\s*(\\d+))?`,
);
const SYMBOL = /^(?:::?|#)([\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->)[\p{L}_$][\p{L}\p{N}_$]*)*)/u;

/**
 * Every place in the code that the answers name, each once, looked up in the source: paths, `path:line`, `path:line-line`, `path#L1-L2`,
 * `path (line 1)` and `path:symbol`. A file may be named by the end of its path. Fenced blocks count only where they name a line or symbol.
 * `added` are files that the change under grading made.
 */
export function citationsOf(
  answers: readonly (string | null)[],
  source: SourceFiles,
  added: readonly string[] = [],
): Citation[] {
  const index = new SourceIndex(source, added);
  const found = new Map<string, Citation>();
  answers.forEach((answer, prompt) => {
    for (const candidate of candidatesOf(answer ?? '', index)) {
      const text = labelOf(candidate);
      if (!found.has(text)) found.set(text, { text, ...index.resolve(candidate), prompt });
    }
  });
  return [...found.values()];
}

/** The places in the code that each text names, looked up in the source. By text, in the order of `texts`. */
export function citationsOfEach(
  texts: readonly string[],
  source: SourceFiles,
): Pick<Citation, 'text' | 'state' | 'file'>[][] {
  const index = new SourceIndex(source, []);
  return texts.map((text) =>
    candidatesOf(text, index).map((candidate) => ({ text: labelOf(candidate), ...index.resolve(candidate) })),
  );
}

/** Resolves one place written as in `at` of a fact: `path:from-to`, `path:line`, `path:symbol`, `path:any text of the file`, or a path. */
export function resolvePlace(place: string, source: SourceFiles): { state: CitationState; nearest?: string } {
  const index = new SourceIndex(source, []);
  const colon = place.indexOf(':');
  const path = colon === -1 ? place : place.slice(0, colon);
  const rest = colon === -1 ? '' : place.slice(colon + 1);
  const lines = /^(\d+)(?:-(\d+))?$/.exec(rest);
  if (rest === '' || lines) {
    const wanted = lines ? ([Number(lines[1]), Number(lines[2] ?? lines[1])] as [number, number]) : undefined;
    const { state } = index.resolve({ path, ...(wanted && { lines: wanted }) });
    return state === 'resolved' ? { state } : { state, nearest: index.nearestTo(path, '') };
  }
  const files = index.filesOf(path);
  if (files.length === 0) return { state: 'path-not-found', nearest: index.nearestTo(path, rest) };
  const isThere = files.some((file) => source.read(file)?.includes(rest) || index.hasSymbol(file, rest));
  return isThere ? { state: 'resolved' } : { state: 'symbol-not-found', nearest: index.nearestTo(path, rest) };
}

function labelOf({ path, lines, symbol }: Candidate): string {
  if (symbol !== undefined) return `${path}:${symbol}`;
  if (!lines) return path;
  return `${path}:${lines[0]}${lines[1] === lines[0] ? '' : `-${lines[1]}`}`;
}

function candidatesOf(answer: string, index: SourceIndex): Candidate[] {
  const text = answer.replaceAll('\\', '/').replace(/\b(?:https?|file|git|ssh):\/\/\S+/g, ' ');
  const fences = fencedRanges(text);
  const candidates: Candidate[] = [];
  for (const match of text.matchAll(TOKEN)) {
    const token = match[0].replace(/\.+$/, '');
    const path = EXTENSION.test(token) ? index.cleanPath(token) : undefined;
    if (path === undefined) continue;
    const before = text.slice(Math.max(0, match.index - 90), match.index);
    const after = text.slice(match.index + token.length, match.index + token.length + 120);
    const places = placesAfter(after);
    const isFenced = fences.some(([start, end]) => match.index >= start && match.index < end);
    const isQuoted = /[`"'[]$/.test(before) || /^[`"'\]]/.test(after);
    const exists = index.filesOf(path).length > 0;
    if (!isCitation(path, { index, isQuoted, isFenced, hasPlace: places.length > 0 })) continue;
    if (!exists && PROPOSES.test(before.replaceAll('`', ''))) continue;
    // A call such as `app.render(…)` is not a file.
    if (!exists && places.length === 0 && after.startsWith('(')) continue;
    if (places.length === 0) candidates.push({ path });
    for (const place of places) candidates.push({ path, ...place });
  }
  return candidates;
}

function isCitation(
  path: string,
  at: { index: SourceIndex; isQuoted: boolean; isFenced: boolean; hasPlace: boolean },
): boolean {
  const { index, isQuoted, isFenced, hasPlace } = at;
  if (isFenced && !hasPlace) return false;
  if (index.filesOf(path).length > 0) return true;
  const extension = path.slice(path.lastIndexOf('.') + 1);
  const isCode = CODE_EXTENSIONS.has(extension);
  if (path.includes('/')) return isCode || index.hasExtension(extension);
  return isCode && !PRODUCTS.test(path) && (hasPlace || isQuoted);
}

/** The lines and symbols that directly follow a path: `:10`, `:10-20,30`, `#L5`, ` (line 7)`, `:name`. */
function placesAfter(text: string): Omit<Candidate, 'path'>[] {
  const rest = text.replace(/^(?:\*\*|[`*])(?=[:#])/, '');
  const first = LINES.exec(rest) ?? SPELLED_LINES.exec(rest);
  if (first) {
    const places = [rangeOf(first[1], first[2])];
    let at = first[0].length;
    for (;;) {
      const next = new RegExp(`^,\\s?L?(\\d+)(?:${DASH}L?(\\d+))?(?![\\d\\w.])`).exec(rest.slice(at));
      if (!next) return places.map((lines) => ({ lines }));
      places.push(rangeOf(next[1], next[2]));
      at += next[0].length;
    }
  }
  const symbol = SYMBOL.exec(rest)?.[1];
  return symbol !== undefined && symbol.length > 1 ? [{ symbol }] : [];
}

function rangeOf(from: string | undefined, to: string | undefined): [number, number] {
  return [Number(from), Number(to ?? from)];
}

function fencedRanges(text: string): [number, number][] {
  const block = /^[ \t]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^[ \t]*\1[`~]*[ \t\r]*$|(?![\s\S]))/gm;
  return [...text.matchAll(block)].map((match) => [match.index, match.index + match[0].length]);
}

/** The source's paths by file name, its extensions, and the texts that were asked for. */
class SourceIndex {
  private readonly byName = new Map<string, string[]>();
  private readonly extensions = new Set<string>();
  private readonly added: ReadonlySet<string>;

  constructor(
    private readonly source: SourceFiles,
    added: readonly string[],
  ) {
    this.added = new Set(added);
    for (const path of [...source.paths, ...added]) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      const known = this.byName.get(name);
      if (known) known.push(path);
      else this.byName.set(name, [path]);
      const dot = name.lastIndexOf('.');
      if (dot > 0) this.extensions.add(name.slice(dot + 1));
    }
  }

  hasExtension(extension: string): boolean {
    return this.extensions.has(extension);
  }

  /** A path as the source would have it: without `./` and the trial's own folder; undefined if it lies elsewhere. */
  cleanPath(raw: string): string | undefined {
    const whole = raw.replace(/^(?:\.\/)+/, '');
    if (/^(?:\.\.|~)\//.test(whole) || /(?:^|\/)node_modules\//.test(whole)) return undefined;
    // `src/.../worker.rs` leaves folders out.
    const path = whole.split(/\/?\.{2,}\//).at(-1) ?? whole;
    if (!path.startsWith('/')) return path;
    const own = /\/ae-[^/]+\/(?:.*\/)?w\/(.+)$/.exec(path)?.[1];
    if (own !== undefined) return own;
    // An absolute path of another machine or of a container: the longest end of it that is a file here.
    const parts = path.split('/').slice(1);
    for (let from = 0; from < parts.length - 1; from++) {
      const end = parts.slice(from).join('/');
      if (this.source.paths.includes(end)) return end;
    }
    return undefined;
  }

  /** The files that a path may mean: itself, else those that end in it. */
  filesOf(path: string): string[] {
    const named = this.byName.get(path.slice(path.lastIndexOf('/') + 1)) ?? [];
    if (named.includes(path)) return [path];
    return named.filter((one) => one.endsWith(`/${path}`));
  }

  resolve({ path, lines, symbol }: Candidate): { state: CitationState; file?: string } {
    const files = this.filesOf(path);
    const [file] = files;
    if (file === undefined) return { state: 'path-not-found' };
    const fitting = files.find((one) => this.fits(one, lines, symbol));
    if (fitting !== undefined) return { state: 'resolved', file: fitting };
    return { state: symbol === undefined ? 'beyond-end' : 'symbol-not-found', file };
  }

  private fits(file: string, lines: [number, number] | undefined, symbol: string | undefined): boolean {
    // What the change itself made is not in the pristine source, and is no invention either.
    if (this.added.has(file)) return true;
    if (symbol !== undefined) return this.hasSymbol(file, symbol);
    if (!lines) return true;
    const [from, to] = lines;
    return from >= 1 && to >= from && to <= countLines(this.source.read(file) ?? '');
  }

  /** Whether the last part of a dotted name stands in the file as a word. */
  hasSymbol(file: string, symbol: string): boolean {
    const name = symbol.split(/\.|::|#|->/).at(-1) ?? symbol;
    return new RegExp(`(?<![\\p{L}\\p{N}_$])${escapeRegExp(name)}(?![\\p{L}\\p{N}_$])`, 'u').test(
      this.source.read(file) ?? '',
    );
  }

  /** What a place that does not resolve may have meant: another file of that name, or the most alike word of the file. */
  nearestTo(path: string, symbol: string): string | undefined {
    const files = this.filesOf(path);
    if (files.length === 0) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      return mostAlike(name, [...this.byName.keys()], (one) => this.byName.get(one)?.[0] ?? one);
    }
    if (symbol === '') return `${files[0]} has ${countLines(this.source.read(files[0] ?? '') ?? '')} lines`;
    const wanted = symbol.split(/\.|::|#|->/).at(-1) ?? symbol;
    const words = new Set(this.source.read(files[0] ?? '')?.match(/[\p{L}_$][\p{L}\p{N}_$]{2,}/gu) ?? []);
    return mostAlike(wanted, [...words], (word) => `${files[0]}:${word}`);
  }
}

/** Lines as an editor counts them: a line end at the end of the file begins no further line. */
function countLines(text: string): number {
  if (text === '') return 0;
  let lines = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

function mostAlike(wanted: string, words: string[], show: (word: string) => string): string | undefined {
  const pairs = (text: string) =>
    new Set(Array.from({ length: text.length - 1 }, (_, at) => text.toLowerCase().slice(at, at + 2)));
  const own = pairs(wanted);
  let best: { word: string; score: number } | undefined;
  for (const word of words) {
    const other = pairs(word);
    const common = [...own].filter((pair) => other.has(pair)).length;
    const score = (2 * common) / (own.size + other.size || 1);
    if (score > (best?.score ?? 0.3)) best = { word, score };
  }
  return best && show(best.word);
}
