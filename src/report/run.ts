import { basename } from 'node:path';
import type { EngineProfile } from '../model/engine.js';
import type { Measure } from '../model/measure.js';
import type { Session, ToolCall } from '../model/session.js';
import { allocationBlock } from './allocation.js';
import { clean, clip, oneLine } from './clean.js';
import { contaminationBlock } from './contamination.js';
import { envelopeBlock } from './envelope.js';
import { extraLines } from './extras.js';
import { grouped, MISSING } from './numbers.js';
import { occupancyBlock } from './occupancy.js';
import { sufficiencyBlock } from './sufficiency.js';

export interface RunOptions {
  /** Leaves out the numbered list of calls. */
  brief: boolean;
  /**
   * The session is Claude Code's own transcript on disk. Such a transcript never holds results, so their absence is no
   * error (docs/claude-code.md, "The transcript on disk").
   */
  onDisk?: boolean;
  /** Adds the division of every response among files; `answer` marks those that match one of the globs. */
  envelope?: { answer: string[] };
  engine: Pick<EngineProfile, 'label' | 'isEngineTool' | 'isExploreTool'>;
}

/** Longest command or query in the list of calls; what is longer is cut and marked. */
const ARGUMENT_CHARS = 160;

/**
 * Renders the published text of one run: title, calls, result, then the blocks of occupancy, sufficiency and
 * allocation. Contamination comes first when there is any. Blocks that the published text does not have come last, and
 * only when they are not empty. Never fails: missing values are printed as a dash.
 */
export function renderRun(session: Session, measure: Measure, options: RunOptions): string {
  const { label } = options.engine;
  const sections = [
    `=== ${measure.files.map((file) => oneLine(basename(file))).join(' + ')} ===`,
    ...contaminationBlock(measure, label),
    `${label} tools exposed: ${exposedTools(session, (name) => options.engine.isEngineTool(name))}`,
    '',
    ...callList(session, options),
    '',
    ...resultLines(measure),
    '',
    ...occupancyBlock(measure, label),
    '',
    ...sufficiencyBlock(measure, label),
    '',
    ...allocationBlock(measure, label),
    ...(options.envelope ? ['', ...envelopeBlock(session, options.envelope.answer, options.engine)] : []),
    ...extraLines(measure, label, options.onDisk === true),
  ];
  return `\n${sections.map(clean).join('\n')}`;
}

/** The number of the tool's own tools at the start of the session; of each segment, where they differ. */
function exposedTools(session: Session, isEngineTool: (name: string) => boolean): string {
  const counts = session.segments.map((segment) => {
    // A segment can write several init events; a server that was slow to start shows only in the later ones.
    const perInit = segment.inits.map((init) => init.tools.filter(isEngineTool).length);
    return perInit.length === 0 ? undefined : Math.max(...perInit);
  });
  const known = counts.filter((count) => count !== undefined);
  if (known.length === 0) return MISSING;
  if (new Set(known).size === 1) return String(known[0]);
  return `${counts.map((count) => count ?? MISSING).join(', ')} (by segment)`;
}

function callList(session: Session, { brief, engine }: RunOptions): string[] {
  const calls = session.threads.flatMap((thread) => thread.calls).sort((a, b) => a.order - b.order);
  const byType = new Map<string, number>();
  for (const call of calls) byType.set(call.name, (byType.get(call.name) ?? 0) + 1);
  const types = [...byType].map(([name, n]) => `${JSON.stringify(oneLine(name))}:${n}`).join(',');
  const lines = [`Tool calls (${calls.length}):`, `  by type: {${types}}`];
  if (brief) return lines;
  return [
    ...lines,
    ...calls.map((call, index) => `  ${index + 1}. ${describeCall(call, (name) => engine.isEngineTool(name))}`),
  ];
}

function describeCall(call: ToolCall, isEngineTool: (name: string) => boolean): string {
  const name = oneLine(call.name);
  const inSubagent = call.thread === null ? '' : ' (subagent)';
  const argument = argumentOf(call, isEngineTool);
  return `${name}${argument === '' ? '' : ` ${argument}`}${inSubagent}`;
}

function argumentOf(call: ToolCall, isEngineTool: (name: string) => boolean): string {
  const { input } = call;
  if (isEngineTool(call.name)) return input.query === undefined ? '' : `"${clip(input.query, ARGUMENT_CHARS)}"`;
  switch (call.kind) {
    case 'shell':
      return clip(input.command ?? '', ARGUMENT_CHARS);
    case 'reader':
      return clip(basename(input.file_path ?? ''), ARGUMENT_CHARS);
    case 'delegation':
      return clip(input.subagent_type ?? '', ARGUMENT_CHARS);
    default:
      return '';
  }
}

function resultLines(measure: Measure): string[] {
  const words = measure.diagnostics.segments.map(({ subtype, isError }) => {
    if (subtype === null) return 'no result';
    // A host may report an API failure as a success (docs/claude-code.md, "Results and exit codes").
    return subtype === 'success' && isError === true ? 'success but is_error' : oneLine(subtype);
  });
  const seconds = measure.durationMs === null ? MISSING : `${Math.round(measure.durationMs / 1000)}s`;
  const parts = [`Result: ${words.at(-1) ?? 'no result'}`, `duration ${seconds}`, `turns ${measure.requests}`];
  if (words.length > 1) parts.push(`${words.length} segments (${words.join(',')})`);
  const tokens = measure.tokensProcessed === null ? MISSING : grouped(measure.tokensProcessed);
  const cost = measure.costUsd === null ? MISSING : `$${measure.costUsd.toFixed(3)}`;
  return [parts.join(' | '), `  tokens processed: ${tokens} | cost ${cost}`];
}
