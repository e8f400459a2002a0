import { escapeRegExp } from '../util/escape-reg-exp.js';
import { isSomebody as isPerson } from './people.js';
import type { Rule } from './rule.js';

/** Routes of web applications look like home folders: `/home/index.html`. */
const WEB_FILE = /\.(?:html?|js|ts|css|json|php|png|svg)$/i;
const KIND = 'home path';
const NAME = String.raw`[^\s/\\:;,"'\x60<>|(){}[\]$*?%#&!=]+`;

/** Folders in which home folders lie, and how other systems spell them. */
const ROOTS = String.raw`(?:file:\/\/|\\\\[\w.-]{1,64}|\/(?:mnt|cygdrive)\/[a-z]|\/[a-z]|\/(?:var|export|usr|data|mnt|nfs|srv|private|net\/[\w.-]{1,64}|System\/Volumes\/Data|Volumes\/[\w.-]{1,64}))`;
/** A profile of Windows can hold spaces: `C:\Users\Ada Lovelace\`. */
const PROFILE = String.raw`${NAME}(?: [A-Z][\w.-]{0,30}){0,2}(?=[\\/])|${NAME}`;

/** The name behind `/home/`, `C:\Users\` and the like. */
const USUAL: Rule[] = [
  {
    kind: KIND,
    has: ['/home/', '/Users/'],
    pattern: new RegExp(String.raw`((?<![\w.@/-])${ROOTS}?\/(?:home|Users)\/)${NAME}`, 'g'),
    holds: isSomebody,
  },
  {
    kind: KIND,
    has: ['sers', 'SERS', 'Documents and Settings'],
    pattern: new RegExp(
      String.raw`((?:\b[A-Za-z]:|\\{2,8}[\w.-]{1,64})[\\/]{1,4}(?:[uU]sers|USERS|Documents and Settings)[\\/]{1,4})(?:${PROFILE})`,
      'g',
    ),
    holds: isSomebody,
  },
  {
    // Folders that carry the name of a user: mounted volumes, mail, crontabs.
    kind: KIND,
    has: ['/media/', '/mail/', '/crontabs/'],
    pattern: new RegExp(
      String.raw`((?<![\w.@/-])(?:\/run)?\/(?:media|var\/mail|var\/spool\/mail|var\/spool\/cron\/crontabs)\/)${NAME}`,
      'g',
    ),
    holds: (name, context, next) => isSomebody(name, context, next) && (next === '/' || !context.endsWith('media/')),
  },
  { kind: KIND, has: ['%2F', '%2f'], pattern: /(%2F(?:home|Users)%2F)[A-Za-z0-9._-]+/gi, holds: isSomebody },
  // As the host spells a project's folder. Only behind `projects/`: elsewhere the words are ordinary ones.
  {
    kind: KIND,
    has: ['-home-', '-Users-'],
    pattern: /(projects[\\/]{1,4}(?:-mnt-[a-z]|-[a-z]|[A-Z]-)?-(?:home|Users)-)[A-Za-z0-9]+/g,
    holds: isSomebody,
  },
];

/**
 * Rules for home folders: the user's name in those of the usual shapes (also as the host spells a project's folder,
 * `-home-<user>-`), and the whole of `home`, the folder of whoever runs this, where it lies elsewhere.
 */
export function homeRules(home: string | undefined): Rule[] {
  const own = home?.replace(/[\\/]+$/, '') ?? '';
  if (own.length < 4) return USUAL;
  const dashed = own.replace(/[^A-Za-z0-9]/g, '-');
  const usual = /^(-(?:home|Users)-)([A-Za-z0-9-]+)$/.exec(dashed);
  if (usual?.[1] && usual[2] && /^\/[^/]+\/[^/]+$/.test(own)) {
    const pattern = new RegExp(`((?<![A-Za-z0-9])${usual[1]})${usual[2]}(?![A-Za-z0-9])`, 'g');
    return [{ kind: KIND, has: [dashed], pattern }, ...USUAL];
  }
  const literal = { kind: KIND, has: [own], pattern: whole(own), pieces: /(^\/(?:home|Users)\/)?[^\\/]+/g };
  // Of one short name (`-root`) it could be anything.
  if (dashed.length < 12) return [literal, ...USUAL];
  return [literal, { kind: KIND, has: [dashed], pattern: whole(dashed), pieces: /()[A-Za-z0-9]+/g }, ...USUAL];
}

/** The text by itself, not as a part of a longer name. */
function whole(text: string): RegExp {
  return new RegExp(String.raw`()(?<![\w.-])${escapeRegExp(text)}(?![\w-])`, 'g');
}

function isSomebody(name: string, _context: string, next: string): boolean {
  return isPerson(name) && !/^\.+$|^[~…]/.test(name) && !(WEB_FILE.test(name) && next !== '/');
}
