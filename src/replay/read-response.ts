import type { SourceFiles } from '../grading/index.js';
import type { EngineProfile } from '../model/engine.js';
import { mcpToolPrefix } from '../model/host-tools.js';
import { findDefinitionLine } from './definition-line.js';

/** First and last line of a run of lines, both included. */
export type LineRange = [from: number, to: number];

/** The source that a response delivers of one file. */
export interface DeliveredFile {
  path: string;
  chars: number;
  /** Share of the characters of source of the response. */
  share: number;
  ranges: LineRange[];
  /** Symbols of the section's header whose definition line is among the delivered lines. */
  definitions: string[];
}

/** A response reduced to what two builds are compared by. */
export interface ResponseFacts {
  chars: number;
  /** Characters in sections of source. */
  sourceChars: number;
  /** In the order of the response; two sections of one file are one entry. */
  files: DeliveredFile[];
  /** The response says that it has no answer, or is empty. */
  noAnswer: boolean;
  /** Files that the response names anywhere. */
  mentions: string[];
}

/** Reads a response of any tool. The tool's own parser decides what a section of source is. Any text is accepted. */
export function readResponse(tool: string, text: string, profile: EngineProfile, source: SourceFiles): ResponseFacts {
  const { sections, noAnswer, mentions } = profile.parseResponse(text);
  const byPath = new Map<string, { chars: number; lines: number[]; symbols: Set<string> }>();
  for (const section of sections) {
    const file = byPath.get(section.path) ?? { chars: 0, lines: [], symbols: new Set<string>() };
    file.chars += section.chars;
    for (const line of section.lineNumbers) file.lines.push(line);
    for (const symbol of section.symbols) if (symbol.defines) file.symbols.add(symbol.name);
    byPath.set(section.path, file);
  }
  const sourceChars = sections.reduce((sum, { chars }) => sum + chars, 0);
  return {
    chars: text.length,
    sourceChars,
    files: [...byPath].map(([path, { chars, lines, symbols }]) => ({
      path,
      chars,
      share: chars / sourceChars,
      ranges: toRanges(lines),
      definitions: renderedDefinitions(source.read(path), symbols, new Set(lines)),
    })),
    // Only of an explore is it known what a text without source means.
    noAnswer: isExplore(tool, profile) ? noAnswer : text.trim() === '',
    mentions,
  };
}

/** Whether a tool, named as the server lists it, is one whose responses are searched for source. */
export function isExplore(tool: string, { isExploreTool, mcpServer }: EngineProfile): boolean {
  return isExploreTool(`${mcpToolPrefix(mcpServer)}${tool}`);
}

/** Runs of adjacent numbers, in ascending order. */
export function toRanges(numbers: Iterable<number>): LineRange[] {
  const ranges: LineRange[] = [];
  for (const line of [...new Set(numbers)].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && last[1] === line - 1) last[1] = line;
    else ranges.push([line, line]);
  }
  return ranges;
}

/** The numbers of all lines in the ranges. */
export function linesIn(ranges: LineRange[]): Set<number> {
  const lines = new Set<number>();
  for (const [from, to] of ranges) for (let line = from; line <= to; line++) lines.add(line);
  return lines;
}

function renderedDefinitions(text: string | undefined, symbols: Set<string>, lines: Set<number>): string[] {
  if (text === undefined) return [];
  return [...symbols].filter((symbol) => {
    const line = findDefinitionLine(text, symbol);
    return line !== undefined && lines.has(line);
  });
}
