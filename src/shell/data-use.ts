import type { Call, Machine } from './machine.js';
import { ANY_FOLDERS, UNKNOWN } from './symbols.js';

/** Programs that tell a file's name, size, digest or presence, change it or remove it, but not what it holds. */
const INERT = new Set(
  (
    'echo print printf ls ll dir vdir exa eza lsd tree stat du df file test [ [[ rm rmdir unlink shred trash mkdir touch chmod ' +
    'chown chgrp ln link truncate md5sum md5 sha1sum sha224sum sha256sum sha384sum sha512sum shasum b2sum cksum sum wc lsof ' +
    'fuser ss netstat kill pkill killall pgrep ps basename dirname realpath readlink which type whereis whence hash command ' +
    'export declare typeset local readonly unset set alias cd pushd popd pwd find gfind fd fdfind xargs parallel env true ' +
    'false : sync mount umount inotifywait getfacl setfacl chattr lsattr jq yq gh hub glab claude npm pnpm yarn bun npx make ' +
    'diff cmp trap exit return wait read source . eval watch sleep man help apropos tldr docker-compose codesign'
  ).split(' '),
);

/** Searchers print of a binary file no more than that it matches, unless told to take it for text. */
const SEARCHERS = new Set(['grep', 'egrep', 'fgrep', 'rg', 'ag', 'ack', 'ugrep', 'zgrep', 'bzgrep', 'xzgrep']);
const AS_TEXT = /^(?:--text|--binary-files=text|--search-binary|--search-zip)$/;

/** Programs that take a whole folder, or read whatever a glob gives them. */
const TAKES_FOLDERS = new Set(
  'cp scp rsync tar gtar bsdtar zip 7z 7za 7zz cpio pax rar borg restic rclone install'.split(' '),
);
const READS_ALL = new Set(
  (
    'cat tac nl head tail less more most bat batcat strings xxd od hexdump hd hexyl base64 base32 gzip pigz bzip2 xz zstd lz4 ' +
    'cut tr sort uniq rev fold dd awk gawk mawk sed perl ruby openssl curl wget nc ncat netcat socat sqlite3 sqlite ' +
    'litecli duckdb split csplit vim vi nvim view nano emacs'
  ).split(' '),
);
/** Their statements name files. */
const QUERIES =
  /^(?:sqlite3?|sqldiff|sqlite3_analyzer|duckdb|litecli|usql|datasette|sqlite-utils|steampipe|q|dsq|octosql)$/;
/** Their first operand is a program, not a file. */
const HAS_PROGRAM_TEXT = /^(?:[gmn]?awk|g?sed|perl|ruby)$/;
const LEFT_OUT = /^(?:--?exclude(?:-dir|-from|-pattern)?|--ignore(?:-pattern|-path|-dir)?|-x|-E|-X|--glob|-g|-i)$/;

/** Inert for a binary index: they print nothing of it, or fail. Of an index that is text they show lines. */
const TEXT_READERS = new Set(['jq', 'yq', 'diff', 'cmp', 'source', '.']);

/** Whether a program shows nothing of the files that it is given. */
export function isInert(program: string): boolean {
  return INERT.has(program);
}

/** Reports a call that reads the index or opens the daemon's socket by one of its arguments. */
export function reportDataUse(call: Call, machine: Machine): void {
  const { base, args } = call;
  const showsText = machine.names.identity.indexIsText === true && (TEXT_READERS.has(base) || SEARCHERS.has(base));
  if (!showsText && (isInert(base) || (SEARCHERS.has(base) && !searchesText(base, args)))) return;
  if (base === 'git' && !/^(?:show|cat-file|archive|diff)$/.test(args.find((arg) => !arg.startsWith('-')) ?? ''))
    return;
  const broad = TAKES_FOLDERS.has(base) || READS_ALL.has(base) || SEARCHERS.has(base);
  // A moved folder is still out of reach of whoever does not open it; copies are what leaves the guarded path.
  const files = broad ? sources(call) : args;
  const query = QUERIES.test(base) ? [...args, call.stdin].flatMap((arg) => arg.split(/[\s'"`;()]+/)) : [];
  for (const arg of [...files.flatMap(pieces), ...query.flatMap(pieces)]) {
    if (isDataPath(arg, broad, machine)) {
      machine.report('data', `reads ${machine.names.identity.name}'s index or talks to its daemon by ${base}`);
      return;
    }
  }
}

/** Whether a path, or what it was linked or copied from, is the index's. */
export function isDataPath(path: string, broad: boolean, machine: Machine): boolean {
  if (path === '' || path === UNKNOWN || path === ANY_FOLDERS || path.startsWith('!')) return false;
  const isTrailed = path.endsWith('/');
  return machine.candidates(path).some((one) => machine.names.isData(one, broad) && (broad || !isTrailed));
}

function searchesText(base: string, args: readonly string[]): boolean {
  return args.some(
    (arg) =>
      AS_TEXT.test(arg) || (/^-[a-zA-Z]+$/.test(arg) && arg.includes('a')) || (base === 'rg' && /^-\w*uuu/.test(arg)),
  );
}

/** Arguments that may be read: no exclusions, no program text, no copy's target. */
function sources({ base, args }: Call): string[] {
  const kept = args.filter((arg, at) => {
    if (/^--?(?:exclude|ignore)[\w-]*=/.test(arg)) return false;
    const isOption = (name: string | undefined) => name !== undefined && LEFT_OUT.test(name);
    return !isOption(arg) && !(isOption(args[at - 1]) && leavesOut(base, args[at - 1] ?? ''));
  });
  if (HAS_PROGRAM_TEXT.test(base) && !kept.some((arg) => /^-[ef]/.test(arg))) {
    const program = kept.findIndex((arg) => !arg.startsWith('-'));
    return kept.filter((_, at) => at !== program);
  }
  const copies = /^(?:cp|scp|rsync|install)$/.test(base) && !kept.some((arg) => /^(?:-t|--target-directory)/.test(arg));
  return copies ? kept.filter((arg) => !arg.startsWith('-')).slice(0, -1) : kept;
}

function leavesOut(base: string, option: string): boolean {
  if (option === '-x') return base === 'zip' || base === '7z';
  if (option === '-i' || option === '-E') return false;
  return option !== '-X' || base === 'tar';
}

/** The path-like pieces of an argument: `if=x`, `file:x?mode=ro`, `UNIX-CONNECT:x`, `@x`, `HEAD:x`. */
function pieces(arg: string): string[] {
  if (arg.length > 2_000) return [];
  const bare = arg.replace(/^[a-zA-Z+-]+:\/\/(?=\/)/, '');
  return [bare, ...bare.split(/[=:,@?\uE002\n]/)];
}
