import { lineDifference } from './compare-case.js';
import { toRanges } from './read-response.js';
import { casesInOrder } from './render-text.js';
import type { CallFacts, CaseResult, ReplayReport, SuiteResult } from './report-schema.js';

/**
 * The sections of each changed case by file: which lines the new build gained and lost, and the engine's own reasons where it gives
 * them. `wanted`: only the case of this id.
 */
export function renderReplayDiff(report: ReplayReport, wanted?: string): string {
  const blocks = casesInOrder(report)
    .filter(({ result }) => (wanted === undefined ? result.state !== 'equal' : result.id === wanted))
    .map(({ suite, result }) => caseBlock(suite, result));
  const surfaces = wanted === undefined ? report.suites.flatMap(surfaceBlock) : [];
  if (blocks.length + surfaces.length > 0) return [...surfaces, ...blocks].join('\n\n');
  return wanted === undefined ? 'no case differs' : `no case is named "${wanted}"`;
}

const MAX_SURFACE_LINES = 30;

/** What differs in the tools and instructions that every session is given. */
function surfaceBlock({ name, surfaceDiff }: SuiteResult): string[] {
  if (surfaceDiff.length === 0) return [];
  const left = surfaceDiff.length - MAX_SURFACE_LINES;
  const more = left > 0 ? [`  and ${left} more lines`] : [];
  const lines = surfaceDiff.slice(0, MAX_SURFACE_LINES).map((line) => `  ${line.slice(0, 160)}`);
  return [[`=== ${name}: tools and instructions ===`, ...lines, ...more].join('\n')];
}

function caseBlock(suite: string, result: CaseResult): string {
  const lines = result.calls.flatMap((call, index) => [
    `  call ${index + 1}: ${call.tool} ${JSON.stringify(call.arguments).slice(0, 120)}`,
    ...callDifference(call.baseline, call.new).map((line) => `    ${line}`),
  ]);
  return [
    `=== ${suite}/${result.id}: ${result.state} ===`,
    ...result.findings.map(({ text }) => `  ! ${text}`),
    ...lines,
  ].join('\n');
}

/** What differs between two responses, by file, a line each. */
export function callDifference(baseline: CallFacts, ours: CallFacts): string[] {
  if (baseline.hash === ours.hash) return ['equal'];
  const outcome = baseline.outcome === ours.outcome ? [] : [`${baseline.outcome} → ${ours.outcome}`];
  const order = (call: CallFacts) => call.files.map(({ path }) => path);
  const paths = [...new Set([...order(baseline), ...order(ours)])];
  const files = paths.flatMap((path) => fileDifference(path, baseline, ours));
  const common = (call: CallFacts, other: CallFacts) => order(call).filter((path) => order(other).includes(path));
  const isReordered = common(baseline, ours).join('\n') !== common(ours, baseline).join('\n');
  return [
    ...outcome,
    ...files,
    ...(isReordered ? [`order: ${order(baseline).join(', ')} → ${order(ours).join(', ')}`] : []),
    ...(files.length === 0 && outcome.length === 0 && !isReordered
      ? ['the same source; the text around it differs']
      : []),
  ];
}

function fileDifference(path: string, baseline: CallFacts, ours: CallFacts): string[] {
  const [before, now] = [baseline, ours].map(({ files }) => files.find((file) => file.path === path));
  const gained = toRanges(lineDifference(now?.ranges ?? [], before?.ranges ?? []));
  const lost = toRanges(lineDifference(before?.ranges ?? [], now?.ranges ?? []));
  if (before && now && gained.length === 0 && lost.length === 0) return [];
  const sign = before === undefined ? '+' : now === undefined ? '-' : '~';
  const parts = [
    ...(gained.length > 0 ? [`gained ${rangeText(gained)}`] : []),
    ...(lost.length > 0 ? [`lost ${rangeText(lost)}`] : []),
    `${before?.chars ?? 0} → ${now?.chars ?? 0} chars`,
  ];
  const account = ours.account?.find((file) => file.path === path);
  const reason = account
    ? [
        `rank ${account.rank ?? '—'}, score ${account.score ?? '—'}, reserved ${account.reservedChars ?? '—'}, delivered ${account.deliveredChars ?? '—'}${account.skipped === null ? '' : `, skipped: ${account.skipped}`}`,
      ]
    : [];
  return [`${sign} ${path}: ${parts.join(', ')}`, ...reason.map((text) => `    engine: ${text}`)];
}

/** "3-9, 14": line ranges for people. */
export function rangeText(ranges: [number, number][]): string {
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(', ');
}
