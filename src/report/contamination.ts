import type { Measure } from '../model/measure.js';
import type { CliAttempt } from '../model/trial.js';
import { clip, oneLine } from './clean.js';
import { plural } from './numbers.js';

const COMMAND_CHARS = 120;

/**
 * Lists the calls that went around the MCP server, first those that returned something. No lines if there were none.
 */
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

/** One run of a campaign, as far as its contamination goes. */
export interface RunContamination {
  name: string;
  /** Null where the run left no log. */
  measure: Measure | null;
  /** Executions of the CLI that ended at the stand-in on the PATH. */
  cliAttempts: CliAttempt[];
}

/** So many commands are listed; the counts are of all. */
const LISTED = 60;

/**
 * The contamination of a whole campaign, which stands before its figures: counts by class and verdict, and each command, the
 * returned ones first. What no log shows cannot be counted, so it calls itself a lower bound (docs/isolation.md).
 */
export function renderContamination(runs: RunContamination[], label: string): string {
  const title = `CONTAMINATION — ${label} reached for around its MCP server, over all runs (a lower bound)`;
  const commands = runs.flatMap(({ name, measure }) =>
    (measure?.contamination.commands ?? []).map((command) => ({ ...command, name })),
  );
  const attempts = runs.flatMap(({ name, cliAttempts }) => cliAttempts.map((attempt) => ({ ...attempt, name })));
  const count = (kind: 'invoke' | 'data', verdict: 'returned' | 'blocked') =>
    runs.reduce((total, { measure }) => total + (measure?.contamination[kind][verdict] ?? 0), 0);
  const words = (kind: 'invoke' | 'data') => `${count(kind, 'returned')} RETURNED, ${count(kind, 'blocked')} blocked`;
  const lines = [...commands]
    .filter((command) => command.class !== 'mention')
    .sort((a, b) => rank(a.verdict) - rank(b.verdict))
    .map(({ verdict, class: kind, name, thread, command }) => {
      const fate = verdict === 'returned' ? 'RETURNED' : 'blocked ';
      const where = thread === null ? '' : ' (subagent)';
      return `  ${fate} ${kind.padEnd(6)} ${oneLine(name)}${where}: ${clip(command, COMMAND_CHARS)}`;
    });
  const byPath = attempts.map(
    ({ name, by, args }) =>
      `  blocked  PATH   ${oneLine(name)}: ${clip(`${label} ${args.join(' ')}`.trim(), COMMAND_CHARS)} — run by ${clip(by, COMMAND_CHARS)}`,
  );
  const all = [...lines, ...byPath];
  const more = all.length > LISTED ? [`  … and ${all.length - LISTED} more: report.json`] : [];
  return [
    title,
    `  CLI (invoke): ${words('invoke')} · index and daemon (data): ${words('data')} · attempted by PATH: ${attempts.length}`,
    ...all.slice(0, LISTED),
    ...more,
  ].join('\n');
}
