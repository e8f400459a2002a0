import type { Call, Handler, Handlers, Machine } from './machine.js';
import { hasLetter, splitOptions } from './options.js';
import { UNKNOWN } from './symbols.js';

const VALUED = ['-c', '-o', '+o', '-O', '+O', '--rcfile', '--init-file'];

/** A shell: its text comes from `-c`, a script file or standard input. */
const shell: Handler = (call, machine) => {
  const { options, values, rest } = splitShell(call.args);
  // `-n` only checks the syntax.
  if (hasLetter(options, 'n') || options.includes('--version') || options.includes('--help')) return '';
  for (const file of [...(values.get('--rcfile') ?? []), ...(values.get('--init-file') ?? [])]) {
    machine.runText(machine.readFile(file), call.stdin);
  }
  const [text] = values.get('-c') ?? [];
  if (text !== undefined) return machine.runText(text, call.stdin, rest.length > 0 ? rest : [call.name]);
  const [script, ...args] = rest;
  if (hasLetter(options, 's') || script === undefined || script === '-' || script === '/dev/stdin') {
    return machine.runText(call.stdin, UNKNOWN, [call.name, ...rest]);
  }
  return runFile(script, args, call.stdin, machine);
};

/** `-c` may stand in a cluster whose value is not the next argument: `bash -c -e 'text'`, `sh -ec 'text'`. */
function splitShell(args: readonly string[]) {
  const joined = args.map((arg) => (/^-[A-Za-z]*c[A-Za-z]*$/.test(arg) ? arg.replace('c', '') : arg));
  const hasText = joined.some((arg, at) => arg !== args[at]);
  const split = splitOptions(
    joined.filter((arg) => arg !== '-'),
    hasText ? VALUED.slice(1) : VALUED,
  );
  if (!hasText || split.rest[0] === undefined) return split;
  return { ...split, values: new Map(split.values).set('-c', [split.rest[0]]), rest: split.rest.slice(1) };
}

/** Runs a shell script; the engine's own program is one. */
function runFile(path: string, args: readonly string[], stdin: string, machine: Machine): string {
  const { names } = machine;
  if (machine.candidates(path).some((one) => names.isProgram(one))) {
    machine.report('invoke', `runs ${names.identity.name} as a shell script`);
    return UNKNOWN;
  }
  return machine.runText(known(machine.readFile(path)), stdin, [path, ...args]);
}

function known(text: string): string {
  return text === UNKNOWN ? '' : text;
}

const source: Handler = (call, machine) => {
  const [script, ...args] = call.args;
  if (script === undefined) return '';
  if (script === '/dev/stdin') return machine.runText(known(call.stdin), UNKNOWN);
  return runFile(script, args.length > 0 ? args : (machine.state.positional?.slice(1) ?? []), call.stdin, machine);
};

const evaluate: Handler = (call, machine) => machine.runText(call.args.join(' '), call.stdin);

/** `at`, `batch`: the command line comes by standard input. */
const later: Handler = (call, machine) => machine.runText(known(call.stdin), UNKNOWN);

/** `cmd /c …`, `powershell -Command …`. */
const windowsShell: Handler = (call, machine) => {
  const at = call.args.findIndex((arg) => /^(?:\/[ck]|\/\/c|-c(?:ommand)?)$/i.test(arg));
  // `&` before a command calls it there.
  const text = call.args
    .slice(at + 1)
    .join(' ')
    .replace(/^\s*&\s+/, '');
  return at < 0 ? '' : machine.runText(text, call.stdin);
};

const names = ['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'fish', 'rbash', 'yash'];

/** Programs that run shell text. */
export const SHELLS: Handlers = {
  ...Object.fromEntries(names.map((name) => [name, shell])),
  source,
  '.': source,
  eval: evaluate,
  at: later,
  batch: later,
  cmd: windowsShell,
  powershell: windowsShell,
  pwsh: windowsShell,
};

/** Runs text as a shell would that reads it from a file or pipe. */
export function runShellScript(call: Call, text: string, machine: Machine): string {
  return machine.runText(known(text), call.stdin, [call.name, ...call.args.slice(1)]);
}
