import type { ExploreResponse } from '../model/engine.js';
import { clean, oneLine } from './clean.js';
import { duration, grouped, percent1, plural } from './numbers.js';

/** One explore against one build, without an agent. */
export interface Probe {
  repo: string;
  /** Title of the build, "main (1a2b3c4)". */
  build: string;
  query: string;
  text: string;
  response: ExploreResponse;
  durationMs: number;
}

/** The response's sections, largest share first to see, in the order in which they came; then its whole text. */
export function renderProbe(probe: Probe): string {
  const { sections, noAnswer, chars } = probe.response;
  const envelope = sections.reduce((total, section) => total + section.chars, 0);
  const lines = [
    `=== probe ${oneLine(probe.repo)} · ${oneLine(probe.build)} ===`,
    `query: "${oneLine(probe.query)}"`,
    `answered in ${duration(probe.durationMs)}: ${plural(chars, 'char')}, ${grouped(envelope)} of them in ${plural(sections.length, 'section')}`,
    ...(noAnswer ? ['no answer: the response says that nothing was found'] : []),
    ...sections.map((section) => {
      const columns = `${percent1(section.chars / envelope).padStart(6)} ${String(section.chars).padStart(6)}`;
      const symbols = section.symbols.filter((symbol) => symbol.defines).map((symbol) => symbol.name);
      const shown = symbols.length > 6 ? [...symbols.slice(0, 6), '…'] : symbols;
      return `  ${columns}  ${oneLine(section.path)}  ${lineRange(section.lineNumbers)}${shown.length > 0 ? `  ${oneLine(shown.join(' '))}` : ''}`;
    }),
    '',
    clean(probe.text).trimEnd(),
  ];
  return lines.join('\n');
}

function lineRange(numbers: Uint32Array): string {
  const first = numbers[0];
  const last = numbers.at(-1);
  if (first === undefined || last === undefined) return 'no numbered lines';
  return `${plural(numbers.length, 'line')} (${first}–${last})`;
}
