import type { PageCall, PageItem, PageRequest, PageSegment, RunPage } from '../model/run-page.js';
import { costOfProcesses, type ResultEvent } from '../model/session.js';
import { resultText } from './content.js';
import { EventLines } from './event-lines.js';
import { clearedIds, fallbackEvent, resultEvent, retryEvent } from './events.js';
import { asFields, asList, asNumber, asString, detach, type Fields } from './fields.js';
import { HookEvents } from './page-hooks.js';
import { inputText } from './page-input.js';
import { windowIn } from './usage.js';

interface Input {
  name: string;
  chunks: AsyncIterable<Uint8Array>;
}

/** What is kept of texts. */
export interface PreviewBounds {
  /** Characters of a text, an input or a result. */
  previewChars: number;
  /** In a result that the hook's denial is known by. */
  hookMarker: string;
}

/**
 * Reads a session for its page, in one pass: every request with its calls, previews in place of texts. What does not parse is
 * passed over (the session's diagnostics count it). Rejects only when a file can't be read.
 */
export async function readRunPage(inputs: Input[], bounds: PreviewBounds): Promise<RunPage> {
  const builder = new PageBuilder(bounds);
  for (const input of inputs) {
    builder.startSegment(input.name);
    const lines = new EventLines((event) => builder.addEvent(event));
    for await (const chunk of input.chunks) lines.push(chunk);
    lines.end();
    builder.endSegment();
  }
  return { segments: builder.segments };
}

class PageBuilder {
  readonly segments: PageSegment[] = [];
  private segment: PageSegment = emptySegment('');
  private readonly requests = new Map<string, PageRequest>();
  private readonly numbers = new Map<string | null, number>();
  private readonly calls = new Map<string, PageCall>();
  private hooks = new HookEvents();
  private readonly uuids = new Set<string>();
  /** Requests since the latest result. */
  private fresh: PageRequest[] = [];
  /** Results of this segment. */
  private results: ResultEvent[] = [];
  private retries = 0;
  private unnamed = 0;

  constructor(private readonly bounds: PreviewBounds) {}

  startSegment(file: string): void {
    this.segment = emptySegment(file);
    this.segments.push(this.segment);
    this.hooks = new HookEvents();
    this.fresh = [];
    this.results = [];
    this.retries = 0;
  }

  endSegment(): void {
    for (const [call, decision] of this.hooks.decisions()) call.hook ??= decision;
  }

  addEvent(event: Fields | undefined): void {
    if (!event || this.isRepeated(event)) return;
    this.segment.startedAt ??= asString(event.timestamp) ?? null;
    switch (event.type) {
      case 'assistant':
        this.addAssistant(event);
        break;
      case 'user':
        this.addUser(event);
        break;
      case 'result':
        this.addResultEvent(event);
        break;
      case 'system':
        this.addSystem(event);
        break;
    }
  }

  /** Rows that the host writes again keep their uuid. */
  private isRepeated({ uuid, type }: Fields): boolean {
    if (typeof uuid !== 'string' || type === 'stream_event') return false;
    if (this.uuids.has(uuid)) return true;
    this.uuids.add(uuid);
    return false;
  }

  private addAssistant(event: Fields): void {
    const message = asFields(event.message) ?? {};
    const blocks = blocksOf(message.content);
    if (message.model === '<synthetic>' || event.isApiErrorMessage === true) {
      const said = blocks.map((block) => asString(block.text) ?? '').join(' ');
      this.note('error', `${asString(event.error) ?? 'the host says'}: ${said}`);
      return;
    }
    const request = this.requestOf(event, message);
    growUsage(request, asFields(message.usage) ?? {}, asString(message.stop_reason) !== undefined);
    for (const block of blocks) {
      if (block.type === 'tool_use') this.addCall(request, block);
      else if (block.type === 'thinking') request.thinkingChars += asString(block.thinking)?.length ?? 0;
      else if (block.type === 'text') {
        const text = asString(block.text) ?? '';
        request.textChars += text.length;
        request.text = this.preview(`${request.text} ${text}`.trim());
      }
    }
  }

  private requestOf(event: Fields, message: Fields): PageRequest {
    const id = asString(message.id) ?? asString(event.uuid) ?? `unnamed-${this.unnamed++}`;
    const known = this.requests.get(id);
    if (known && !isAnother(known, asFields(message.usage) ?? {})) return known;
    const thread = threadOf(event);
    const number = (this.numbers.get(thread) ?? 0) + 1;
    this.numbers.set(thread, number);
    const request: PageRequest = {
      ...{ kind: 'request', number, thread, model: asString(message.model) ?? null },
      ...{
        ctxTokens: null,
        cacheReadTokens: 0,
        outputTokens: null,
        text: '',
        textChars: 0,
        thinkingChars: 0,
        calls: [],
      },
      at: asString(event.timestamp) ?? null,
    };
    this.requests.set(id, request);
    this.fresh.push(request);
    this.segment.items.push(request);
    return request;
  }

  private addCall(request: PageRequest, block: Fields): void {
    const id = asString(block.id) ?? `unnamed-${this.unnamed++}`;
    // The same block again, in a later copy of its message.
    if (request.calls.some((call) => call.id === id)) return;
    const input = inputText(asFields(block.input) ?? {});
    const call: PageCall = {
      ...{ id, name: asString(block.name) ?? '', hook: null, result: null },
      input: this.preview(input),
      inputChars: input.length,
    };
    request.calls.push(call);
    this.calls.set(id, call);
    this.hooks.called(call);
  }

