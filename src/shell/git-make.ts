import type { Call, Handler, Handlers, Machine } from './machine.js';
import { runMakefile } from './makefile.js';
import { splitOptions } from './options.js';
import { UNKNOWN } from './symbols.js';

const GIT_VALUED = ['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env'];
/** Settings whose value git runs. */
const RUN_BY_GIT =
  /^(?:alias\..*|core\.(?:pager|editor|sshcommand|fsmonitor)|pager\..*|sequence\.editor|diff\.external|.*\.(?:textconv|command|cmd|clean|smudge|process|driver|tool\.path))$/i;

const git: Handler = (call, machine) => {
  const { values, rest } = splitOptions(call.args, GIT_VALUED);
  const [verb = '', ...args] = rest;
  for (const setting of values.get('-c') ?? []) {
    const at = setting.indexOf('=');
    if (at > 0) configure(setting.slice(0, at), setting.slice(at + 1), verb, machine);
  }
  runHooks(machine);
  runEnvironment(machine);
  const alias = machine.state.gitAliases.get(verb);
  if (alias !== undefined) {
    return alias.startsWith('!')
      ? machine.runText([alias.slice(1), ...args].join(' '), '')
      : git({ ...call, args: [...alias.split(' '), ...args] }, machine);
  }
  return runVerb(verb, args, call, machine);
};

/** An alias is kept for its use; what git would run at once is run. */
function configure(name: string, value: string, verb: string, machine: Machine): void {
  if (name.toLowerCase().startsWith('alias.')) machine.state.gitAliases.set(name.slice('alias.'.length), value);
  else if (RUN_BY_GIT.test(name) && verb !== 'config') machine.runText(value, '');
}

function runVerb(verb: string, args: string[], call: Call, machine: Machine): string {
  switch (verb) {
    case 'bisect':
      return args[0] === 'run' ? machine.runProgram(args.slice(1), '') : '';
    case 'rebase':
      return runValues(args, ['-x', '--exec'], machine);
    case 'filter-branch':
      return runValues(
        args,
        ['--tree-filter', '--index-filter', '--msg-filter', '--env-filter', '--commit-filter'],
        machine,
      );
    case 'difftool':
    case 'mergetool':
      return runValues(args, ['-x', '--extcmd'], machine);
    case 'submodule':
      return args[0] === 'foreach'
        ? machine.runText(
            args
              .filter((arg) => !arg.startsWith('--'))
              .slice(1)
              .join(' '),
            '',
          )
        : '';
    case 'for-each-repo':
      return '';
    case 'config': {
      const plain = args.filter((arg) => !arg.startsWith('-') && arg !== 'set');
      const [name, value] = plain;
      if (name !== undefined && value !== undefined) configure(name, value, verb, machine);
      return UNKNOWN;
    }
    case 'show':
    case 'cat-file': {
      const path = args.map((arg) => /^[^:\s]*:(.+)$/.exec(arg)?.[1]).find((found) => found !== undefined);
      return path === undefined ? UNKNOWN : machine.readFile(path);
    }
    case 'grep':
      return machine.runProgram(['grep', '-r', ...args], call.stdin);
    default:
      return UNKNOWN;
  }
}

function runValues(args: readonly string[], names: readonly string[], machine: Machine): string {
  const values = args.flatMap((arg, at) => {
    const [name = '', attached] = arg.startsWith('--')
      ? [arg.split('=')[0], arg.split('=').slice(1).join('=')]
      : [arg, ''];
    if (!names.includes(name)) return [];
    return attached ? [attached] : (args[at + 1] ?? []);
  });
  return values.map((value) => machine.runText(value, '')).join('');
}

/** Variables whose value git and others run as pager, editor and the like. */
function runEnvironment(machine: Machine): void {
  const own = [
    'GIT_EDITOR',
    'GIT_SEQUENCE_EDITOR',
    'GIT_PAGER',
    'GIT_EXTERNAL_DIFF',
    'GIT_SSH_COMMAND',
    'GIT_SSH',
    'GIT_ASKPASS',
  ];
  for (const name of [...own, 'PAGER', 'EDITOR', 'VISUAL', 'MANPAGER', 'LESSOPEN']) {
    for (const value of machine.state.get(name) ?? []) machine.runText(value.replace(/^\|/, ''), '');
  }
}

const underEnvironment: Handler = (_call, machine) => {
  runEnvironment(machine);
  return UNKNOWN;
};

/** Hooks that this command line wrote run with the next git command. */
function runHooks(machine: Machine): void {
  for (const [path, text] of machine.state.files) {
    if (/(?:^|\/)(?:\.git\/hooks|\.husky)\/[\w-]+$/.test(path)) machine.runText(text, '');
  }
}

const MAKE_VALUED = ['-C', '-f', '-j', '-I', '-o', '-W', '-l', '--file', '--makefile', '--directory', '--eval'];

const make: Handler = (call, machine) => {
  const targets: string[] = [];
  const texts: string[] = [];
  let files: string[] = [];
  let left = [...call.args];
  const before = machine.state.cwd;
  while (left.length > 0) {
    const { options, values, rest } = splitOptions(left, MAKE_VALUED);
    // A dry run prints the recipes and runs none.
    if (
      options.some((option) =>
        /^(?:-[a-ikm-pr-z]*[nqt]|--(?:dry-run|just-print|recon|question|version|help))$/.test(option),
      )
    )
      return UNKNOWN;
    const folder = values.get('-C')?.[0] ?? values.get('--directory')?.[0];
    if (folder !== undefined) machine.state.cwd = machine.state.resolve(folder);
    files = [
      ...files,
      ...(values.get('-f') ?? []),
      ...(values.get('--file') ?? []),
      ...(values.get('--makefile') ?? []),
    ];
    texts.push(...(values.get('--eval') ?? []));
    const [target, ...others] = rest;
    if (target !== undefined) targets.push(target);
    left = others;
  }
  texts.push(...makefiles(files, call, machine));
  const variables = new Map(targets.filter((target) => target.includes('=')).map((one) => splitAt(one)));
  runMakefile(
    texts.filter((text) => text !== UNKNOWN).join('\n'),
    targets.filter((one) => !one.includes('=')),
    variables,
    machine,
  );
  machine.state.cwd = before;
  return UNKNOWN;
};

function splitAt(text: string): [string, string] {
  const at = text.indexOf('=');
  return [text.slice(0, at).replace(/[:?+]$/, ''), text.slice(at + 1)];
}

function makefiles(files: readonly string[], call: Call, machine: Machine): string[] {
  if (files.length > 0) return files.map((file) => (file === '-' ? call.stdin : machine.readFile(file)));
  const names = call.base === 'just' ? ['justfile', 'Justfile', '.justfile'] : ['GNUmakefile', 'makefile', 'Makefile'];
  const found = names.map((name) => machine.readFile(name)).find((text) => text !== UNKNOWN);
  return found === undefined ? [] : [found];
}

/** Programs that run what they are told by settings, hooks and recipes. */
export const GIT_AND_MAKE: Handlers = {
  git,
  make,
  gmake: make,
  just: make,
  man: underEnvironment,
  crontab: underEnvironment,
};
