import type { Compaction, PressureMeasure, SilentClearing, WindowCheck } from '../model/measure.js';
import { costOfProcesses, type Session, sentTokens, type Thread, type ToolCall } from '../model/session.js';
import { baseName, isSameFile } from './paths.js';

/**
 * Measures what the size of the window did to a session: its compactions, what was delivered again after them, and the cost of each
 * prompt (docs/metrics.md, "Context pressure"). Of the main thread.
 */
export function pressureOf(session: Session, setWindowTokens: number | undefined): PressureMeasure {
  const { segments, threads } = session;
  const main = threads.find(({ id }) => id === null);
  const compactions = main ? compactionsOf(main) : [];
  const attempts = segments.flatMap(({ compactionAttempts }) => compactionAttempts);
  const first = compactions[0];
  return {
    compactions,
    failedCompactions: attempts.filter(({ isSuccess }) => !isSuccess).length,
    // On disk all prompts stand in one file, and nothing tells them apart.
    promptsBeforeCompaction: first && segments.some(({ results }) => results.length > 0) ? first.prompt - 1 : null,
    ...redelivered(main),
    costByPromptUsd: segments.map(({ results }) => costOfProcesses(results) ?? null),
    silentClearings: main ? silentClearings(main) : [],
    window: main && setWindowTokens !== undefined ? checkWindow(session, main, setWindowTokens) : null,
  };
}

function compactionsOf({ timeline }: Thread): Compaction[] {
  let request = 0;
  return timeline.flatMap((entry): Compaction[] => {
    if (entry.kind === 'request') request++;
    if (entry.kind !== 'compaction') return [];
    const { trigger = null, tokensBefore = null, segment } = entry;
    return [{ prompt: segment + 1, afterRequest: request, trigger, tokensBefore }];
  });
}

/** The host estimates what came since the last request, so that the threshold is not met to the token. */
const TOLERANCE = 0.03;
/** The host adds a third to its own estimate of what came since the last request before it compares. */
const ESTIMATE_MARGIN = 1 / 3;

/** Checks whether the host compacted at the threshold that follows from the window. */
function checkWindow(session: Session, { timeline }: Thread, windowTokens: number): WindowCheck {
  const thresholdTokens = windowTokens - session.host.compactionReserveTokens;
  const hasFailed = session.segments.some(({ compactionAttempts }) => compactionAttempts.some((one) => !one.isSuccess));
  let lastTokens: number | undefined;
  let state: WindowCheck['state'] = 'not-reached';
  for (const entry of timeline) {
    if (entry.kind === 'compaction' && entry.trigger !== 'manual') {
      const { tokensBefore = lastTokens ?? 0 } = entry;
      const estimate = tokensBefore + Math.max(0, tokensBefore - (lastTokens ?? tokensBefore)) * ESTIMATE_MARGIN;
      if (estimate < thresholdTokens * (1 - TOLERANCE)) return { thresholdTokens, state: 'broken' };
      state = 'held';
      lastTokens = undefined;
    }
    if (entry.kind !== 'request' || sentTokens(entry.request) === 0) continue;
    const isAbove = lastTokens !== undefined && lastTokens > thresholdTokens * (1 + TOLERANCE);
    if (isAbove && !hasFailed) return { thresholdTokens, state: 'broken' };
    lastTokens = sentTokens(entry.request) + entry.request.outputTokens;
  }
  return { thresholdTokens, state };
}

/** A prompt that shrinks by less than this, or by less than this share, shrank for other reasons. */
const MIN_SHRINK = { tokens: 200, share: 0.05 };

/** Requests whose prompt is smaller than the one before although no boundary lies between them. */
function silentClearings({ timeline }: Thread): SilentClearing[] {
  const found: SilentClearing[] = [];
  let request = 0;
  let before: number | undefined;
  for (const entry of timeline) {
    if (entry.kind === 'compaction' || entry.kind === 'cleared') before = undefined;
    if (entry.kind !== 'request') continue;
    request++;
    const tokens = sentTokens(entry.request);
    if (tokens === 0) continue;
    const shrunkTokens = (before ?? tokens) - tokens;
    if (shrunkTokens > Math.max(MIN_SHRINK.tokens, MIN_SHRINK.share * (before ?? tokens))) {
      found.push({ request, tokens: shrunkTokens, pauseMs: entry.request.pauseMs ?? null });
    }
    before = tokens;
  }
  return found;
}

/** Lines of one file by number: whether they were delivered since the last compaction, or only before it. */
type Delivered = Map<number, 'before' | 'since'>;

/** Counts lines that an explore or a Read delivered again although a compaction had only just dropped them. */
function redelivered(main: Thread | undefined): Pick<PressureMeasure, 'linesDelivered' | 'linesRedelivered'> {
  const timeline = main?.timeline ?? [];
  let linesDelivered = 0;
  let linesRedelivered = 0;
  // Without a compaction no line needs to be remembered.
  if (!timeline.some(({ kind }) => kind === 'compaction')) {
    for (const entry of timeline) {
      if (entry.kind === 'result') for (const { numbers } of deliveredBy(entry.call)) linesDelivered += numbers.length;
    }
    return { linesDelivered, linesRedelivered };
  }
  const files = new Map<string, { path: string; lines: Delivered }[]>();
  const linesOf = (path: string): Delivered => {
    const known = files.get(baseName(path)) ?? [];
    const own = known.find((file) => isSameFile(file.path, path));
    if (own) return own.lines;
    const lines: Delivered = new Map();
    files.set(baseName(path), [...known, { path, lines }]);
    return lines;
  };
  for (const entry of timeline) {
    if (entry.kind === 'compaction') {
      for (const { lines } of [...files.values()].flat()) for (const line of lines.keys()) lines.set(line, 'before');
    }
    if (entry.kind !== 'result') continue;
    for (const { path, numbers } of deliveredBy(entry.call)) {
      const lines = linesOf(path);
      for (const line of numbers) {
        linesDelivered++;
        if (lines.get(line) === 'before') linesRedelivered++;
        lines.set(line, 'since');
      }
    }
  }
  return { linesDelivered, linesRedelivered };
}

function deliveredBy({ result, input }: ToolCall): { path: string; numbers: ArrayLike<number> & Iterable<number> }[] {
  if (result?.response)
    return result.response.sections.map(({ path, lineNumbers }) => ({ path, numbers: lineNumbers }));
  const { readLines } = result ?? {};
  if (!readLines || input.file_path === undefined) return [];
  const { first, last } = readLines;
  return [{ path: input.file_path, numbers: Array.from({ length: last - first + 1 }, (_, index) => first + index) }];
}
