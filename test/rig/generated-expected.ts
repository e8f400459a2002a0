import type { MadeCall, MadeFamily } from './generated-calls.js';
import type { MadeThread } from './generated-thread.js';
import type { Made } from './session-generator.js';

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

/** The measure of a made session, in the shape of the real one, from what was decided alone. */
export function expectedOf(made: Made, ratio: number) {
  const { threads, calls, segments } = made;
  const [main, ...others] = threads as [MadeThread, ...MadeThread[]];
  const results = segments.flatMap((segment) => segment.results);
  const named = calls.map(({ name }) => name);
  return {
    ok: true,
    requests: main.requests,
    requestsAllThreads: sum(threads.map(({ requests }) => requests)),
    toolCalls: named.filter((name) => name !== 'ToolSearch').length,
    counts: Object.fromEntries([...new Set(named)].map((name) => [name, named.filter((one) => one === name).length])),
    durationMs: sum(results.map(({ durationMs }) => durationMs)),
    costUsd: sum(segments.map((segment) => segment.results.at(-1)?.costUsd ?? 0)),
    outputTokens: sum(results.map(({ outputTokens }) => outputTokens)),
    tokensProcessed: made.tokensProcessed,
    occupancy: { ...windowOf(main), ...calibration(main, ratio) },
    sufficiency: sufficiencyOf(threads),
    allocation: allocationOf(made),
    duplicates: duplicatesOf(calls),
    contamination: {
      invoke: {
        blocked: calls.filter(({ invokes }) => invokes === 'blocked').length,
        returned: calls.filter(({ invokes }) => invokes === 'returned').length,
      },
      data: { blocked: 0, returned: 0 },
    },
    subagents: others.map((thread) => {
      const { ctxBaseTokens, ctxFinalTokens, residualTokens } = windowOf(thread);
      return { thread: thread.id, requests: thread.requests, ctxBaseTokens, ctxFinalTokens, residualTokens };
    }),
    diagnostics: {
      retries: made.retries,
      subagentErrors: calls.filter(({ apiError }) => apiError).length,
      unparsedLines: [],
    },
  };
}

function windowOf(thread: MadeThread) {
  return {
    ctxBaseTokens: thread.base,
    ctxFinalTokens: thread.finalTokens,
    evictedTokens: thread.evicted,
    compactions: thread.compactions,
    residualTokens: thread.residual(),
    contributedTokens: thread.contributed as Record<MadeFamily, number>,
    chars: thread.chars,
    results: thread.results,
  };
}

function calibration({ errors }: MadeThread, charsPerToken: number) {
  const sorted = errors.toSorted((a, b) => a - b);
  return { charsPerToken, calibrated: true, dispersion: sorted[Math.floor((sorted.length - 1) / 2)] ?? null };
}

function sufficiencyOf(threads: MadeThread[]) {
  const verdicts = threads.flatMap((thread) => thread.verdicts).sort((a, b) => a.order - b.order);
  const count = (bucket: string) => verdicts.filter((one) => one.bucket === bucket).length;
  return {
    answered: verdicts.length,
    errored: sum(threads.map(({ errored }) => errored)),
    concurrent: sum(threads.map(({ concurrent }) => concurrent)),
    noAnswer: verdicts.filter(({ fate }) => fate === 'noAnswer').length,
    undelivered: verdicts.filter(({ fate }) => fate === 'undelivered').length,
    denied: new Set(threads.flatMap(({ denied }) => [...denied])).size,
    buckets: {
      ...{ explore_again: count('explore_again'), read_returned: count('read_returned') },
      ...{ read_missed: count('read_missed'), search: count('search'), sufficient: count('sufficient') },
    },
    calls: verdicts.map(({ thread, query, chars, files, bucket, next }) => ({
      thread,
      query,
      chars,
      files,
      bucket,
      next,
    })),
  };
}

function allocationOf({ calls, answer }: Made) {
  const sections = calls.flatMap((call) => call.sections);
  const byPath = sections.filter(({ path }) => answer.includes(`See ${path}:`));
  const used = sections.filter((section) => byPath.includes(section) || answer.includes(`\`${section.symbol}\``));
  const envelopeChars = sum(sections.map(({ chars }) => chars));
  const usedChars = sum(used.map(({ chars }) => chars));
  return {
    envelopeChars,
    usedChars,
    usedPathChars: sum(byPath.map(({ chars }) => chars)),
    efficiency: envelopeChars > 0 ? usedChars / envelopeChars : null,
    filesReturned: new Set(sections.map(({ path }) => path)).size,
    filesUsed: new Set(used.map(({ path }) => path)).size,
  };
}

/** Source characters that a call before had delivered; sections repeat one another whole or not at all. */
function duplicatesOf(calls: MadeCall[]) {
  const known = new Set<string>();
  let sourceChars = 0;
  let duplicateChars = 0;
  for (const { sections } of calls) {
    for (const { path, lines } of sections) {
      const chars = sum(lines.map((line) => line.chars));
      sourceChars += chars;
      if (known.has(path)) duplicateChars += chars;
    }
    for (const { path } of sections) known.add(path);
  }
  return { sourceChars, duplicateChars };
}
