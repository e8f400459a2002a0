import type { Call, Handler, Handlers, Machine } from './machine.js';
import { splitOptions } from './options.js';
import { baseOf, UNKNOWN } from './symbols.js';

const RUNNER_VALUED = [
  '-p',
  '--package',
  '-c',
  '--call',
  '--prefix',
  '-w',
  '--workspace',
  '-C',
  '--registry',
  '--cache',
  '--userconfig',
  '--shell-mode',
];
const GLOBAL_VALUED = [
  '--prefix',
  '-C',
  '--dir',
  '--cwd',
  '-w',
  '--workspace',
  '--filter',
  '-F',
  '--registry',
  '--cache',
  '--loglevel',
  '--userconfig',
];

/** Runs what a package runner is given: a package's program, or a command with packages around. */
function runPackage(call: Call, args: readonly string[], machine: Machine): string {
  const { values, rest } = splitOptions(args, RUNNER_VALUED);
  const texts = [...(values.get('-c') ?? []), ...(values.get('--call') ?? [])];
  if (texts.length > 0) return texts.map((text) => machine.runText(text, call.stdin)).join('');
  const [spec, ...others] = rest;
  if (spec === undefined) return '';
  const known = values.has('-p') || values.has('--package');
  if (!known && machine.names.isPackageSpec(spec)) {
    machine.report('invoke', `runs ${machine.names.identity.name} through ${call.base}`);
    return UNKNOWN;
  }
  const behind = others[0] === '--' ? others.slice(1) : others;
  const program = spec.includes('/') && !spec.startsWith('@') ? spec : baseOf(spec).replace(/@.*$/, '');
  return machine.runProgram([program, ...behind], call.stdin);
}

const runner: Handler = (call, machine) => runPackage(call, call.args, machine);

const npm: Handler = (call, machine) => {
  const [verb, args] = verbOf(call.args);
  const before = machine.state.cwd;
  enterPrefix(call.args, machine);
  try {
    return runVerb(call, verb, args, machine);
  } finally {
    machine.state.cwd = before;
  }
};

function runVerb(call: Call, verb: string, args: readonly string[], machine: Machine): string {
  switch (verb) {
    case 'exec':
    case 'x':
    case 'dlx':
      return runPackage(call, args, machine);
    case 'run':
    case 'run-script':
    case 'rum':
    case 'urn':
      return runScript(call, args, machine);
    case 'test':
    case 't':
    case 'tst':
    case 'start':
    case 'stop':
    case 'restart':
      return runScript(call, [verb.startsWith('t') ? 'test' : verb, ...args], machine);
    case 'explore':
      machine.state.cwd = machine.state.resolve(`node_modules/${args[0] ?? ''}`);
      return machine.runText(args.slice(args.indexOf('--') + 1).join(' '), '');
    case 'pkg':
    case 'set-script':
      keepScripts(args, machine);
      return UNKNOWN;
    case 'node':
      return machine.runProgram(['node', ...args], call.stdin);
    default:
      return call.base === 'npm' ? UNKNOWN : runBare(call, verb, args, machine);
  }
}

/** `yarn name`, `pnpm name`, `bun name`: a script, or a program of an installed package. */
function runBare(call: Call, verb: string, args: readonly string[], machine: Machine): string {
  if (verb === 'workspace') return runVerb(call, args[1] ?? '', args.slice(2), machine);
  if (call.base === 'bun' && /[./]/.test(verb)) return machine.runProgram(['node', verb, ...args], call.stdin);
  return /^(?:add|remove|install|i|why|info|list|ls|up|update|upgrade|link|unlink|init|create|config|cache|audit|outdated|patch|pack|publish)$/.test(
    verb,
  )
    ? UNKNOWN
    : runScript(call, [verb, ...args], machine);
}

function verbOf(args: readonly string[]): [string, readonly string[]] {
  const { rest } = splitOptions(args, GLOBAL_VALUED);
  return [rest[0] ?? '', rest.slice(1)];
}

function enterPrefix(args: readonly string[], machine: Machine): void {
  const { values } = splitOptions(args, GLOBAL_VALUED);
  const prefix = values.get('--prefix') ?? values.get('-C') ?? values.get('--cwd') ?? values.get('--dir');
  if (prefix?.[0] !== undefined) machine.state.cwd = machine.state.resolve(prefix[0]);
}

/** `npm pkg set scripts.name=text`, `npm set-script name text`. */
function keepScripts(args: readonly string[], machine: Machine): void {
  for (const arg of args) {
    const [, name, text] = /^scripts\.([^=]+)=(.*)$/s.exec(arg) ?? [];
    if (name !== undefined && text !== undefined) machine.state.packageScripts.set(name, text);
  }
}

/** Runs a script of package.json: its text where that is known, else judged by its name. */
function runScript(call: Call, args: readonly string[], machine: Machine): string {
  const { rest } = splitOptions(args, GLOBAL_VALUED);
  const [name = '', ...others] = rest;
  const behind = others[0] === '--' ? others.slice(1) : others;
  const scripts = scriptsOf(machine.readFile('package.json'));
  const own = machine.state.packageScripts.get(name) ?? scripts.get(name);
  if (own === undefined) {
    if (machine.names.isCliName(name)) {
      machine.report('invoke', `runs ${machine.names.identity.name} through ${call.base}`);
    } else if (call.base !== 'npm' && scripts.size > 0) {
      return machine.runProgram(rest, call.stdin);
    }
    return UNKNOWN;
  }
  const all = [scripts.get(`pre${name}`), [own, ...behind].join(' '), scripts.get(`post${name}`)];
  return all.map((text) => (text === undefined ? '' : machine.runText(text, call.stdin))).join('');
}

function scriptsOf(text: string): Map<string, string> {
  try {
    const parsed: unknown = JSON.parse(text);
    const scripts = typeof parsed === 'object' && parsed !== null && 'scripts' in parsed ? parsed.scripts : undefined;
    if (typeof scripts !== 'object' || scripts === null) return new Map();
    return new Map(Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return new Map();
  }
}

const runners = ['npx', 'pnpx', 'bunx', 'pkgx'];
const managers = ['npm', 'pnpm', 'yarn', 'yarnpkg', 'bun', 'cnpm', 'tnpm'];

/** Package managers and runners. */
export const PACKAGE_HANDLERS: Handlers = {
  ...Object.fromEntries(runners.map((name) => [name, runner])),
  ...Object.fromEntries(managers.map((name) => [name, npm])),
};
