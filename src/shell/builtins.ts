import type { Call, Handler, Handlers, Machine } from './machine.js';
import { splitOptions } from './options.js';
import { formatPrintf, unescapeText } from './printf.js';
import { fieldsOf, linesOf, UNKNOWN } from './symbols.js';

const silent: Handler = () => '';

/** `which x`, `command -v x`, `type -P x`: the path under which a name would be found. */
const lookUp: Handler = (call, machine) => {
  const wanted = call.args.filter((arg) => !arg.startsWith('-'));
  return wanted.map((name) => `${machine.state.madeCommand(name) ?? pathOf(name)}\n`).join('');
};

function pathOf(name: string): string {
  return name.includes('/') ? name : `${UNKNOWN}/${name}`;
}

const command: Handler = (call, machine) => {
  const { options, rest } = splitOptions(call.args, []);
  if (options.some((option) => /[vV]/.test(option))) return lookUp({ ...call, args: rest }, machine);
  return machine.runProgram(rest, call.stdin);
};

const exec: Handler = (call, machine) => machine.runProgram(splitOptions(call.args, ['-a']).rest, call.stdin);

const changeFolder: Handler = (call, { state }) => {
  const folder = call.args.find((arg) => !/^-[LPe]+$/.test(arg) && arg !== '--') ?? '~';
  state.cwd = folder === '-' ? UNKNOWN : state.resolve(folder);
  return '';
};

/** `read`: every line that may come, since a loop may ask again. */
const read: Handler = (call, { state }) => {
  const { values, rest } = splitOptions(call.args, ['-d', '-n', '-N', '-p', '-t', '-u', '-i', '-a']);
  const separators = state.get('IFS')?.[0];
  const split = (line: string) =>
    separators && /\S/.test(separators) ? line.split(new RegExp(`[${escapeClass(separators)}]`)) : fieldsOf(line);
  const wholeText = values.has('-d');
  const lines = wholeText ? [call.stdin] : linesOf(call.stdin);
  const looked = lines.length === 0 ? [UNKNOWN] : state.uncertain > 0 ? lines : lines.slice(0, 1);
  const names = rest.length > 0 ? rest : ['REPLY'];
  const [array] = values.get('-a') ?? [];
  if (array !== undefined)
    state.setItems(
      array,
      split(looked[0] ?? '').map((item) => [undefined, [item]]),
      false,
    );
  for (const [at, name] of names.entries()) {
    const last = at === names.length - 1;
    const value = (line: string) =>
      names.length === 1 ? line : last ? split(line).slice(at).join(' ') : (split(line)[at] ?? '');
    state.set(name, looked.map(value));
  }
  return '';
};

function escapeClass(text: string): string {
  return text.replace(/[\]\\^-]/g, '\\$&');
}

const readArray: Handler = (call, { state }) => {
  const { rest } = splitOptions(call.args, ['-d', '-n', '-O', '-s', '-u', '-C', '-c']);
  state.setItems(
    rest[0] ?? 'MAPFILE',
    linesOf(call.stdin).map((line) => [undefined, [line]]),
    false,
  );
  return '';
};

const setOptions: Handler = (call, { state }) => {
  const split = splitOptions(call.args, ['-o', '+o']);
  if (split.rest.length > 0 || call.args.includes('--')) state.positional = ['', ...split.rest];
  return '';
};

const shift: Handler = (call, { state }) => {
  const count = Number(call.args[0] ?? 1) || 1;
  if (state.positional) state.positional = [state.positional[0] ?? '', ...state.positional.slice(1 + count)];
  return '';
};

const alias: Handler = (call, { state }) => {
  for (const arg of call.args) {
    const at = arg.indexOf('=');
    if (at > 0) state.aliases.set(arg.slice(0, at), arg.slice(at + 1));
  }
  return '';
};

const unset: Handler = (call, { state }) => {
  for (const name of call.args) if (!name.startsWith('-')) state.unset(name);
  return '';
};

/** `export NAME=value` given as text, as it comes out of an expansion. */
const declare: Handler = (call, { state }) => {
  for (const arg of call.args) {
    const [, name, value] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(arg) ?? [];
    if (name !== undefined && value !== undefined && state.get(name) === undefined) state.set(name, [value]);
  }
  return '';
};

const trap: Handler = (call, machine) => {
  const [text, ...signals] = call.args.filter((arg) => arg !== '--');
  return text !== undefined && signals.length > 0 && text !== '-' ? machine.runText(text, UNKNOWN) : '';
};

const echo: Handler = (call) => {
  const options = call.args.slice(0, Math.max(0, firstPlain(call.args)));
  const text = call.args.slice(options.length).join(' ');
  const shown = options.some((option) => option.includes('e')) || call.base === 'print' ? unescapeText(text) : text;
  return options.some((option) => option.includes('n')) ? shown : `${shown}\n`;
};

function firstPlain(args: readonly string[]): number {
  const at = args.findIndex((arg) => !/^-[neE]+$/.test(arg));
  return at < 0 ? args.length : at;
}

const printf: Handler = (call, { state }) => {
  const { values, rest } = splitOptions(call.args, ['-v']);
  const text = formatPrintf(rest[0] ?? '', rest.slice(1));
  const [variable] = values.get('-v') ?? [];
  if (variable === undefined) return text;
  state.set(variable, [text]);
  return '';
};

const workingFolder: Handler = (_call: Call, { state }: Machine) => `${state.cwd === '' ? UNKNOWN : state.cwd}\n`;

/** `hash -p path name`: the name now runs the path. */
const rememberPath: Handler = (call, { state }) => {
  const { values, rest } = splitOptions(call.args, ['-p']);
  const [path] = values.get('-p') ?? [];
  if (path !== undefined) for (const name of rest) state.addOrigin(name, path);
  return '';
};

/** What the shell itself provides. */
export const BUILTINS: Handlers = {
  command,
  builtin: (call, machine) => machine.runProgram(call.args, call.stdin),
  exec,
  which: lookUp,
  type: lookUp,
  whence: lookUp,
  cd: changeFolder,
  pushd: changeFolder,
  chdir: changeFolder,
  popd: (_call, { state }) => {
    state.cwd = '';
    return '';
  },
  pwd: workingFolder,
  read,
  mapfile: readArray,
  readarray: readArray,
  set: setOptions,
  shift,
  alias,
  unalias: unset,
  unset,
  export: declare,
  declare,
  typeset: declare,
  local: declare,
  readonly: declare,
  trap,
  echo,
  print: echo,
  printf,
  ':': silent,
  true: silent,
  false: silent,
  test: silent,
  '[': silent,
  hash: rememberPath,
};
