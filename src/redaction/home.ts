import { escaped } from './escaped.js';
import type { Rule } from './rules.js';

/** User names that name nobody. */
const NOBODY = new Set(['user', 'username', 'you', 'me', 'name', 'someone', 'shared', 'public', 'linuxbrew']);
/** Routes of web applications look like home folders: `/home/index.html`. */
const WEB_FILE = /\.(?:html?|js|ts|css|json|php|png|svg)$/i;
const KIND = 'home path';
const NAME = String.raw`[^\s/\\:;,"'\x60<>|(){}[\]$*?%#&!=]+`;

/** The name behind `/home/`, `C:\Users\` and the like. */
const USUAL: Rule[] = [
  {
    kind: KIND,
    has: ['/home/', '/Users/'],
    pattern: new RegExp(String.raw`((?<![\w.@/-])(?:file:\/\/|\/mnt\/[a-z]|\/[a-z])?\/(?:home|Users)\/)${NAME}`, 'g'),
    holds: isSomebody,
  },
  {
    kind: KIND,
    has: ['Users'],
    pattern: new RegExp(String.raw`(\b[A-Za-z]:[\\/]{1,4}Users[\\/]{1,4})${NAME}`, 'g'),
    holds: isSomebody,
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
  return new RegExp(String.raw`()(?<![\w.-])${escaped(text)}(?![\w-])`, 'g');
}

function isSomebody(name: string, _context: string, next: string): boolean {
  return !NOBODY.has(name.toLowerCase()) && !/^\.+$|^[~…]/.test(name) && !(WEB_FILE.test(name) && next !== '/');
}
