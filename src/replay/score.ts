import type { EngineProfile } from '../model/engine.js';
import { globToPattern } from '../util/glob.js';
import type { GoldLines, ResolvedGold } from './gold.js';
import { type LineRange, linesIn, toRanges } from './read-response.js';

/** A response with the tool that gave it. */
export interface ToolText {
  tool: string;
  text: string;
}

export const GOLD_KINDS = ['file', 'symbol', 'line', 'text'] as const;
export type GoldKind = (typeof GOLD_KINDS)[number];

/** How much of one gold item a session delivered. A file, a symbol and a text count 1; a range counts its lines. */
export interface ItemScore {
  kind: GoldKind;
  label: string;
  of: number;
  found: number;
  /** Lines of a symbol or range that were not delivered. */
  missing: LineRange[];
}

/** Share of the gold of each kind that was delivered; null where the case has none of that kind. */
export interface Recall {
  files: number | null;
  symbols: number | null;
  lines: number | null;
}

export interface GoldScore {
  items: ItemScore[];
  recall: Recall;
  /** Recall of the first n characters of the session's responses. */
  recallAtChars: { chars: number; recall: Recall }[];
  /** Texts that must not occur and do. */
  forbidden: string[];
  /** Share of the source that lies in answer files; null without such globs or without source. */
  answerShare: number | null;
  incidentalShare: number | null;
  /** Files of the weak gold that were delivered. */
  weakFiles: string[];
}

const BUDGETS_CHARS = [2_000, 4_000, 8_000, 16_000];

/** Scores the responses of one session against its gold. */
export function scoreSession(texts: ToolText[], gold: ResolvedGold, profile: EngineProfile): GoldScore {
  const delivered = deliver(texts, profile);
  const items = scoreItems(delivered, gold);
  return {
    items,
    recall: recallOf(items),
    recallAtChars: BUDGETS_CHARS.map((chars) => ({
      chars,
      recall: recallOf(scoreItems(deliver(cutTo(texts, chars), profile), gold)),
    })),
    forbidden: gold.not.filter((text) => delivered.text.includes(text)),
    answerShare: gold.answer ? shareOf(delivered, gold.answer.globs) : null,
    incidentalShare: gold.incidental ? shareOf(delivered, gold.incidental.globs) : null,
    weakFiles: gold.weakFiles.filter((path) => delivered.lines.has(path)),
  };
}

/** Whether a session holds everything that its gold asks for, the bounds included. */
export function meetsGold({ items, forbidden, answerShare, incidentalShare }: GoldScore, gold: ResolvedGold): boolean {
  const isWhole = items.every(({ found, of }) => found === of);
  const { minShare = 0 } = gold.answer ?? {};
  const { maxShare = 1 } = gold.incidental ?? {};
  return isWhole && forbidden.length === 0 && (answerShare ?? 1) >= minShare && (incidentalShare ?? 0) <= maxShare;
}

interface Delivered {
  text: string;
  /** Delivered lines by file; a file that a response without source names has none. */
  lines: Map<string, Set<number>>;
  charsByPath: Map<string, number>;
}

function deliver(texts: ToolText[], profile: EngineProfile): Delivered {
  const lines = new Map<string, Set<number>>();
  const charsByPath = new Map<string, number>();
  for (const { text } of texts) {
    const { sections, mentions } = profile.parseResponse(text);
    for (const { path, chars, lineNumbers } of sections) {
      const known = lines.get(path) ?? new Set<number>();
      for (const line of lineNumbers) known.add(line);
      lines.set(path, known);
      charsByPath.set(path, (charsByPath.get(path) ?? 0) + chars);
    }
    // A tool that answers without source delivers the files that it names.
    if (sections.length === 0) for (const path of mentions) if (!lines.has(path)) lines.set(path, new Set());
  }
  return { text: texts.map(({ text }) => text).join('\n'), lines, charsByPath };
}

function scoreItems({ text, lines }: Delivered, gold: ResolvedGold): ItemScore[] {
  const whole = (kind: GoldKind, label: string, isFound: boolean): ItemScore => {
    return { kind, label, of: 1, found: isFound ? 1 : 0, missing: [] };
  };
  const range = (kind: GoldKind, { label, path, from, to }: GoldLines): ItemScore => {
    const wanted = [...linesIn([[from, to]])];
    const missing = wanted.filter((line) => !lines.get(path)?.has(line));
    return { kind, label, of: wanted.length, found: wanted.length - missing.length, missing: toRanges(missing) };
  };
  return [
    ...gold.files.map((path) => whole('file', path, lines.has(path))),
    ...gold.symbols.map((symbol) => range('symbol', symbol)),
    ...gold.lines.map((place) => range('line', place)),
    ...gold.contains.map((wanted) => whole('text', wanted, text.includes(wanted))),
  ];
}

function recallOf(items: ItemScore[]): Recall {
  const share = (kind: GoldKind): number | null => {
    const own = items.filter((item) => item.kind === kind);
    const of = own.reduce((sum, item) => sum + item.of, 0);
    return of === 0 ? null : own.reduce((sum, item) => sum + item.found, 0) / of;
  };
  return { files: share('file'), symbols: share('symbol'), lines: share('line') };
}

/** The first characters of all texts together, as a model would be given them. */
function cutTo(texts: ToolText[], chars: number): ToolText[] {
  let left = chars;
  return texts.flatMap(({ tool, text }) => {
    const cut = text.slice(0, left);
    left -= cut.length;
    return cut === '' ? [] : [{ tool, text: cut }];
  });
}

function shareOf({ charsByPath }: Delivered, globs: string[]): number | null {
  const patterns = globs.map(globToPattern);
  let own = 0;
  let all = 0;
  for (const [path, chars] of charsByPath) {
    all += chars;
    if (patterns.some((pattern) => pattern.test(path))) own += chars;
  }
  return all === 0 ? null : own / all;
}
