import { NO_ENGINE_IDENTITY } from '../model/no-engine.js';
import type { ShellAccess } from '../model/shell.js';
import { splitOptions } from './options.js';
import { joinPath } from './paths.js';
import { plainWords } from './quick.js';
import { Runner } from './run.js';
import type { ShellState } from './state.js';
import { baseOf, ONE, STAR, UNKNOWN } from './symbols.js';

const SEARCHERS = /^(?:[efu]?grep|rg|ag|ack|find|fd|fdfind|ls|tree)$/;
const READERS = /^(?:cat|bat|batcat|head|tail|less|more|nl|g?sed|[gmn]?awk|wc)$/;
/** Readers whose first operand is a program. */
const HAS_PROGRAM = /^(?:g?sed|[gmn]?awk)$/;
const VALUED = [
  '-n',
  '-c',
  '-e',
  '-f',
  '-F',
  '-v',
  '-r',
  '-l',
  '-m',
  '-H',
  '--lines',
  '--bytes',
  '--line-range',
  '--expression',
];

/** Builtins that get at nothing and run nothing. */
const NEUTRAL = new Set(['cd', 'pwd', 'echo', 'true', 'mkdir', 'sleep', 'date']);
/** An argument that means itself. */
const LITERAL = /^[\w./:,@%+=^ -]+$/;
/** Other spaces are none to the shell. */
const ORDINARY = /^[\t\n -~]*$/;
/** Longer commands are neither common nor equal to another. */
const SHORT_CHARS = 1_000;
const MAX_KNOWN = 2_000;

/** What was found in the latest commands that needed the parser: sessions of one task, and loops in one, repeat them. */
const known = new Map<string, ShellAccess>();

/**
 * Returns how a shell command accesses files. Its first reading or searching command decides, through pipes, lists,
 * loops and `sh -c`. Paths are relative to the folder of the call, as far as the `cd` commands show. Never throws. The
 * returned object may be shared, so callers must not change it.
 */
export function shellAccess(command: string): ShellAccess {
  if (command.length > SHORT_CHARS) return parsedAccess(command);
  const access = plainAccess(command) ?? known.get(command);
  if (access) return access;
  if (known.size >= MAX_KNOWN) known.clear();
  const found = parsedAccess(command);
  known.set(command, found);
  return found;
}

/** The access of a command that needs no parser to be understood; undefined: the parser has to tell. */
function plainAccess(command: string): ShellAccess | undefined {
  if (!ORDINARY.test(command)) return undefined;
  for (const [name = '', ...args] of plainWords(command) ?? []) {
    if (SEARCHERS.test(name)) return { kind: 'search' };
    // Where it reads depends on what came before; what it reads, on any sign that the shell replaces.
    if (READERS.test(name) && args.every((arg) => LITERAL.test(arg)) && !/\bcd\b|>/.test(command)) {
      const paths = readPaths(name, args).map((path) => joinPath('', path));
      return paths.length === 0 ? undefined : { kind: 'read', paths };
    }
    if (!NEUTRAL.has(name)) return undefined;
  }
  return undefined;
}

function parsedAccess(command: string): ShellAccess {
  let found: ShellAccess | undefined;
  const runner = new Runner(NO_ENGINE_IDENTITY, {}, (argv, state, isWritten) => {
    found ??= accessOf(argv, state, isWritten);
  });
  try {
    runner.runText(command, UNKNOWN);
  } catch {
    // What was found up to here stands.
  }
  return found ?? { kind: 'none' };
}

function accessOf(argv: readonly string[], state: ShellState, isWritten: boolean): ShellAccess | undefined {
  const [name = '', ...args] = argv;
  const base = baseOf(name);
  if (SEARCHERS.test(base)) return { kind: 'search' };
  if (base === 'git') return gitAccess(args, isWritten);
  // What goes into a file is not shown to the agent: a write, not a read.
  if (!READERS.test(base) || isWritten) return undefined;
  const paths = readPaths(base, args);
  return paths.length === 0 ? undefined : { kind: 'read', paths: paths.map((path) => shownPath(path, state)) };
}

function gitAccess(args: readonly string[], isWritten: boolean): ShellAccess | undefined {
  const [verb, ...rest] = splitOptions(args, ['-C', '-c', '--git-dir', '--work-tree']).rest;
  if (verb === 'grep' || verb === 'ls-files') return { kind: 'search' };
  if (verb !== 'show' || isWritten) return undefined;
  const paths = rest.flatMap((arg) => /^[^:\s-][^:\s]*:(.+)$|^:(.+)$/.exec(arg)?.slice(1).find(Boolean) ?? []);
  return paths.length === 0 ? undefined : { kind: 'read', paths };
}

function readPaths(base: string, args: readonly string[]): string[] {
  if (/sed$/.test(base) && args.some((arg) => /^(?:-i|-\w*i$|--in-place)/.test(arg) && !arg.startsWith('--i-')))
    return [];
  const valued = /^(?:cat|nl|wc|g?sed|less|more)$/.test(base)
    ? VALUED.filter((name) => /^-[ef]|^--e/.test(name))
    : VALUED;
  const operands: string[] = [];
  let hasProgram = !HAS_PROGRAM.test(base);
  let left = [...args];
  while (left.length > 0) {
    const { values, rest } = splitOptions(left, base === 'cat' ? [] : valued);
    if (values.has('-e') || values.has('-f') || values.has('--expression')) hasProgram = true;
    const [operand, ...others] = rest;
    if (operand !== undefined) operands.push(operand);
    left = others;
  }
  const files = hasProgram ? operands : operands.slice(1);
  return files.filter((file) => file !== '-' && file !== UNKNOWN && !file.startsWith('/dev/') && !/^\w+=/.test(file));
}

function shownPath(path: string, state: ShellState): string {
  const full = state.cwd.includes(UNKNOWN) ? path : state.resolve(path);
  return full.replaceAll(STAR, '*').replaceAll(ONE, '?').replaceAll(UNKNOWN, '');
}
