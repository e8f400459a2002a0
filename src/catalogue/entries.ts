import { blockedCalls, cacheNeutralCost, returnedCalls } from '../metrics/index.js';
import type { ByFamily } from '../model/families.js';
import type { ToolKind } from '../model/host-tools.js';
import type { Measure } from '../model/measure.js';
import { ratio } from '../util/ratio.js';
import type { Metric, RunSource } from './metric.js';

/** Every metric, once, in the order of the printed tables. Everything that shows or compares metrics is derived from this list. */
export const METRICS = [
  {
    name: 'durationMs',
    label: 'duration',
    unit: 'ms',
    meaning: 'Time of the host’s turns, tools included. It is distorted if trials ran in parallel.',
    verdict: { kind: 'ratio', better: 'lower', cumulative: true, claim: 'FASTER' },
    row: { section: 'behavior', label: 'duration (s)' },
    direction: 5,
    repos: { section: 'throughput', place: 1, header: 'time', hasDirection: true },
    detail: { place: 6, header: 'time' },
    csv: { column: 'duration_ms', place: 17 },
    source: 'session',
    read: ({ durationMs }) => durationMs,
  },
  {
    name: 'reads',
    label: 'Read calls',
    unit: 'count',
    meaning: 'Calls of the host’s tools that read files.',
    verdict: { kind: 'count', better: 'lower', cumulative: true },
    row: { section: 'behavior', label: 'Read' },
    csv: { column: 'read_calls', place: 3 },
    source: 'session',
    read: ({ counts }, { tools }) => countCalls(counts, tools, 'reader'),
  },
  {
    name: 'engineCalls',
    label: '{tool} calls',
    unit: 'count',
    meaning: 'Calls of {tool} through its MCP server.',
    verdict: null,
    row: { section: 'behavior', label: '{tool} calls' },
    csv: { column: 'engine_calls', place: 2 },
    source: 'session',
    read: ({ counts }, { isEngineTool }) => sumCounts(counts, isEngineTool),
  },
  {
    name: 'searches',
    label: 'Grep/Glob calls',
    unit: 'count',
    meaning: 'Calls of the host’s tools that search files.',
    verdict: { kind: 'count', better: 'lower', cumulative: true },
    row: { section: 'behavior', label: 'Grep/Glob calls' },
    csv: { column: 'search_calls', place: 4 },
    source: 'session',
    read: ({ counts }, { tools }) => countCalls(counts, tools, 'searcher'),
  },
  {
    name: 'bashCalls',
    label: 'Bash calls',
    unit: 'count',
    meaning: 'Calls of the host’s tools that run shell commands or read the output of a background task.',
    verdict: { kind: 'count', better: 'lower', cumulative: true },
    row: { section: 'behavior', label: 'Bash' },
    csv: { column: 'bash_calls', place: 5 },
    source: 'session',
    read: ({ counts }, { tools }) => countCalls(counts, tools, 'shell', 'background-output'),
  },
  {
    name: 'delegations',
    label: 'subagent calls',
    unit: 'count',
    meaning: 'Calls of the host’s tools that hand work to a subagent.',
    verdict: null,
    csv: { column: 'agent_calls', place: 6 },
    source: 'session',
    read: ({ counts }, { tools }) => countCalls(counts, tools, 'delegation'),
  },
  {
    name: 'otherCalls',
    label: 'other calls',
    unit: 'count',
    meaning: 'Calls of every tool that no other metric counts.',
    verdict: null,
    csv: { column: 'other_calls', place: 7 },
    source: 'session',
    read: countOtherCalls,
  },
  {
    name: 'toolCalls',
    label: 'tool calls',
    unit: 'count',
    meaning: 'Calls of all tools on all threads.',
    verdict: { kind: 'count', better: 'lower', cumulative: true },
    row: { section: 'behavior', label: 'tool calls' },
    direction: 6,
    repos: { section: 'throughput', place: 2, header: 'tools', hasDirection: true },
    source: 'session',
    read: ({ toolCalls }) => toolCalls,
  },
  {
    name: 'requests',
    label: 'requests',
    unit: 'count',
    meaning: 'Calls of the model on the main thread. The published tables call them turns.',
    verdict: { kind: 'count', better: 'lower', cumulative: true },
    row: { section: 'behavior', label: 'turns' },
    repos: { section: 'residual', place: 1, header: 'turns', hasDirection: false },
    detail: { place: 1, header: 'turns' },
    csv: { column: 'turns', place: 1 },
    source: 'session',
    read: ({ requests }) => requests,
  },
  {
    name: 'tokensProcessed',
    label: 'tokens processed',
    unit: 'tokens',
    meaning: 'Input and output of every request of every thread: what the model had to read again each time.',
    verdict: { kind: 'ratio', better: 'lower', cumulative: true, claim: 'FEWER TOKENS' },
    row: { section: 'behavior', label: 'tokens processed' },
    direction: 3,
    repos: { section: 'throughput', place: 3, header: 'tokens processed', hasDirection: true },
    detail: { place: 4, header: 'tokens' },
    csv: { column: 'tokens_processed', place: 15 },
    source: 'session',
    read: ({ tokensProcessed }) => tokensProcessed,
  },
  {
    name: 'tokensPaid',
    label: 'tokens paid',
    unit: 'tokens',
    meaning:
      'Everything that was charged for, in tokens: requests that stand in no log are in it, such as the summary of a compaction.',
    verdict: { kind: 'ratio', better: 'lower', cumulative: true, claim: 'FEWER TOKENS' },
    source: 'session',
    read: ({ tokensPaid }) => tokensPaid,
  },
  {
    name: 'outputTokens',
    label: 'output tokens',
    unit: 'tokens',
    meaning: 'Tokens that the model wrote, over all threads.',
    verdict: { kind: 'ratio', better: 'lower', cumulative: true, claim: 'FEWER TOKENS' },
    row: { section: 'behavior', label: 'output tokens' },
    source: 'session',
    read: ({ outputTokens }) => outputTokens,
  },
  {
    name: 'costUsd',
    label: 'cost',
    unit: 'usd',
    meaning:
      'What the host says that a session cost, summed over its prompts. Cached input is cheaper: see cache-neutral cost.',
    verdict: { kind: 'ratio', better: 'lower', cumulative: true, claim: 'CHEAPER' },
    row: { section: 'behavior', label: 'cost ($)' },
    direction: 4,
    repos: { section: 'throughput', place: 4, header: 'cost', hasDirection: true },
    detail: { place: 5, header: 'cost' },
    csv: { column: 'cost_usd', place: 16 },
    source: 'session',
    read: ({ costUsd }) => costUsd,
  },
  {
    name: 'cacheNeutralCostUsd',
    label: 'cache-neutral cost',
    unit: 'usd',
    meaning: 'The cost with all input at the base price, so that a warm cache helps neither arm.',
    verdict: { kind: 'ratio', better: 'lower', cumulative: true, claim: 'CHEAPER' },
    source: 'session',
    read: (measure, { paid }) => (paid ? cacheNeutralCost(paid.requests, measure, paid.prices).costUsd : null),
  },
  {
    name: 'cacheReadShare',
    label: 'input read from the cache',
    unit: 'share',
    meaning: 'Share of the input tokens that were read from the cache.',
    verdict: null,
    source: 'session',
    read: (measure, { paid }) => (paid ? cacheNeutralCost(paid.requests, measure, paid.prices).cacheReadShare : null),
  },
  {
    name: 'engineResidualTokens',
    label: '{tool} residual',
    unit: 'tokens',
    meaning: 'Tokens of {tool} results that are still in the window at the end.',
    verdict: null,
    row: { section: 'context', label: '{tool} residual (tok)' },
    source: 'session',
    read: (measure) => residualTokens(measure, 'tool'),
  },
  {
    name: 'fileAccessResidualTokens',
    label: 'file-access residual',
    unit: 'tokens',
    meaning: 'Tokens of Read, Grep, Glob and Bash results that are still in the window at the end.',
    verdict: null,
    row: { section: 'context', label: 'file-access residual (tok)' },
    source: 'session',
    read: (measure) => residualTokens(measure, 'read', 'search', 'bash'),
  },
  {
    name: 'retrievalResidualTokens',
    label: 'retrieval residual',
    unit: 'tokens',
    meaning:
      'Tokens of {tool}, Read, Grep, Glob and Bash results that are still in the window at the end: what every further request pays for.',
    verdict: { kind: 'count', better: 'lower', cumulative: false, claim: 'FEWER TOKENS' },
    row: { section: 'context', label: '→ retrieval residual (tok)' },
    direction: 1,
    repos: { section: 'residual', place: 3, header: 'residual', hasDirection: true },
    detail: { place: 2, header: 'residual' },
    csv: { column: 'retrieval_residual_tokens', place: 13 },
    source: 'session',
    read: retrievalResidual,
  },
  {
    name: 'retrievalShare',
    label: 'retrieval share of the context',
    unit: 'share',
    meaning: 'The retrieval residual as a share of the final context.',
    verdict: { kind: 'share', better: 'lower', cumulative: false },
    row: { section: 'context', label: '→ share of final context' },
    direction: 2,
    repos: { section: 'residual', place: 4, header: '% of ctx', hasDirection: false },
    source: 'session',
    read: (measure) => {
      const residual = retrievalResidual(measure);
      const final = measure.occupancy?.ctxFinalTokens ?? null;
      return residual === null || final === null ? null : ratio(residual, final);
    },
  },
  {
    name: 'ctxFinalTokens',
    label: 'final context',
    unit: 'tokens',
    meaning: 'Tokens in the prompt of the last main-thread request.',
    verdict: { kind: 'ratio', better: 'lower', cumulative: false, claim: 'FEWER TOKENS' },
    row: { section: 'context', label: 'final context (tok)' },
    repos: { section: 'residual', place: 2, header: 'final ctx', hasDirection: false },
    detail: { place: 3, header: 'final ctx' },
    csv: { column: 'final_context_tokens', place: 14 },
    source: 'session',
    read: ({ occupancy }) => occupancy?.ctxFinalTokens ?? null,
  },
  {
    name: 'ctxBaseTokens',
    label: 'fixed context',
    unit: 'tokens',
    meaning:
      'Tokens in the prompt of the first main-thread request: system prompt, tool schemas and question, before any tool answered.',
    verdict: null,
    row: { section: 'context', label: 'of which fixed (tok)' },
    source: 'session',
    read: ({ occupancy }) => occupancy?.ctxBaseTokens ?? null,
  },
  {
    name: 'compactions',
    label: 'compactions',
    unit: 'count',
    meaning: 'Times that the host compacted the conversation of the main thread.',
    verdict: { kind: 'count', better: 'lower', cumulative: true },
    row: { section: 'context', label: 'compactions' },
    source: 'session',
    read: ({ occupancy }) => occupancy?.compactions ?? null,
  },
  {
    name: 'sufficiency',
    label: 'sufficiency',
    unit: 'share',
    meaning:
      'Share of the answered explores after which the agent moved on. After the others it explored again, read a file that was returned, read one that was not, or searched.',
    verdict: { kind: 'pooled', better: 'higher', cumulative: false },
    source: 'totals',
    read: ({ measure }) =>
      measure && { part: measure.sufficiency.buckets.sufficient, whole: measure.sufficiency.answered },
  },
  {
    name: 'answeredExplores',
    label: 'answered explores',
    unit: 'count',
    meaning: 'Explore calls that came back with an answer.',
    verdict: null,
    csv: { column: 'answered_explores', place: 18 },
    source: 'session',
    read: ({ sufficiency }) => (sufficiency.notMeasured === undefined ? sufficiency.answered : null),
  },
  {
    name: 'allocation',
    label: 'allocation efficiency',
    unit: 'share',
    meaning:
      'Characters of returned source in files that the answer cites, over all returned characters. It is relative: compare builds on the same question.',
    verdict: { kind: 'pooled', better: 'higher', cumulative: false },
    source: 'totals',
    read: ({ measure }) => {
      if (measure === null) return null;
      const { efficiency, envelopeChars: whole, usedChars: part } = measure.allocation;
      // A run to which nothing was returned adds nothing to the sums. If something was returned that could not be scored, the value is missing.
      if (whole === 0) return { part: 0, whole };
      return efficiency === null ? null : { part, whole };
    },
  },
  {
    name: 'allocationEfficiency',
    label: 'allocation efficiency of a run',
    unit: 'share',
    meaning: 'Allocation efficiency of each run by itself. A run to which no source was returned has no value.',
    verdict: null,
    row: { section: 'allocation', label: 'per-run efficiency' },
    direction: 7,
    detail: { place: 7, header: 'alloc eff' },
    csv: { column: 'allocation_efficiency', place: 19 },
    source: 'session',
    read: ({ allocation }) => (allocation.envelopeChars > 0 ? allocation.efficiency : null),
  },
  {
    name: 'duplicateShare',
    label: 'source delivered twice',
    unit: 'share',
    meaning: 'Share of the delivered source that had been delivered before.',
    verdict: { kind: 'share', better: 'lower', cumulative: false },
    row: { section: 'allocation', label: 'source delivered twice' },
    source: 'session',
    read: ({ duplicates }) => duplicates.share,
  },
  {
    name: 'cliReturned',
    label: 'calls around the MCP server that returned',
    unit: 'count',
    meaning: 'Shell commands that reached {tool} by its CLI or its index and returned something.',
    verdict: null,
    csv: { column: 'cli_returned', place: 20 },
    source: 'session',
    read: returnedCalls,
  },
  {
    name: 'cliBlocked',
    label: 'calls around the MCP server that were blocked',
    unit: 'count',
    meaning: 'Shell commands that would have reached {tool} by its CLI or its index and were stopped.',
    verdict: null,
    detail: { place: 8, header: 'CLI blocked' },
    csv: { column: 'cli_blocked', place: 21 },
    source: 'session',
    read: blockedCalls,
  },
  {
    name: 'factRecall',
    label: 'facts stated',
    unit: 'share',
    meaning:
      'Share of the vital facts that the answer states. In a change task, the weighted share of commands that passed.',
    verdict: { kind: 'share', better: 'higher', cumulative: false },
    csv: { column: 'facts_stated_share', place: 8 },
    source: 'answer',
    read: ({ factRecall }) => factRecall,
  },
  {
    name: 'retention',
    label: 'early facts stated again at the end',
    unit: 'share',
    meaning: 'Of the facts that a later prompt asks for again, the share that its answer states.',
    verdict: { kind: 'share', better: 'higher', cumulative: false },
    source: 'answer',
    read: ({ retention }) => retention ?? null,
  },
  {
    name: 'earlyRecall',
    label: 'early facts stated at first',
    unit: 'share',
    meaning: 'Of the facts that a later prompt asks for again, the share that the answer to their own prompt states.',
    verdict: { kind: 'share', better: 'higher', cumulative: false },
    source: 'answer',
    read: ({ earlyRecall }) => earlyRecall ?? null,
  },
  {
    name: 'passed',
    label: 'tasks passed',
    unit: 'share',
    meaning: 'Whether the answer or change is right as a whole.',
    verdict: { kind: 'binary', better: 'higher', cumulative: false },
    csv: { column: 'passed', place: 9 },
    source: 'answer',
    read: ({ passed }) => passed,
  },
  {
    name: 'falseClaims',
    label: 'false claims',
    unit: 'count',
    meaning: 'Claims in the answer that the task lists as wrong.',
    verdict: { kind: 'count', better: 'lower', cumulative: false },
    csv: { column: 'false_claims', place: 10 },
    source: 'answer',
    read: ({ falseClaims }) => falseClaims,
  },
  {
    name: 'groundedShare',
    label: 'citations found',
    unit: 'share',
    meaning: 'Share of the cited places that exist in the repository.',
    verdict: { kind: 'share', better: 'higher', cumulative: false },
    csv: { column: 'citations_found_share', place: 11 },
    source: 'answer',
    read: ({ groundedShare }) => groundedShare,
  },
  {
    name: 'fabricatedCitations',
    label: 'citations invented',
    unit: 'count',
    meaning: 'Cited places that do not exist in the repository.',
    verdict: { kind: 'count', better: 'lower', cumulative: false },
    csv: { column: 'citations_invented', place: 12 },
    source: 'answer',
    read: ({ fabricatedCitations }) => fabricatedCitations,
  },
  {
    name: 'costPerFact',
    label: 'cost per fact',
    unit: 'usd',
    meaning:
      'Cost of all graded runs over the vital facts that they stated, or the commands that passed. A run that stated nothing adds its cost.',
    verdict: { kind: 'totals', better: 'lower', cumulative: false },
    source: 'totals',
    needsGrade: true,
    read: ({ measure, grade }) => {
      const [part, whole] = [measure?.costUsd ?? null, grade?.factsSupported ?? null];
      return part === null || whole === null ? null : { part, whole };
    },
  },
] as const satisfies readonly Metric[];

