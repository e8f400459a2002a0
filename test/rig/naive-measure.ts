import { naiveAllocation, naiveDuplicates, naiveSections } from './naive-explore.js';
import { naiveOccupancy } from './naive-occupancy.js';
import { naiveSufficiency } from './naive-sufficiency.js';

/**
 * The metrics a second time, written from their definitions and without any code of src. It keeps whole files and every
 * event, and answers every question by searching all of them. It knows only the shell commands that the generator
 * writes.
 */

// biome-ignore lint/suspicious/noExplicitAny: events are read as they come; a wrong kind must show, not be handled.
export type Raw = any;

export interface NaiveCall {
  id: string;
  name: string;
  input: Raw;
  thread: string | null;
  message: string;
  result: { text: string; isError: boolean; uuid: string | undefined; images: number } | undefined;
}

/** All events of all files that can be parsed, with the number of their file. */
export interface NaiveLog {
  events: { event: Raw; file: number }[];
  lines: number;
  unparsed: { file: string; line: number }[];
}

/** Reads whole files. */
export function naiveRead(files: { name: string; text: string }[]): NaiveLog {
  const log: NaiveLog = { events: [], lines: 0, unparsed: [] };
  files.forEach(({ name, text }, file) => {
    text.split('\n').forEach((line, index) => {
      if (line.trim() === '') return;
      log.lines++;
      try {
        log.events.push({ event: JSON.parse(line), file });
      } catch {
        log.unparsed.push({ file: name, line: index + 1 });
      }
    });
  });
  return log;
}

export const threadOf = (event: Raw): string | null => event.parent_tool_use_id ?? null;

/** Assistant events of real models, in order. */
export const spoken = (log: NaiveLog): Raw[] =>
  log.events
    .map(({ event }) => event)
    .filter((event) => event.type === 'assistant' && event.message.model !== '<synthetic>');

/** Characters of a result that the model saw, and its images. */
export function seen(content: Raw): { text: string; images: number } {
  if (typeof content === 'string') return { text: content, images: 0 };
  const parts = content as Raw[];
  const text = parts.map((part) => (part.type === 'image' ? '' : (part.text ?? JSON.stringify(part)))).join('');
  return { text, images: parts.filter((part) => part.type === 'image').length };
}

/** Every tool_use block once, in order, with its result. */
export function callsOf(log: NaiveLog): NaiveCall[] {
  const results = new Map<string, NaiveCall['result']>();
  for (const { event } of log.events) {
    if (event.type !== 'user' || !Array.isArray(event.message.content)) continue;
    for (const block of event.message.content) {
      if (block.type !== 'tool_result' || results.has(block.tool_use_id)) continue;
      results.set(block.tool_use_id, { ...seen(block.content), isError: block.is_error === true, uuid: event.uuid });
    }
  }
  const calls: NaiveCall[] = [];
  for (const event of spoken(log)) {
    for (const block of event.message.content) {
      if (block.type !== 'tool_use' || calls.some(({ id }) => id === block.id)) continue;
      const { id, name, input } = block;
      calls.push({ id, name, input, thread: threadOf(event), message: event.message.id, result: results.get(id) });
    }
  }
  return calls;
}

export function familyOf(name: string): string {
  if (name.includes('codegraph')) return 'tool';
  if (['Read', 'NotebookRead'].includes(name)) return 'read';
  if (['Grep', 'Glob'].includes(name)) return 'search';
  return ['Bash', 'BashOutput'].includes(name) ? 'bash' : 'other';
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

/** The measure, as far as the spec's sections 2 to 8 go. */
export function naiveMeasure(files: { name: string; text: string }[]) {
  const log = naiveRead(files);
  const calls = callsOf(log);
  const requests = requestsOf(log);
  const results = log.events.filter(({ event }) => event.type === 'result');
  const lastCosts = files.map(
    (_, file) => results.filter((one) => one.file === file).at(-1)?.event.total_cost_usd ?? 0,
  );
  const explores = calls.filter(({ name, result }) => name.includes('codegraph_explore') && result && !result.isError);
  const sections = explores.map(({ result }) => naiveSections(result?.text ?? ''));
  const answer = results.map(({ event }) => event.result).join('\n\n');
  const threads = [...new Set(calls.concat().map(({ thread }) => thread))].filter((thread) => thread !== null);
  const names = calls.map(({ name }) => name);
  return {
    ok:
      files.every((_, file) => results.some((one) => one.file === file)) &&
      results.every(({ event }) => event.subtype === 'success' && !event.is_error),
    requests: requests.filter(({ thread }) => thread === null).length,
    requestsAllThreads: requests.length,
    toolCalls: names.filter((name) => name !== 'ToolSearch').length,
    counts: Object.fromEntries([...new Set(names)].map((name) => [name, names.filter((one) => one === name).length])),
    durationMs: sum(results.map(({ event }) => event.duration_ms)),
    costUsd: sum(lastCosts),
    outputTokens: sum(results.map(({ event }) => event.usage.output_tokens)),
    tokensProcessed: sum(requests.map(({ prompt, output }) => prompt + output)),
    occupancy: naiveOccupancy(log, calls, null),
    sufficiency: naiveSufficiency(calls),
    allocation: naiveAllocation(sections, answer),
    duplicates: naiveDuplicates(sections),
    contamination: { invoke: naiveInvocations(calls), data: { blocked: 0, returned: 0 } },
    subagents: threads.map((thread) => {
      const window = naiveOccupancy(log, calls, thread);
      const { ctxBaseTokens, ctxFinalTokens, residualTokens } = window;
      return {
        thread,
        requests: requests.filter((one) => one.thread === thread).length,
        ctxBaseTokens,
        ctxFinalTokens,
        residualTokens,
      };
    }),
    diagnostics: {
      retries: log.events.filter(({ event }) => event.subtype === 'api_retry').length,
      subagentErrors: calls.filter(({ name, result }) => name === 'Agent' && result?.text.startsWith('API Error'))
        .length,
      lines: log.lines,
      unparsedLines: log.unparsed,
    },
  };
}

/** Distinct message ids, with the field-wise maximum of their usages. */
function requestsOf(log: NaiveLog) {
  const ids = [...new Set(spoken(log).map(({ message }) => message.id))];
  return ids.map((id) => {
    const copies = spoken(log).filter(({ message }) => message.id === id);
    const most = (field: string) => Math.max(...copies.map(({ message }) => message.usage[field] ?? 0));
    const prompt = most('input_tokens') + most('cache_read_input_tokens') + most('cache_creation_input_tokens');
    return { id, thread: threadOf(copies[0]), prompt, output: most('output_tokens') };
  });
}

/** The generator's only invocations begin with the program's name. */
function naiveInvocations(calls: NaiveCall[]) {
  const made = calls.filter(
    ({ name, input, result }) => name === 'Bash' && result && /^codegraph /.test(input.command),
  );
  const blocked = made.filter(({ result }) => result?.text.startsWith('[agent-eval:no-cli-shim]')).length;
  return { blocked, returned: made.length - blocked };
}
