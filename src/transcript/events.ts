import type { HookResponse, InitEvent, ResultEvent, Segment } from '../model/session.js';
import { asAmount, asFields, asList, asNumber, asString, asStrings, type Fields } from './fields.js';

/**
 * Top-level types that we do not use, but that show that a file is a transcript (docs/claude-code.md, "Events in the
 * stream").
 */
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

/**
 * Reads a `result` event. What it doesn't give stays undefined. `hadRequests`: the model answered since the result before; then a
 * zero is no figure. `hadUsage`: the log gives usage for all of these answers.
 */
export function resultEvent(event: Fields, { hadRequests, hadUsage }: Asked): ResultEvent {
  const cost = asAmount(event.total_cost_usd);
  // Without any usage the host has nothing to compute a cost from, and writes 0.
  const totalCostUsd = cost === 0 && hadRequests && !hadUsage ? undefined : cost;
  const outputTokens = asAmount(asFields(event.usage)?.output_tokens);
  // All zero after a budget stop or a dropped stream although work was paid for, and behind a gateway that gives no usage.
  const isReal = outputTokens !== undefined && (outputTokens > 0 || (!cost && !hadRequests));
  return {
    subtype: asString(event.subtype) ?? '',
    isError: event.is_error === true,
    text: asString(event.result),
    durationMs: asAmount(event.duration_ms),
    totalCostUsd,
    apiDurationMs: asAmount(event.duration_api_ms),
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

/** What a `result` event comes after, since the result before it. */
export interface Asked {
  hadRequests: boolean;
  hadUsage: boolean;
}

/** Reads an API retry: `api_retry` in the stream, `api_error` on disk. `before`: the retries that were read already. */
export function retryEvent(event: Fields, before: number): Segment['retries'][number] {
  const error = asFields(event.error);
  return {
    attempt: asAmount(event.attempt) ?? asAmount(event.retryAttempt) ?? before + 1,
    errorStatus: asAmount(event.error_status) ?? asAmount(event.errorStatus) ?? asAmount(error?.status),
    error: asString(event.error) ?? asString(error?.type) ?? asString(error?.message),
  };
}

const FALLBACKS = new Set(['model_fallback', 'model_refusal_fallback', 'modelFallback', 'modelRefusalFallback']);

/** Reads a switch to another model: the model, and the uuids of the messages that were taken back; undefined for other events. */
export function fallbackEvent(event: Fields): { model: string; retracted: string[] } | undefined {
  if (!FALLBACKS.has(event.subtype as string)) return undefined;
  const model = asString(event.fallback_model) ?? asString(event.fallbackModel) ?? '';
  return { model, retracted: asStrings(event.retracted_message_uuids ?? event.retractedMessageUuids) };
}

/** The ids of the calls whose results a `microcompact_boundary` cleared. */
export function clearedIds(event: Fields): string[] {
  const stream = asFields(event.microcompact_metadata);
  const disk = asFields(event.microcompactMetadata);
  return asStrings(stream?.compacted_tool_ids ?? disk?.compactedToolIds);
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
