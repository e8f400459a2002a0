import type { Measure } from '../model/measure.js';
import { clip } from './clean.js';
import { plural } from './numbers.js';

const COMMAND_CHARS = 120;

/** Calls that went around the MCP server, the returned ones first; no lines when there were none (spec/metrics.md 5). */
export function contaminationBlock(measure: Measure, label: string): string[] {
  const { invoke, data, commands } = measure.contamination;
  const returned = invoke.returned + data.returned;
  const blocked = invoke.blocked + data.blocked;
  if (returned + blocked === 0) return [];
  const verdict =
    returned > 0
      ? `!! CONTAMINATED: ${label} was reached around its MCP server; this run is void`
      : `contamination: attempts to reach ${label} around its MCP server, all blocked`;
  const lines = [
    verdict,
    `  ${label} CLI: ${invoke.returned} RETURNED output, ${invoke.blocked} blocked · index and daemon: ${data.returned} RETURNED output, ${data.blocked} blocked`,
  ];
  const reached = commands.filter((command) => command.class !== 'mention');
  const worstFirst = [...reached].sort((a, b) => rank(a.verdict) - rank(b.verdict));
  for (const { verdict: fate, class: kind, thread, command } of worstFirst) {
    const where = thread === null ? '' : ' (subagent)';
    lines.push(
      `    ${fate === 'returned' ? 'RETURNED' : 'blocked '} ${kind.padEnd(6)} ${clip(command, COMMAND_CHARS)}${where}`,
    );
  }
  if (reached.length === 0) lines.push(`    ${plural(returned + blocked, 'command')}, not recorded`);
  return [...lines, ''];
}

function rank(verdict: 'blocked' | 'returned'): number {
  return verdict === 'returned' ? 0 : 1;
}
