import type { Call, Handler, Handlers, Machine } from './machine.js';
import { splitOptions } from './options.js';
import { baseOf, UNKNOWN } from './symbols.js';

const VALUED = ['-t', '--target-directory', '-S', '--suffix', '-m', '-o', '-g', '--mode', '--owner', '--group', '-e'];

/** Links, copies and renames: what was the program or the index stays so under its new path. */
const transfer: Handler = (call, machine) => {
  const { values, rest } = splitAnywhere(call.args, VALUED);
  const [target] = [...(values.get('-t') ?? []), ...(values.get('--target-directory') ?? [])];
  const into = target ?? rest.at(-1);
  const sources = target === undefined ? rest.slice(0, -1) : rest;
  if (into === undefined) return '';
  if (call.base === 'ln' && sources.length === 0) machine.state.addOrigin(baseOf(into), into);
  for (const source of sources) {
    const from = linkTarget(call, source, into, machine);
    // Whether the target is a folder is not known: both readings are kept.
    machine.state.addOrigin(`${into.replace(/\/$/, '')}/${baseOf(source)}`, from);
    machine.state.addOrigin(into, from);
    const text = machine.state.files.get(machine.state.resolve(source));
    if (text !== undefined) machine.state.writeFile(into, text, false);
  }
  return '';
};

/** A relative symbolic link is read from the folder that holds it. */
function linkTarget(call: Call, source: string, into: string, machine: Machine): string {
  const symbolic = call.base === 'ln' && call.args.some((arg) => /^-\w*s|^--symbolic/.test(arg));
  if (!symbolic || /^[/~\uE000]/.test(source) || !into.includes('/')) return source;
  const fromLink = `${into.slice(0, into.lastIndexOf('/'))}/${source}`;
  const named = machine.names.isProgram(machine.state.resolve(fromLink));
  return named || into.startsWith('/') ? fromLink : source;
}

/** Options may stand behind operands. */
function splitAnywhere(args: readonly string[], valued: readonly string[]) {
  const values = new Map<string, string[]>();
  const rest: string[] = [];
  let left = [...args];
  while (left.length > 0) {
    const split = splitOptions(left, valued);
    for (const [name, found] of split.values) values.set(name, [...(values.get(name) ?? []), ...found]);
    const [operand, ...others] = split.rest;
    if (operand !== undefined) rest.push(operand);
    left = others;
  }
  return { values, rest };
}

const tee: Handler = (call, machine) => {
  const append = call.args.some((arg) => arg === '-a' || arg === '--append');
  for (const path of call.args) if (!path.startsWith('-')) machine.state.writeFile(path, call.stdin, append);
  return call.stdin;
};

const makeTemporary: Handler = (call) =>
  call.args.some((arg) => /^-\w*d/.test(arg)) ? '/tmp/tmp.d\n' : '/tmp/tmp.f\n';

/** `readlink -f x`, `realpath x`: the same file, so the same path will do. */
const samePath: Handler = (call) => {
  const paths = call.args.filter((arg) => !arg.startsWith('-'));
  return paths.map((path) => `${path}\n`).join('');
};

const folderName: Handler = (call) =>
  call.args
    .filter((arg) => !arg.startsWith('-'))
    .map((path) => `${path.includes('/') ? path.slice(0, path.lastIndexOf('/')) || '/' : '.'}\n`)
    .join('');

const baseName: Handler = (call) => {
  const [path = '', suffix] = call.args.filter((arg) => !arg.startsWith('-'));
  const base = baseOf(path);
  return `${suffix && base.endsWith(suffix) ? base.slice(0, -suffix.length) : base}\n`;
};

/** `ls`: the files it was given; what lies in a folder is not known. */
const list: Handler = (call) => {
  const paths = call.args.filter((arg) => !arg.startsWith('-'));
  if (paths.length === 0) return UNKNOWN;
  return paths
    .map((path) => (path.endsWith('/') ? '' : `${path}\n`) + (mayBeFolder(path) ? `${UNKNOWN}\n` : ''))
    .join('');
};

function mayBeFolder(path: string): boolean {
  return !/[.\uE001\uE002]/.test(baseOf(path).slice(1));
}

const dd: Handler = (call, machine) => {
  const value = (name: string) => call.args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1);
  const [from, to] = [value('if'), value('of')];
  if (from !== undefined && to !== undefined) machine.state.addOrigin(to, from);
  return from === undefined ? call.stdin : machine.readFile(from);
};

/** Programs that move, link and name files. */
export const FILE_HANDLERS: Handlers = {
  cp: transfer,
  ln: transfer,
  mv: transfer,
  install: transfer,
  rsync: transfer,
  link: transfer,
  tee,
  sponge: tee,
  dd,
  mktemp: makeTemporary,
  readlink: samePath,
  realpath: samePath,
  dirname: folderName,
  basename: baseName,
  ls: list,
};