  private addUser(event: Fields): void {
    for (const block of blocksOf(asFields(event.message)?.content)) {
      if (block.type === 'tool_result') this.addResult(event, block);
      // Only the transcript on disk holds the prompts. Texts that Claude Code inserted there are marked with isMeta.
      else if (block.type === 'text' && event.isMeta !== true && threadOf(event) === null) {
        const text = asString(block.text) ?? '';
        if (event.sessionId !== undefined && event.isCompactSummary !== true)
          this.segment.prompt ??= this.preview(text);
      }
    }
  }

  private addResult(event: Fields, block: Fields): void {
    const call = this.calls.get(asString(block.tool_use_id) ?? '');
    if (!call || call.result) return;
    const { text, hasImage } = resultText(block.content);
    const isError = block.is_error === true;
    const preview = this.preview(text) || (hasImage ? '[image]' : '');
    call.result = { chars: text.length, isError, preview, at: asString(event.timestamp) ?? null };
    if (isError && (text.includes(this.bounds.hookMarker) || this.hooks.isDenial(text))) call.hook = 'denied';
  }

  private addResultEvent(event: Fields): void {
    const { segment } = this;
    const hadUsage = this.fresh.every(({ ctxTokens }) => ctxTokens !== null);
    const result = resultEvent(event, { hadRequests: this.fresh.length > 0, hadUsage });
    this.fresh = [];
    this.results.push(result);
    segment.costUsd = costOfProcesses(this.results) ?? null;
    segment.durationMs = sum(segment.durationMs, result.durationMs);
    segment.outputTokens = sum(segment.outputTokens, result.outputTokens);
    segment.subtype = asString(event.subtype) ?? null;
    segment.isError = event.is_error === true;
    segment.terminalReason = asString(event.terminal_reason) ?? null;
    const answer = asString(event.result);
    if (answer) segment.answer = this.preview(answer);
    for (const denial of asList(event.permission_denials)) {
      const call = this.calls.get(asString(asFields(denial)?.tool_use_id) ?? '');
      if (call) call.hook = 'denied';
    }
  }

  private addSystem(event: Fields): void {
    const { subtype } = event;
    if (subtype === 'compact_boundary' || subtype === 'compaction') {
      const facts = asFields(event.compact_metadata) ?? asFields(event.compactMetadata);
      const before = asNumber(facts?.pre_tokens) ?? asNumber(facts?.preTokens);
      const size = before === undefined ? '' : `, ${before} tokens before`;
      this.note('compaction', `the window was compacted (${asString(facts?.trigger) ?? 'auto'}${size})`);
    } else if (subtype === 'api_retry' || subtype === 'api_error') {
      const { attempt, errorStatus, error } = retryEvent(event, this.retries++);
      const cause = [error, errorStatus].filter((one) => one !== undefined).join(' ');
      this.note('retry', `the API was asked again (attempt ${attempt}): ${cause}`);
    } else if (fallbackEvent(event)) {
      this.note('model', `another model answers: ${fallbackEvent(event)?.model}`);
    } else if (subtype === 'microcompact_boundary') {
      this.note('compaction', `the host cleared ${clearedIds(event).length} results out of the window`);
    } else if (subtype === 'hook_response') this.hooks.answered(event);
  }

  private note(kind: Exclude<PageItem['kind'], 'request'>, text: string): void {
    this.segment.items.push({ kind, text: this.preview(text) });
  }

  private preview(text: string): string {
    return previewOf(text, this.bounds.previewChars);
  }
}

/** At most `chars` UTF-16 units of a text on one line, in memory of its own; `…` marks a cut. */
function previewOf(text: string, chars: number): string {
  // White space is most of what is cut away: indentation, empty lines, line numbers in columns.
  const line = text
    .slice(0, chars * 4)
    .replace(/\s+/g, ' ')
    .trim();
  const isWhole = line.length <= chars && text.length <= chars * 4;
  // Never half of a surrogate pair.
  return isWhole ? detach(line) : `${detach(line.slice(0, chars).replace(/[\ud800-\udbff]$/, ''))}…`;
}

function emptySegment(file: string): PageSegment {
  return {
    ...{ file, prompt: null, items: [], costUsd: null, durationMs: null, outputTokens: null },
    ...{ subtype: null, isError: null, terminalReason: null, answer: null, startedAt: null },
  };
}

function growUsage(request: PageRequest, usage: Fields, isFinal: boolean): void {
  const { promptTokens, cacheReadTokens, outputTokens } = windowIn(usage);
  if (promptTokens > 0) request.ctxTokens = Math.max(request.ctxTokens ?? 0, promptTokens);
  request.cacheReadTokens = Math.max(request.cacheReadTokens, cacheReadTokens);
  if (isFinal) request.outputTokens = Math.max(request.outputTokens ?? 0, outputTokens);
}

/** Whether a gateway gave another request the id of this one: its prompt differs, and a result of this one came before. */
function isAnother({ ctxTokens, calls }: PageRequest, usage: Fields): boolean {
  const { promptTokens } = windowIn(usage);
  return promptTokens > 0 && ctxTokens !== null && promptTokens !== ctxTokens && calls.some(({ result }) => result);
}

function threadOf(event: Fields): string | null {
  return asString(event.parent_tool_use_id) ?? (event.isSidechain === true ? (asString(event.agentId) ?? '') : null);
}

function blocksOf(content: unknown): Fields[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return asList(content).flatMap((block): Fields[] => {
    const fields = asFields(block);
    return fields ? [fields] : [];
  });
}

function sum(a: number | null, b: number | undefined): number | null {
  return b === undefined ? a : (a ?? 0) + b;
}
