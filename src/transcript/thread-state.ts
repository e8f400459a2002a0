import type { LoggedUsage } from '../model/log-event.js';
import {
  type ModelRequest,
  promptTokens,
  sentTokens,
  type Thread,
  type TimelineEntry,
  type ToolCall,
} from '../model/session.js';
import { Pauses } from './pauses.js';
import { sentTokensIn } from './usage.js';

/** A thread while it is read. The lists of rows stand beside the thread's own lists, entry by entry. */
export interface ThreadState {
  thread: Thread;
  /** The latest request by `message.id`. */
  requests: Map<string, ModelRequest>;
  /** Requests before a compaction: a message of the same id after it is another request. */
  compacted: Set<ModelRequest>;
  pauses: Pauses;
  /** The latest call by the id of its block. */
  calls: Map<string, ToolCall>;
  /** Open calls of one request that share an id, the oldest first. */
  twins: Map<string, ToolCall[]>;
  /** The first row of each request. */
  requestRows: number[];
  callRows: number[];
  timelineRows: number[];
  latest: LatestRequest;
}

/** What tells whether an event belongs to the request before it. */
interface LatestRequest {
  request: ModelRequest | undefined;
  /** The id that the host gave the request, if it says. */
  hostId: string | undefined;
  firstRow: number;
  /** A result came after the request's last event. */
  isAnswered: boolean;
  /** Its tool_use blocks: the id alone does not tell a copy of a block from another call. */
  blocks: { id: string; json: string }[];
}

/** Returns the state of a thread of which nothing was read. */
export function newThreadState(id: string | null): ThreadState {
  const thread: Thread = {
    ...{ id, requests: [], calls: [], timeline: [], lastText: undefined },
    abandoned: { requests: [], calls: [] },
  };
  const latest = { request: undefined, hostId: undefined, firstRow: 0, isAnswered: false, blocks: [] };
  return {
    ...{ thread, requests: new Map(), calls: new Map(), twins: new Map() },
    ...{ compacted: new Set<ModelRequest>(), pauses: new Pauses() },
    ...{ requestRows: [], callRows: [], timelineRows: [], latest },
  };
}

/**
 * Whether an event with the `message.id` of a known request belongs to that request. Gateways give one id to several requests:
 * these have other prompts, and results lie between them. A result may lie between copies too, for tools run while the reply
 * still streams, but then the prompt is the same.
 */
export function isSameRequest(
  { thread, latest, compacted }: ThreadState,
  known: ModelRequest,
  usage: LoggedUsage | undefined,
  hostId: string | undefined,
): boolean {
  if (compacted.has(known)) return false;
  const isLatest = latest.request === known;
  if (isLatest && !latest.isAnswered) return true;
  const prompt = sentTokensIn(usage);
  const knownPrompt = sentTokens(known);
  if (prompt > 0 && knownPrompt > 0) return prompt === knownPrompt;
  if (prompt > 0 || knownPrompt > 0 || !isLatest) return true;
  if (hostId !== undefined && latest.hostId !== undefined) return hostId === latest.hostId;
  // Without any usage: a reply that still streams has, as a rule, a call that is not answered yet.
  return thread.calls.some((call) => call.requestId === known.id && call.result === undefined);
}

/** Whether a block stood in an earlier copy of its message. */
export function isCopiedBlock({ latest }: ThreadState, request: ModelRequest, blockId: string, json: string): boolean {
  return latest.request !== request || latest.blocks.some((block) => block.id === blockId && block.json === json);
}

/** The call that a result answers: of the open calls of one request that share the id, the first, else the latest call. */
export function takeCall({ calls, twins }: ThreadState, blockId: string): ToolCall | undefined {
  const [call, ...left] = twins.get(blockId) ?? [];
  if (call === undefined) return calls.get(blockId);
  if (left.length > 0) twins.set(blockId, left);
  else twins.delete(blockId);
  return call;
}

/** Whether a sidechain's event repeats a request of the main thread: the API gives an id only once. */
export function isRequestOf(main: ThreadState, messageId: string | undefined, usage: LoggedUsage | undefined): boolean {
  const known = messageId === undefined ? undefined : main.requests.get(messageId);
  return known !== undefined && promptTokens(known) > 0 && sentTokens(known) === sentTokensIn(usage);
}

/** How a row left the conversation. */
export interface GoneRows {
  /** A rewind left it behind, or the host took it back. */
  isGone(row: number): boolean;
  /** The host took it back. */
  isRetracted(row: number): boolean;
}

/**
 * Moves what left the conversation out of the thread's lists, requests and calls into `abandoned`. A request goes with its first
 * row, a call with its request, a result with its call. Parallel results are branches too, so that a result's own row does not
 * tell. Returns the calls that went.
 */
export function abandon(state: ThreadState, { isGone, isRetracted }: GoneRows): ToolCall[] {
  const { thread, requestRows, callRows, timelineRows } = state;
  const requests = new Set(thread.requests.filter((_, index) => isGone(requestRows[index] ?? -1)));
  const requestIds = new Set([...requests].map(({ id }) => id));
  const calls = new Set(
    thread.calls.filter((call, index) => requestIds.has(call.requestId) || isRetracted(callRows[index] ?? -1)),
  );
  const isEntryGone = (entry: TimelineEntry, row: number): boolean => {
    if (entry.kind === 'request') return requests.has(entry.request);
    if (entry.kind === 'result' && entry.call.thread === thread.id) return calls.has(entry.call) || isRetracted(row);
    return isGone(row);
  };
  const stays = thread.timeline.map((entry, index) => !isEntryGone(entry, timelineRows[index] ?? -1));
  thread.abandoned.requests.push(...requests);
  thread.abandoned.calls.push(...calls);
  state.requestRows = requestRows.filter((_, index) => !requests.has(thread.requests[index] as ModelRequest));
  state.callRows = callRows.filter((_, index) => !calls.has(thread.calls[index] as ToolCall));
  state.timelineRows = timelineRows.filter((_, index) => stays[index]);
  thread.requests = thread.requests.filter((request) => !requests.has(request));
  thread.calls = thread.calls.filter((call) => !calls.has(call));
  thread.timeline = thread.timeline.filter((_, index) => stays[index]);
  return [...calls];
}
