import { type CodeText, type Language, type Literal, literalPath, readCode } from './code-text.js';
import { isDataPath } from './data-use.js';
import type { Machine } from './machine.js';
import { clip, UNKNOWN } from './symbols.js';

/** Modules and calls by which code starts a process. */
const STARTS: Record<Language, RegExp> = {
  js: /child_process|\bexeca\b|\bzx\b|cross-spawn|shelljs|\bBun\s*\.\s*(?:spawn|\$)|\bDeno\s*\.\s*(?:Command|run)\b|\bnode-pty\b|\btinyexec\b|\bworker_threads\b/,
  python:
    /subprocess|\bos\s*\.\s*(?:system|popen|exec|spawn|posix_spawn)|\bfrom os import\b|\bpty\b|pexpect|asyncio|\bsh\b|plumbum|runpy|\bexecfile\b|\bexec\s*\(|importlib|__import__/,
  perl: /\b(?:system|exec|open|open2|open3|readpipe|do|require)\b|`|\bqx\b/,
  ruby: /\b(?:system|exec|spawn|popen|capture|Open3|IO|load)\b|`|%x/,
  awk: /\bsystem\s*\(|\|\s*getline|\||getline/,
  other:
    /\b(?:system|exec|execute|popen|spawn|passthru|shell_exec|proc_open|do shell script|shell|job_start|termopen|open)\b|`|!/,
};

/** Calls and modules by which code gets at what a file or socket holds. */
const READS =
  /read|open|connect|sqlite|database|duckdb|copy|\bcp\b|mmap|socket|slurp|\bload\b|\bnet\b|\bFile\b|\bIO\b|stream|fetch|http|getline|tarfile|zipfile|\bcat\b/i;

/** Calls that show nothing of a file. */
const HARMLESS =
  /(?:^|\.|::)(?:exists\w*|isfile|is_file|isdir|is_dir|l?stat\w*|getsize|getmtime|access\w*|unlink\w*|rm\w*|remove|mkdir\w*|write\w*|print\w*|log|info|warn|error|puts|say|push|append|add|includes|endswith|startswith|endsWith|startsWith|replace\w*|sub|split|test|match|resolve|which|echo|isfile|exist\?|file_exists|filesize|assert\w*|equal|describe|it|listdir|readdir\w*)$/;

const MODULE_LOADS =
  /(?:\brequire|\bimport|\bimport\s*\(|\bfrom|\bload|\bdo|\brun_path|\brun_module|\bexecfile|\bcreateRequire\([^)]*\))\s*\(?\s*$/;

/** Judges code that an interpreter is given: does it start the engine, load its code, read its index? */
export function judgeCode(
  language: Language,
  code: string,
  args: readonly string[],
  stdin: string,
  machine: Machine,
): string {
  if (code === UNKNOWN || code.trim() === '') return UNKNOWN;
  const text = readCode(clip(code), language);
  judgeModules(text, machine);
  const strings = text.literals.map((literal) => literal.text).join('\n');
  if (STARTS[language].test(`${text.skeleton}\n${importedNames(text, strings)}`) || hasBackticks(text, language)) {
    judgeStarts(text, machine);
  }
  if (READS.test(`${text.skeleton}\n${importedNames(text, strings)}`)) judgeReads(text, args, machine);
  keepWrites(text, machine);
  if (/\bstdin\b|<STDIN>|<>|\bSTDIN\b/.test(text.skeleton) && stdin !== '' && stdin !== UNKNOWN) return stdin;
  return printed(text);
}

/** Module names among the strings: those that are loaded. */
function importedNames(text: CodeText, strings: string): string {
  const loaded = text.literals.filter((literal) => MODULE_LOADS.test(before(text, literal)));
  return strings === '' ? '' : loaded.map((literal) => literal.text).join('\n');
}

function hasBackticks({ literals }: CodeText, language: Language): boolean {
  return (
    (language === 'perl' || language === 'ruby' || language === 'other') && literals.some((one) => one.quote === '`')
  );
}

function before({ skeleton }: CodeText, literal: Literal): string {
  return skeleton.slice(Math.max(0, literal.start - 60), literal.start);
}

function judgeModules(text: CodeText, machine: Machine): void {
  for (const literal of text.literals) {
    const lead = before(text, literal);
    if (!MODULE_LOADS.test(lead) || /\bresolve\s*\(\s*$/.test(lead)) continue;
    const paths =
      literal.text.startsWith('.') || literal.text.startsWith('/') ? machine.candidates(literal.text) : [literal.text];
    if (paths.some((path) => machine.names.isModule(path))) {
      machine.report('invoke', `loads ${machine.names.identity.name}'s code`);
    }
  }
}

/** The call that a string is a direct argument of: `fs.writeFileSync`, or the word before it (`print "x"`). */
function calleeOf({ skeleton }: CodeText, at: number): string {
  let depth = 0;
  for (let back = at - 1; back >= 0 && at - back < 2_000; back--) {
    const char = skeleton[back] ?? '';
    if (')]}'.includes(char)) depth++;
    else if ('([{'.includes(char)) {
      if (depth-- > 0) continue;
      if (char === '(') return /([\w$.:]+[?!]?)\s*$/.exec(skeleton.slice(Math.max(0, back - 80), back))?.[1] ?? '';
      depth = 0;
    } else if (';\n'.includes(char) && depth === 0) break;
  }
  return /([A-Za-z_][\w$.]*)\s*$/.exec(skeleton.slice(Math.max(0, at - 80), at))?.[1] ?? '';
}

function judgeStarts(text: CodeText, machine: Machine): void {
  for (const [at, literal] of text.literals.entries()) {
    const callee = calleeOf(text, literal.start);
    const name = assignedName(text, literal);
    if (name !== undefined) {
      if (startsFirst(text, name)) machine.runProgram([literal.text], UNKNOWN);
      if (!/\s/.test(literal.text)) continue;
    }
    if (HARMLESS.test(callee) && literal.quote !== '`') continue;
    const lead = before(text, literal).trimEnd();
    const argv = argvFrom(text, at);
    if (/\s/.test(literal.text.trim())) {
      machine.runText(literal.text, UNKNOWN);
      // The program may have been an argument of its own: `spawn("sh", ["-c", "…"])`.
    } else if (isFirst(lead)) machine.runProgram(argv, UNKNOWN);
    else if (/\w\s*\/\s*$/.test(lead) || /[+.]$/.test(lead)) machine.runProgram([UNKNOWN + literal.text], UNKNOWN);
  }
}

/** The variable that a single string, or the path found for it, is kept in. */
function assignedName(text: CodeText, literal: Literal): string | undefined {
  return /([\w$]+)\s*=\s*(?:[\w.]*(?:which|find_executable)\w*\s*\(\s*)?[rbf]?$/.exec(before(text, literal))?.[1];
}

/** Whether a variable is handed on first in some call or list, where a program's name stands. */
function startsFirst(text: CodeText, name: string): boolean {
  for (const match of text.skeleton.matchAll(new RegExp(`[([]\\s*${name.replaceAll('$', '\\$')}\\s*[,)\\]]`, 'g'))) {
    if (/,\s*$/.test(text.skeleton.slice(0, match.index)) && match[0].startsWith('[')) continue;
    if (!HARMLESS.test(calleeOf(text, match.index + 1))) return true;
  }
  return false;
}

/** A word stands where a program's name would: first in a call or list, or as the value of a name. */
function isFirst(lead: string): boolean {
  if (/,\s*\[$/.test(lead)) return false;
  return /(?:[([{]|\b(?:exec|system|spawn|return|or|qx)|=>|\|\||\?\?)\s*[rbfu]?$/.test(lead);
}

/** The strings that follow a first one in the same call or list, as its arguments. */
function argvFrom({ literals, skeleton }: CodeText, at: number): string[] {
  const [first, ...rest] = literals.slice(at, at + 40);
  if (first === undefined) return [];
  const argv = [first.text];
  let end = first.end;
  for (const literal of rest) {
    const between = skeleton.slice(end, literal.start);
    if (!/^[\s\w$,[.]*,\s*\[?\s*[rbfu]?$/.test(between)) break;
    if (/\w/.test(between)) argv.push(UNKNOWN);
    argv.push(literal.text);
    end = literal.end;
  }
  return argv;
}

function judgeReads(text: CodeText, args: readonly string[], machine: Machine): void {
  const report = () => machine.report('data', `reads ${machine.names.identity.name}'s index from code`);
  if (args.some((arg) => isDataPath(arg, true, machine))) report();
  for (const [at, literal] of text.literals.entries()) {
    if (HARMLESS.test(calleeOf(text, literal.start)) || literal.text.length > 500) continue;
    const following = text.literals.slice(at + 1, at + 3).map((one) => one.text);
    const paths = [literal.text, `${literal.text}/${following[0] ?? ''}`, `${literal.text}/${following.join('/')}`];
    // Connection strings name the file behind a scheme or key: `file:x?mode=ro`, `dbi:SQLite:dbname=x`.
    const bare = paths.map((path) => literalPath(path.replace(/^.*[:=](?:\/\/)?|\?.*$/g, '')));
    if (bare.some((path) => !/\s/.test(path) && isDataPath(path, false, machine))) report();
  }
}

/** `writeFileSync('path', 'text')`: the text may be run later in the same command. */
function keepWrites(text: CodeText, machine: Machine): void {
  for (const [at, literal] of text.literals.entries()) {
    const next = text.literals[at + 1];
    if (next && /\bwrite(?:File|FileSync|TextFile|TextFileSync)$/.test(calleeOf(text, literal.start))) {
      if (/^\s*,\s*$/.test(text.skeleton.slice(literal.end, next.start)))
        machine.state.writeFile(literal.text, next.text, false);
    }
  }
}

/** What the code prints, as far as that is written out. */
function printed(text: CodeText): string {
  const shown = text.literals.filter((literal) =>
    /(?:^|\.)(?:print\w*|log|puts|say|write|echo|put)$/.test(calleeOf(text, literal.start)),
  );
  return shown.length === 0 ? UNKNOWN : shown.map((literal) => `${literal.text}\n`).join('');
}

/** The text that an expression is, as `node -p` prints it: one string, or the path that it resolves to. Undefined for any other. */
export function evaluated(code: string, language: Language): string | undefined {
  const { literals, skeleton } = readCode(clip(code), language);
  const [literal, ...others] = literals;
  if (literal === undefined || others.length > 0) return undefined;
  const around = `${skeleton.slice(0, literal.start)}${skeleton.slice(literal.end)}`.replaceAll(/[\s;]/g, '');
  if (around === '') return `${literal.text}\n`;
  if (!/^(?:require|import\.meta)\.resolve\(\)$/.test(around)) return undefined;
  return /^[./]/.test(literal.text) ? `${literal.text}\n` : `/node_modules/${literal.text}\n`;
}
