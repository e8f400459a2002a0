import type { SourceFiles } from '../grading/index.js';
import type { Expects } from '../model/expects.js';
import { findDefinitionLine } from './definition-line.js';
import type { Gold, ReplayCase } from './suite-schema.js';

/** Lines of a file that must be delivered. `label` is the text of the suite. Numbers start at 1; both ends are included. */
export interface GoldLines {
  label: string;
  path: string;
  from: number;
  to: number;
}

/** The gold of a case after its places were looked up in the pristine source. */
export interface ResolvedGold {
  files: string[];
  /** `from` and `to` are the line that defines the symbol. */
  symbols: GoldLines[];
  lines: GoldLines[];
  contains: string[];
  not: string[];
  answer: Gold['answer'];
  incidental: Gold['incidental'];
  weakFiles: string[];
}

/**
 * Looks the gold of a case up in the source: its own, and the places of the facts that it names. Every place that the source does
 * not have goes to `errors`, with the advice how to name it.
 */
export function resolveGold(
  { gold, facts }: Pick<ReplayCase, 'gold' | 'facts'>,
  source: SourceFiles,
  expects: Record<string, Expects>,
  errors: string[],
): ResolvedGold {
  const resolver = new Resolver(source, errors);
  const own = {
    files: (gold?.files ?? []).filter((path) => resolver.has(path, 'files')),
    symbols: (gold?.symbols ?? []).flatMap((label) => resolver.symbol(label)),
    lines: (gold?.lines ?? []).flatMap((label) => resolver.lines(label)),
    contains: gold?.contains ?? [],
    not: gold?.not ?? [],
    answer: gold?.answer,
    incidental: gold?.incidental,
    weakFiles: (gold?.weakFiles ?? []).filter((path) => resolver.has(path, 'weakFiles')),
  };
  if (facts === undefined) return own;
  const task = expects[facts.task];
  if (task === undefined) {
    errors.push(`facts.task: the config has no task "${facts.task}" with facts`);
    return own;
  }
  const wanted = task.facts.filter(({ prompt }) => facts.prompt === undefined || prompt === facts.prompt);
  if (wanted.length === 0) errors.push(`facts: no fact of ${facts.task} belongs to prompt ${facts.prompt}`);
  const places = new Set(wanted.flatMap(({ at }) => at));
  const bare = [...places].filter((label) => !label.includes(':'));
  return {
    ...own,
    files: unique([...own.files, ...bare.filter((path) => resolver.has(path, 'facts'))]),
    lines: [
      ...own.lines,
      ...[...places].filter((label) => label.includes(':')).flatMap((label) => resolver.lines(label, 'facts')),
    ],
  };
}

/** Everything that a score can be lost on. A case without gold is compared by its responses alone. */
export function hasGold({ files, symbols, lines, contains }: ResolvedGold): boolean {
  return files.length + symbols.length + lines.length + contains.length > 0;
}

/** A bare name, dotted or not. */
const SYMBOL = /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->)[\p{L}_$][\p{L}\p{N}_$]*)*$/u;

class Resolver {
  private readonly paths: ReadonlySet<string>;

  constructor(
    private readonly source: SourceFiles,
    private readonly errors: string[],
  ) {
    this.paths = new Set(source.paths);
  }

  has(path: string, field: string): boolean {
    if (this.paths.has(path)) return true;
    const name = path.slice(path.lastIndexOf('/') + 1);
    const same = this.source.paths.find((one) => one === name || one.endsWith(`/${name}`));
    this.errors.push(
      `${field}: the repository has no file "${path}"${same === undefined ? '' : ` (did you mean ${same}?)`}`,
    );
    return false;
  }

  symbol(label: string): GoldLines[] {
    const [path, name] = split(label);
    if (!this.has(path, 'symbols')) return [];
    const line = findDefinitionLine(this.source.read(path) ?? '', name);
    if (line !== undefined) return [{ label, path, from: line, to: line }];
    this.errors.push(
      `symbols: no line of ${path} looks like the definition of "${name}"; name its line under \`lines\``,
    );
    return [];
  }

  lines(label: string, field = 'lines'): GoldLines[] {
    const [path, rest] = split(label);
    if (!this.has(path, field)) return [];
    const found = this.locate(path, rest);
    if (found) return [{ label, path, ...found }];
    this.errors.push(`${field}: ${path} has neither the line, the symbol nor the text "${rest}"`);
    return [];
  }

  /** A range of lines by its numbers, the line that defines a symbol, or the line in which a text first occurs. */
  private locate(path: string, rest: string): { from: number; to: number } | undefined {
    const text = this.source.read(path) ?? '';
    const range = /^(\d+)(?:-(\d+))?$/.exec(rest);
    if (range) {
      const [from, to] = [Number(range[1]), Number(range[2] ?? range[1])];
      return from >= 1 && to >= from && to <= text.split('\n').length ? { from, to } : undefined;
    }
    const line = SYMBOL.test(rest) ? findDefinitionLine(text, rest) : undefined;
    if (line !== undefined) return { from: line, to: line };
    const at = text.indexOf(rest);
    if (at === -1) return undefined;
    const from = text.slice(0, at).split('\n').length;
    return { from, to: from + rest.split('\n').length - 1 };
  }
}

function split(label: string): [path: string, rest: string] {
  const colon = label.indexOf(':');
  return [label.slice(0, colon), label.slice(colon + 1)];
}

function unique<T>(values: T[]): T[] {
  return [...new Set(values)];
}
