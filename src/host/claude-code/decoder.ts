import type { LogDecoder } from '../../model/host-log.js';
import type {
  AnswerPart,
  CompactionEvent,
  EventPlace,
  InputPart,
  LogEvent,
  ResultLogEvent,
} from '../../model/log-event.js';
import type { HookResponse, InitEvent, ModelUsage } from '../../model/session.js';
import { asAmount, asFields, asList, asNumber, asString, asStrings, type Fields } from '../../util/fields.js';
import { blocksOf, isBinary, resultText } from '../content.js';
import { usageIn } from './usage.js';

/** Types that we do not use, but that show that a file is a transcript (docs/claude-code.md, "Events in the stream"). */
const OTHER_TYPES = new Set([
  'stream_event',
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

type Decoded = LogEvent extends infer Event ? (Event extends LogEvent ? Omit<Event, keyof EventPlace> : never) : never;

/** Decodes the lines of Claude Code: the stream of `claude -p` and the transcript on disk, which spell some fields differently. */
export const claudeCodeDecoder: LogDecoder = {
  decode: (line) => [Object.assign(placeOf(line), decode(line)) as LogEvent],
};

function placeOf(line: Fields): EventPlace {
  const { type, uuid, parentUuid } = line;
  return {
    // Partial messages of the stream are many, and no rows.
    id: typeof uuid === 'string' && type !== 'stream_event' ? uuid : undefined,
    parentId: parentUuid === undefined ? undefined : (asString(parentUuid) ?? null),
    role: type === 'user' || type === 'assistant' ? type : undefined,
    sessionId: asString(line.session_id) ?? asString(line.sessionId),
    at: asString(line.timestamp),
    callId: asString(line.parent_tool_use_id),
    isSidechain: line.isSidechain === true,
    agentId: asString(line.agentId),
  };
}

function decode(line: Fields): Decoded {
  const message = asFields(line.message);
  switch (line.type) {
    case 'assistant':
      return message ? assistant(line, message) : { kind: 'unknown' };
    case 'user':
      return message ? user(line, message) : { kind: 'unknown' };
    case 'result':
      return typeof line.subtype === 'string' ? result(line) : { kind: 'unknown' };
    case 'system':
      return typeof line.subtype === 'string' ? system(line) : { kind: 'unknown' };
    case 'rate_limit_event':
      return rateLimit(line);
    default:
      return { kind: OTHER_TYPES.has(line.type as string) ? 'other' : 'unknown' };
  }
}

/** A message of the API, or one that the host made up for an API error or an unknown slash command. */
function assistant(line: Fields, message: Fields): Decoded {
  const blocks = blocksOf(message.content);
  if (message.model === '<synthetic>' || line.isApiErrorMessage === true) {
    const text = blocks.map((block) => asString(asFields(block)?.text) ?? '').join(' ');
    return { kind: 'host-text', error: asString(line.error), text };
  }
  const usage = asFields(message.usage);
  return {
    kind: 'answer',
    messageId: asString(message.id),
    requestId: asString(line.request_id) ?? asString(line.requestId),
    model: asString(message.model),
    usage: usage && usageIn(usage),
    isFinal: typeof message.stop_reason === 'string',
    parts: partsOf(blocks, answerPart),
  };
}

/** Nearly every message has one block, and this runs for every line. */
function partsOf<Part>(blocks: unknown[], read: (block: Fields) => Part | undefined): Part[] {
  const parts: Part[] = [];
  for (const block of blocks) {
    const part = read(asFields(block) ?? {});
    if (part !== undefined) parts.push(part);
  }
  return parts;
}

function answerPart(block: Fields): AnswerPart | undefined {
  if (block.type === 'tool_use') {
    return { kind: 'call', id: asString(block.id), name: asString(block.name) ?? '', input: block.input };
  }
  if (block.type === 'thinking') return { kind: 'thinking', chars: asString(block.thinking)?.length ?? 0 };
  return block.type === 'text' ? { kind: 'text', text: asString(block.text) ?? '' } : undefined;
}

function user(line: Fields, message: Fields): Decoded {
  return {
    kind: 'input',
    parts: partsOf(blocksOf(message.content), inputPart),
    isInserted: line.isMeta === true,
    isSummary: line.isCompactSummary === true,
    returnedAgentId: asString(asFields(line.toolUseResult)?.agentId),
  };
}

function inputPart(block: Fields): InputPart | undefined {
  if (block.type === 'tool_result') {
    const { text, hasImage } = resultText(block.content);
    const callId = asString(block.tool_use_id);
    return { kind: 'result', callId, text, hasImage, isError: block.is_error === true };
  }
  if (isBinary(block)) return { kind: 'image' };
  return block.type === 'text' ? { kind: 'text', text: asString(block.text) ?? '' } : undefined;
}

function system(line: Fields): Decoded {
  switch (line.subtype) {
    case 'init':
      return { kind: 'init', init: init(line) };
    case 'api_retry':
    case 'api_error':
      return retry(line);
    case 'hook_response':
      return hook(line);
    case 'task_notification':
      return { kind: line.status === 'stopped' ? 'task-stopped' : 'other' };
    case 'compact_boundary':
    case 'compaction':
      return compaction(line);
    case 'status':
      return compactionAttempt(line);
    case 'microcompact_boundary': {
      const facts = asFields(line.microcompact_metadata);
      const onDisk = asFields(line.microcompactMetadata);
      return { kind: 'cleared', callIds: asStrings(facts?.compacted_tool_ids ?? onDisk?.compactedToolIds) };
    }
    case 'model_fallback':
    case 'model_refusal_fallback':
    case 'modelFallback':
    case 'modelRefusalFallback':
      return {
        kind: 'fallback',
        model: asString(line.fallback_model) ?? asString(line.fallbackModel) ?? '',
        retractedIds: asStrings(line.retracted_message_uuids ?? line.retractedMessageUuids),
      };
    default:
      return { kind: 'other' };
  }
}

function init(line: Fields): InitEvent {
  return {
    sessionId: asString(line.session_id),
    model: asString(line.model),
    tools: asStrings(line.tools),
    mcpServers: asList(line.mcp_servers).flatMap((item) => {
      const server = asFields(item);
      const name = asString(server?.name);
      return name === undefined ? [] : [{ name, status: asString(server?.status) ?? '' }];
    }),
    cliVersion: asString(line.claude_code_version),
    skills: asStrings(line.skills),
    agents: asStrings(line.agents),
    plugins: asList(line.plugins).flatMap((item) => asString(item) ?? asString(asFields(item)?.name) ?? []),
    hasMemory: Object.keys(asFields(line.memory_paths) ?? {}).length > 0,
    cwd: asString(line.cwd),
  };
}

function result(line: Fields): { kind: 'result' } & Omit<ResultLogEvent, 'kind'> {
  const denials = asList(line.permission_denials);
  return {
    kind: 'result',
    result: {
      subtype: asString(line.subtype) ?? '',
      isError: line.is_error === true,
      text: asString(line.result),
      durationMs: asAmount(line.duration_ms),
      totalCostUsd: asAmount(line.total_cost_usd),
      apiDurationMs: asAmount(line.duration_api_ms),
      outputTokens: asAmount(asFields(line.usage)?.output_tokens),
      numTurns: asNumber(line.num_turns),
      apiErrorStatus: asNumber(line.api_error_status),
      terminalReason: asString(line.terminal_reason),
      stopReason: asString(line.stop_reason),
      contextWindows: contextWindows(line),
      modelUsage: modelUsage(line),
      permissionDenials: denials.length,
    },
    deniedCallIds: denials.flatMap((denial) => asString(asFields(denial)?.tool_use_id) ?? []),
    limitResetsAt: limitTold(asString(line.result) ?? ''),
  };
}

function contextWindows(line: Fields): Map<string, number> {
  const windows = new Map<string, number>();
  for (const [model, usage] of Object.entries(asFields(line.modelUsage) ?? {})) {
    const tokens = asNumber(asFields(usage)?.contextWindow);
    if (tokens !== undefined && tokens > 0) windows.set(model, tokens);
  }
  return windows;
}

/** Sums over the models. Undefined if the result gives no tokens for one of them. */
function modelUsage(line: Fields): ModelUsage | undefined {
  const models = Object.values(asFields(line.modelUsage) ?? {}).map((usage) => asFields(usage) ?? {});
  const sum = (key: string): number | undefined =>
    models.reduce<number | undefined>((total, usage) => {
      const tokens = asAmount(usage[key]);
      return total === undefined || tokens === undefined ? undefined : total + tokens;
    }, 0);
  const inputTokens = sum('inputTokens');
  const outputTokens = sum('outputTokens');
  const cacheReadTokens = sum('cacheReadInputTokens');
  const cacheCreationTokens = sum('cacheCreationInputTokens');
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  if (cacheReadTokens === undefined || cacheCreationTokens === undefined || models.length === 0) return undefined;
  return { inputTokens, cacheReadTokens, cacheCreationTokens, outputTokens };
}

/** An API retry: `api_retry` in the stream, `api_error` on disk. */
function retry(line: Fields): Decoded {
  const error = asFields(line.error);
  return {
    kind: 'retry',
    attempt: asAmount(line.attempt) ?? asAmount(line.retryAttempt),
    maxRetries: asAmount(line.max_retries) ?? asAmount(line.maxRetries),
    errorStatus: asAmount(line.error_status) ?? asAmount(line.errorStatus) ?? asAmount(error?.status),
    error: asString(line.error) ?? asString(error?.type) ?? asString(error?.message),
  };
}

/** Begins the name of a hook that runs before a call; the tool follows. */
const BEFORE_TOOL = 'PreToolUse:';

/** The hook's events name the tool and not the call (docs/claude-code.md, "Hooks"). */
function hook(line: Fields): Decoded {
  const event = asString(line.hook_event) ?? asString(line.hook_event_name);
  const name = asString(line.hook_name);
  const hook: HookResponse = {
    event,
    name,
    isBeforeCall: event === 'PreToolUse',
    beforeTool: name?.startsWith(BEFORE_TOOL) ? name.slice(BEFORE_TOOL.length) : undefined,
    toolUseId: asString(line.tool_use_id),
    outcome: asString(line.outcome),
    exitCode: asNumber(line.exit_code),
  };
  const answer = asFields(parse(asString(line.stdout) ?? '')?.hookSpecificOutput);
  const isDenial = answer?.permissionDecision === 'deny';
  return {
    kind: 'hook',
    hook,
    decision: isDenial ? 'denied' : hook.outcome === 'success' ? 'passed' : 'failed',
    reason: isDenial ? asString(answer.permissionDecisionReason)?.trim() : undefined,
  };
}

function compaction(line: Fields): { kind: 'compaction' } & Omit<CompactionEvent, 'kind'> {
  const inStream = asFields(line.compact_metadata);
  const facts = inStream ?? asFields(line.compactMetadata);
  const streamKept = asFields(inStream?.preserved_messages);
  const kept = streamKept ?? asFields(asFields(line.compactMetadata)?.preservedMessages);
  return {
    kind: 'compaction',
    preservedIds: Array.isArray(kept?.uuids) ? asStrings(kept.uuids) : undefined,
    isBoundary: line.subtype === 'compact_boundary',
    logicalParentId: asString(line.logicalParentUuid),
    trigger: asString(facts?.trigger),
    tokensBefore: asNumber(facts?.pre_tokens) ?? asNumber(facts?.preTokens),
  };
}

/** The end of an attempt to compact (docs/claude-code.md, "Compaction"). Other statuses are its beginning. */
function compactionAttempt(line: Fields): Decoded {
  const outcome = asString(line.compact_result);
  if (outcome === undefined) return { kind: 'other' };
  return { kind: 'compaction-attempt', isSuccess: outcome === 'success', error: asString(line.compact_error) };
}

/** A warning is not a refusal (docs/claude-code.md, "API errors and retries"). */
function rateLimit(line: Fields): Decoded {
  const info = asFields(line.rate_limit_info);
  if (info?.status !== 'rejected') return { kind: 'other' };
  return { kind: 'limit', resetsAt: asNumber(info.resetsAt) };
}

/** How older hosts told of a limit, in the answer's text: seconds since 1970 behind a bar. */
const LIMIT_TEXT = /usage limit reached\|(\d{10})\b/;

function limitTold(text: string): number | undefined {
  const seconds = LIMIT_TEXT.exec(text)?.[1];
  return seconds === undefined ? undefined : Number(seconds);
}

function parse(text: string): Fields | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return asFields(JSON.parse(text));
  } catch {
    return undefined;
  }
}
