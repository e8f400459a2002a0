import type { Assignment, Redirection, Word } from 'unbash';
import { isInert } from './data-use.js';
import type { Machine } from './machine.js';
import { combine, UNKNOWN } from './symbols.js';
import { expandQuoted, expandText, expandWord, type WordSource } from './words.js';

type Source = Machine & WordSource;

interface Redirected {
  /** Standard input. */
  input: string;
  /** Files that standard output goes to. */
  outputs: { path: string; append: boolean }[];
}

/** Where redirects take standard input from and standard output to; reading the index so is reported. */
export function readRedirects(
  redirects: readonly Redirection[],
  stdin: string,
  program: string | undefined,
  source: Source,
): Redirected {
  const result: Redirected = { input: stdin, outputs: [] };
  for (const redirect of redirects) {
    if (redirect.type === 'HereDoc') {
      const { parts, text } = redirect.body;
      result.input = parts ? expandQuoted(parts, source).join('\n') : text;
    } else if (redirect.type === 'HereString') {
      result.input = `${redirect.target ? expandText(redirect.target, source).join('\n') : ''}\n`;
    } else if (redirect.target) {
      const paths = expandText(redirect.target, source);
      if (redirect.operator === '<' || redirect.operator === '<>') result.input = inputFrom(paths, program, source);
      else if (/^(?:>|>>|>\||&>|&>>)$/.test(redirect.operator) && !isErrorOutput(redirect)) {
        result.outputs.push(...paths.map((path) => ({ path, append: redirect.operator.endsWith('>>') })));
      }
    }
  }
  return result;
}

function inputFrom(paths: readonly string[], program: string | undefined, machine: Machine): string {
  const isData = paths.some((path) => machine.candidates(path).some((one) => machine.names.isData(one, true)));
  if (isData && !(program !== undefined && isInert(program))) {
    machine.report('data', `reads ${machine.names.identity.name}'s index`);
  }
  return paths.map((path) => machine.readFile(path)).join('\n');
}

function isErrorOutput(redirect: Redirection): boolean {
  const { descriptor } = redirect;
  return descriptor?.type === 'FileDescriptor' && descriptor.value !== 1;
}

/** Carries out an assignment; one that renames the index folder adds its name. */
export function assign(assignment: Assignment, source: Source): void {
  const { name, value, append } = assignment;
  const { state, names } = source;
  if (value.type === 'ArrayValue') {
    const items = value.elements.flatMap((word): [string | undefined, string[]][] => {
      const [, key, text] = /^\[([^\]]+)\]=(.*)$/s.exec(word.value) ?? [];
      if (key !== undefined && text !== undefined) return [[key.replace(/^["']|["']$/g, ''), [text]]];
      return (expandWord(word, source)[0] ?? []).map((field) => [undefined, [field]]);
    });
    state.setItems(name, items, append === true);
  } else if (assignment.index) {
    state.setItems(name, [[expandText(assignment.index, source)[0], expandText(value, source)]], true);
  } else {
    const values = expandText(value, source);
    state.set(name, values, append === true);
    if (!names.identity.indexFolderVariables.includes(name)) return;
    for (const folder of values) if (/^\.?\w[\w.-]+$/.test(folder)) names.indexFolders.add(folder);
  }
}

/** The possible argument lists of a command's words. Assignments among them (`export a=b`) take effect and stay as text. */
export function expandArgv(words: readonly (Word | Assignment)[], source: Source): string[][] {
  let argvs: string[][] = [[]];
  for (const word of words) {
    const fields = word.type === 'Word' ? expandWord(word, source) : [declared(word, source)];
    const [only] = fields;
    // Nearly every word has one reading; copying the list for each would cost the square of a long command.
    if (only && fields.length === 1) for (const argv of argvs) argv.push(...only);
    else argvs = combine(argvs, fields, (left, right) => [...left, ...right]);
  }
  return argvs.filter((argv) => argv.length > 0);
}

function declared(assignment: Assignment, source: Source): string[] {
  assign(assignment, source);
  return [`${assignment.name}=${source.state.get(assignment.name)?.[0] ?? UNKNOWN}`];
}
