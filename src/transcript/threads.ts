import type { EngineProfile } from '../model/engine.js';
import type { HostLog } from '../model/host-log.js';
import { mayHaveThread } from '../model/host-tools.js';
import type {
  AnswerEvent,
  AnswerPart,
  CompactionEvent,
  EventPlace,
  InputEvent,
  InputPart,
  LogEvent,
} from '../model/log-event.js';
import type { ModelRequest, Thread, TimelineEntry, ToolCall, ToolResult } from '../model/session.js';
import { asFields, asString, type Fields, toJson } from '../util/fields.js';
import { headOf } from './head.js';
import type { ResponseReader } from './responses.js';
import { NO_ROW, type Rows } from './rows.js';
import { ThreadNames } from './thread-names.js';
import {
  abandon,
  isCopiedBlock,
  isRequestOf,
  isSameRequest,
  newThreadState,
  type ThreadState,
  takeCall,
} from './thread-state.js';
import { growUsage } from './usage.js';

/** The parts of a call's input that the metrics look at. */
const INPUT_KEYS = [
  'command',
  'file_path',
  'path',
  'pattern',
  'query',
  'notebook_path',
  'subagent_type',
  'projectPath',
] as const;

type Answer = EventPlace & AnswerEvent;
type Input = EventPlace & InputEvent;
type CallPart = Extract<AnswerPart, { kind: 'call' }>;
type ResultPart = Extract<InputPart, { kind: 'result' }>;

/** The last line of a Read begins within so many characters of its end. */
const MAX_CLOSING_CHARS = 10_000;

/** Sorts the model's messages and what was put before it into threads of requests, calls and results. */
export class Threads {
  readonly main: Thread;
  subagentErrors = 0;
  private readonly states = new Map<string | null, ThreadState>();
  private readonly mainState: ThreadState;
  private readonly threadNames: ThreadNames;
  /** What the main thread had said last at each prompt on disk: a rewind may go back to any of them. */
  private readonly earlierTexts: { row: number; text: string }[] = [];
  private lastTextRow = NO_ROW;
  /** Last text of the main thread's latest request. */
  private latestText: string | undefined;
  private freshRequests: ModelRequest[] = [];
  private order = 0;
  private unnamed = 0;
  /** One copy of what every event says again. */
  private readonly names = new Map<string, string>();

  constructor(
    private readonly profile: EngineProfile,
    private readonly host: Pick<HostLog, 'tools' | 'notices'>,
    private readonly responses: ResponseReader,
    private readonly rows: Rows,
  ) {
    this.mainState = this.state(null);
    this.main = this.mainState.thread;
    this.threadNames = new ThreadNames((uuid) => rows.has(uuid));
  }

  /** The last text of the main thread's latest request; undefined if it has none, or this was asked since. */
  takeLatestText(): string | undefined {
    const text = this.latestText;
    this.latestText = undefined;
    return text;
  }

  /** The requests of all threads since this was asked last. */
  takeFreshRequests(): ModelRequest[] {
    const requests = this.freshRequests;
    this.freshRequests = [];
    return requests;
  }

  /** The main thread first, the others in order of appearance, with what left the conversation set apart. To be called once. */
  finish(): Thread[] {
    for (const [agent, callId] of this.threadNames.lateNames()) this.nameByCall(agent, callId);
    const isLeft = this.rows.leftBehind();
    if (isLeft) this.setAbandonedApart(isLeft);
    return [...this.states.values()].map(({ thread }) => thread);
  }

  /** The thread an event belongs to: null is the main one. */
  idOf(event: LogEvent): string | null {
    return this.threadNames.idOf(event);
  }

  /** A boundary at which a thread's window was compacted; `preserved`: the uuids it kept, where it lists them. */
  addCompaction(event: LogEvent & CompactionEvent, segment: number, row: number): void {
    const { preservedIds, trigger, tokensBefore } = event;
    const state = this.state(this.idOf(event));
    for (const request of state.thread.requests) state.compacted.add(request);
    const facts = { ...(trigger !== undefined && { trigger }), ...(tokensBefore !== undefined && { tokensBefore }) };
    append(state, { kind: 'compaction', preservedUuids: preservedIds, ...facts, segment }, row);
  }

  /** The host took the results of these calls out of a thread's window. */
  addClearing(event: LogEvent, toolUseIds: string[], row: number): void {
    if (toolUseIds.length > 0) append(this.state(this.idOf(event)), { kind: 'cleared', toolUseIds }, row);
  }

