import { BUILTINS } from './builtins.js';
import { reportDataUse } from './data-use.js';
import { FILE_HANDLERS } from './file-programs.js';
import { FILTERS } from './filters.js';
import { FINDERS } from './finders.js';
import { GIT_AND_MAKE } from './git-make.js';
import { INTERPRETERS, interpretOther, isInterpreter, orCode, runScriptFile } from './interpreters.js';
import type { Call, Handlers, Machine } from './machine.js';
import { PACKAGE_HANDLERS } from './packages.js';
import { runOptions } from './running-options.js';
import { SHELLS } from './shells.js';
import { baseOf, hasGlob, linesOf, UNKNOWN } from './symbols.js';
import { WRAPPERS } from './wrappers.js';

const HANDLERS: Handlers = {
  ...FILTERS,
  ...FILE_HANDLERS,
  ...FINDERS,
  ...GIT_AND_MAKE,
  ...INTERPRETERS,
  ...PACKAGE_HANDLERS,
  ...WRAPPERS,
  ...SHELLS,
  ...BUILTINS,
  bun: orCode(PACKAGE_HANDLERS.bun ?? (() => UNKNOWN)),
};

/** Runs one program call: is it the engine's program, something that runs another, or a reader of its data? */
export function dispatch(argv: readonly string[], stdin: string, machine: Machine): string {
  const [given = '', ...args] = argv;
  // A Windows path: in the shell of WSL or Git, and what `cmd /c` and PowerShell are handed.
  const name = given.replaceAll('\\', '/');
  // A substitution that printed several lines: each is one possible command.
  if (name.includes('\n'))
    return linesOf(name)
      .map((line) => dispatch([line, ...args], stdin, machine))
      .join('');
  const base = baseOf(name).replace(/\.(?:exe|cmd|bat)$/i, '');
  const call: Call = { name, base, args, stdin };
  if (isEngine(call, machine)) return UNKNOWN;
  // Whoever runs another program hands the judgement on to that call.
  const hands = Object.hasOwn(WRAPPERS, base) || Object.hasOwn(SHELLS, base);
  if (!hands || args[0] === 'cp') reportDataUse(call, machine);
  runOptions(call, machine);
  const handler = Object.hasOwn(HANDLERS, base) ? HANDLERS[base] : undefined;
  if (handler) return handler(call, machine);
  if (isInterpreter(base)) return interpretOther(call, machine);
  return runOwnFile(call, machine);
}

function isEngine({ name, args }: Call, machine: Machine): boolean {
  const { names } = machine;
  const program = names.identity.name;
  const made = name.includes('/') ? undefined : machine.state.madeCommand(name);
  const paths = name.includes('/') ? machine.candidates(name) : [name, ...(made ? machine.candidates(made) : [])];
  if (paths.some((path) => names.isProgram(path))) {
    machine.report('invoke', `runs ${program}${hasGlob(name) ? ' through a glob' : ''}`);
    return true;
  }
  // A dynamic loader or a renamed interpreter is handed the program as its first argument.
  if (/^\/proc\/|(?:^|\/)ld-(?:linux|musl)/.test(name) && args.some((arg) => names.isScript(arg))) {
    machine.report('invoke', `runs ${program} through another program`);
    return true;
  }
  return false;
}

/** A command that is a file of the workspace, or one that the command line wrote before. */
function runOwnFile(call: Call, machine: Machine): string {
  const made = call.name.includes('/') ? call.name : machine.state.madeCommand(call.name);
  if (made === undefined || call.name === '') return UNKNOWN;
  const script = machine.readFile(made);
  if (script === UNKNOWN) return UNKNOWN;
  return runScriptFile({ ...call, args: [made, ...call.args] }, machine);
}
