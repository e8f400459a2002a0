import { escapeRegExp } from '../util/escape-reg-exp.js';

/**
 * A pattern for one kind of secret. Every pattern takes linear time: a part without an upper bound is either the last one, or a character
 * that it cannot hold must stand before its beginning.
 */
export interface Rule {
  /** The kind under which finds are counted and reported. */
  kind: string;
  /** Every text that the pattern matches contains one of these. They are looked for first, which is many times faster. */
  has: string[];
  /** Global. Group 1 is context and stays; the rest of the match is the secret. */
  pattern: RegExp;
  /** The parts of the secret that are replaced, each by itself; group 1 of this pattern stays. Undefined: all of the secret. */
  pieces?: RegExp;
  /** Returns false if the match only looks like a secret. `next` is the character that follows it. */
  holds?(secret: string, context: string, next: string): boolean;
  /** Returns false if a piece stays. */
  holdsPiece?(piece: string): boolean;
  /**
   * True if a find is taken out wherever else it stands: a password is recognized only beside the name that marks it, and is as secret
   * without that name.
   */
  isLearnt?: boolean;
}

/** Rules that are tried only on a text in which `gate` matches. */
export interface RuleGroup {
  gate: RegExp;
  rules: Rule[];
}

/** Returns the group of rules that are tried on a text with a part that one of them needs. */
export function groupRules(rules: Rule[]): RuleGroup {
  const parts = [...new Set(rules.flatMap(({ has }) => has))];
  return { gate: new RegExp(parts.map(escapeRegExp).join('|')), rules };
}

/** A quotation mark that may be there, and its escapes in nested JSON. */
export const QUOTE = String.raw`\\*["'\x60]?`;
/** White space, also as JSON or a shell spells it within a text. */
export const SPACE = String.raw`(?:\s|\\[nrt])`;