  /** One event holds one content block; all of one request share `message.id` and a usage that may grow. */
  addAnswer(event: Answer, segment: number, row: number): void {
    const state = this.state(this.idOf(event));
    const { usage } = event;
    if (event.isSidechain && isRequestOf(this.mainState, event.messageId, usage)) return;
    const request = this.requestOf(state, event, segment, row);
    growUsage(request, usage);
    for (const part of event.parts) {
      if (part.kind === 'call') this.addCall(state, request, part, row);
      else if (part.kind === 'thinking') request.outputChars += part.chars;
      else this.addText(state, request, part.text, row);
    }
  }

  /** Tool results, and whatever else was put before the model. */
  addInput(event: Input, row: number): void {
    const state = this.state(this.idOf(event));
    state.pauses.addEvent(event.at);
    for (const part of event.parts) {
      if (part.kind === 'result') this.addResult(state, event, part, row);
      else if (part.kind === 'image') append(state, { kind: 'userText', chars: 0, hasImage: true }, row);
      else {
        const chars = part.text.length;
        if (chars > 0) append(state, { kind: 'userText', chars }, row);
        if (state === this.mainState) this.notePrompt(event);
      }
    }
  }

  private requestOf(state: ThreadState, event: Answer, segment: number, row: number): ModelRequest {
    const { latest } = state;
    const id = event.messageId ?? event.id ?? `unnamed-${this.unnamed++}`;
    const hostId = event.requestId;
    const known = state.requests.get(id);
    if (known && isSameRequest(state, known, event.usage, hostId)) {
      if (known === latest.request) {
        this.rows.tie(row, latest.firstRow);
        latest.isAnswered = false;
      }
      state.pauses.addEvent(event.at);
      return known;
    }
    const name = known ? `${id} (${state.thread.requests.length})` : id;
    const request = newRequest(name, this.shared(event.model), segment);
    state.pauses.addRequest(request, event.at);
    state.requests.set(id, request);
    state.thread.requests.push(request);
    state.requestRows.push(row);
    this.freshRequests.push(request);
    append(state, { kind: 'request', request }, row);
    latest.request = request;
    latest.hostId = hostId;
    latest.firstRow = row;
    latest.isAnswered = false;
    latest.blocks.length = 0;
    if (state === this.mainState) this.latestText = undefined;
    return request;
  }

  private addText(state: ThreadState, request: ModelRequest, text: string, row: number): void {
    request.outputChars += text.length;
    if (text === '') return;
    state.thread.lastText = text;
    if (state !== this.mainState) return;
    this.lastTextRow = row;
    if (state.latest.request === request) this.latestText = text;
  }

  private addCall(state: ThreadState, request: ModelRequest, block: CallPart, row: number): void {
    const blockId = block.id ?? `unnamed-${this.unnamed++}`;
    const json = toJson(block.input);
    const twin = state.calls.get(blockId);
    const isTwin = twin?.requestId === request.id;
    if (isTwin && isCopiedBlock(state, request, blockId, json)) return;
    const name = this.shared(block.name) ?? '';
    const kind = this.host.tools.kindOf(name);
    request.outputChars += json.length + name.length;
    const input = asFields(block.input);
    const order = this.order++;
    const call: ToolCall = {
      id: twin ? `${blockId} (${order})` : blockId,
      order,
      name,
      kind,
      input: knownInput(input),
      requestId: request.id,
      thread: state.thread.id,
      result: undefined,
    };
    if (!isTwin) state.twins.delete(blockId);
    else if (!twin.result) state.twins.set(blockId, [...(state.twins.get(blockId) ?? [twin]), call]);
    if (state.latest.request === request) state.latest.blocks.push({ id: blockId, json });
    state.calls.set(blockId, call);
    state.thread.calls.push(call);
    state.callRows.push(row);
    if (mayHaveThread(kind)) this.threadNames.delegated(call, blockId, asString(input?.prompt), twin !== undefined);
  }

