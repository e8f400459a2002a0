import { evaluated, judgeCode } from './code.js';
import type { Language } from './code-text.js';
import type { Call, Handler, Handlers, Machine } from './machine.js';
import { hasLetter, splitOptions } from './options.js';
import { runShellScript } from './shells.js';
import { baseOf, fieldsOf, UNKNOWN } from './symbols.js';

interface Interpreter {
  language: Language;
  /** Options that take code. */
  code: string[];
  /** Options that load a module first. */
  modules?: string[];
  /** Further options that take a value. */
  valued?: string[];
  /** Options with which the script is only looked at. */
  dry?: RegExp;
  /** Options that carry their value with them. */
  attached?: RegExp;
  /** Words before the script: `deno run`. */
  verbs?: RegExp;
}

const NODE: Interpreter = {
  language: 'js',
  code: ['-e', '--eval', '-p', '--print', '-pe'],
  modules: ['-r', '--require', '--import', '--loader', '--experimental-loader'],
  valued: ['-C', '--conditions', '--env-file', '--input-type', '--stack-trace-limit', '--title', '--tsconfig', '-P'],
  dry: /^(?:--check|-c|--version|-v|--help)$/,
};

const PYTHON: Interpreter = {
  language: 'python',
  code: ['-c'],
  valued: ['-W', '-X'],
  dry: /^(?:--version|-V+|--help)$/,
};

const SPECS: [RegExp, Interpreter][] = [
  [/^(?:node|nodejs|node\d+|tsx|ts-node|ts-node-esm|jiti|esno|esr|swc-node|babel-node|vite-node|electron|iojs)$/, NODE],
  [/^(?:python|pypy)[\d.]*$/, PYTHON],
  [/^perl[\d.]*$/, { language: 'perl', code: ['-e', '-E'], valued: ['-I'], attached: /^-[MmI]./, dry: /^-c$/ }],
  [/^(?:ruby|jruby)[\d.]*$/, { language: 'ruby', code: ['-e'], valued: ['-I', '-r'], dry: /^-c$/ }],
  [/^php[\d.]*$/, { language: 'other', code: ['-r', '-R', '-B'], valued: ['-d', '-c'], dry: /^-l$/ }],
  [
    /^(?:lua|luajit|Rscript|R|osascript|tclsh|expect|guile|racket|elixir|julia|scala|groovy|jshell|sbcl)[\d.]*$/,
    { language: 'other', code: ['-e', '-c', '--eval'] },
  ],
  [/^(?:vim?|nvim|ex|view|gvim)$/, { language: 'other', code: ['-c', '--cmd'], valued: ['-u', '-S', '-s', '-i'] }],
  [/^emacs(?:client)?$/, { language: 'other', code: ['--eval', '-eval', '-e'], valued: ['-l', '--load', '-f'] }],
  [/^deno$/, { language: 'js', code: [], modules: [], verbs: /^(?:run|eval|repl)$/ }],
];

/** Whether a program runs code that it is given. */
export function isInterpreter(base: string): boolean {
  return specOf(base) !== undefined;
}

function specOf(base: string): Interpreter | undefined {
  return SPECS.find(([name]) => name.test(base))?.[1];
}

const interpret = (call: Call, spec: Interpreter, machine: Machine): string => {
  const given = spec.verbs?.test(call.args[0] ?? '') ? call.args.slice(1) : call.args;
  const args = given.filter((arg) => !spec.attached?.test(arg));
  const { options, values, rest } = splitOptions(args, [...spec.code, ...(spec.modules ?? []), ...(spec.valued ?? [])]);
  if (options.some((option) => spec.dry?.test(option))) return UNKNOWN;
  for (const name of spec.modules ?? []) for (const module of values.get(name) ?? []) loadModule(module, machine);
  const printing = spec.language === 'js' ? ['-p', '--print', '-pe'].flatMap((name) => values.get(name) ?? []) : [];
  const codes = [
    ...spec.code.flatMap((name) => values.get(name) ?? []),
    ...(call.args[0] === 'eval' ? rest.slice(0, 1) : []),
  ];
  if (/vi|ex$|view|emacs/.test(call.base)) return runEditor([...codes, ...rest], call, machine);
  if (/^(?:expect|tclsh)/.test(call.base)) codes.push(...tclCommands(codes.length > 0 ? codes.join('\n') : call.stdin));
  if (codes.length > 0) {
    return codes
      .map((code) => {
        const output = judgeCode(spec.language, code, rest, call.stdin, machine);
        return printing.includes(code) ? (evaluated(code, spec.language) ?? output) : output;
      })
      .join('');
  }
  const module = spec.language === 'python' && hasLetter(options, 'm') ? rest[0] : undefined;
  if (module !== undefined) return runModule(module, rest.slice(1), call, machine);
  const [script, ...behind] = rest;
  if (script === undefined || script === '-' || script === '/dev/stdin')
    return runCode(spec.language, call, rest.slice(1), machine);
  return runScriptFile({ ...call, args: [script, ...behind] }, machine);
};

