import { z } from 'zod';
import { asksForSummary, type CompactionNote, isContinuation, readNote } from './compaction.js';
import type { RehearsalKey, RehearsalTurn } from './types.js';

const blockSchema = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.record(z.string(), z.unknown()).optional(),
  tool_use_id: z.string().optional(),
  content: z.unknown().optional(),
  is_error: z.boolean().nullish(),
});
type Block = z.infer<typeof blockSchema>;
const contentSchema = z.union([
  z.string().transform((text): Block[] => [{ type: 'text', text }]),
  z.array(blockSchema),
]);
const requestSchema = z.looseObject({
  model: z.string(),
  system: contentSchema.optional(),
  messages: z.array(z.looseObject({ role: z.string(), content: contentSchema })),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
});

/** A request to the Messages API, as far as the scripted model looks at it. */
export type MessagesRequest = z.infer<typeof requestSchema>;

/** Reads a request body; undefined when it is none. */
export function readRequest(body: unknown): MessagesRequest | undefined {
  const parsed = requestSchema.safeParse(body);
  return parsed.success ? parsed.data : undefined;
}

/**
 * Returns the state of the conversation. Reads the whole list of messages. With a budget, a request ends with a message
 * that Claude Code adds after the tool results, and the first prompt comes after reminders (docs/claude-code.md, "A
 * scripted model").
 */
export function readTurn(key: RehearsalKey, request: MessagesRequest): RehearsalTurn {
  const { task, arm, repetition } = key;
  const system = textOf(request.system ?? []);
  const turn: RehearsalTurn = {
    task,
    arm,
    repetition,
    prompt: '',
    promptIndex: -1,
    step: 0,
    isCompaction: false,
    compactions: 0,
    summary: undefined,
    tools: (request.tools ?? []).map(({ name }) => name),
    toolResults: [],
    earlierCalls: [],
    lastText: '',
    isSubagent: system.includes('cc_is_subagent=true'),
    workingDirectory: /working directory: (\/.*)$/im.exec(system)?.[1],
  };
  const state: Reading = { turn, calls: new Map(), note: undefined };
  for (const { role, content } of request.messages) {
    if (role === 'assistant') takeAnswer(state, content);
    else if (role === 'user') takeUserMessage(state, content);
  }
  turn.promptIndex = Math.max(turn.promptIndex, 0);
  return turn;
}

/** A conversation while its messages are read. */
interface Reading {
  turn: RehearsalTurn;
  calls: Map<string, Block>;
  /** The note of the summary that the conversation goes on from, until the last message that the compaction kept is read. */
  note: CompactionNote | undefined;
}

function takeAnswer(state: Reading, content: Block[]): void {
  const { turn, calls, note } = state;
  turn.step += 1;
  turn.toolResults = [];
  turn.lastText = textOf(content) || turn.lastText;
  for (const block of content) if (block.type === 'tool_use' && block.id) calls.set(block.id, block);
  if (note?.lastCall === undefined || !calls.has(note.lastCall)) return;
  // The compaction kept this answer. It is counted in the note already.
  turn.step = note.step;
  state.note = undefined;
}

/** Goes on after a compaction where the note in the summary says that the conversation was. */
function takeSummary(state: Reading, text: string): void {
  const { turn } = state;
  const note = readNote(text);
  turn.summary = text;
  turn.compactions = note?.compactions ?? turn.compactions + 1;
  if (note === undefined) return;
  turn.prompt = note.prompt;
  turn.promptIndex = note.promptIndex;
  turn.step = note.step;
  state.note = note;
}

function takeUserMessage(state: Reading, content: Block[]): void {
  const { turn, calls } = state;
  turn.isCompaction = false;
  const results = content.filter((block) => block.type === 'tool_result');
  // Results come in the order in which the calls ended; an answer must not depend on it.
  const order = [...calls.keys()];
  results.sort((a, b) => order.indexOf(a.tool_use_id ?? '') - order.indexOf(b.tool_use_id ?? ''));
  for (const block of results) {
    const call = calls.get(block.tool_use_id ?? '');
    const text = resultText(block.content);
    const result = { name: call?.name ?? '', input: call?.input ?? {}, text, isError: block.is_error === true };
    turn.toolResults.push(result);
    turn.earlierCalls.push(result);
  }
  const texts = content
    .map((block) => (block.type === 'text' ? withoutReminders(block.text ?? '') : ''))
    .filter(Boolean);
  const summary = texts.find(isContinuation);
  if (summary !== undefined) takeSummary(state, summary);
  turn.isCompaction = texts.some(asksForSummary);
  const prompt = texts.filter((text) => !isContinuation(text) && !asksForSummary(text));
  if (results.length > 0 || prompt.length === 0) return;
  turn.prompt = prompt.at(-1) ?? '';
  turn.promptIndex += 1;
  turn.step = 0;
  turn.toolResults = [];
  turn.earlierCalls = [];
}

/** Returns the id of the last tool call of a conversation; undefined if it has none since its last prompt. */
export function lastCallId({ messages }: MessagesRequest): string | undefined {
  const last = messages.findLast(({ role }) => role === 'assistant');
  return last?.content.findLast(({ type }) => type === 'tool_use')?.id;
}

function withoutReminders(text: string): string {
  return text.replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '').trim();
}

function textOf(content: Block[]): string {
  return content.flatMap((block) => (block.type === 'text' ? (block.text ?? '') : [])).join('\n');
}

function resultText(content: unknown): string {
  const parsed = contentSchema.safeParse(content);
  return parsed.success ? textOf(parsed.data) : '';
}

/** Characters of all that the model is sent: system prompt, tools, messages. */
export function promptChars(request: MessagesRequest): number {
  const system = textOf(request.system ?? []).length;
  const tools = JSON.stringify(request.tools ?? []).length;
  return request.messages.reduce((sum, { content }) => sum + contentChars(content), system + tools);
}

function contentChars(content: Block[]): number {
  return content.reduce((sum, block) => {
    if (block.type === 'text') return sum + (block.text ?? '').length;
    if (block.type === 'tool_use') return sum + (block.name ?? '').length + JSON.stringify(block.input ?? {}).length;
    if (block.type === 'tool_result') return sum + resultText(block.content).length;
    return sum;
  }, 0);
}