function countCalls(counts: Measure['counts'], tools: RunSource['tools'], ...kinds: ToolKind[]): number {
  return sumCounts(counts, (name) => {
    const kind = tools.kindOf(name);
    return kind !== undefined && kinds.includes(kind);
  });
}

/** Kinds of tools that have a metric of their own, and the one that no metric counts. */
const COUNTED_ELSEWHERE: readonly ToolKind[] = [
  ...(['reader', 'searcher', 'shell', 'background-output', 'delegation'] as const),
  'tool-search',
];

function countOtherCalls({ counts }: Measure, { tools, isEngineTool }: RunSource): number {
  return sumCounts(counts, (name) => {
    const kind = tools.kindOf(name);
    return !isEngineTool(name) && (kind === undefined || !COUNTED_ELSEWHERE.includes(kind));
  });
}

function sumCounts(counts: Measure['counts'], isCounted: (name: string) => boolean): number {
  return sum(Object.entries(counts).map(([name, n]) => (isCounted(name) ? n : 0)));
}

function residualTokens({ occupancy }: Measure, ...families: (keyof ByFamily)[]): number | null {
  return occupancy && sum(families.map((family) => occupancy.residualTokens[family]));
}

function retrievalResidual(measure: Measure): number | null {
  return residualTokens(measure, 'tool', 'read', 'search', 'bash');
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
