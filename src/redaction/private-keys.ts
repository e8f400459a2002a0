import { hasLetterAndDigit } from './random.js';
import type { Rule } from './rule.js';

/** What stands between two lines of a key: line ends, numbers of lines, quotation marks and signs of code, `|` and `>` of YAML. */
const BETWEEN = String.raw`(?:\\[nrt]|[\s\d|>"'\x60+,\\])`;
const END = `-----END [A-Z0-9 ]{0,30}PRIVATE KEY`;
/**
 * How the base64 of a key begins, where its header is missing: PKCS #1, PKCS #8 (plain and encrypted), SEC 1, Ed25519, OpenSSH,
 * and an OpenPGP secret key.
 */
const BEGINNINGS = [
  'MII[A-Z][A-Za-z0-9+/]{2}IBAA[JK]',
  'MII[A-Z][A-Za-z0-9+/]{2}(?:IBADAN|BOBgkqhkiG9w0BBQ|TBPBgkqhkiG9w0BBQ)',
  'MIICX[A-Za-z0-9+/]IBAAKBg',
  'MI(?:GHAgEAMBMGByqGSM49|G2AgEAMBAGByqGSM49|HuAgEAMBAGByqGSM49)',
  'M(?:HcCAQEEI|IGkAgEBBD|IHcAgEBBEI|HQCAQEEI)',
  'MC4CAQAwBQYDK2V',
  'b3BlbnNzaC1rZXktdjEA',
  'lQ[OPHIV][A-Za-z0-9+/]BF',
].join('|');

/** Line numbers and line ends stay: the metrics read numbered source lines. */
const PIECES = /(\\[nrt])?[A-Za-z0-9+/=]{6,}/g;
const LINES = `(?:${BETWEEN}*[A-Za-z0-9+/=]{16,})+(?:${BETWEEN}*[A-Za-z0-9+/]{1,15}={0,2}(?![A-Za-z0-9-]))?`;
/** The same where no header and no footer says where the key ends: full lines, and a shorter last one. */
const FULL_LINES = `(?:${BETWEEN}{1,12}[A-Za-z0-9+/]{40,}={0,2})+(?:${BETWEEN}{1,4}[A-Za-z0-9+/]{4,64}={0,2}(?![A-Za-z0-9(.-]))?`;
/** None of these characters is one of base64: a text can be read as lines in one way only. */
const STRICTLY_BETWEEN = String.raw`(?:\\[nrt]|[\s|>"'\x60,])`;

/** Private keys in PEM, OpenSSH, PuTTY and JWK form. */
export const PRIVATE_KEY_RULES: Rule[] = [
  {
    kind: 'private key',
    has: ['PRIVATE KEY'],
    pattern: new RegExp(
      String.raw`(-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)(?:(?:\s|\\[nr])*[A-Z][A-Za-z-]{3,20}: [^\n\\]{1,200})*${LINES}`,
      'g',
    ),
    pieces: PIECES,
  },
  {
    // Folded to lines of less than 16 characters: all up to the footer, which must be near.
    kind: 'private key',
    has: ['PRIVATE KEY'],
    pattern: new RegExp(
      String.raw`(-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)[A-Za-z0-9+/=\s\\|>"'\x60,]{16,16000}(?=${END})`,
      'g',
    ),
    pieces: /(\\[nrt])?[A-Za-z0-9+/=]{3,}/g,
    holdsPiece: (piece) => !/^\d+$/.test(piece),
  },
  {
    kind: 'private key',
    has: ['MI', 'MH', 'MC4', 'b3Blbn', 'lQ'],
    pattern: new RegExp(
      String.raw`()(?:(?<![A-Za-z0-9+/])|(?<=\\[nrt]))(?:${BEGINNINGS})[A-Za-z0-9+/=]{8,}(?:${FULL_LINES})?`,
      'g',
    ),
    pieces: PIECES,
  },
  {
    // The end of a key whose beginning was cut away.
    kind: 'private key',
    has: ['-----END'],
    pattern: new RegExp(
      String.raw`()(?:(?<![A-Za-z0-9+/=\\])|(?<=\\[nrt]))(?:[A-Za-z0-9+/=]{4,76}${STRICTLY_BETWEEN}{1,8}){1,60}(?=${END})`,
      'g',
    ),
    pieces: PIECES,
  },
  {
    kind: 'private key',
    has: ['Private-Lines:'],
    pattern: new RegExp(String.raw`(Private-Lines: \d{1,3})${LINES}`, 'g'),
    pieces: PIECES,
  },
  {
    kind: 'private key',
    has: ['"d', '"p', '"q'],
    pattern: /("(?:d|p|q|dp|dq|qi)\\{0,8}"\s{0,3}:\s{0,3}\\{0,8}")[A-Za-z0-9_-]{40,}/g,
    holds: (secret) => hasLetterAndDigit(secret),
  },
];
