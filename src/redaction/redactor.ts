import { createFills, isFilled } from './fill.js';
import { homeRules } from './home.js';
import { rewriteStrings } from './json-text.js';
import { createKnownSecrets, type KnownNames, nameReplacer, type Replace } from './known.js';
import { isNamedSecret } from './passwords.js';
import { hasLetterAndDigit } from './random.js';
import { groupRules, type Rule } from './rule.js';
import { RULES } from './rules.js';
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
   * Reads texts that are redacted later. A password that a name marks in one place is from then on taken out wherever it stands.
   * `json` is a JSON text, of which the strings are read, or a text that does not parse, which is read whole. `lines` is the same for each
   * line.
   */
  learn(texts: { text?: string; json?: string; lines?: string; value?: unknown }): void;
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

/** What is known before any text is read. */
export interface RedactorOptions extends KnownNames {
  /** The home folder of whoever runs this. The usual shapes of home folders are taken out without it too. */
  home?: string;
  /** Secrets that are taken out wherever they stand. */
  secrets?: string[];
  /** Names that stay although they are the user's or the machine's: folders and files are called by them. */
  kept?: ReadonlySet<string>;
}

export function createRedactor({ home, login, host, secrets = [], kept = new Set() }: RedactorOptions = {}): Redactor {
  const found = createTally();
  const known = createKnownSecrets();
  for (const secret of secrets) known.add(secret, 'environment secret');
  const replaceNames = nameReplacer({ login, host }, kept);
  const groups = [...RULES, groupRules(homeRules(home))];
  const byRules = (text: string, replace: RuleReplace): string =>
    groups.reduce((rest, { gate, rules }) => (gate.test(rest) ? applyRules(rules, rest, replace) : rest), text);
  const counted: Replace = (kind, secret) => (isFilled(secret) ? secret : found.count(kind, secret));
  // The known secrets come first: a rule may know only a part of one.
  const withoutSecrets = (original: string) =>
    byRules(known.replace(original, counted), ({ kind }, secret) => counted(kind, secret));
  const text = (original: string) => replaceNames(withoutSecrets(original), counted);
  const inJson = (value: string, property: string | undefined, isName: boolean) => {
    if (isName) return withoutSecrets(value);
    return property !== undefined && isNamedSecret(property, value) ? counted('assigned secret', value) : text(value);
  };
  const learnFrom = (original: string, property?: string) => {
    if (property !== undefined && isNamedSecret(property, original)) keep('assigned secret', original);
    byRules(original, ({ kind, isLearnt }, secret) => {
      if (isLearnt === true) keep(kind, secret);
      return 'x'.repeat(secret.length);
    });
    return original;
  };
  const keep = (kind: string, secret: string) => {
    if (hasLetterAndDigit(secret) && !isFilled(secret)) known.add(secret, kind);
  };

  return {
    learn({ text: plain, json, lines, value }) {
      if (plain !== undefined) learnFrom(plain);
      for (const one of [json, ...(lines?.split('\n') ?? [])]) {
        if (one === undefined) continue;
        if (isJson(one)) rewriteStrings(one, learnFrom);
        else learnFrom(one);
      }
      if (value !== undefined) rewriteDeep(value, learnFrom);
    },
    text,
    json: (json) => (isJson(json) ? rewriteStrings(json, inJson) : text(json)),
    line(json) {
      const after = isJson(json) ? rewriteStrings(json, inJson) : text(json);
      return STREAMED.test(json) && isJson(after) ? rewriteStrings(after, blanked) : after;
    },
    value: (value) => rewriteDeep(value, inJson),
    found: found.kinds,
    recount: found.clear,
  };
}

/** Written with --include-partial-messages. */
const STREAMED = /^\{"type":"stream_event"/;
const PIECES = new Set(['text', 'partial_json', 'thinking']);

function blanked(value: string, property: string | undefined): string {
  return PIECES.has(property ?? '') ? value.replace(/[^\s]/gu, (one) => 'x'.repeat(one.length)) : value;
}

type RuleReplace = (rule: Rule, secret: string) => string;

function applyRules(rules: Rule[], text: string, replace: RuleReplace): string {
  const apply = (rest: string, rule: Rule) =>
    rule.has.some((part) => rest.includes(part)) ? applyRule(rule, rest, replace) : rest;
  return rules.reduce(apply, text);
}

function applyRule(rule: Rule, text: string, replace: RuleReplace): string {
  return text.replace(rule.pattern, (match: string, ...rest: unknown[]) => {
    const [context = '', ...others] = rest.filter((one) => typeof one !== 'object') as [string?, ...unknown[]];
    const offset = others.find((one) => typeof one === 'number') ?? 0;
    const secret = match.slice(context.length);
    const end = Number(offset) + match.length;
    if (rule.holds && !rule.holds(secret, context, text.slice(end, end + 1))) return match;
    const { pieces, holdsPiece } = rule;
    if (!pieces) return context + replace(rule, secret);
    const parts = secret.replace(pieces, (piece: string, kept: string | undefined = '') => {
      const hidden = piece.slice(kept.length);
      return kept + (hidden === '' || holdsPiece?.(hidden) === false ? hidden : replace(rule, hidden));
    });
    return context + parts;
  });
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
