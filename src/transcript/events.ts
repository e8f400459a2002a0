import type { HookResponse, InitEvent, ResultEvent, Segment } from '../model/session.js';
import { asFields, asList, asNumber, asString, asStrings, type Fields } from './fields.js';

/** Top-level types that carry nothing for us, and yet show that a file is a transcript (claude-code.md 1.1, 1.2, 11.2). */
const OTHER_TYPES = new Set([
  'stream_event',
  'rate_limit_event',
  'tool_progress',
  'tool_use_summary',
  'prompt_suggestion',
  'auth_status',
  'conversation_reset',
  'attachment',
  'queue-operation',
  'last-prompt',
  'mode',
  'summary',
  'file-history-snapshot',
]);

/** Whether a parsed line is an event of the host, of the stream or of the transcript on disk. */
export function isKnownEvent(event: Fields): boolean {
  const type = asString(event.type);
  if (type === undefined) return false;
  if (type === 'assistant' || type === 'user') return asFields(event.message) !== undefined;
  if (type === 'system' || type === 'result') return typeof event.subtype === 'string';
  return OTHER_TYPES.has(type);
}

/** A segment in which nothing has been read yet. */
export function newSegment(file: string): Segment {
  return {
    file,
    knownEvents: 0,
    inits: [],
    results: [],
    lastSessionId: undefined,
    lastSyntheticError: undefined,
    retries: [],
    hookResponses: [],
    stoppedTasks: 0,
  };
}

/** Reads a `system` event of subtype `init`. */
export function initEvent(event: Fields): InitEvent {
  return {
    sessionId: asString(event.session_id),
    model: asString(event.model),
    tools: asStrings(event.tools),
    mcpServers: asList(event.mcp_servers).flatMap((item) => {
      const server = asFields(item);
      const name = asString(server?.name);
      return name === undefined ? [] : [{ name, status: asString(server?.status) ?? '' }];
    }),
    cliVersion: asString(event.claude_code_version),
    skills: asStrings(event.skills),
    agents: asStrings(event.agents),
    plugins: asList(event.plugins).flatMap((item) => asString(item) ?? asString(asFields(item)?.name) ?? []),
    hasMemory: Object.keys(asFields(event.memory_paths) ?? {}).length > 0,
  };
}

/** Reads a `result` event. What it doesn't give stays undefined. */
export function resultEvent(event: Fields): ResultEvent {
  const totalCostUsd = asNumber(event.total_cost_usd);
  const outputTokens = asNumber(asFields(event.usage)?.output_tokens);
  // All zero after a budget stop or a dropped stream although work was paid for (claude-code.md 2.3): that is no figure.
  const isReal = outputTokens !== undefined && (outputTokens > 0 || !totalCostUsd);
  return {
    subtype: asString(event.subtype) ?? '',
    isError: event.is_error === true,
    text: asString(event.result),
    durationMs: asNumber(event.duration_ms),
    totalCostUsd,
    outputTokens: isReal ? outputTokens : undefined,
    numTurns: asNumber(event.num_turns),
    apiErrorStatus: asNumber(event.api_error_status),
    terminalReason: asString(event.terminal_reason),
    stopReason: asString(event.stop_reason),
    contextWindows: contextWindows(event),
    permissionDenials: asList(event.permission_denials).length,
  };
}

/** Reads the sizes of the models' context windows from a `result` event. */
function contextWindows(event: Fields): Map<string, number> {
  const windows = new Map<string, number>();
  for (const [model, usage] of Object.entries(asFields(event.modelUsage) ?? {})) {
    const tokens = asNumber(asFields(usage)?.contextWindow);
    if (tokens !== undefined && tokens > 0) windows.set(model, tokens);
  }
  return windows;
}

/** Reads a `system` event of subtype `hook_response`. */
export function hookResponse(event: Fields): HookResponse {
  return {
    event: asString(event.hook_event) ?? asString(event.hook_event_name),
    name: asString(event.hook_name),
    toolUseId: asString(event.tool_use_id),
    outcome: asString(event.outcome),
    exitCode: asNumber(event.exit_code),
  };
}

/** The messages that a compaction kept: their event uuids; undefined where the boundary doesn't list them. */
export function preservedUuids(event: Fields): string[] | undefined {
  const stream = asFields(asFields(event.compact_metadata)?.preserved_messages);
  const disk = asFields(asFields(event.compactMetadata)?.preservedMessages);
  const uuids = (stream ?? disk)?.uuids;
  return Array.isArray(uuids) ? asStrings(uuids) : undefined;
}
