import type { Rule } from './rule.js';

/** Accounts that belong to programs and images, and words that stand for a name: they name nobody. */
const NOBODY = new Set(
  `user users username you me name someone shared public linuxbrew root admin administrator nobody nogroup daemon bin sys sync games
  man lp mail news uucp proxy backup list irc _apt systemd messagebus sshd www-data www http nginx apache postgres mysql redis mongodb
  git node nodejs npm app application web ubuntu debian centos fedora alpine ec2-user runner runneradmin vscode codespace gitpod jenkins
  circleci travis build builder ci test tester dev default defaultuser guest wheel staff sudo adm docker input video audio tty disk
  cdrom floppy dip plugdev kvm render kmem shadow crontab utmp everyone system localhost host claude agent alluser alluserprofile
  dialout netdev lpadmin sambashare lxd`.split(/\s+/),
);

const NAME = String.raw`[A-Za-z_][A-Za-z0-9_.-]{0,31}\$?`;
const MODE = '[-bcdlps][-rwxsStT]{9}[.+@]?';
/** Kinds of addresses that stand for nobody, by RFC 2606 and by custom. */
const RESERVED =
  /@(?:[\w.-]+\.)?(?:example\.(?:com|net|org)|localhost|test|invalid|example)$|^(?:git|noreply|no-reply|donotreply|hg|svn)@/i;
/** The last part of an address: the usual ones, so that code with `@` stays. */
const TOP_LEVEL =
  '(?:com|org|net|edu|gov|mil|int|io|dev|ai|app|co|info|biz|me|tech|cloud|email|online|site|xyz|local|lan|internal|corp|home|[a-z]{2})';

/** Returns true if a name of an account is a person's. */
export function isSomebody(name: string): boolean {
  return !NOBODY.has(name.toLowerCase().replace(/\$$/, '')) && !/^\d+$/.test(name);
}

