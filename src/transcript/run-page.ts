import type { HostLog } from '../model/host-log.js';
import type {
  AnswerEvent,
  AnswerPart,
  EventPlace,
  InputEvent,
  InputPart,
  LogEvent,
  LoggedUsage,
  ResultLogEvent,
} from '../model/log-event.js';
import type { PageCall, PageItem, PageRequest, PageSegment, RunPage } from '../model/run-page.js';
import { costOfProcesses, type ResultEvent } from '../model/session.js';
import { asFields, detach } from '../util/fields.js';
import { LogReader } from './log-reader.js';
import { HookEvents } from './page-hooks.js';
import { inputText } from './page-input.js';
import { realResult } from './results.js';
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
export async function readRunPage(inputs: Input[], bounds: PreviewBounds, host: HostLog): Promise<RunPage> {
  const builder = new PageBuilder(bounds, host);
  for (const input of inputs) {
    builder.startSegment(input.name);
    const lines = new LogReader(host.format, (event) => builder.addEvent(event));
    for await (const chunk of input.chunks) lines.push(chunk);
    lines.end();
    builder.endSegment();
  }
  return { segments: builder.segments };
}

type Answer = EventPlace & AnswerEvent;

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

  constructor(
    private readonly bounds: PreviewBounds,
    private readonly host: HostLog,
  ) {}

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

  addEvent(event: LogEvent | undefined): void {
    if (!event || this.isRepeated(event)) return;
    this.segment.startedAt ??= event.at ?? null;
    switch (event.kind) {
      case 'answer':
        this.addAnswer(event);
        break;
      case 'host-text':
        this.note('error', `${event.error ?? 'the host says'}: ${event.text}`);
        break;
      case 'input':
        this.addInput(event);
        break;
      case 'result':
        this.addResultEvent(event);
        break;
      case 'hook':
        this.hooks.answered(event);
        break;
      default:
        this.addNote(event);
    }
  }

  /** Rows that the host writes again keep their id. */
  private isRepeated({ id }: LogEvent): boolean {
    if (id === undefined) return false;
    if (this.uuids.has(id)) return true;
    this.uuids.add(id);
    return false;
  }

  private addAnswer(event: Answer): void {
    const request = this.requestOf(event);
    growUsage(request, event.usage, event.isFinal);
    for (const part of event.parts) {
      if (part.kind === 'call') this.addCall(request, part);
      else if (part.kind === 'thinking') request.thinkingChars += part.chars;
      else {
        request.textChars += part.text.length;
        request.text = this.preview(`${request.text} ${part.text}`.trim());
      }
    }
  }

  private requestOf(event: Answer): PageRequest {
    const id = event.messageId ?? event.id ?? `unnamed-${this.unnamed++}`;
    const known = this.requests.get(id);
    if (known && !isAnother(known, event.usage)) return known;
    const thread = threadOf(event);
    const number = (this.numbers.get(thread) ?? 0) + 1;
    this.numbers.set(thread, number);
    const request: PageRequest = {
      ...{ kind: 'request', number, thread, model: event.model ?? null },
      ...{
        ctxTokens: null,
        cacheReadTokens: 0,
        outputTokens: null,
        text: '',
        textChars: 0,
        thinkingChars: 0,
        calls: [],
      },
      at: event.at ?? null,
    };
    this.requests.set(id, request);
    this.fresh.push(request);
    this.segment.items.push(request);
    return request;
  }

  private addCall(request: PageRequest, part: Extract<AnswerPart, { kind: 'call' }>): void {
    const id = part.id ?? `unnamed-${this.unnamed++}`;
    // The same block again, in a later copy of its message.
    if (request.calls.some((call) => call.id === id)) return;
    const input = inputText(asFields(part.input) ?? {});
    const call: PageCall = {
      ...{ id, name: part.name, hook: null, result: null },
      input: this.preview(input),
      inputChars: input.length,
    };
    request.calls.push(call);
    this.calls.set(id, call);
    this.hooks.called(call);
  }

  private addInput(event: EventPlace & InputEvent): void {
    for (const part of event.parts) {
      if (part.kind === 'result') this.addResult(event, part);
      // Only a transcript on disk, whose rows follow each other, holds the prompts.
      else if (part.kind === 'text' && !event.isInserted && !event.isSummary && threadOf(event) === null) {
        if (event.parentId !== undefined) this.segment.prompt ??= this.preview(part.text);
      }
    }
  }

  private addResult(
    event: EventPlace,
    { callId, text, hasImage, isError }: Extract<InputPart, { kind: 'result' }>,
  ): void {
    const call = this.calls.get(callId ?? '');
    if (!call || call.result) return;
    const preview = this.preview(text) || (hasImage ? '[image]' : '');
    call.result = { chars: text.length, isError, preview, at: event.at ?? null };
    if (!isError) return;
    const isDenied = text.includes(this.bounds.hookMarker) || this.hooks.isDenial(text);
    if (isDenied || this.host.notices.isHookError(text)) call.hook = 'denied';
  }

  private addResultEvent({ result: told, deniedCallIds }: ResultLogEvent): void {
    const { segment } = this;
    const hadUsage = this.fresh.every(({ ctxTokens }) => ctxTokens !== null);
    const result = realResult(told, { hadRequests: this.fresh.length > 0, hadUsage });
    this.fresh = [];
    this.results.push(result);
    segment.costUsd = costOfProcesses(this.results) ?? null;
    segment.durationMs = sum(segment.durationMs, result.durationMs);
    segment.outputTokens = sum(segment.outputTokens, result.outputTokens);
    segment.subtype = result.subtype;
    segment.isError = result.isError;
    segment.terminalReason = result.terminalReason ?? null;
    if (result.text) segment.answer = this.preview(result.text);
    for (const id of deniedCallIds) {
      const call = this.calls.get(id);
      if (call) call.hook = 'denied';
    }
  }

  private addNote(event: LogEvent): void {
    if (event.kind === 'compaction') {
      const size = event.tokensBefore === undefined ? '' : `, ${event.tokensBefore} tokens before`;
      this.note('compaction', `the window was compacted (${event.trigger ?? 'auto'}${size})`);
    } else if (event.kind === 'retry') {
      this.retries++;
      const { attempt = this.retries, errorStatus, error } = event;
      const cause = [error, errorStatus].filter((part) => part !== undefined).join(' ');
      this.note('retry', `the API was asked again (attempt ${attempt}): ${cause}`);
    } else if (event.kind === 'fallback') {
      this.note('model', `another model answers: ${event.model}`);
    } else if (event.kind === 'cleared') {
      this.note('compaction', `the host cleared ${event.callIds.length} results out of the window`);
    }
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

function growUsage(request: PageRequest, usage: LoggedUsage | undefined, isFinal: boolean): void {
  const { promptTokens, cacheReadTokens, outputTokens } = windowIn(usage);
  if (promptTokens > 0) request.ctxTokens = Math.max(request.ctxTokens ?? 0, promptTokens);
  request.cacheReadTokens = Math.max(request.cacheReadTokens, cacheReadTokens);
  if (isFinal) request.outputTokens = Math.max(request.outputTokens ?? 0, outputTokens);
}

/** Whether a gateway gave another request the id of this one: its prompt differs, and a result of this one came before. */
function isAnother({ ctxTokens, calls }: PageRequest, usage: LoggedUsage | undefined): boolean {
  const { promptTokens } = windowIn(usage);
  return promptTokens > 0 && ctxTokens !== null && promptTokens !== ctxTokens && calls.some(({ result }) => result);
}

function threadOf({ callId, isSidechain, agentId = '' }: EventPlace): string | null {
  return callId ?? (isSidechain ? agentId : null);
}

function sum(a: number | null, b: number | undefined): number | null {
  return b === undefined ? a : (a ?? 0) + b;
}
