import type { ParameterExpansionPart, ParameterOperation, Word } from 'unbash';
import { globMatches } from './paths.js';
import { commandRegex, MAX_SUBJECT_CHARS } from './regex.js';
import type { ShellState } from './state.js';
import { distinct, globToSymbols, UNKNOWN } from './symbols.js';

export interface ParameterSource {
  readonly state: ShellState;
}

/** One possible value of a parameter: a text, or the fields of `"$@"` and `"${a[@]}"`. */
interface ParameterValue {
  text?: string;
  fields?: string[];
}

type ExpandText = (word: Word) => string[];

/** Values of `$name`, `$1`, `$@` and the special parameters. */
export function simpleValues(name: string, { state }: ParameterSource): ParameterValue[] {
  if (name === '@' || name === '*') {
    if (state.positional === undefined) return [{ text: UNKNOWN }];
    const fields = state.positional.slice(1);
    return name === '@' ? [{ fields }] : [{ text: fields.join(' ') }];
  }
  return namedValues(name, state).map((text) => ({ text }));
}

function namedValues(name: string, state: ShellState): string[] {
  if (/^\d+$/.test(name)) return [state.positional === undefined ? UNKNOWN : (state.positional[Number(name)] ?? '')];
  if (name === '$') return ['self'];
  if (name === 'PWD') return [state.cwd === '' ? '.' : state.cwd];
  const values = state.get(name);
  if (values !== undefined) return values;
  if (name === 'HOME') return ['~'];
  if (name === 'TMPDIR') return ['/tmp'];
  if (name === 'SHELL' || name === 'BASH') return ['/bin/bash'];
  return [UNKNOWN];
}

/** Values of `${…}` with its index, indirection and operation. */
export function parameterValues(
  part: ParameterExpansionPart,
  source: ParameterSource,
  expand: ExpandText,
): ParameterValue[] {
  const { state } = source;
  if (part.prefix === '#') return [{ text: UNKNOWN }];
  const all = part.index && /^[@*]$/.test(part.index.value);
  const items = state.items(part.parameter);
  if (part.prefix === '!') {
    if (all && items) return [{ fields: [...items.keys()] }];
    if (part.operation?.type === 'Names') return [{ text: UNKNOWN }];
    const targets = namedValues(part.parameter, state).filter((name) => /^\w+$/.test(name));
    return operate(targets.length > 0 ? targets.flatMap((name) => namedValues(name, state)) : [UNKNOWN], part, expand);
  }
  if (all || part.parameter === '@' || part.parameter === '*') {
    return listValues(part, source, expand);
  }
  if (part.index && items) {
    const found = expand(part.index).flatMap((key) => items.get(key) ?? []);
    return operate(found.length > 0 ? found : [...items.values()].flat(), part, expand);
  }
  const values = operate(namedValues(part.parameter, state), part, expand);
  if (part.operation?.type === 'Default' && part.operation.operator.endsWith('=')) {
    state.set(
      part.parameter,
      values.map(({ text }) => text ?? ''),
    );
  }
  return values;
}

function listValues(part: ParameterExpansionPart, source: ParameterSource, expand: ExpandText): ParameterValue[] {
  const { state } = source;
  const items = state.items(part.parameter);
  const fields = items
    ? [...items.values()].map((values) => values[0] ?? '')
    : part.index
      ? namedValues(part.parameter, state)
      : state.positional?.slice(1);
  if (fields === undefined) return [{ text: UNKNOWN }];
  if (part.operation?.type === 'Slice') {
    const from = Number(part.operation.offset.value);
    const count = Number(part.operation.length?.value ?? Number.NaN);
    if (Number.isNaN(from)) return [{ fields }];
    // Positional parameters count from 1 and 0 is the script's name.
    const start = Math.max(0, items ? from : from - 1);
    return [{ fields: fields.slice(start, Number.isNaN(count) ? undefined : start + count) }];
  }
  return [{ fields: fields.map((field) => operate([field], part, expand)[0]?.text ?? field) }];
}

function operate(values: string[], part: ParameterExpansionPart, expand: ExpandText): ParameterValue[] {
  const { operation } = part;
  const results = operation === undefined ? values : applyOperation(values, operation, expand);
  return distinct(results).map((text) => ({ text }));
}

function applyOperation(values: string[], operation: ParameterOperation, expand: ExpandText): string[] {
  switch (operation.type) {
    case 'Default': {
      if (operation.operator.endsWith('?')) return values;
      // Whether the variable is set is seldom known: the operand always runs and always stays possible.
      const operands = expand(operation.operand);
      if (operation.operator.endsWith('+')) return operands;
      const known = values.filter((value) => value !== '' && value !== UNKNOWN);
      return known.length > 0 ? known : operands;
    }
    case 'CaseModification':
      return values.map((value) => changeCase(value, operation.operator));
    case 'Slice': {
      const from = Number(operation.offset.value.trim());
      const length = operation.length === undefined ? undefined : Number(operation.length.value);
      if (Number.isNaN(from) || Number.isNaN(length ?? 0)) return [UNKNOWN];
      return values.map((value) => {
        const rest = value.slice(from);
        return length === undefined ? rest : length < 0 ? rest.slice(0, length) : rest.slice(0, length);
      });
    }
    case 'Remove':
      return expand(operation.operand).flatMap((pattern) =>
        values.map((value) => removeAffix(value, pattern, operation.operator)),
      );
    case 'Replace':
      return expand(operation.pattern).flatMap((pattern) =>
        expand(operation.replacement).flatMap((by) =>
          values.map((value) => replaceIn(value, patternSource(pattern), by, operation.operator)),
        ),
      );
    default:
      return values;
  }
}

function changeCase(value: string, operator: '^' | '^^' | ',' | ',,'): string {
  if (operator === '^^') return value.toUpperCase();
  if (operator === ',,') return value.toLowerCase();
  const first = value.slice(0, 1);
  return (operator === '^' ? first.toUpperCase() : first.toLowerCase()) + value.slice(1);
}

/** A shell pattern as a regular expression source. */
function patternSource(pattern: string): string {
  return pattern
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replace(/[*\uE001]/g, '.*')
    .replace(/[?\uE002]/g, '.');
}

function removeAffix(value: string, pattern: string, operator: '#' | '##' | '%' | '%%'): string {
  if (value.length > MAX_SUBJECT_CHARS) return value;
  const glob = globToSymbols(pattern);
  const lengths = Array.from({ length: value.length + 1 }, (_, at) => at);
  // The shortest match for one character, the longest for two.
  if (operator.length === 2) lengths.reverse();
  const fromStart = operator.startsWith('#');
  for (const length of lengths) {
    const cut = fromStart ? length : value.length - length;
    const [head, tail] = [value.slice(0, cut), value.slice(cut)];
    if (globMatches(glob, fromStart ? head : tail)) return fromStart ? tail : head;
  }
  return value;
}

function replaceIn(value: string, source: string, by: string, operator: '/' | '//' | '/#' | '/%'): string {
  const anchored = operator === '/#' ? `^${source}` : operator === '/%' ? `${source}$` : source;
  const regex = value.length > MAX_SUBJECT_CHARS ? undefined : commandRegex(anchored, operator === '//' ? 'g' : '');
  return regex === undefined ? value : value.replace(regex, () => by);
}
