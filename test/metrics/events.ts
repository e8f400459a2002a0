import { codegraphProfile } from '../../src/engine/codegraph/profile.js';
import { hostLog } from '../../src/host/logs.js';
import { type MeasureOptions, measure } from '../../src/metrics/index.js';
import type { Measure } from '../../src/model/measure.js';
import type { Session } from '../../src/model/session.js';
import { readSession } from '../../src/transcript/index.js';

/** Events as the CLI writes them, reduced to the fields that carry meaning. */
export type Event = Record<string, unknown>;

export const EXPLORE = 'mcp__codegraph__codegraph_explore';

/** One event of a request whose whole prompt is `tokens` long. */
export function says(id: string, tokens: number, block: Event, thread: string | null = null): Event {
  const usage = { input_tokens: tokens, output_tokens: 1 };
  const message = { id, model: 'claude-sonnet-5', role: 'assistant', content: [block], usage };
  return { type: 'assistant', message, parent_tool_use_id: thread, session_id: 's' };
}

export const text = (words: string): Event => ({ type: 'text', text: words });

export const uses = (id: string, name: string, input: Event = {}): Event => ({ type: 'tool_use', id, name, input });

interface ResultExtra {
  thread?: string | null;
  uuid?: string;
  isError?: boolean;
}

/** The result of a call, in an event of its own. */
export function gives(id: string, content: unknown, { thread = null, uuid, isError }: ResultExtra = {}): Event {
  const block = {
    type: 'tool_result',
    tool_use_id: id,
    content,
    ...(isError === undefined ? {} : { is_error: isError }),
  };
  return {
    type: 'user',
    message: { role: 'user', content: [block] },
    parent_tool_use_id: thread,
    uuid,
    session_id: 's',
  };
}

export function boundary(preserved?: string[]): Event {
  const metadata = preserved ? { preserved_messages: { uuids: preserved } } : { trigger: 'auto' };
  return { type: 'system', subtype: 'compact_boundary', compact_metadata: metadata, session_id: 's' };
}

export function ends(result: string, extra: Event = {}): Event {
  return { type: 'result', subtype: 'success', is_error: false, result, session_id: 's', ...extra };
}

/** Reads segments of events through the real reader. */
export async function sessionOf(...segments: Event[][]): Promise<Session> {
  const inputs = segments.map((events, index) => ({
    name: `t${index + 1}.jsonl`,
    chunks: bytesOf(events.map((event) => JSON.stringify(event)).join('\n')),
  }));
  return await readSession(inputs, codegraphProfile, hostLog());
}

async function* bytesOf(content: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content);
}

export async function measured(segments: Event[][], options: Partial<MeasureOptions> = {}): Promise<Measure> {
  return measure(await sessionOf(...segments), { profile: codegraphProfile, windowTokens: 200_000, ...options });
}

export interface FileSection {
  path: string;
  /** As in a section's header: "send(method), res(variable)". */
  symbols?: string;
  /** Length of the whole section. */
  chars?: number;
  /** Numbered source lines. */
  source?: [line: number, text: string][];
}

/** An explore response in the wording of 1.6, whose sections have exactly the wanted lengths. */
export function response(...sections: FileSection[]): string {
  const head = '**Exploration: q**\n\n**Source Code**\n\n';
  return head + sections.map(sectionText).join('');
}

function sectionText({ path, symbols, chars, source = [] }: FileSection): string {
  const lines = source.map(([line, words]) => `${line}\t${words}\n`).join('');
  const start = `**\`${path}\`**${symbols ? ` — ${symbols}` : ''}\n\n\`\`\`js\n${lines}`;
  const end = '\n```\n\n';
  const filler = chars === undefined ? '' : 'x '.repeat(chars).slice(0, chars - start.length - end.length);
  return start + filler + end;
}
