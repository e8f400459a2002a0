import { Buffer } from 'node:buffer';
import { judgeCode } from './code.js';
import { printedByAwk } from './code-text.js';
import type { Call, Handler, Handlers, Machine } from './machine.js';
import { splitOptions } from './options.js';
import { commandRegex, MAX_SUBJECT_CHARS } from './regex.js';
import { knownPattern, substituteText } from './sed.js';
import { linesOf, UNKNOWN, UNSEEN_SCRIPT } from './symbols.js';
import { translate } from './translate.js';

/** Text of the files among the arguments, else standard input. */
function inputOf(files: readonly string[], call: Call, machine: Machine): string {
  const named = files.filter((file) => file !== '-');
  return named.length === 0 ? call.stdin : named.map((file) => machine.readFile(file)).join('');
}

const VALUED = ['-n', '-c', '-k', '-t', '-d', '-f', '-s', '-w', '-o', '-S', '-T', '-l', '--lines', '--bytes'];

/** Programs that pass lines on: which of them does not matter, all stay possible. */
const passOn: Handler = (call, machine) => {
  const { rest } = splitOptions(call.args, VALUED);
  return inputOf(rest, call, machine);
};

const GREP_VALUED = [
  '-e',
  '-f',
  '-m',
  '-A',
  '-B',
  '-C',
  '-d',
  '-D',
  '--include',
  '--exclude',
  '--color',
  '-g',
  '-t',
  '-T',
];

const grep: Handler = (call, machine) => {
  const { options, values, rest } = splitOptions(call.args, GREP_VALUED);
  const pattern = values.get('-e')?.[0] ?? values.get('--regexp')?.[0] ?? rest[0] ?? '';
  const files = values.has('-e') ? rest : rest.slice(1);
  const has = (letters: string, long: RegExp) =>
    options.some(
      (option) => long.test(option) || (/^-\w+$/.test(option) && [...letters].some((l) => option.includes(l))),
    );
  // File names, counts or lines that carry their file's name say nothing that could be run.
  if (has('lLcqrR', /^--(?:files-with|count|quiet|recursive)/) || files.length > 1) return UNKNOWN;
  const input = inputOf(files, call, machine);
  if (has('v', /^--invert/)) return input;
  const only = has('o', /^--only-matching/);
  const known = knownPattern(pattern);
  const regex = grepRegex(pattern, has('F', /^--fixed/) || call.base === 'fgrep', has('i', /^--ignore-case/));
  const lines = linesOf(input).filter((line) => !line.includes(UNKNOWN));
  const matched = regex ? lines.flatMap((line) => matchLine(line, regex, only)) : lines;
  const guess = input.includes(UNKNOWN) && known !== '' ? [only ? known : `${UNKNOWN}${known}${UNKNOWN}`] : [];
  const exact = /^\^.*\$$/.test(pattern) ? [known] : guess;
  return [...matched, ...(input.includes(UNKNOWN) ? exact : [])].map((line) => `${line}\n`).join('');
};

/** The pattern as a regular expression; undefined when it is too much to run, and then every line may match. */
function grepRegex(pattern: string, fixed: boolean, ignoreCase: boolean): RegExp | undefined {
  const source = fixed ? pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : pattern.replace(/\\([|(){}+?])/g, '$1');
  return commandRegex(source, ignoreCase ? 'i' : '');
}

function matchLine(line: string, regex: RegExp, only: boolean): string[] {
  if (line.length > MAX_SUBJECT_CHARS) return [line];
  if (only) return line.match(regex) ?? [];
  return regex.test(line) ? [line] : [];
}

const sed: Handler = (call, machine) => {
  const { values, rest } = splitOptions(
    call.args.map((arg) => (/^-i|^--in-place/.test(arg) ? '-i' : arg)),
    ['-e', '-f', '--expression', '--file'],
  );
  const scripts = [...(values.get('-e') ?? []), ...(values.get('--expression') ?? [])];
  const files = scripts.length > 0 ? rest : rest.slice(1);
  if (scripts.length === 0) scripts.push(rest[0] ?? '');
  let text = inputOf(files, call, machine);
  for (const script of scripts) {
    // GNU sed can run commands: `1e command`, `s/a/b/e`.
    for (const [, command] of script.matchAll(/(?:^|[;\d$/}\n])\s*e\s+([^;\n]+)/g))
      machine.runText(command ?? '', UNKNOWN);
    const result = substituteText(script, text);
    if (result.executes) machine.runText(result.text, UNKNOWN);
    text = result.text;
  }
  return text;
};