/** Tcl's `spawn x` and `exec x` quote nothing: as the calls of other languages. */
function tclCommands(code: string): string[] {
  return [...code.matchAll(/\b(?:spawn|exec|system)\s+(?:-\w+\s+)*([^;\n\]"]+)/g)].map(
    (match) => `system(${JSON.stringify(match[1])})`,
  );
}

/** Code that comes by standard input. */
function runCode(language: Language, call: Call, args: readonly string[], machine: Machine): string {
  if (call.stdin.includes('\uE004')) machine.runText(call.stdin, UNKNOWN);
  return judgeCode(language, call.stdin, args, '', machine);
}

function loadModule(module: string, machine: Machine): void {
  if (machine.candidates(module).some((path) => machine.names.isModule(path)) || machine.names.isModule(module)) {
    machine.report('invoke', `loads ${machine.names.identity.name}'s code`);
  }
}

/** `python -m module`: the few that run something else, or read a file. */
function runModule(module: string, args: readonly string[], call: Call, machine: Machine): string {
  if (/^(?:pdb|trace|cProfile|profile|runpy)$/.test(module))
    return machine.runProgram(['python3', ...args], call.stdin);
  return machine.runProgram([module, ...args], call.stdin);
}

/** Editor commands: `:!shell`, `:r !shell`, `:%s/…/` is none. Lisp and Lua as any other code. */
function runEditor(codes: readonly string[], call: Call, machine: Machine): string {
  for (const code of codes) {
    const [, command] =
      /^[:\s]*(?:\+?\s*)?(?:sil(?:ent)?!?\s+)?(?:\d*|%|\.)?(?:r(?:ead)?\s+|te(?:rm(?:inal)?)?\s+)?!\s*(.+)$/s.exec(
        code,
      ) ?? [];
    if (command !== undefined) machine.runText(command, '');
    else if (/system\(|shell-command|call-process|termopen|os\.execute/.test(code))
      judgeCode('other', code, [], call.stdin, machine);
  }
  return UNKNOWN;
}

/** Runs a script file: the engine's own, one that the command wrote, or one that can be read. */
export function runScriptFile(call: Call, machine: Machine): string {
  const [script = '', ...args] = call.args;
  const { names } = machine;
  const paths = script.startsWith('-') ? [] : machine.candidates(script);
  if (paths.some((path) => names.isScript(path)) || names.isModule(script)) {
    machine.report('invoke', `runs ${names.identity.name}'s entry by ${call.base}`);
    return UNKNOWN;
  }
  const text = machine.readFile(script);
  if (text === UNKNOWN) return UNKNOWN;
  const language = languageOf(script, text, call.base);
  return language === 'shell'
    ? runShellScript(call, text, machine)
    : judgeCode(language, text, args, call.stdin, machine);
}

function languageOf(path: string, text: string, program: string): Language | 'shell' {
  const own = specOf(program)?.language;
  if (own !== undefined) return own;
  const [, line = ''] = /^#!\s*(.*)/.exec(text) ?? [];
  const words = fieldsOf(line).map(baseOf);
  const named = words.map((word) => specOf(word)?.language).find((language) => language !== undefined);
  if (named !== undefined) return named;
  if (line !== '') return 'shell';
  const extension = /\.(\w+)$/.exec(path)?.[1] ?? '';
  return extension === 'py' ? 'python' : /^[cm]?[jt]s$/.test(extension) ? 'js' : extension === 'pl' ? 'perl' : 'shell';
}

/** Runs any interpreter by its name: `python3.12`. */
export const interpretOther: Handler = (call, machine) => {
  const spec = specOf(call.base);
  return spec ? interpret(call, spec, machine) : UNKNOWN;
};

/** `bun -e code`, `bun file`: else a package manager. */
export const orCode =
  (otherwise: Handler): Handler =>
  (call, machine) => {
    const isCode = /^(?:-e|--eval|-p|--print)$/.test(call.args[0] ?? '');
    return isCode ? interpret(call, NODE, machine) : otherwise(call, machine);
  };

/** Query shells that can run a command: `.shell`, `.system`, `\!`. */
const queryShell: Handler = (call, machine) => {
  for (const text of [...call.args, ...call.stdin.split('\n')]) {
    const [, command] = /^\s*(?:\.(?:shell|system)|\\!)\s+(.+)$/s.exec(text) ?? [];
    if (command !== undefined) machine.runText(command, '');
  }
  return UNKNOWN;
};

const programs =
  'node nodejs tsx ts-node ts-node-esm jiti esno swc-node babel-node vite-node electron python python2 python3 pypy pypy3 perl ruby php lua ' +
  'luajit Rscript osascript tclsh expect guile elixir julia vi vim nvim ex view emacs emacsclient deno';

/** Programs that run code. */
export const INTERPRETERS: Handlers = {
  ...Object.fromEntries(programs.split(' ').map((name) => [name, interpretOther])),
  sqlite3: queryShell,
  psql: queryShell,
  mysql: queryShell,
};
