import type { EngineProfile, ExploreResponse, SectionSymbol } from '../model/engine.js';
import type { AllocationCall, AllocationFile, AllocationMeasure } from '../model/measure.js';
import type { Session } from '../model/session.js';
import { Answer } from './citations.js';
import { plainPath } from './paths.js';
import { responsesOf } from './responses.js';

/** A returned file over all calls. */
interface Returned {
  path: string;
  chars: number;
  calls: number;
  /** Kinds under which the file defines a name. */
  symbols: Map<string, Set<string>>;
}

interface Citation {
  via: 'path' | 'symbol';
  symbol?: string;
}

/** A cited name credits no file when this many files hold it. */
const AMBIGUOUS_FILES = 3;
/** Kinds that may merely bind a name again (`var send = require('send')`). */
const REBINDING_KINDS = new Set(['variable', 'constant']);

/** Measures the share of the delivered source that the answer drew on (docs/metrics.md, "Allocation efficiency"). */
export function allocationOf(
  session: Session,
  { noSections }: Pick<EngineProfile, 'noSections'> = {},
): AllocationMeasure {
  const responses = responsesOf(session).filter(({ sections }) => sections.length > 0);
  const files = returnedFiles(responses);
  const citations = session.answer ? citationsOf(new Answer(session.answer), files) : new Map<string, Citation>();
  const hasAnswer = Boolean(session.answer);
  const calls = responses.map((response) => allocationCall(response, citations, hasAnswer));
  const envelopeChars = sum(calls.map((call) => call.envelopeChars));
  const usedChars = sum(calls.map((call) => call.usedChars));
  const shown = files.map((file) => allocationFile(file, citations));
  const usedPathChars = sum(shown.map(({ via, chars }) => (via === 'path' ? chars : 0)));
  return {
    ...(noSections !== undefined && { notMeasured: noSections }),
    envelopeChars,
    usedChars,
    usedPathChars,
    efficiency: share(usedChars, envelopeChars, hasAnswer),
    efficiencyPath: share(usedPathChars, envelopeChars, hasAnswer),
    filesReturned: files.length,
    filesUsed: shown.filter(({ via }) => via !== null).length,
    hasAnswer,
    calls,
    files: shown,
  };
}

function returnedFiles(responses: ExploreResponse[]): Returned[] {
  const files = new Map<string, Returned>();
  // Equal answers are one object, whose symbols are entered once.
  const entered = new Set<ExploreResponse>();
  for (const response of responses) {
    const seen = new Set<string>();
    for (const section of response.sections) {
      const path = plainPath(section.path);
      const file = files.get(path) ?? { path, chars: 0, calls: 0, symbols: new Map() };
      files.set(path, file);
      // A file that was returned twice filled the window twice.
      file.chars += section.chars;
      if (!seen.has(path)) file.calls++;
      seen.add(path);
      if (!entered.has(response)) for (const symbol of section.symbols) addSymbol(file, symbol);
    }
    entered.add(response);
  }
  return [...files.values()].sort((a, b) => b.chars - a.chars);
}

function addSymbol(file: Returned, { name, kind, defines }: SectionSymbol): void {
  if (!defines) return;
  const kinds = file.symbols.get(name) ?? new Set();
  file.symbols.set(name, kinds.add(kind));
}

function citationsOf(answer: Answer, files: Returned[]): Map<string, Citation> {
  const citations = new Map<string, Citation>();
  for (const { path } of files) if (answer.citesPath(path)) citations.set(path, { via: 'path' });
  for (const name of answer.identifiers) {
    for (const { path } of creditedFiles(name, files)) {
      if (!citations.has(path)) citations.set(path, { via: 'symbol', symbol: name });
    }
  }
  return citations;
}

/** Returns the files that a cited symbol stands for. Real definitions outrank rebindings before the files are counted. */
function creditedFiles(name: string, files: Returned[]): Returned[] {
  const bindings = files.filter(({ symbols }) => symbols.has(name));
  const definers = bindings.filter(({ symbols }) =>
    [...(symbols.get(name) ?? [])].some((kind) => !REBINDING_KINDS.has(kind)),
  );
  const holders = definers.length > 0 ? definers : bindings;
  return holders.length < AMBIGUOUS_FILES ? holders : [];
}

function allocationCall(
  { sections }: ExploreResponse,
  citations: Map<string, Citation>,
  hasAnswer: boolean,
): AllocationCall {
  const used = sections.filter(({ path }) => citations.has(plainPath(path)));
  const envelopeChars = sum(sections.map(({ chars }) => chars));
  const usedChars = sum(used.map(({ chars }) => chars));
  return {
    envelopeChars,
    usedChars,
    efficiency: share(usedChars, envelopeChars, hasAnswer),
    files: new Set(sections.map(({ path }) => plainPath(path))).size,
    filesUsed: new Set(used.map(({ path }) => plainPath(path))).size,
  };
}

function allocationFile({ path, chars, calls }: Returned, citations: Map<string, Citation>): AllocationFile {
  const citation = citations.get(path);
  const base = { path, chars, calls, via: citation?.via ?? null };
  return citation?.symbol === undefined ? base : { ...base, symbol: citation.symbol };
}

function share(used: number, envelope: number, hasAnswer: boolean): number | null {
  return hasAnswer && envelope > 0 ? used / envelope : null;
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
