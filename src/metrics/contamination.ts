import type { EngineProfile } from '../model/engine.js';
import type { CommandVerdict } from '../model/families.js';
import { mcpToolPrefix } from '../model/host-tools.js';
import type { ContaminationMeasure, Measure } from '../model/measure.js';
import type { Session, ToolResult } from '../model/session.js';
import { classifyCommand, mayReachEngine } from '../shell/index.js';
import { abandonedCalls, callsInOrder } from './calls.js';
import { isDenied, isNotAvailable } from './results.js';

/**
 * Counts shell commands that reach for the engine, and those that got something (docs/metrics.md, "Contamination, and
 * runs that raced").
 */
export function contaminationOf(session: Session, profile: EngineProfile, hookMarker: string): ContaminationMeasure {
  const measure: ContaminationMeasure = {
    invoke: { blocked: 0, returned: 0 },
    data: { blocked: 0, returned: 0 },
    commands: [],
  };
  for (const { kind, input, thread, result } of [...callsInOrder(session), ...abandonedCalls(session)]) {
    const command = input.command;
    if (command === undefined || kind !== 'shell') continue;
    // Nearly every command is told harmless without a parser.
    if (!mayReachEngine(command, profile.identity)) continue;
    const { class: commandClass } = classifyCommand(command, profile.identity);
    if (commandClass === 'mention') continue;
    const verdict = result && verdictOn(result, hookMarker);
    if (!verdict) continue;
    measure[commandClass][verdict]++;
    measure.commands.push({ thread, command, class: commandClass, verdict });
  }
  return measure;
}

/** Checks whether the engine's own tools were called before the host had connected their server. */
export function isRaced(session: Session, profile: EngineProfile, expectEngine: boolean): boolean {
  const prefix = mcpToolPrefix(profile.mcpServer);
  const calls = [...callsInOrder(session), ...abandonedCalls(session)];
  return expectEngine && calls.some((call) => call.name.startsWith(prefix) && isNotAvailable(call));
}

/** Counts the shell commands that reached the tool around its MCP server and returned something. */
export function returnedCalls(measure: Measure): number {
  return measure.contamination.invoke.returned + measure.contamination.data.returned;
}

/** Counts the shell commands that would have reached the tool and were stopped. */
export function blockedCalls(measure: Measure): number {
  return measure.contamination.invoke.blocked + measure.contamination.data.blocked;
}

/** Undefined: it gave nothing, and nothing stopped it. */
function verdictOn(result: ToolResult, hookMarker: string): CommandVerdict | undefined {
  if (isDenied(result, hookMarker)) return 'blocked';
  // The head of a long result is its opening: it gave something, whatever stands there.
  if (result.chars > result.head.length) return 'returned';
  const lines = result.head
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^Exit code \d+$/.test(line));
  if (lines.length === 0 || result.isEmptyOutput) return undefined;
  return lines.every((line) => NOT_FOUND.some((pattern) => pattern.test(line))) ? 'blocked' : 'returned';
}

/** How bash, dash, zsh, env and command wrappers say that there is no such program. */
const NOT_FOUND = [
  /^\S+: (?:line \d+: |\d+: )?.*: (?:command )?not found$/,
  /^(?:\S+:)?(?:\d+: ?)?command not found: /,
  /^\(eval\):\d+: command not found: /,
  /^\S+: (?:line \d+: |\d+: )\S+: No such file or directory$/,
  /^(?:env|timeout|nohup|nice|xargs|stdbuf|setsid|exec|time): .*No such file or directory$/,
];
