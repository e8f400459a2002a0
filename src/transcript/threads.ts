import type { EngineProfile } from '../model/engine.js';
import { hostNotice } from '../model/host-notices.js';
import { toolKind } from '../model/host-tools.js';
import type { ModelRequest, Thread, ToolCall, ToolResult } from '../model/session.js';
import { headOf, isBinary, resultText } from './content.js';
import { asFields, asList, asNumber, asString, type Fields, toJson } from './fields.js';
import type { ResponseReader } from './responses.js';

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

interface ThreadState {
  thread: Thread;
  requests: Map<string, ModelRequest>;
}

/** Sorts assistant and user events into threads of requests, calls and results. */
export class Threads {
  readonly main: Thread;
  subagentErrors = 0;
  private readonly states = new Map<string | null, ThreadState>();
  /** The latest call with an id: a result follows its call. */
  private readonly calls = new Map<string, ToolCall>();
  /** The transcript on disk names a subagent by its agent id; the delegating call's result tells which is whose. */
  private readonly agents = new Map<string, string>();
  private order = 0;
  private unnamed = 0;
  /** One copy of what every event says again. */
  private readonly names = new Map<string, string>();

  constructor(
    private readonly profile: EngineProfile,
    private readonly responses: ResponseReader,
  ) {
    this.main = this.state(null).thread;
  }

  /** The main thread first, the others in order of appearance. */
  all(): Thread[] {
    return [...this.states.values()].map(({ thread }) => thread);
  }

  /** The thread an event belongs to: null is the main one. */
  idOf(event: Fields): string | null {
    const parent = asString(event.parent_tool_use_id);
    if (parent !== undefined) return parent;
    if (event.isSidechain !== true) return null;
    const agent = asString(event.agentId) ?? 'sidechain';
    return this.agents.get(agent) ?? agent;
  }

  /** A boundary at which a thread's window was compacted; `preserved`: the uuids it kept, where it lists them. */
  addCompaction(event: Fields, preserved: string[] | undefined): void {
    this.state(this.idOf(event)).thread.timeline.push({ kind: 'compaction', preservedUuids: preserved });
  }

  /** One event holds one content block; all of one request share `message.id` and a usage that may grow. */
  addAssistant(event: Fields, segment: number): void {
    const message = asFields(event.message) ?? {};
    const state = this.state(this.idOf(event));
    const id = asString(message.id) ?? asString(event.uuid) ?? `unnamed-${this.unnamed++}`;
    const request = state.requests.get(id) ?? newRequest(state, id, this.shared(asString(message.model)), segment);
    growUsage(request, asFields(message.usage) ?? {});
    for (const item of blocksOf(message.content)) {
      const block = asFields(item) ?? {};
      if (block.type === 'tool_use') this.addCall(state, request, block);
      else if (block.type === 'thinking') request.outputChars += asString(block.thinking)?.length ?? 0;
      else if (block.type === 'text') {
        const text = asString(block.text) ?? '';
        request.outputChars += text.length;
        if (text !== '') state.thread.lastText = text;
      }
    }
  }

  /** Tool results, and whatever else was put before the model. */
  addUser(event: Fields): void {
    const { timeline } = this.state(this.idOf(event)).thread;
    for (const item of blocksOf(asFields(event.message)?.content)) {
      const block = asFields(item) ?? {};
      if (block.type === 'tool_result') this.addResult(event, block);
      else if (isBinary(block)) timeline.push({ kind: 'userText', chars: 0, hasImage: true });
      else if (block.type === 'text') {
        const chars = asString(block.text)?.length ?? 0;
        if (chars > 0) timeline.push({ kind: 'userText', chars });
      }
    }
  }

  private addCall({ thread }: ThreadState, request: ModelRequest, block: Fields): void {
    const id = asString(block.id) ?? `unnamed-${this.unnamed++}`;
    // The same block again, in a later copy of its message.
    if (this.calls.get(id)?.requestId === request.id) return;
    const name = this.shared(asString(block.name)) ?? '';
    request.outputChars += toJson(block.input).length + name.length;
    const call: ToolCall = {
      id,
      order: this.order++,
      name,
      input: knownInput(asFields(block.input)),
      requestId: request.id,
      thread: thread.id,
      result: undefined,
    };
    this.calls.set(id, call);
    thread.calls.push(call);
  }

  private addResult(event: Fields, block: Fields): void {
    const { text, hasImage } = resultText(block.content);
    const call = this.calls.get(asString(block.tool_use_id) ?? '');
    const { timeline } = this.state(this.idOf(event)).thread;
    if (!call) {
      // The call stands in a file that we were not given. It filled the window all the same.
      timeline.push({ kind: 'userText', chars: text.length, ...(hasImage ? { hasImage } : {}) });
      return;
    }
    const isError = block.is_error === true;
    const result: ToolResult = {
      chars: text.length,
      isError,
      uuid: asString(event.uuid),
      hasImage,
      head: headOf(text, isError),
      undelivered: hostNotice(text) === 'undelivered',
      response: !isError && this.profile.isExploreTool(call.name) ? this.responses.read(text) : undefined,
    };
    call.result ??= result;
    timeline.push({ kind: 'result', call, result });
    if (toolKind(call.name) === 'delegation') {
      if (text.startsWith('API Error')) this.subagentErrors++;
      const agent = asString(asFields(event.toolUseResult)?.agentId);
      if (agent !== undefined) this.agents.set(agent, call.id);
    }
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
    const thread: Thread = { id, requests: [], calls: [], timeline: [], lastText: undefined };
    const state = { thread, requests: new Map<string, ModelRequest>() };
    this.states.set(id, state);
    return state;
  }
}

/** A message's content as blocks: a bare string is one text block. */
function blocksOf(content: unknown): unknown[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content);
}

function newRequest(state: ThreadState, id: string, model: string | undefined, segment: number): ModelRequest {
  const request: ModelRequest = {
    id,
    model,
    inputTokens: 0,
    cacheReadTokens: 0,
    cacheCreationTokens: 0,
    outputTokens: 0,
    outputChars: 0,
    segment,
  };
  state.requests.set(id, request);
  state.thread.requests.push(request);
  state.thread.timeline.push({ kind: 'request', request });
  return request;
}

/** The usage of a request is the field-wise maximum of its copies. */
function growUsage(request: ModelRequest, usage: Fields): void {
  request.inputTokens = larger(request.inputTokens, usage.input_tokens);
  request.cacheReadTokens = larger(request.cacheReadTokens, usage.cache_read_input_tokens);
  request.cacheCreationTokens = larger(request.cacheCreationTokens, usage.cache_creation_input_tokens);
  request.outputTokens = larger(request.outputTokens, usage.output_tokens);
}

function larger(known: number, value: unknown): number {
  const given = asNumber(value);
  return given !== undefined && given > known ? given : known;
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
