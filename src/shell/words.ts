import type { ArithmeticExpression, CommandExpansionPart, ParsedScript, SyntaxNode, Word, WordPart } from 'unbash';
import { forEachChild, parse } from 'unbash';
import { braceTexts } from './braces.js';
import { type ParameterSource, parameterValues, simpleValues } from './parameters.js';
import { combine, distinct, fieldsOf, ONE, STAR, UNKNOWN } from './symbols.js';

/** What expansion needs of the machine. */
export interface WordSource extends ParameterSource {
  /** Runs a substitution's script and returns what it prints. */
  capture(script: ParsedScript, stdin?: string): string;
  /** Gives a process substitution's output a path. */
  substitutionPath(text: string): string;
}

/** One way to read a part: its fields; the first and last attach to their neighbours. */
type Chunk = readonly string[];

/** The possible field lists of a word, bounded. */
export function expandWord(word: Word, source: WordSource): string[][] {
  const parts = word.parts;
  if (parts === undefined) return [[word.value]];
  if (parts.some((part) => part.type === 'BraceExpansion')) return expandBraces(word, source);
  const chunks = expandParts(parts, source, false);
  const quoted = parts.some((part) => /Quoted|LocaleString|Literal/.test(part.type));
  return chunks.map((chunk) => (quoted ? [...chunk] : chunk.filter((field) => field !== '')));
}

/** The possible values of a word that is not split: assignments, redirect targets, here-strings. */
export function expandText(word: Word, source: WordSource): string[] {
  return distinct(word.parts === undefined ? [word.value] : expandQuoted(word.parts, source));
}

/** The possible texts of a here-document's or double-quoted string's parts. */
export function expandQuoted(parts: readonly WordPart[], source: WordSource): string[] {
  return expandParts(parts, source, true).map((chunk) => chunk.join(' '));
}

function expandBraces(word: Word, source: WordSource): string[][] {
  let all: string[][] = [[]];
  for (const text of braceTexts(word.text)) {
    const command = parse(`_ ${text}`).commands[0]?.command;
    const part = command?.type === 'Command' ? command.args[0] : undefined;
    if (part?.type !== 'Word') continue;
    const braces = part.parts?.some((inner) => inner.type === 'BraceExpansion');
    all = combine(all, braces ? [[part.value]] : expandWord(part, source), (left, right) => [...left, ...right]);
  }
  return all;
}

function expandParts(parts: readonly WordPart[], source: WordSource, quoted: boolean): Chunk[] {
  let all: Chunk[] = [['']];
  for (const part of parts) all = combine(all, expandPart(part, source, quoted), attach);
  return all;
}

function attach(left: Chunk, right: Chunk): Chunk {
  if (right.length === 0) return left;
  return [...left.slice(0, -1), (left.at(-1) ?? '') + (right[0] ?? ''), ...right.slice(1)];
}

function expandPart(part: WordPart, source: WordSource, quoted: boolean): Chunk[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [[part.value]];
    case 'DoubleQuoted':
    case 'LocaleString':
      return expandParts(part.parts, source, true);
    case 'Glob':
      return [[part.kind === 'star' ? STAR : ONE]];
    case 'ExtendedGlob':
      return part.operator === '@' ? part.pattern.split('|').map((choice) => [choice]) : [[STAR]];
    case 'SimpleExpansion':
      return chunks(simpleValues(part.text.slice(1), source), quoted);
    case 'ParameterExpansion':
      return chunks(
        parameterValues(part, source, (word) => expandText(word, source)),
        quoted,
      );
    case 'CommandExpansion':
      return [substitute(part, source, quoted)];
    case 'ArithmeticExpansion':
      runInside(part.expression, source);
      return [[UNKNOWN]];
    case 'ProcessSubstitution':
      return [[source.substitutionPath(part.script ? source.capture(part.script, UNKNOWN) : UNKNOWN)]];
    case 'BraceExpansion':
      return [[part.text]];
  }
}

function substitute(part: CommandExpansionPart, source: WordSource, quoted: boolean): Chunk {
  const text = part.script ? source.capture(part.script).replace(/\n+$/, '') : UNKNOWN;
  return quoted ? [text] : splitFields(text);
}

function chunks(values: { text?: string; fields?: string[] }[], quoted: boolean): Chunk[] {
  return values.map(({ text, fields }) => {
    if (fields) return quoted ? fields : fields.flatMap(fieldsOf);
    return quoted ? [text ?? ''] : splitFields(text ?? '');
  });
}

/** Unquoted values are split into fields and then globbed. */
function splitFields(text: string): string[] {
  const fields = fieldsOf(text).map((field) => (/^[./~\w-]*[*?][^()|$^\\]*$/.test(field) ? globbed(field) : field));
  return fields.length === 0 ? [''] : fields;
}

function globbed(field: string): string {
  return field.replaceAll('*', STAR).replaceAll('?', ONE);
}

/** Runs every command substitution inside an arithmetic or test expression. */
export function runInside(node: ArithmeticExpression | undefined, source: WordSource): void {
  if (node === undefined) return;
  if (node.type === 'ArithmeticCommandExpansion') {
    if (node.script) source.capture(node.script);
    return;
  }
  if (node.type === 'ArithmeticWord') {
    if (node.parts) expandParts(node.parts, source, true);
    return;
  }
  forEachChild(node, (child) => {
    if (child.type.startsWith('Arithmetic')) runInside(child as ArithmeticExpression, source);
    else if (child.type === 'CommandExpansion' && child.script) source.capture(child.script);
  });
}

/** Runs the substitutions inside `[[ … ]]`. */
export function runTest(node: SyntaxNode, source: WordSource): void {
  forEachChild(node, (child) => {
    if (child.type === 'Word') expandText(child, source);
    else if (child.type.startsWith('Arithmetic')) runInside(child as ArithmeticExpression, source);
    else runTest(child, source);
  });
}
