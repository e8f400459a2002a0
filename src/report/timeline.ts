import type { Family } from '../model/families.js';
import type { ThreadTimeline, TimelineResult, TimelineStep } from '../model/timeline.js';
import { clip } from './clean.js';
import { grouped, plural } from './numbers.js';
import type { TimelineJson } from './schema/report.js';

/** The timelines of one session's threads as they go into JSON. */
export function timelineJson(files: string[], threads: ThreadTimeline[]): TimelineJson {
  return { formatVersion: 1, files, threads };
}

/**
 * Renders the window request by request: what joined since the request before, what it occupies, what was compacted or
 * shed, and what is resident (docs/metrics.md, "Residual context occupancy"). Tokens of results are estimated with the
 * printed ratio.
 */
export function renderTimeline(threads: ThreadTimeline[], label: string): string {
  if (threads.length === 0) return '  Window, request by request: no request with usage in this log';
  return threads.flatMap((thread) => threadLines(thread, label)).join('\n');
}

function threadLines(timeline: ThreadTimeline, label: string): string[] {
  const ratio = `${timeline.charsPerToken.toFixed(2)} chars/tok ${timeline.calibrated ? 'measured' : 'FALLBACK (an ESTIMATE, not measured)'}`;
  const whose = timeline.thread === null ? 'Window' : `Subagent window (${clip(timeline.thread, 40)})`;
  const lines = timeline.steps.flatMap((step, index) => [
    ...segmentLine(step, timeline.steps[index - 1]),
    ...stepLines(step, label),
  ]);
  if (timeline.afterwards.length > 0) {
    lines.push('    after the last request: never in a prompt, not resident');
    lines.push(...timeline.afterwards.map((result) => joinedLine(result, label)));
  }
  return [`  ${whose}, request by request (${ratio}):`, ...lines];
}

/** The border between two segments. */
function segmentLine(step: TimelineStep, before: TimelineStep | undefined): string[] {
  return before === undefined || before.segment === step.segment ? [] : [`    --- segment ${step.segment + 1} ---`];
}

function stepLines(step: TimelineStep, label: string): string[] {
  const { ctxBeforeTokens, ctxTokens, compactions, compactedTokens, shedTokens } = step;
  const change =
    ctxBeforeTokens === null
      ? `${grouped(ctxTokens)} tok`
      : `${grouped(ctxBeforeTokens)} → ${grouped(ctxTokens)} tok (${signed(ctxTokens - ctxBeforeTokens)})`;
  const lines = [`    request ${step.request}: ${change}`, ...step.joined.map((result) => joinedLine(result, label))];
  if (step.proseChars > 0) lines.push(`      + prose${amount(step.proseChars, undefined, 39)}`);
  if (compactions > 0) {
    lines.push(`      − compacted: ${grouped(compactedTokens)} tok of results (${plural(compactions, 'compaction')})`);
  }
  if (shedTokens > 0) lines.push(`      − shed: ${grouped(shedTokens)} tok of the oldest results`);
  if (ctxBeforeTokens !== null) lines.push(`      = resident: ${residentWords(step, label)}`);
  return lines;
}

function joinedLine({ call, tool, family, chars, tokens }: TimelineResult, label: string): string {
  const name = `${call}. ${clip(tool, 34)}`;
  return `      + ${familyName(family, label).padEnd(10)} ${name}${amount(chars, tokens, 33 - name.length)}`;
}

function amount(chars: number, tokens: number | undefined, pad: number): string {
  const size = `${' '.repeat(Math.max(1, pad))} ${grouped(chars).padStart(9)} chars`;
  return tokens === undefined ? size : `${size} ${grouped(tokens).padStart(8)} tok`;
}

function residentWords({ residentTokens }: TimelineStep, label: string): string {
  const families: Family[] = ['tool', 'read', 'search', 'bash', 'other'];
  return `${families.map((family) => `${familyName(family, label)} ${grouped(residentTokens[family])}`).join(', ')} tok`;
}

function familyName(family: Family, label: string): string {
  return { tool: label, read: 'Read', search: 'Grep/Glob', bash: 'Bash', other: 'other' }[family];
}

function signed(value: number): string {
  return value < 0 ? `−${grouped(-value)}` : `+${grouped(value)}`;
}
