import { isFilled } from './fill.js';
import { hasDigit, isRandom } from './random.js';
import { QUOTE, type Rule, SPACE } from './rule.js';

/** Names of secrets, in the three usual ways of writing. */
const SECRET_NAME = [
  '(?:',
  '(?:[aA]pi|API|[aA]ccess|ACCESS|[aA]ccount|ACCOUNT|[aA]uth|AUTH|[pP]rivate|PRIVATE|[cC]lient|CLIENT|[sS]hared|SHARED',
  '|[mM]aster|MASTER|[eE]ncryption|ENCRYPTION|[sS]igning|SIGNING|[sS]ervice|SERVICE|[aA]pplication|APPLICATION)[_-]?(?:[kK]ey|KEY)',
  '|[sS]ecret|SECRET|[tT]oken|TOKEN|[pP]assw(?:or)?d|PASSW(?:OR)?D|[pP]assphrase|PASSPHRASE|[pP]wd|PWD|[cC]redential|CREDENTIAL)',
].join('');
const SECRET_HAS = [
  'Key',
  'key',
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
  'assphrase',
  'ASSPHRASE',
  'redential',
  'REDENTIAL',
];
const NAMED = new RegExp(SECRET_NAME);

/** Names of passwords, which people choose: a value needs no look of chance to be one. */
const PASSWORD_NAME =
  '(?:[pP]assw(?:or)?d|PASSW(?:OR)?D|[pP]assphrase|PASSPHRASE|[pP]ass[pP]hrase|(?<![A-Za-z0-9])(?:pwd|PWD)|[a-z]Pwd|Pwd|_pwd|_PWD|_pass|_PASS|[a-z]Pass|PGPASS|[sS]ecret|SECRET)';
const PASSWORD_HAS = [
  'assw',
  'ASSW',
  'assphrase',
  'assPhrase',
  'ASSPHRASE',
  'pwd',
  'Pwd',
  'PWD',
  'pass',
  'Pass',
  'PASS',
  'ecret',
  'ECRET',
];
const IS_PASSWORD_NAME = new RegExp(`${PASSWORD_NAME}\\d{0,2}$`);

/** Words that stand where a password would, and types of schemas. */
const PLACEHOLDER =
  /^(?:(?:my|your|the|a|new|old|current|user|db|admin|test|example|some|super|top|client|api)?[-_ ]?(?:pass(?:word|wd|phrase)?|pw|pwd|secret|token|key)s?\d?|hidden|masked|redacted|none|null|nil|undefined|true|false|string|number|boolean|object|array|text|any|required|optional|default|example|changeme|change-me|todo|\*+|\.+|-+|_+)$/i;