  private addResult(state: ThreadState, event: Input, part: ResultPart, row: number): void {
    const { text, hasImage, isError } = part;
    const call = this.callOf(state, part.callId ?? '');
    if (!call) {
      // The call stands in a file that we were not given. It filled the window all the same.
      append(state, { kind: 'userText', chars: text.length, ...(hasImage ? { hasImage } : {}) }, row);
      return;
    }
    // A sidechain repeats what the main thread did before it.
    if (event.isSidechain && call.thread === null && call.result?.chars === text.length) return;
    const { notices } = this.host;
    const head = headOf(text, isError);
    const result: ToolResult = {
      chars: text.length,
      isError,
      uuid: event.id,
      hasImage,
      head,
      undelivered: notices.noticeIn(text) === 'undelivered',
      isUnavailable: notices.isUnavailable(head, isError),
      isEmptyOutput: call.kind === 'shell' && notices.isEmptyOutput(head),
      isFailedCommand: notices.isFailedCommand(head),
      readLines: call.kind === 'reader' && !isError ? linesIn(text) : undefined,
      response: !isError && this.profile.isExploreTool(call.name) ? this.responses.read(text) : undefined,
    };
    call.result ??= result;
    state.latest.isAnswered = true;
    append(state, { kind: 'result', call, result }, row);
    if (!mayHaveThread(call.kind)) return;
    if (text.startsWith('API Error')) this.subagentErrors++;
    this.threadNames.returned(call, event.returnedAgentId);
  }

  /** The call that a result answers: of its own thread, or else of any. */
  private callOf(state: ThreadState, blockId: string): ToolCall | undefined {
    const own = takeCall(state, blockId);
    if (own) return own;
    for (const other of this.states.values()) {
      const call = other.calls.get(blockId);
      if (call) return call;
    }
    return undefined;
  }

  /** A prompt on disk: a rewind goes back to what was said before one. */
  private notePrompt(event: EventPlace): void {
    const { lastText } = this.main;
    if (event.parentId === undefined || lastText === undefined) return;
    const { lastTextRow: row } = this;
    if (this.earlierTexts.at(-1)?.row !== row) this.earlierTexts.push({ row, text: lastText });
  }

  private nameByCall(agent: string, callId: string): void {
    const state = this.states.get(agent);
    if (!state || this.states.has(callId)) return;
    state.thread.id = callId;
    for (const call of state.thread.calls) call.thread = callId;
  }

  private setAbandonedApart(isLeft: (row: number) => boolean): void {
    const { rows } = this;
    const isRetracted = (row: number) => rows.isRetracted(row);
    const isGone = (row: number) => isLeft(row) || isRetracted(row);
    const everything = () => true;
    const calls = new Set<string | null>();
    // A subagent goes with the call that delegated to it, in whatever order their threads were seen.
    for (let before = -1; before < calls.size; ) {
      before = calls.size;
      for (const state of this.states.values()) {
        const gone = { isGone: calls.has(state.thread.id) ? everything : isGone, isRetracted };
        for (const { id } of abandon(state, gone)) calls.add(id);
      }
    }
    if (!isGone(this.lastTextRow)) return;
    this.main.lastText = this.earlierTexts.findLast(({ row }) => !isGone(row))?.text;
  }

  private shared(name: string | undefined): string | undefined {
    if (name === undefined) return undefined;
    const known = this.names.get(name) ?? name;
    this.names.set(known, known);
    return known;
  }

  private state(id: string | null): ThreadState {
    const known = this.states.get(id);
    if (known) return known;
    const state = newThreadState(id);
    this.states.set(id, state);
    return state;
  }
}

function append({ thread, timelineRows }: ThreadState, entry: TimelineEntry, row: number): void {
  thread.timeline.push(entry);
  timelineRows.push(row);
}

/** The first and last number of the lines that a Read shows, each as a number, a tab or an arrow, and the line. */
function linesIn(text: string): { first: number; last: number } | undefined {
  const first = /^\s*(\d+)[\t→]/.exec(text)?.[1];
  // A reminder of the host may follow the lines.
  const last = [...text.slice(-MAX_CLOSING_CHARS).matchAll(/(?:^|\n)[ ]*(\d+)[\t→]/g)].at(-1)?.[1];
  if (first === undefined || last === undefined) return undefined;
  return Number(last) >= Number(first) ? { first: Number(first), last: Number(last) } : undefined;
}

function newRequest(id: string, model: string | undefined, segment: number): ModelRequest {
  return {
    id,
    model,
    inputTokens: 0,
    cacheReadTokens: 0,
    cacheCreationTokens: 0,
    outputTokens: 0,
    iterations: undefined,
    outputChars: 0,
    segment,
  };
}

function knownInput(input: Fields | undefined): Record<string, string> {
  const known: Record<string, string> = {};
  if (input === undefined) return known;
  for (const key of INPUT_KEYS) {
    const value = input[key];
    if (typeof value === 'string') known[key] = value;
  }
  return known;
}
