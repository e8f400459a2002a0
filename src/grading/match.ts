import { hasNegation, isDenied, isNegated } from './negation.js';
import { normalize } from './text.js';

/** Where an alternative was found: the alternative, and the part of the normalized text that holds its strings. */
export interface AcceptMatch {
  alternative: string[];
  start: number;
  end: number;
}

export interface AcceptResult {
  /** The first alternative that holds; undefined: none does. */
  match?: AcceptMatch;
  /** Some alternative would hold if its strings did not stand under a negation. */
  negated: boolean;
}

/**
 * Looks for the alternatives of `accept` in a normalized text: of one, every string must occur, and not under a negation. A fact whose
 * claim is itself a negation is matched although words of negation stand there, but not where the whole sentence is denied.
 */
export function matchAccept(text: string, accept: string[][], claim: string): AcceptResult {
  const ownNegation = hasNegation(claim);
  let negated = false;
  for (const alternative of accept) {
    const strings = alternative.map(normalize);
    if (!strings.every((one) => text.includes(one))) continue;
    // Strings that deny something themselves (`isn't added`) say what they mean.
    const mayBeNegated = ownNegation || strings.some(hasNegation);
    const places = strings.map((one) => findPlain(text, one, mayBeNegated));
    if (places.every((at) => at !== undefined)) {
      const starts = places as number[];
      const ends = starts.map((at, index) => at + (strings[index]?.length ?? 0));
      return { match: { alternative, start: Math.min(...starts), end: Math.max(...ends) }, negated };
    }
    negated = true;
  }
  return { negated };
}

/** The first place where a string stands without a negation; undefined: there is none. */
function findPlain(text: string, wanted: string, mayBeNegated: boolean): number | undefined {
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    if (isDenied(text, at)) continue;
    if (mayBeNegated || !isNegated(text, at, at + wanted.length)) return at;
  }
  return undefined;
}