const awk: Handler = (call, machine) => {
  const { values, rest } = splitOptions(call.args, ['-F', '-v', '-f', '-e']);
  const file = values.get('-f')?.[0];
  const program = file === undefined ? (values.get('-e')?.[0] ?? rest[0] ?? '') : machine.readFile(file);
  judgeCode('awk', program, [], call.stdin, machine);
  const input = inputOf(values.has('-f') || values.has('-e') ? rest : rest.slice(1), call, machine);
  return printedByAwk(program, input);
};

const decode: Handler = (call, machine) => {
  const decoding = call.args.some((arg) => /^(?:-d|-D|--decode|-di|-r|-rp|-p)$/.test(arg) || arg === '-d');
  if (!decoding) return UNKNOWN;
  const files = call.args.filter((arg) => !arg.startsWith('-') && arg !== 'base64' && arg !== 'enc');
  const text = inputOf(files, call, machine).replace(/\s+/g, '');
  if (text.includes(UNKNOWN)) return UNKNOWN;
  const encoding = call.base === 'xxd' ? 'hex' : 'base64';
  return Buffer.from(text, encoding).toString('utf8');
};

const reverse: Handler = (call, machine) => {
  const text = inputOf(call.args, call, machine);
  return linesOf(text)
    .map((line) => `${[...line].reverse().join('')}\n`)
    .join('');
};

/** `envsubst`: variables in the text take their values. */
const fillVariables: Handler = (call, { state }) =>
  call.stdin.replace(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced?: string, bare?: string) => {
    return state.get(braced ?? bare ?? '')?.[0] ?? UNKNOWN;
  });

const tr: Handler = (call) => translate(call.stdin, call.args);

/** `jq -r .scripts.name package.json`: the text of a package script, for whoever runs it. */
const jq: Handler = (call, machine) => {
  const [filter = '', ...files] = call.args.filter((arg) => !arg.startsWith('-'));
  const [, name] = /scripts(?:\.|\[?")([\w:-]+)/.exec(filter) ?? [];
  if (name === undefined) {
    const [, literal] = /^"([^"\\]*)"$/.exec(filter.trim()) ?? [];
    return literal ?? UNKNOWN;
  }
  const script = machine.state.packageScripts.get(name) ?? scriptIn(inputOf(files, call, machine), name);
  return script ?? UNSEEN_SCRIPT;
};

function scriptIn(text: string, name: string): string | undefined {
  const [, script] = new RegExp(`"${name}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)"`).exec(text) ?? [];
  return script?.replace(/\\(.)/g, '$1');
}

const cut: Handler = (call, machine) => {
  const { values, rest } = splitOptions(call.args, ['-d', '-f', '-c', '-b', '--delimiter', '--fields', '--characters']);
  const text = inputOf(rest, call, machine);
  const field = Number(values.get('-f')?.[0] ?? values.get('--fields')?.[0]);
  const by = values.get('-d')?.[0] ?? values.get('--delimiter')?.[0] ?? '\t';
  if (!Number.isInteger(field) || field < 1) return UNKNOWN;
  return linesOf(text)
    .map((line) => `${line.includes(by) ? (line.split(by)[field - 1] ?? '') : line}\n`)
    .join('');
};

const passers = [
  'cat',
  'tac',
  'head',
  'tail',
  'less',
  'more',
  'bat',
  'batcat',
  'sort',
  'uniq',
  'nl',
  'shuf',
  'strings',
];
const others = [
  'fold',
  'fmt',
  'expand',
  'unexpand',
  'column',
  'paste',
  'zcat',
  'gunzip',
  'gzip',
  'xz',
  'iconv',
  'dos2unix',
];
const greps = ['grep', 'egrep', 'fgrep', 'rg', 'ag', 'ack', 'ugrep', 'zgrep'];

/** Programs that print what they read, changed or not. */
export const FILTERS: Handlers = {
  ...Object.fromEntries([...passers, ...others].map((name) => [name, passOn])),
  ...Object.fromEntries(greps.map((name) => [name, grep])),
  ...Object.fromEntries(['awk', 'gawk', 'mawk', 'nawk'].map((name) => [name, awk])),
  sed,
  gsed: sed,
  base64: decode,
  xxd: decode,
  openssl: decode,
  rev: reverse,
  tr,
  envsubst: fillVariables,
  jq,
  cut,
  cksum: () => UNKNOWN,
};