/** Names of users and machines as programs print them, and e-mail addresses. */
export const PEOPLE_RULES: Rule[] = [
  {
    kind: 'e-mail address',
    has: ['@'],
    pattern: new RegExp(
      String.raw`()(?<![A-Za-z0-9._%+/@:-])[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.){1,6}${TOP_LEVEL}(?![A-Za-z0-9(_-]|\.[A-Za-z0-9])`,
      'g',
    ),
    pieces: /()[^@.]+/g,
    holds: (secret) => !RESERVED.test(secret),
  },
  {
    kind: 'user name',
    has: ['mailto:', 'ssh://'],
    pattern:
      /(\bmailto:|\bssh:\/\/)[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}(?=@(?!(?:[\w-]{1,63}\.){0,4}example\.)[A-Za-z0-9])/g,
    holds: (secret) => isSomebody(secret),
  },
  {
    // `Author: Ada Lovelace <ada@…>` of git; also raw objects, and trailers of messages.
    kind: 'user name',
    has: [' <'],
    pattern:
      /((?:\b(?:Author|Commit|Committer|Tagger|author|committer|tagger)|-by):?[ \t]{1,8})[^<>\n\\:"]{1,80}(?= <(?!noreply@|no-reply@)[^<>@\s]{1,64}@)/g,
    pieces: /()[^\s]+/g,
  },
  {
    kind: 'user name',
    has: ['USER', 'LOGNAME', 'AUTHOR_NAME', 'COMMITTER_NAME', 'UserName'],
    pattern: new RegExp(
      String.raw`((?<![A-Za-z0-9])(?:[A-Z_]{0,20}USER(?:NAME)?|LOGNAME|UserName|GIT_(?:AUTHOR|COMMITTER)_NAME)=)(?:${NAME}|\\*["'][^"'\\\n$]{1,64})`,
      'g',
    ),
    pieces: /(\\*["'])?[^\s"'\\]+/g,
    holdsPiece: isSomebody,
  },
  {
    kind: 'user name',
    has: ['uid=', 'gid=', 'groups='],
    pattern: new RegExp(String.raw`((?:\b(?:e?[ug]id|groups)=|,)\d{1,10}\()${NAME}(?=\))`, 'g'),
    holds: (secret) => isSomebody(secret),
  },
  {
    kind: 'user name',
    has: ['id: ('],
    pattern: new RegExp(String.raw`([UG]id: \(\s{0,8}\d{1,10}\/\s{0,20})${NAME}(?=\))`, 'g'),
    holds: (secret) => isSomebody(secret),
  },
  {
    // `ls -l`, and the long lists of find, tar and other programs. Some leave out the group or the owner.
    kind: 'user name',
    has: ['rw-', 'r-x', 'r--', 'rwx'],
    pattern: new RegExp(
      String.raw`(${MODE}(?:[ \t]{1,8}\d{1,8})?[ \t]{1,8})${NAME}(?:(?:[ \t]{1,20}|\/)${NAME})?(?=[ \t]{1,20}[\d,.]{1,15}[KMGTBk]?\s)`,
      'g',
    ),
    pieces: /()[^\s/]+/g,
    holdsPiece: isSomebody,
  },
  {
    // `ps aux`
    kind: 'user name',
    has: [' 0.0'],
    pattern: new RegExp(
      String.raw`((?:^|\n|\\n))${NAME}(?=[ \t]{1,20}\d{1,8}[ \t]{1,8}\d{1,3}\.\d[ \t]{1,8}\d{1,3}\.\d[ \t])`,
      'g',
    ),
    holds: (secret) => isSomebody(secret),
  },
  {
    // `who`, `w`, `last`
    kind: 'user name',
    has: ['pts/', 'tty'],
    pattern: new RegExp(
      String.raw`((?:^|\n|\\n))${NAME}(?=[ \t]{1,20}(?:pts\/\d|(?:tty\w{1,6}|console)[ \t]{1,20}(?:\d{4}-|[A-Z][a-z]{2} )))`,
      'g',
    ),
    holds: (secret) => isSomebody(secret),
  },
  {
    // A line of passwd: the account, and the person's name.
    kind: 'user name',
    has: [':x:', ':*:', '::'],
    pattern: new RegExp(String.raw`((?:^|\n|\\n|["']))${NAME}:[x*]?:\d{1,10}:\d{1,10}:[^:\n]{0,100}(?=:\/)`, 'g'),
    pieces: /(^|:)[^:]+/g,
    holds: (secret) => isSomebody(secret.slice(0, secret.indexOf(':'))) && Number(secret.split(':')[2]) >= 500,
    holdsPiece: (piece) => !/^(?:[x*]|\d+)$/.test(piece),
  },
  {
    // A line of shadow or htpasswd. The hash itself has a rule of its own, which comes before.
    kind: 'user name',
    has: [':redacted', ':!', ':*'],
    pattern: new RegExp(
      String.raw`((?:^|\n|\\n|["'\s]))${NAME}(?=:(?:redactedx+\d{0,4}|[!*]{1,2}):\d{0,6}:\d{0,6}:)`,
      'g',
    ),
    holds: (secret) => isSomebody(secret),
  },
  {
    kind: 'user name',
    has: ['[sudo]'],
    pattern: new RegExp(String.raw`(\[sudo\] password for )${NAME}(?=:)`, 'g'),
    holds: (secret) => isSomebody(secret),
  },
  {
    // The prompt of a shell. `npm:`, `workspace:` and the like are sources of packages.
    kind: 'user name',
    has: ['@'],
    pattern:
      /()(?<![\w.@/:+-])[a-z_][a-z0-9_.-]{0,31}@(?!(?:file|link|npm|workspace|portal|patch|git|https?|catalog|jsr)\b)[A-Za-z0-9][A-Za-z0-9.-]{0,63}(?=:(?:~|\/)[^\n]{0,200}[$#%] )/g,
    pieces: /()[^@]+/g,
    holdsPiece: isSomebody,
  },
  {
    kind: 'host name',
    has: ['HOSTNAME=', 'COMPUTERNAME=', 'USERDOMAIN='],
    pattern: /(\b(?:HOSTNAME|COMPUTERNAME|USERDOMAIN)=["']?)[A-Za-z0-9][A-Za-z0-9.-]{1,63}/g,
    holds: (secret) => isSomebody(secret),
  },
  {
    kind: 'host name',
    has: ['Linux ', 'Darwin '],
    pattern: /(\b(?:Linux|Darwin) )[A-Za-z0-9][A-Za-z0-9.-]{1,63}(?= \d{1,2}\.\d{1,3}\.\d)/g,
    holds: (secret) => isSomebody(secret),
  },
];
