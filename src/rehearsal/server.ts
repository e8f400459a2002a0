import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChatCompletionRequest, type FixtureResponse, LLMock } from '@copilotkit/aimock';
import { withNote } from './compaction.js';
import { lastCallId, type MessagesRequest, promptChars, readRequest, readTurn } from './conversation.js';
import { defaultRehearsalScript } from './default-script.js';
import type { Rehearsal, RehearsalKey, RehearsalRequest, RehearsalScript, RehearsalTurn, Reply } from './types.js';

const PREFIX = '/trial';
/** Characters per token of code and JSON. */
export const CHARS_PER_TOKEN = 2.3;

/**
 * Starts a scripted Messages API on 127.0.0.1. Each trial has a base URL of its own, so that an answer is a pure function of
 * the trial's key and the request. aimock writes the API's wire format; what it does not hand to a response (the path)
 * or not know (count_tokens, a server that stays silent) is handled in front of it, in a mount of the same server.
 */
export async function startRehearsal(script: RehearsalScript = defaultRehearsalScript): Promise<Rehearsal> {
  const recorded: RehearsalRequest[] = [];
  const open = new Set<ServerResponse>();
  const pending = new Map<string, FixtureResponse>();
  // A trial's URL holds an id and not its key: the agent can read it, and must not learn which arm it is.
  const keys = new Map<string, RehearsalKey>();
  const mock = new LLMock({ host: '127.0.0.1', port: 0, journalMaxEntries: 1 });
  mock.on({}, (request) => pendingAnswer(pending, request));
  mock.mount(PREFIX, {
    handleRequest: async (incoming, response, path) => {
      open.add(response);
      response.once('close', () => open.delete(response));
      const { id, rest } = splitPath(path);
      const key = keys.get(id);
      const body = await readJson(incoming);
      const kind =
        rest === '/v1/messages' ? 'messages' : rest === '/v1/messages/count_tokens' ? 'count_tokens' : undefined;
      if (kind && key) recorded.push({ key, kind, body });
      const request = readRequest(body);
      if (!kind || !key || !request) sendJson(response, incoming.method === 'HEAD' ? 200 : 404, {});
      else if (kind === 'count_tokens') sendJson(response, 200, { input_tokens: tokens(promptChars(request)) });
      else await answer({ script, key, request, body, response, pending, modelUrl: `${mock.url}/v1/messages` });
      return true;
    },
  });
  await mock.start();
  let stopped: Promise<void> | undefined;
  return {
    baseUrl: mock.url,
    environment: (key) => {
      const id = randomUUID();
      keys.set(id, key);
      return { ANTHROPIC_BASE_URL: `${mock.url}${PREFIX}/${id}`, ANTHROPIC_API_KEY: 'rehearsal' };
    },
    requests: () => [...recorded],
    stop: () => {
      for (const response of open) response.destroy();
      stopped ??= mock.stop();
      return stopped;
    },
  };
}

interface Exchange {
  script: RehearsalScript;
  key: RehearsalKey;
  request: MessagesRequest;
  body: unknown;
  response: ServerResponse;
  pending: Map<string, FixtureResponse>;
  modelUrl: string;
}

async function answer({ script, key, request, body, response, pending, modelUrl }: Exchange): Promise<void> {
  const turn = readTurn(key, request);
  const reply = noted(await script(turn), turn, request);
  if (reply.delayMs) await sleep(reply.delayMs);
  const { fault } = reply;
  if (fault === 'hang') return;
  if (fault === 'drop') {
    response.destroy();
    return;
  }
  // The context header is the one thing of a request's head that aimock hands on to a response function.
  const ticket = `${pending.size}-${identifier('ticket', key, request)}-${Math.random()}`;
  pending.set(ticket, wireAnswer(reply, key, request));
  const upstream = await fetch(modelUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-aimock-context': ticket,
      ...(fault === 'malformed' ? { 'x-aimock-chaos-malformed': '1' } : {}),
    },
    body: JSON.stringify(body),
  });
  const wire = await upstream.text();
  pending.delete(ticket);
  response.writeHead(upstream.status, { 'content-type': upstream.headers.get('content-type') ?? 'application/json' });
  if (fault === 'cut') response.write(wire.slice(0, wire.length / 2), () => response.destroy());
  else response.end(wire);
}

function pendingAnswer(pending: Map<string, FixtureResponse>, { _context }: ChatCompletionRequest): FixtureResponse {
  return pending.get(String(_context)) ?? { error: { message: 'a request outside of any trial' }, status: 400 };
}

/**
 * Returns a reply in the form of aimock. Aimock drops the cache fields, so the whole prompt is counted as input
 * (docs/claude-code.md, "A scripted model").
 */
function wireAnswer(reply: Reply, key: RehearsalKey, request: MessagesRequest): FixtureResponse {
  const { fault, text = '', toolCalls = [], stopReason } = reply;
  if (fault === 'overloaded') return { error: { type: 'overloaded_error', message: 'Overloaded' }, status: 529 };
  if (typeof fault === 'object') {
    const { status, type = 'api_error', message = `status ${status}` } = fault;
    return { error: { type, message }, status };
  }
  const outputChars = toolCalls.reduce(
    (sum, { name, input }) => sum + name.length + JSON.stringify(input).length,
    text.length,
  );
  const calls = toolCalls.map(({ name, input }, index) => ({
    id: `toolu_${identifier(`call ${index}`, key, request)}`,
    name,
    arguments: JSON.stringify(input),
  }));
  const envelope = {
    id: `msg_${identifier('message', key, request)}`,
    usage: {
      input_tokens: reply.usage?.inputTokens ?? tokens(promptChars(request)),
      output_tokens: reply.usage?.outputTokens ?? tokens(outputChars),
    },
    ...(stopReason ? { finishReason: stopReason === 'max_tokens' ? 'length' : stopReason } : {}),
  };
  if (calls.length === 0) return { content: text, ...envelope };
  return text === '' ? { toolCalls: calls, ...envelope } : { content: text, toolCalls: calls, ...envelope };
}

/** Lets the summary of a compaction say where the conversation was, so that the turns after it can be read. */
function noted(reply: Reply, turn: RehearsalTurn, request: MessagesRequest): Reply {
  if (!turn.isCompaction || !reply.text) return reply;
  const { prompt, promptIndex, step, compactions } = turn;
  const lastCall = lastCallId(request);
  const note = {
    prompt,
    promptIndex,
    step,
    compactions: compactions + 1,
    ...(lastCall === undefined ? {} : { lastCall }),
  };
  return { ...reply, text: withNote(reply.text, note) };
}

/**
 * Unique within a session: its place in the conversation, and which conversation (a subagent's has its own first message). A
 * compaction makes the conversation short again, so that its length alone would not do.
 */
function identifier(what: string, key: RehearsalKey, request: MessagesRequest): string {
  const { isSubagent, isCompaction, compactions, promptIndex, step } = readTurn(key, request);
  const conversation = compactions > 0 && !isSubagent ? [compactions, promptIndex, step] : request.messages[0]?.content;
  const place = [what, key, request.messages.length, conversation, isCompaction, request.tools?.length];
  return createHash('sha256').update(JSON.stringify(place)).digest('hex').slice(0, 24);
}

function tokens(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN);
}

function splitPath(path: string): { id: string; rest: string } {
  const [, id = '', ...rest] = path.split('/');
  return { id, rest: `/${rest.join('/')}` };
}

async function readJson(incoming: IncomingMessage): Promise<unknown> {
  try {
    return JSON.parse(await readText(incoming));
  } catch {
    return undefined;
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
