import { escapeRegExp } from '../util/escape-reg-exp.js';
import { isSomebody } from './people.js';

/** Takes a secret's place: `kind` is how it is counted. */
export type Replace = (kind: string, secret: string) => string;

/** Secrets that were learnt, taken out wherever they stand. */
export interface KnownSecrets {
  add(secret: string, kind: string): void;
  replace(text: string, replace: Replace): string;
}

/** What is shorter could be an ordinary word elsewhere. */
const SHORTEST_SECRET = 8;
/** Only so many are learnt, so that no transcript can make the redaction slow. */
const MAX_SECRETS = 2000;

export function createKnownSecrets(): KnownSecrets {
  const kinds = new Map<string, string>();
  let pattern: RegExp | undefined;
  return {
    add(secret, kind) {
      if (secret.length < SHORTEST_SECRET || kinds.size >= MAX_SECRETS || kinds.has(secret)) return;
      kinds.set(secret, kind);
      pattern = undefined;
    },
    replace(text, replace) {
      if (kinds.size === 0) return text;
      pattern ??= new RegExp(
        longestFirst([...kinds.keys()])
          .map(escapeRegExp)
          .join('|'),
        'g',
      );
      return text.replace(pattern, (secret) => replace(kinds.get(secret) ?? '', secret));
    },
  };
}

/** One secret can be the beginning of another. */
function longestFirst(secrets: string[]): string[] {
  return secrets.sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
}

/** Names of the person and the machine that run this program. */
export interface KnownNames {
  login?: string;
  host?: string;
}

/** What is shorter is too often a word of code: `max`. */
const SHORTEST_NAME = 4;

/**
 * Returns a function that takes known names out of a text where they stand as words of their own. A name of an account that belongs to no
 * person, a very short one and one of `kept` stay.
 */
export function nameReplacer({ login, host }: KnownNames, kept: ReadonlySet<string>) {
  const kinds = new Map<string, string>();
  const add = (name: string | undefined, kind: string) => {
    if (name !== undefined && name.length >= SHORTEST_NAME && isSomebody(name) && !kept.has(name))
      kinds.set(name, kind);
  };
  add(login, 'user name');
  add(host, 'host name');
  add(host?.split('.')[0], 'host name');
  if (kinds.size === 0) return (text: string) => text;
  const words = longestFirst([...kinds.keys()])
    .map(escapeRegExp)
    .join('|');
  const pattern = new RegExp(`(?<![A-Za-z0-9])(?:${words})(?![A-Za-z0-9])`, 'g');
  return (text: string, replace: Replace) => text.replace(pattern, (name) => replace(kinds.get(name) ?? '', name));
}
