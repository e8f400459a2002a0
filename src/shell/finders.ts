import type { Handler, Handlers, Machine } from './machine.js';
import { splitOptions } from './options.js';
import { ANY_FOLDERS, fieldsOf, globToSymbols, linesOf, STAR, UNKNOWN } from './symbols.js';

/** What `find` may print: paths that its name and path tests allow. */
function foundPaths(args: readonly string[], machine: Machine): string[] {
  const start = args.findIndex((arg) => /^[-!(]/.test(arg));
  const roots = args.slice(0, start < 0 ? args.length : start);
  // Tests must all hold, and a name says most about the last segment.
  const names: string[] = [];
  const patterns: string[] = [];
  for (const [at, arg] of args.entries()) {
    const value = args[at + 1];
    if (value === undefined || /^(?:-not|!)$/.test(args[at - 1] ?? '')) continue;
    if (/^-i?(?:name|lname)$/.test(arg)) names.push(`${ANY_FOLDERS}/${globToSymbols(value)}`);
    if (/^-i?(?:path|wholename)$/.test(arg) && args[at + 2] !== '-prune') {
      // Here `*` crosses folders.
      const path = globToSymbols(value).replace(new RegExp(`(?<=^|/)${STAR}(?=/)`), ANY_FOLDERS);
      // `*word*` holds for any path with that word in it, so nothing is known of the file's name.
      patterns.push(new RegExp(`[^/${STAR}][^/]*${STAR}$`).test(path) ? UNKNOWN : path);
    }
    if (/^-i?regex$/.test(arg))
      patterns.push(`${ANY_FOLDERS}/${value.replace(/^\.\*\/?/, '').replace(/\\(.)/g, '$1')}`);
  }
  if (names.length > 0) patterns.splice(0, patterns.length, ...names);
  const bases = roots.length > 0 ? roots : ['.'];
  const excluded = excludesIndex(args, machine);
  const found = patterns.length === 0 ? [ANY_FOLDERS] : patterns;
  return bases.flatMap((root) =>
    found.map((pattern) => {
      const path = pattern.startsWith(ANY_FOLDERS) ? `${root.replace(/\/$/, '')}/${pattern}` : pattern;
      return excluded ? path.replaceAll(ANY_FOLDERS, UNKNOWN) : path;
    }),
  );
}

function excludesIndex(args: readonly string[], { names }: Machine): boolean {
  return args.some(
    (arg, at) =>
      arg.includes(names.identity.indexFolder) &&
      (/^(?:-not|!)$/.test(args[at - 2] ?? '') || args[at + 1] === '-prune'),
  );
}

const find: Handler = (call, machine) => {
  const paths = foundPaths(call.args, machine);
  let runs = '';
  let executed = false;
  for (let at = 0; at < call.args.length; at++) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(call.args[at] ?? '')) continue;
    const end = call.args.findIndex((arg, index) => index > at && (arg === ';' || arg === '+'));
    const command = call.args.slice(at + 1, end < 0 ? undefined : end);
    executed = true;
    for (const path of paths) runs += machine.runProgram(substitute(command, '{}', path), '');
    at = end < 0 ? call.args.length : end;
  }
  return executed ? runs : paths.map((path) => `${path}\n`).join('');
};

function substitute(words: readonly string[], placeholder: string, value: string): string[] {
  return words.map((word) => word.replaceAll(placeholder, value));
}

/** `fd pattern -x command`. */
const fd: Handler = (call, machine) => {
  const at = call.args.findIndex((arg) => /^(?:-x|-X|--exec|--exec-batch)$/.test(arg));
  const { values, rest } = splitOptions(at < 0 ? call.args : call.args.slice(0, at), ['-e', '-t', '-E', '-d', '-S']);
  const [extension] = values.get('-e') ?? [];
  const path =
    extension !== undefined
      ? `${ANY_FOLDERS}/${STAR}.${extension}`
      : `${ANY_FOLDERS}/${rest[0] === undefined ? '' : `${STAR}${rest[0].replace(/^\^|\$$/g, '')}${STAR}`}`;
  if (at < 0) return `${path}\n`;
  const command = call.args.slice(at + 1).filter((arg) => arg !== ';');
  const words = command.some((word) => word.includes('{}')) ? substitute(command, '{}', path) : [...command, path];
  return machine.runProgram(words, '');
};

const XARGS_VALUED = [
  '-I',
  '-n',
  '-P',
  '-L',
  '-d',
  '-E',
  '-s',
  '-a',
  '--max-args',
  '--max-procs',
  '--arg-file',
  '--delimiter',
];

const xargs: Handler = (call, machine) => {
  const { options, values, rest } = splitOptions(call.args, [...XARGS_VALUED, '--replace']);
  const file = values.get('-a')?.[0] ?? values.get('--arg-file')?.[0];
  const text = file === undefined ? call.stdin : machine.readFile(file);
  const replaced = values.get('-I')?.[0] ?? values.get('--replace')?.[0] ?? (options.includes('-i') ? '{}' : undefined);
  const command = rest.length > 0 ? rest : ['echo'];
  if (replaced !== undefined) {
    const lines = distinctLines(text);
    return lines.map((line) => machine.runProgram(substitute(command, replaced, line), '')).join('');
  }
  const fields = options.includes('-0') || options.includes('--null') ? text.split(/[\0\n]/) : fieldsOf(text);
  const words = fields.filter((field) => field !== '').map((field) => field.replace(/^(["'])(.*)\1$/, '$2'));
  return machine.runProgram([...command, ...(words.length === 0 ? [UNKNOWN] : words.slice(0, 200))], '');
};

function distinctLines(text: string): string[] {
  const lines = [...new Set(linesOf(text).map((line) => line.trim()))].slice(0, 30);
  return lines.length === 0 ? [UNKNOWN] : lines;
}

const PARALLEL_VALUED = [
  '-j',
  '--jobs',
  '-a',
  '--arg-file',
  '-I',
  '--delay',
  '--timeout',
  '--joblog',
  '--colsep',
  '-C',
  '-n',
  '-N',
];

/** GNU parallel: a command line as template, its arguments after `:::` or by standard input. */
const parallel: Handler = (call, machine) => {
  const { values, rest } = splitOptions(call.args, PARALLEL_VALUED);
  const at = rest.findIndex((arg) => /^:::[:+]?$/.test(arg));
  const template = rest.slice(0, at < 0 ? rest.length : at).join(' ');
  const file = values.get('-a')?.[0] ?? values.get('--arg-file')?.[0];
  const inputs = at < 0 ? distinctLines(file === undefined ? call.stdin : machine.readFile(file)) : rest.slice(at + 1);
  return inputs.map((input) => machine.runText(fillTemplate(template, input), '')).join('');
};

function fillTemplate(template: string, input: string): string {
  if (template === '') return input;
  const filled = template.replace(/\{(?:\.|\/|\/\/|\/\.|\d+)?\}/g, () => input);
  return filled === template ? `${template} ${input}` : filled;
}

/** `git submodule foreach`-like loops of other tools are left out: they run what their own configuration says. */
const commandsOf = (names: string[], handler: Handler): Handlers =>
  Object.fromEntries(names.map((name) => [name, handler]));

/** Programs that run another for what they find or are given. */
export const FINDERS: Handlers = {
  ...commandsOf(['find', 'gfind', 'bfs'], find),
  ...commandsOf(['fd', 'fdfind'], fd),
  ...commandsOf(['xargs', 'gxargs'], xargs),
  ...commandsOf(['parallel', 'rush'], parallel),
};
