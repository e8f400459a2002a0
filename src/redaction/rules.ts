import { isFilled } from './fill.js';

/** A pattern of our own beside the library's (which knows the vendors' tokens in full). */
export interface Rule {
  /** As counted and told. */
  kind: string;
  /** One of these stands in every text that the pattern matches: looked for first, which is many times faster. */
  has: string[];
  /** Global. Group 1 is context and stays; the rest of the match is the secret. */
  pattern: RegExp;
  /** What of the secret is replaced, each piece by itself; group 1 stays. Left out: all of it. */
  pieces?: RegExp;
  /** False: it only looks like one. `next` is what follows it. */
  holds?(secret: string, context: string, next: string): boolean;
}

/** Names of secrets, in the three usual ways of writing. */
const SECRET_NAME =
  '(?:(?:[aA]pi|API|[aA]ccess|ACCESS|[aA]uth|AUTH|[pP]rivate|PRIVATE)[_-]?(?:[kK]ey|KEY)|[sS]ecret|SECRET|[tT]oken|TOKEN|[pP]assw(?:or)?d|PASSW(?:OR)?D|[pP]wd|PWD|[cC]redential|CREDENTIAL)';
const NAMED = new RegExp(SECRET_NAME);
const PLACEHOLDER = /^(?:pass(?:word|wd)?|pw|pwd|secret|token|\*+|\.+)$/i;
/** Ids of the API: they name messages and calls, and are no secrets. */
const API_ID = /^(?:msg|toolu|req|call|srvtoolu)_/;

/**
 * The shapes that the library lacks, or knows only whole: a preview can cut a token, and the rest of it is still a secret.
 * Every pattern is linear: what follows an unbounded part is never required.
 */
export const RULES: Rule[] = [
  {
    kind: 'private key',
    has: ['PRIVATE KEY'],
    pattern:
      /(-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)(?:(?:\s|\\[nr])*[A-Z][A-Za-z-]{3,20}: [^\n\\]{1,200})*(?:(?:\\[nrt]|[\s\d|>"'`+,])*[A-Za-z0-9+/=]{16,})+(?:(?:\\[nrt]|[\s\d])*[A-Za-z0-9+/]{1,15}={0,2}(?![A-Za-z0-9-]))?/g,
    // Line numbers and line ends stay: the metrics read numbered source lines.
    pieces: /(\\[nrt])?[A-Za-z0-9+/=]{6,}/g,
  },
  { kind: 'Anthropic key', has: ['sk-ant-'], pattern: /(\bsk-ant-(?:[a-z]{2,6}\d{2}-)?)[A-Za-z0-9_-]{8,}/g },
  { kind: 'OpenAI key', has: ['sk-'], pattern: /(\bsk-(?:proj-|svcacct-|admin-)?)[A-Za-z0-9_-]{20,}/g, holds: isMixed },
  {
    kind: 'GitHub token',
    has: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    pattern: /()(?:\bgh[pousr]_[A-Za-z0-9]{16,}|\bgithub_pat_\w{20,})/g,
  },
  { kind: 'GitLab token', has: ['glpat-'], pattern: /()\bglpat-[A-Za-z0-9_-]{12,}/g },
  { kind: 'npm token', has: ['npm_'], pattern: /()\bnpm_[A-Za-z0-9]{20,}/g },
  { kind: 'npm token', has: ['_authToken='], pattern: /(_authToken=)[^\s$"'\\]{4,}/g },
  { kind: 'Slack token', has: ['xox'], pattern: /()\bxox[a-z]-[A-Za-z0-9-]{10,}/g },
  { kind: 'Slack webhook', has: ['hooks.slack'], pattern: /(hooks\.slack\.com\/services\/)[A-Za-z0-9/]{8,}/g },
  {
    kind: 'AWS key id',
    has: ['AKIA', 'ASIA'],
    pattern: /()\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
    holds: (secret) => !secret.endsWith('EXAMPLE'),
  },
  { kind: 'Google key', has: ['AIza', 'ya29.'], pattern: /()(?:\bAIza[A-Za-z0-9_-]{35}|\bya29\.[A-Za-z0-9_-]{20,})/g },
  { kind: 'Stripe key', has: ['k_live_', 'k_test_'], pattern: /()\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}/g },
  {
    kind: 'JSON web token',
    has: ['.eyJ'],
    pattern: /()\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/g,
  },
  {
    kind: 'authorization header',
    has: ['uthorization', 'UTHORIZATION'],
    pattern:
      /(\b(?:[aA]uthorization|AUTHORIZATION)\W{1,6}(?:[bB]earer|BEARER|[bB]asic|[tT]oken)\s{1,3})[A-Za-z0-9._~+/=-]{8,}/g,
  },
  {
    kind: 'authorization header',
    has: ['earer ', 'EARER '],
    pattern: /(\b(?:[bB]earer|BEARER) {1,3})[A-Za-z0-9._~+/=-]{16,}/g,
    holds: hasDigit,
  },
  {
    kind: 'authorization header',
    has: ['pi-key', 'PI-KEY', 'pi-Key'],
    pattern: /(\b(?:[xX]-[aA]pi-[kK]ey|X-API-KEY)\W{1,6})[A-Za-z0-9._~+/=-]{12,}/g,
    holds: hasDigit,
  },
  {
    kind: 'URL with a password',
    has: ['://'],
    pattern: /(:\/\/)[^\s/:@"'`<>(){}$\\]{1,256}:[^\s/@"'`<>(){}$\\]{1,256}(?=@[\w[])/g,
    pieces: /()[^:]+/g,
    holds: (secret) => !PLACEHOLDER.test(secret.slice(secret.indexOf(':') + 1)),
  },
  {
    kind: 'assigned secret',
    has: [
      'key',
      'Key',
      'KEY',
      'ecret',
      'ECRET',
      'oken',
      'OKEN',
      'assw',
      'ASSW',
      'pwd',
      'Pwd',
      'PWD',
      'redential',
      'REDENTIAL',
    ],
    pattern: new RegExp(
      String.raw`(${SECRET_NAME}[A-Za-z0-9_-]{0,30}\\*["'\x60]?\s{0,3}(?:=>|:=|[:=])\s{0,3}\\*["'\x60]?)[A-Za-z0-9_.~+/-]{16,}={0,2}`,
      'g',
    ),
    holds: (secret, context, next) => isRandom(secret, /["'`]$|[A-Z]{3,}=$/.test(context), next),
  },
];

/** Of a JSON property: a value with chance in it under a name that says that it is secret. */
export function isNamedSecret(name: string, value: string): boolean {
  return NAMED.test(name) && /^[A-Za-z0-9_.~+/-]{12,}={0,2}$/.test(value) && isRandom(value, true, '');
}

/** Chance made it: letters and digits of many kinds, and neither an id of the API, nor a path, nor an expression of code. */
function isRandom(text: string, isQuoted: boolean, next: string): boolean {
  const digits = text.replace(/\D/g, '').length;
  if (digits < (isQuoted ? 1 : 2) || digits === text.length || isFilled(text) || API_ID.test(text)) return false;
  if (/^[./~]/.test(text) || (!isQuoted && /^[([.]/.test(next))) return false;
  if (/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(text) || /^\d[\d.:T-]*Z?$/.test(text)) return false;
  return entropy(text) >= 3;
}

function isMixed(text: string): boolean {
  return hasDigit(text) && /[A-Z]/.test(text) && /[a-z]/.test(text);
}

function hasDigit(text: string): boolean {
  return /\d/.test(text);
}

/** Shannon entropy in bits a character. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, n) => sum - (n / text.length) * Math.log2(n / text.length), 0);
}
