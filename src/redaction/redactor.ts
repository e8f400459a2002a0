import { escaped } from './escaped.js';
import { createFills, isFilled } from './fill.js';
import { homeRules } from './home.js';
import { rewriteStrings } from './json-text.js';
import { findSecrets, mayHoldSecret } from './library.js';
import { isNamedSecret, RULES, type Rule } from './rules.js';
import { rewriteDeep } from './walk.js';

/** How many different secrets of a kind were taken out, and from how many places. */
export interface RedactedKind {
  kind: string;
  secrets: number;
  places: number;
}

/** Takes secrets and home paths out of texts. Every text keeps its length in UTF-16 units. */
export interface Redactor {
  /**
   * Finds what only the library's rules know in texts that are redacted later; from then on it is taken out wherever it stands.
   * `json`: of a JSON text, the strings; of a text that is none, all of it. `lines`: the same of each line. Better a few times
   * with much than many times with little.
   */
  learn(texts: { text?: string; json?: string; lines?: string; value?: unknown }): Promise<void>;
  text(text: string): string;
  /**
   * As `json`, of a line of a transcript: pieces in which a text was streamed are blanked too. A secret that is cut among several
   * lines cannot be found, and the whole text follows in an event of its own.
   */
  line(json: string): string;
  /** One JSON text: its strings are redacted, all else stays byte for byte. What does not parse (a cut line) is taken as text. */
  json(json: string): string;
  /** A copy of a value with all its strings redacted. */
  value<T>(value: T): T;
  /** What was taken out so far, by kind; of that, what a finished text shows the replacements of. */
  found(shown?: string): RedactedKind[];
  /** Begins to count anew. */
  recount(): void;
}

/** `home`: the home folder of whoever runs this; the usual shapes of home folders are taken out without it too. */
export function createRedactor(home?: string): Redactor {
  const found = createTally();
  const known = createKnown();
  const rules = [...RULES, ...homeRules(home)];

  /** `replace` is asked for each secret of our own rules. */
  // One pass over each of the many short strings of a transcript in place of one a rule.
  const trigger = new RegExp(rules.flatMap(({ has }) => has.map(escaped)).join('|'));
  const byRules = (text: string, replace: Replace): string => {
    if (!trigger.test(text)) return text;
    const apply = (rest: string, rule: Rule) =>
      rule.has.some((one) => rest.includes(one)) ? applyRule(rule, rest, replace) : rest;
    return rules.reduce(apply, text);
  };
  const counted: Replace = (kind, secret) => (isFilled(secret) ? secret : found.count(kind, secret));
  const text = (original: string) => known.replace(byRules(original, counted), counted);
  const named = (value: string, property: string | undefined) =>
    property !== undefined && isNamedSecret(property, value) ? counted('assigned secret', value) : text(value);
  const learnTexts = async (texts: Set<string>) => {
    // What our own rules take out, or what is known, needs no second look. It is counted when it is really taken out.
    const blank: Replace = (_, secret) => 'x'.repeat(secret.length);
    const open = [...texts]
      .filter(mayHoldSecret)
      .map((one) => known.replace(byRules(one, blank), blank))
      .filter(mayHoldSecret);
    // All at once: what the library notes of each of its calls slows the later ones down.
    for (const { kind, secret } of await findSecrets(open.join(BETWEEN))) {
      if (!isFilled(secret)) known.add(secret, kind);
    }
  };

  return {
    async learn({ text: plain, json, lines, value }) {
      const strings = new Set<string>(plain === undefined ? [] : [plain]);
      const keep = (one: string) => {
        strings.add(one);
        return one;
      };
      for (const one of [json, ...(lines?.split('\n') ?? [])]) {
        if (one === undefined) continue;
        if (isJson(one)) rewriteStrings(one, keep);
        else strings.add(one);
      }
      if (value !== undefined) rewriteDeep(value, keep);
      await learnTexts(strings);
    },
    text,
    json: (json) => (isJson(json) ? rewriteStrings(json, named) : text(json)),
    line(json) {
      const after = isJson(json) ? rewriteStrings(json, named) : text(json);
      return STREAMED.test(json) && isJson(after) ? rewriteStrings(after, blanked) : after;
    },
    value: (value) => rewriteDeep(value, named),
    found: found.kinds,
    recount: found.clear,
  };
}

/** No pattern of the library reaches across it. */
const BETWEEN = '\n\u0000\n';

/** Written with --include-partial-messages. */
const STREAMED = /^\{"type":"stream_event"/;
const PIECES = new Set(['text', 'partial_json', 'thinking']);

function blanked(value: string, property: string | undefined): string {
  return PIECES.has(property ?? '') ? value.replace(/[^\s]/gu, (one) => 'x'.repeat(one.length)) : value;
}

type Replace = (kind: string, secret: string) => string;

function applyRule(rule: Rule, text: string, replace: Replace): string {
  return text.replace(rule.pattern, (match: string, ...rest: unknown[]) => {
    const [context = '', ...others] = rest.filter((one) => typeof one !== 'object') as [string?, ...unknown[]];
    const offset = others.find((one) => typeof one === 'number') ?? 0;
    const secret = match.slice(context.length);
    const end = Number(offset) + match.length;
    if (rule.holds && !rule.holds(secret, context, text.slice(end, end + 1))) return match;
    const { pieces } = rule;
    if (!pieces) return context + replace(rule.kind, secret);
    const parts = secret.replace(pieces, (piece: string, kept: string | undefined = '') => {
      return kept + (piece.length === kept.length ? '' : replace(rule.kind, piece.slice(kept.length)));
    });
    return context + parts;
  });
}

/** Secrets that were learnt, taken out as they stand. */
function createKnown() {
  const kinds = new Map<string, string>();
  let pattern: RegExp | undefined;
  return {
    add(secret: string, kind: string) {
      kinds.set(secret, kind);
      // The longest first: one can be the beginning of another.
      const longestFirst = [...kinds.keys()].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
      pattern = new RegExp(longestFirst.map(escaped).join('|'), 'g');
    },
    replace(text: string, replace: Replace): string {
      return pattern ? text.replace(pattern, (secret) => replace(kinds.get(secret) ?? '', secret)) : text;
    },
  };
}

function createTally() {
  const fills = createFills();
  const tally = new Map<string, Map<string, number>>();
  const kindOf = (kind: string, secrets: Map<string, number>, shown: string | undefined): RedactedKind => {
    const places = [...secrets].map(([secret, n]) => (shown === undefined ? n : timesIn(shown, fills.of(secret))));
    return { kind, secrets: places.filter((n) => n > 0).length, places: places.reduce((sum, n) => sum + n, 0) };
  };
  return {
    count(kind: string, secret: string): string {
      const of = tally.get(kind) ?? new Map<string, number>();
      of.set(secret, (of.get(secret) ?? 0) + 1);
      tally.set(kind, of);
      return fills.of(secret);
    },
    clear: () => tally.clear(),
    kinds: (shown?: string): RedactedKind[] =>
      [...tally]
        .map(([kind, secrets]) => kindOf(kind, secrets, shown))
        .filter(({ places }) => places > 0)
        .sort((a, b) => (a.kind < b.kind ? -1 : 1)),
  };
}

/** How often a replacement stands in a text as a word of its own. */
function timesIn(text: string, replacement: string): number {
  return text.match(new RegExp(`(?<![A-Za-z0-9])${replacement}(?![A-Za-z0-9])`, 'g'))?.length ?? 0;
}

function isJson(text: string): boolean {
  if (!/^\s*[[{"]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
