/** Replacements of secrets, handed out in the order in which the secrets are met. */
export interface Fills {
  /**
   * What stands in a secret's place: as long as it in UTF-16 units, because the metrics count characters, and the same wherever
   * the secret stands, so that equal paths stay equal. Letters and digits only: it means nothing to a shell, to Markdown or to a
   * path. A secret that is such a replacement already is returned as it is.
   */
  of(secret: string): string;
}

/** Long enough to say what it is. */
const MARK = 'redacted';
const MARKED_FROM = 16;
const FILLED = /^(?:redacted)?x+\d*$/;

/** Replacements that no other secret of these fills was given, as far as their length allows. */
export function createFills(): Fills {
  const given = new Map<string, string>();
  const usedOfLength = new Map<number, number>();
  return {
    of(secret) {
      if (isFilled(secret)) return secret;
      const before = given.get(secret);
      if (before !== undefined) return before;
      const number = usedOfLength.get(secret.length) ?? 0;
      usedOfLength.set(secret.length, number + 1);
      const made = fill(secret.length, number);
      given.set(secret, made);
      return made;
    },
  };
}

/** True of what `Fills` makes, and of other runs of the letter x: nothing is hidden there. */
export function isFilled(text: string): boolean {
  return FILLED.test(text);
}

/** The first secret of a length is all x; later ones end in their number. Very short ones may run out of numbers. */
function fill(length: number, number: number): string {
  const body = (length >= MARKED_FROM ? MARK : '').padEnd(length, 'x');
  const tail = number === 0 ? '' : String(number + 1);
  return tail.length < length ? body.slice(0, length - tail.length) + tail : 'x'.repeat(length);
}
