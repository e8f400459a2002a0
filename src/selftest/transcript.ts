import { hostLog } from '../host/logs.js';
import { measure } from '../metrics/index.js';
import type { Measure, OccupancyMeasure } from '../model/measure.js';
import type { Session } from '../model/session.js';
import { readSession } from '../transcript/index.js';
import { ENGINE } from './engine.js';

/** Events as the host writes them, reduced to the fields that carry meaning. */
export type Event = Record<string, unknown>;

export const EXPLORE = 'mcp__codegraph__codegraph_explore';

/** One event of a request: its id, the tokens of its whole prompt, one block of its content. */
export function says(id: string, tokens: number, block: Event, extra: Event = {}): Event {
  const { thread = null, message = {}, ...rest } = extra;
  const usage = { input_tokens: tokens, output_tokens: 1 };
  const whole = { id, model: 'claude-sonnet-5', role: 'assistant', content: [block], usage, ...(message as Event) };
  return { type: 'assistant', message: whole, parent_tool_use_id: thread, session_id: 's', ...rest };
}

export const text = (words: string): Event => ({ type: 'text', text: words });

export const uses = (id: string, name: string, input: Event = {}): Event => ({ type: 'tool_use', id, name, input });

export const explore = (id: string, query = 'q'): Event => uses(id, EXPLORE, { query });

/** The result of a call, in an event of its own. */
export function gives(id: string, content: unknown, extra: Event = {}): Event {
  const { thread = null, isError, ...rest } = extra;
  const block = {
    type: 'tool_result',
    tool_use_id: id,
    content,
    ...(isError === undefined ? {} : { is_error: isError }),
  };
  const message = { role: 'user', content: [block] };
  return { type: 'user', message, parent_tool_use_id: thread, session_id: 's', ...rest };
}

export function boundary(preserved?: string[]): Event {
  const metadata = preserved ? { preserved_messages: { uuids: preserved } } : { trigger: 'auto' };
  return { type: 'system', subtype: 'compact_boundary', compact_metadata: metadata, session_id: 's' };
}

export function ends(result = 'done', extra: Event = {}): Event {
  return { type: 'result', subtype: 'success', is_error: false, result, session_id: 's', ...extra };
}

/** Text of exactly this many characters. */
export const filler = (chars: number): string => 'x '.repeat(chars).slice(0, chars);

/** Reads lines, one list a segment, with the program's own reader. */
export async function readLines(...segments: string[][]): Promise<Session> {
  const inputs = segments.map((lines, index) => ({
    name: index === 0 ? 'run-x.jsonl' : `run-x.t${index + 1}.jsonl`,
    chunks: bytesOf(lines.join('\n')),
  }));
  return await readSession(inputs, ENGINE, hostLog());
}

async function* bytesOf(content: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content);
}

export async function sessionOf(...segments: Event[][]): Promise<Session> {
  return await readLines(...segments.map((events) => events.map((event) => JSON.stringify(event))));
}

/** The measure of a session of these events, one list a segment. */
export async function measured(...segments: Event[][]): Promise<Measure> {
  return measure(await sessionOf(...segments), { profile: ENGINE });
}

/** The occupancy of such a session; throws where there is none. */
export async function occupancy(...segments: Event[][]): Promise<OccupancyMeasure> {
  const { occupancy: found } = await measured(...segments);
  if (!found) throw new Error('no occupancy');
  return found;
}

/** Those fields of a value that were asked for. */
export function pick<T extends object, K extends keyof T>(value: T, ...keys: K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, value[key]])) as Pick<T, K>;
}

export interface FileSection {
  path: string;
  /** As in a section's header: "send(method), res(variable)". */
  symbols?: string;
  /** Characters of the whole section. */
  chars?: number;
  /** Numbered source lines. */
  source?: [line: number, text: string][];
}

/** An explore response in the present wording, its sections exactly as long as wanted, then what follows them. */
export function response(sections: FileSection[], after = ''): string {
  return `**Exploration: q**\n\n**Source Code**\n\n${sections.map(sectionText).join('')}${after}`;
}

function sectionText({ path, symbols, chars, source = [] }: FileSection): string {
  const lines = source.map(([line, words]) => `${line}\t${words}\n`).join('');
  const start = `**\`${path}\`**${symbols ? ` — ${symbols}` : ''}\n\n\`\`\`js\n${lines}`;
  const end = '\n```\n\n';
  return start + (chars === undefined ? '' : filler(chars - start.length - end.length)) + end;
}
