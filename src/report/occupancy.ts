import type { ByFamily } from '../model/families.js';
import type { Measure, OccupancyMeasure } from '../model/measure.js';
import { DEFAULT_WINDOW_TOKENS } from '../model/session.js';
import { grouped, groupedOrMissing, MISSING, percent1, plural } from './numbers.js';

/** Occupancy block, in the published shape. */
export function occupancyBlock(measure: Measure, label: string): string[] {
  const { occupancy } = measure;
  if (occupancy === null) return ['  Residual context occupancy: no request with usage in this log'];
  const { ctxFinalTokens, ctxBaseTokens, residualTokens, chars, results } = occupancy;
  const total = sum(residualTokens, ['tool', 'read', 'search', 'bash', 'other']);
  const baseTokens = ctxFinalTokens === null ? null : Math.max(0, ctxFinalTokens - total);
  const row = (name: string, families: (keyof ByFamily)[]) => {
    const counts = `   (${grouped(sum(chars, families))} chars, ${plural(sum(results, families), 'result')})`;
    return `${tokenColumns(name, sum(residualTokens, families), occupancy)}${counts}`;
  };
  return [
    '  Residual context occupancy at end of run:',
    `    ${amount('final context', ctxFinalTokens)} tok  ${share(ctxFinalTokens, occupancy.windowTokens)} of ${windowName(occupancy)} window${windowNote(occupancy)}`,
    `    ${amount('  of which fixed', ctxBaseTokens)} tok  system + tool schemas + question, before any tool answered`,
    row(label, ['tool']),
    row('Read', ['read']),
    row('Grep/Glob', ['search']),
    row('Bash', ['bash']),
    row('→ file-access', ['read', 'search', 'bash']),
    row('other tools', ['other']),
    tokenColumns('base (prompt+prose)', baseTokens, occupancy),
    `    ${measureLine(measure, occupancy)}`,
    ...(ctxFinalTokens === null
      ? ['    the session ends in a compaction: the rows are an estimate of what it kept']
      : []),
  ];
}

function tokenColumns(name: string, tokens: number | null, occupancy: OccupancyMeasure): string {
  const ofContext = share(tokens, occupancy.ctxFinalTokens);
  const ofWindow = share(tokens, occupancy.windowTokens);
  return `    ${amount(name, tokens)} tok  ${ofContext} of ctx  ${ofWindow} of ${windowName(occupancy)} win`;
}

function amount(name: string, tokens: number | null): string {
  return `${name.padEnd(18)}${groupedOrMissing(tokens).padStart(8)}`;
}

function share(tokens: number | null, whole: number | null): string {
  if (tokens === null || whole === null) return MISSING.padStart(6);
  return percent1(whole === 0 ? 0 : tokens / whole).padStart(6);
}

function windowName({ windowTokens }: OccupancyMeasure): string {
  return windowTokens % 1000 === 0 ? `${windowTokens / 1000}k` : grouped(windowTokens);
}

/** The published block knows the default window alone, so any other source is named. */
function windowNote({ windowTokens, windowSource }: OccupancyMeasure): string {
  return windowSource === 'reported' && windowTokens !== DEFAULT_WINDOW_TOKENS ? ' (as the log reports it)' : '';
}

function measureLine(measure: Measure, occupancy: OccupancyMeasure): string {
  const { charsPerToken, calibrated, dispersion, compactions, evictedTokens } = occupancy;
  const error = dispersion === null ? '' : ` ±${percent1(dispersion)}`;
  const ratio = `${charsPerToken.toFixed(2)} chars/tok ${calibrated ? 'measured' : 'FALLBACK (an ESTIMATE, not measured)'}${error}`;
  const evicted = evictedTokens > 0 ? ` · evicted ${grouped(evictedTokens)} tok` : '';
  return `measure: ${ratio} · turns ${measure.requests} · compactions ${compactions}${evicted}`;
}

function sum(values: ByFamily, families: (keyof ByFamily)[]): number {
  return families.reduce((total, family) => total + values[family], 0);
}