/** A reference to a value elsewhere: `$VAR`, `${VAR}`, `%VAR%`, `{{ var }}`, `<password>`, `@file`. */
const REFERENCE = /^(?:\$[A-Za-z_{(]|%[A-Za-z_]+%|\{\{|<|@\w|&)/;
const IDENTIFIER = /^[A-Za-z_$][\w$]*(?:(?:\??\.|::|->)[A-Za-z_$][\w$]*)*$/;

/** Passwords and other secrets that are known by the name or the option before them. */
export const PASSWORD_RULES: Rule[] = [
  {
    kind: 'authorization header',
    has: ['uthorization', 'UTHORIZATION'],
    pattern:
      /(\b(?:[aA]uthorization|AUTHORIZATION)\W{1,6}(?:[bB]earer|BEARER|[bB]asic|BASIC|[tT]oken|[nN]egotiate|[dD]igest)\s{1,3})[A-Za-z0-9._~+/=-]{8,}/g,
    isLearnt: true,
  },
  {
    kind: 'authorization header',
    has: ['earer ', 'EARER '],
    pattern: /(\b(?:[bB]earer|BEARER) {1,3})[A-Za-z0-9._~+/=-]{16,}/g,
    holds: hasDigit,
    isLearnt: true,
  },
  {
    kind: 'authorization header',
    has: ['pi-key', 'PI-KEY', 'pi-Key'],
    pattern: /(\b(?:[xX]-[aA]pi-[kK]ey|X-API-KEY)\W{1,6})[A-Za-z0-9._~+/=-]{12,}/g,
    holds: hasDigit,
    isLearnt: true,
  },
  {
    kind: 'URL with a password',
    has: ['@'],
    pattern: /(:\/\/)[^\s/:@"'`<>(){}$\\]{0,256}:[^\s/@"'`<>(){}$\\]{1,256}(?=@[\w[])/g,
    pieces: /()[^:]+/g,
    holds: (secret) => !PLACEHOLDER.test(secret.slice(secret.indexOf(':') + 1)),
    isLearnt: true,
  },
  {
    kind: 'URL with a token',
    has: ['@'],
    pattern: /(:\/\/)[A-Za-z0-9_-]{20,256}(?=@[\w[])/g,
    holds: hasDigit,
  },
  {
    kind: 'assigned secret',
    has: SECRET_HAS,
    pattern: new RegExp(
      String.raw`(${SECRET_NAME}[A-Za-z0-9_-]{0,30}${QUOTE}\s{0,3}(?:=>|:=|[:=])\s{0,3}${QUOTE})[A-Za-z0-9_.~+/-]{8,}={0,2}`,
      'g',
    ),
    holds: (secret, context, next) => {
      const isQuoted = /["'`]$|[A-Z]{3,}=$/.test(context);
      return (isQuoted || secret.length >= 16) && isRandom(secret, isQuoted, next) && !PLACEHOLDER.test(secret);
    },
    isLearnt: true,
  },
  {
    kind: 'password',
    has: PASSWORD_HAS,
    pattern: new RegExp(
      String.raw`(${PASSWORD_NAME}\d{0,2}${QUOTE}\s{0,3}(?:=>|:=|[:=])\s{0,3}${QUOTE})[^\s"'\x60,;&|<>(){}[\]\\]{4,64}`,
      'g',
    ),
    holds: isPassword,
    isLearnt: true,
  },
  {
    // Signs of a shell and of code stand in a password too, where quotation marks hold it together.
    kind: 'password',
    has: PASSWORD_HAS,
    pattern: new RegExp(
      String.raw`(${PASSWORD_NAME}\d{0,2}\\*["']?\s{0,3}(?:=>|:=|[:=])\s{0,3}\\*["'])[^\s"'\\]{6,64}(?=\\*["'])`,
      'g',
    ),
    holds: isPassword,
    isLearnt: true,
  },
  {
    kind: 'password',
    has: ['--'],
    pattern: new RegExp(
      String.raw`(--?[a-z-]{0,20}(?:password|passwd|pass|passphrase|pwd|token|secret|api-key|apikey)[ =]${QUOTE})[^\s"'\x60,;|<>()\\-][^\s"'\x60,;|<>()\\]{3,128}`,
      'g',
    ),
    holds: (secret, context, next) =>
      !isStandIn(secret) && (/=\W*$/.test(context) ? !isExpression(secret, next) : /[\d!@#%^*+]/.test(secret)),
    isLearnt: true,
  },
  {
    // Behind the options of a program that takes `user:password`.
    kind: 'password',
    has: ['curl', 'wget', 'http -', 'https -'],
    pattern: new RegExp(
      String.raw`(\b(?:(?:curl|wget)\b[^|;&]{0,300}?|https?)\s(?:-[a-zA-Z]{0,6}u|-U|--user|--proxy-user|-a|--auth)(?:[ =]|\\n){0,2}${QUOTE})[^\s:"'\x60\\$<>{}/-][^\s:"'\x60\\$<>{}/]{0,63}:[^\s"'\x60\\$<>{}]{2,128}`,
      'g',
    ),
    pieces: /()[^:]+/g,
    holds: (secret) => !PLACEHOLDER.test(secret.slice(secret.indexOf(':') + 1)),
    isLearnt: true,
  },
  {
    kind: 'password',
    has: ['sshpass', 'login', 'mysql', 'mariadb', 'redis-cli', 'ldap', 'openssl', 'smbclient', 'mongo'],
    pattern: new RegExp(
      String.raw`((?:\bsshpass\s{1,3}-p\s{0,2}|\b(?:docker|podman|nerdctl|helm|oc|az|skopeo|buildah|cf)\b[^\n;|]{0,40}\blogin\b[^\n;|]{0,200}?\s-p[ =]{0,2}|\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n;|]{0,200}?\s-p|\bredis-cli\b[^\n;|]{0,200}?\s-a\s|\bldap[a-z]{3,8}\b[^\n;|]{0,200}?\s-w\s|\bmongo[a-z]{0,8}\b[^\n;|]{0,200}?\s-p[ =]|\bopenssl\b[^\n;|]{0,200}?\spass:|\bsmbclient\b[^\n;|]{0,200}?%)${QUOTE})[^\s"'\x60\\$<>-][^\s"'\x60\\$<>]{3,128}`,
      'g',
    ),
    holds: (secret) => !isStandIn(secret),
    isLearnt: true,
  },
  {
    kind: 'password',
    has: ['chpasswd'],
    pattern: /((?:["'\s]|\\n)[a-z_][a-z0-9_-]{0,31}:)[^\s"':]{4,128}(?=\\*["']?\s{0,3}\|\s{0,3}(?:sudo )?chpasswd)/g,
    isLearnt: true,
  },
  {
    kind: 'registry login',
    has: ['auth', 'dentitytoken', 'egistrytoken'],
    pattern: new RegExp(
      String.raw`((?<![A-Za-z])(?:_?auth|identitytoken|registrytoken)${QUOTE}\s{0,3}[:=]\s{0,3}${QUOTE})[A-Za-z0-9+/_.-]{8,}={0,2}`,
      'g',
    ),
    holds: (secret, context) => !/(?<!_)auth\W*$/.test(context) || isUserAndPassword(secret),
    isLearnt: true,
  },
  {
    kind: 'registry login',
    has: ['dockerc', '_password'],
    pattern: new RegExp(
      String.raw`((?:\.dockerconfigjson|\.dockercfg)${QUOTE}\s{0,3}[:=]\s{0,3}${QUOTE}|:_password\s{0,3}=\s{0,3}${QUOTE})[A-Za-z0-9+/]{8,}={0,2}`,
      'g',
    ),
    isLearnt: true,
  },
  {
    kind: 'kubeconfig key',
    has: ['client-key-data'],
    pattern: new RegExp(
      String.raw`(client-key-data${QUOTE}\s{0,3}[:=]\s{0,3}${QUOTE}(?:[|>]-?\s{1,40})?)[A-Za-z0-9+/]{16,}={0,2}`,
      'g',
    ),
    isLearnt: true,
  },
  {
    kind: 'netrc login',
    has: ['login'],
    pattern: new RegExp(
      String.raw`(\blogin${SPACE}{1,8})[^\s"'\\]{1,128}${SPACE}{1,8}password${SPACE}{1,8}[^\s"'\\]{1,128}`,
      'g',
    ),
    pieces: new RegExp(String.raw`(${SPACE}{1,8}password${SPACE}{1,8})?[^\s"'\\]+`, 'g'),
    isLearnt: true,
  },
  {
    kind: 'pgpass line',
    has: [':5432:', ':5433:', ':6432:', ':*:'],
    pattern: /((?<![^\s"'\\])[\w.*-]{1,100}:(?:543[23]|6432|\*):[\w*-]{1,64}:[\w*.-]{1,64}:)[^\s:"'\\]{4,128}/g,
    isLearnt: true,
  },
  {
    kind: 'password hash',
    has: ['$1$', '$2', '$5$', '$6$', '$7$', '$y$', '$gy$', '$apr1$', '$argon2', '$scrypt', '$pbkdf2', '$P$', '$H$'],
    pattern:
      /()\$(?:1|2[abxy]?|5|6|7|g?y|apr1|argon2(?:id|i|d)|scrypt|pbkdf2[a-z0-9-]{0,12}|P|H)\$[A-Za-z0-9./$,=+-]{20,}/g,
    isLearnt: true,
  },
  {
    kind: 'password hash',
    has: ['SHA}', 'SHA256}', 'SHA512}'],
    pattern: /(\{S?SHA(?:256|512)?\})[A-Za-z0-9+/]{20,}={0,2}/g,
    isLearnt: true,
  },
  {
    kind: 'cookie',
    has: ['ookie', 'COOKIE', 'curl'],
    pattern: new RegExp(
      String.raw`((?:\b(?:[sS]et-|SET-)?(?:[cC]ookie|COOKIE)2?${QUOTE}\s{0,2}[:=,]\s{0,2}${QUOTE}|--cookie[ =]${QUOTE}|\bcurl\b[^|;&]{0,300}?\s-b\s${QUOTE}))[^\s"'\\<>=;,]{1,128}=[^\r\n"'\\<>]{4,4096}`,
      'g',
    ),
    pieces:
      /((?<![^;,\s])(?!(?:[pP]ath|[dD]omain|[mM]ax-[aA]ge|[eE]xpires|[sS]ame[sS]ite|[pP]riority)=)[^=;,\s]{1,128}=)(?=[^;,\s]{0,128}\d)[^;,\s]{8,}/g,
    isLearnt: true,
  },
  {
    kind: 'cookie',
    has: ['TRUE', 'FALSE'],
    pattern:
      /((?:TRUE|FALSE)(?:\t|\\t)\/[^\t\n\\]{0,200}(?:\t|\\t)(?:TRUE|FALSE)(?:\t|\\t)\d{1,12}(?:\t|\\t)[^\t\n\\]{1,200}(?:\t|\\t))[^\s"'\\]{4,}/g,
    isLearnt: true,
  },
];

/**
 * Returns true if a JSON property's value is a secret because its name says so: any value without white space under the name of a
 * password, one that chance made under that of a key or token.
 */
export function isNamedSecret(name: string, value: string): boolean {
  if (IS_PASSWORD_NAME.test(name) && /^\S{4,128}$/.test(value) && !isStandIn(value) && !IDENTIFIER.test(value))
    return true;
  return (
    NAMED.test(name) && /^[A-Za-z0-9_.~+/-]{8,}={0,2}$/.test(value) && isRandom(value, true, '') && !isStandIn(value)
  );
}

/** Returns true if a variable of the environment holds a secret: its name says so, and its value is neither a path nor a switch. */
export function isSecretVariable(name: string, value: string): boolean {
  return (
    SECRET_VARIABLE.test(name) &&
    value.length >= 8 &&
    !/^[/~]|^[A-Za-z]:\\|^\d{1,11}$|\s/.test(value) &&
    !isStandIn(value)
  );
}

const SECRET_VARIABLE =
  /(?:^|_)(?:(?:API|ACCESS|PRIVATE|SECRET)?KEY|SECRET|TOKEN|PAT|PASS|PASSWORD|PASSWD|PASSPHRASE|PWD|CREDENTIALS?|AUTH|COOKIE|DSN)(?:_|\d|$)|PASSWORD|SECRET/i;

/** A password, and not an expression of code, a reference or a word that stands for one. `next` is the character behind the value. */
function isPassword(value: string, context: string, next: string): boolean {
  if (isStandIn(value)) return false;
  const isQuoted = /["'`]$/.test(context);
  // `DB_PASSWORD=x` of a shell, an .env file or a connection string: without spaces it is an assignment of a text.
  const isPlainAssignment = /[A-Za-z0-9]=$/.test(context);
  if (isPlainAssignment)
    return !isExpression(value, next) && (/[A-Z]\d{0,2}=$/.test(context) || /[\d!@#%^*+]/.test(value));
  if (isQuoted) return /\d/.test(value) || (/[!@#$%^*]/.test(value) && /[A-Za-z]/.test(value));
  const isEndOfLine = next === '' || /[\s"'\\]/.test(next);
  return isEndOfLine && /\d/.test(value) && /[A-Za-z]/.test(value) && !isExpression(value, next);
}

function isExpression(value: string, next: string): boolean {
  return /^[([.]/.test(next) || (value.includes('.') && IDENTIFIER.test(value)) || /^[/~.]/.test(value);
}

function isStandIn(value: string): boolean {
  return (
    isFilled(value) || PLACEHOLDER.test(value) || REFERENCE.test(value) || /^\d[\d.:T-]*[:T-][\d.:TZ-]*$/.test(value)
  );
}

/** The base64 of `user:password`, as registries of images and packages keep it. */
function isUserAndPassword(base64: string): boolean {
  return /^[\x21-\x39\x3b-\x7e]{1,128}:[\x20-\x7e]+$/.test(Buffer.from(base64, 'base64').toString('utf8'));
}
