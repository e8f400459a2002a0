import type { EngineIdentity } from '../model/engine.js';

/** Marker in the hook's deny reason, by which a blocked call is recognised in a transcript. */
export const HOOK_MARKER = '[agent-eval:no-cli-shim]';

/** Programs that neither run another program nor show what a file holds, whatever they are given. */
const SILENT = new Set(
  (
    'ls ll pwd cd mkdir rmdir touch rm chmod echo true false sleep date whoami id uname hostname uptime df du stat which ' +
    'basename dirname realpath test [ clear nproc free ps lscpu tsc eslint prettier vitest jest mocha biome oxlint ruff mypy ' +
    'black pytest cargo go rustc javac gradle cmake'
  ).split(' '),
);
/** Binary files match, but are not shown, unless the search is told to take them for text. */
const SEARCHERS = /^(?:[ef]?grep|rg)$/;
const SEARCHES_TEXT = /^(?:-[A-Za-z]*[azZuf]\w*|--(?:text|binary.*|pre.*|search-zip|null-data|unrestricted|file.*))$/;
const FINDER_RUNS = /^-(?:exec|execdir|ok|okdir|fls|fprint\w*|files0-from)$/;
/** Programs that show what they read: harmless for files that are source text by their name. */
const READERS = /^(?:cat|head|tail|nl|wc|sort|uniq|cut)$/;
const TEXT_FILE =
  /(?:^|\/)(?:[\w@.-]+\.(?:[cm]?[jt]sx?|json|md|mdx|txt|ya?ml|toml|py|rs|go|java|kt|rb|php|[ch]|cc|cpp|hpp|cs|css|scss|html|vue|svelte|sql|lock)|Makefile|README|LICENSE)$/;
const PRINT_RANGE = /^(?:\d+|\$)(?:,(?:\d+|\$))?p$/;
const GIT_VERBS = new Set(
  'status diff log add commit branch checkout switch fetch pull push stash blame rev-parse ls-files tag remote reset restore'.split(
    ' ',
  ),
);
/**
 * One piece of a plain command: characters of a word, an end of a command, space, a quotation. Globs and `$name` are among
 * the words: in the arguments of harmless programs they do no harm.
 */
const PIECE = /(?:[\w./:,@%+=^~*?[\]!-]|\$(?=\w))+|[;&|\n]|\s|'[^']*'|"[^"]*"/gy;
/** Redirects that lead nowhere, or to another descriptor. */
const HARMLESS_REDIRECT = /(?<=^|\s)(?:[012]?>&[012]|&?[012]?>>?\s*\/dev\/null)(?=$|[\s;|&])/g;

/**
 * Whether a command could reach the engine: the cheap question before the parser is loaded. `false` is certain for the text
 * alone (only plain words of programs that are known to be harmless, none of the engine's names); `true` means that
 * `classifyCommand` must look. Links that earlier calls made are the caller's matter.
 */
export function mayReachEngine(command: string, identity: EngineIdentity): boolean {
  const plain = plainWords(command);
  if (plain === undefined) return true;
  if (namesEngine(command, identity)) return true;
  // Quotes may have stood inside a name.
  if (/["']/.test(command) && namesEngine(textOf(plain), identity)) return true;
  return !plain.every(isHarmless);
}

/** Whether a text holds one of the engine's names, in any case. */
export function namesEngine(text: string, identity: EngineIdentity): boolean {
  const lower = text.toLowerCase();
  return namesOf(identity).some((name) => lower.includes(name));
}

/** Asked for every command of every session. */
const knownNames = new WeakMap<EngineIdentity, string[]>();

function namesOf(identity: EngineIdentity): string[] {
  const known = knownNames.get(identity) ?? lowerNames(identity);
  knownNames.set(identity, known);
  return known;
}

function lowerNames(identity: EngineIdentity): string[] {
  const { name, cliNames, packageNames, indexFolder, homeFolder, indexFiles, environmentPrefix } = identity;
  const packages = packageNames.map((one) => one.replace(/\*$/, ''));
  const all = [name, ...cliNames, ...packages, indexFolder, homeFolder, ...indexFiles, environmentPrefix];
  return all.filter((one) => one.length > 2).map((one) => one.toLowerCase());
}

/** A command without substitutions, as lists of words; undefined when there is one, or anything else that needs a parser. */
export function plainWords(command: string): string[][] | undefined {
  const text = command.includes('>') ? command.replace(HARMLESS_REDIRECT, ' ') : command;
  const pieces: string[] = text.match(PIECE) ?? [];
  let words: string[] = [];
  const commands = [words];
  let word: string | undefined;
  let length = 0;
  for (const piece of pieces) {
    length += piece.length;
    const isEnd = piece === ';' || piece === '&' || piece === '|' || piece === '\n';
    if (isEnd || piece.trim() === '') {
      if (word !== undefined) words.push(word);
      word = undefined;
      if (!isEnd) continue;
      words = [];
      commands.push(words);
    } else if (piece.startsWith('"') || piece.startsWith("'")) {
      const inside = piece.slice(1, -1);
      if (piece.startsWith('"') && /[`\\]|\$\W/.test(inside)) return undefined;
      word = (word ?? '') + inside;
    } else word = (word ?? '') + piece;
  }
  if (word !== undefined) words.push(word);
  // It goes on with something else.
  return length === text.length ? commands : undefined;
}

function textOf(commands: string[][]): string {
  return commands.map((words) => words.join(' ')).join('\n');
}

function isHarmless(words: readonly string[]): boolean {
  const [program, ...args] = words;
  if (program === undefined) return true;
  // `rm` and the like take any name; `/proc` leads to any process's files.
  if (args.some((arg) => arg.includes('/proc'))) return false;
  if (SILENT.has(program)) return true;
  if (SEARCHERS.test(program)) return !args.some((arg) => SEARCHES_TEXT.test(arg));
  if (program === 'find') return !args.some((arg) => FINDER_RUNS.test(arg));
  if (program === 'git')
    return GIT_VERBS.has(args[0] ?? '') && !args.some((arg) => /^--(?:ext|upload|receive|exec)/.test(arg));
  if (program === 'npx') return SILENT.has(args[0] ?? '') && args[0] !== 'cd';
  const operands = args.filter((arg) => !/^-\w\S*$|^[-+]?\d+$/.test(arg));
  if (program === 'sed') return args[0] === '-n' && PRINT_RANGE.test(args[1] ?? '') && args.slice(2).every(isTextFile);
  return READERS.test(program) && operands.every(isTextFile);
}

function isTextFile(path: string): boolean {
  return TEXT_FILE.test(path);
}
