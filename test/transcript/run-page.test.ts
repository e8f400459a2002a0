import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hostLog } from '../../src/host/logs.js';
import type { PageItem, PageRequest, RunPage } from '../../src/model/run-page.js';
import { openTranscript, readRunPage } from '../../src/transcript/index.js';

const sample = (name: string) => `test/fixtures/claude-code/${name}.jsonl`;
const bounds = { previewChars: 50, hookMarker: '[marked]' };
const read = (...names: string[]) =>
  readRunPage(
    names.map((name) => openTranscript(sample(name))),
    bounds,
    hostLog(),
  );
const readEvents = (...events: object[]) => {
  const bytes = Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const chunks = (async function* () {
    yield bytes;
  })();
  return readRunPage([{ name: 'made', chunks }], bounds, hostLog());
};
const requestsOf = (page: RunPage) =>
  page.segments.flatMap(({ items }) => items.filter((item): item is PageRequest => item.kind === 'request'));
const notesOf = (page: RunPage) =>
  page.segments.flatMap(({ items }) => items.flatMap((item: PageItem) => (item.kind === 'request' ? [] : [item])));

/** Counted in the file itself. */
const lines = (name: string) =>
  readFileSync(sample(name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe('what the hook said to a call', () => {
  it.each([
    ['08-hook-deny-events', 'denied'],
    ['08-hook-deny', 'denied'],
    ['08-hook-exit2', 'denied'],
    ['08-hook-http', 'denied'],
    ['08-hook-timeout-events', 'failed'],
    ['08-hook-missing-events', 'failed'],
    ['08-hook-missing-failopen', null],
    ['01-shapes', null],
  ])('%s: %s', async (name, decision) => {
    const [first] = requestsOf(await read(name)).flatMap(({ calls }) => calls);
    expect(first?.hook).toBe(decision);
  });

  it('passed, where the hook had nothing against it, and denied by the marker in its result', async () => {
    const call = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } });
    const heard = {
      type: 'system',
      subtype: 'hook_response',
      hook_name: 'PreToolUse:Bash',
      outcome: 'success',
      stdout: '',
    };
    const result = (id: string, content: string, isError: boolean) => ({
      ...{ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id, content, is_error: isError }] } },
    });
    const page = await readEvents(
      { type: 'assistant', message: { id: 'm', content: [call('a'), call('b'), call('c')] } },
      ...[heard, heard, heard],
      ...[result('b', 'no: [marked]', true), result('a', 'fine', false), result('c', 'prints [marked]', false)],
    );
    expect(requestsOf(page)[0]?.calls.map(({ hook }) => hook)).toEqual(['passed', 'denied', 'passed']);
  });
});

describe('requests', () => {
  it('are the distinct messages of the log, with their calls and results paired by id', async () => {
    const page = await read('01-shapes');
    const events = lines('01-shapes').filter(({ type }) => type === 'assistant');
    expect(requestsOf(page).length).toBe(new Set(events.map(({ message }) => message.id)).size);
    const calls = requestsOf(page).flatMap((request) => request.calls);
    const blocks = events.flatMap(({ message }) =>
      message.content.filter(({ type }: { type: string }) => type === 'tool_use'),
    );
    expect(calls.map(({ id }) => id)).toEqual(blocks.map(({ id }: { id: string }) => id));
    for (const { type, message, timestamp } of lines('01-shapes')) {
      for (const block of type === 'user' && Array.isArray(message.content) ? message.content : []) {
        const found = calls.find(({ id }) => id === block.tool_use_id);
        expect(found?.result).toMatchObject({ isError: block.is_error === true, at: timestamp });
        if (typeof block.content === 'string') expect(found?.result?.chars).toBe(block.content.length);
      }
    }
    // In a stream the output tokens are a stub (docs/claude-code.md, "Usage and cost").
    expect(requestsOf(page).map(({ outputTokens }) => outputTokens)).toEqual(requestsOf(page).map(() => null));
  });

  it('number each thread on its own, over the segments', async () => {
    const threads = requestsOf(await read('05-subagents-parallel'));
    for (const thread of new Set(threads.map((one) => one.thread))) {
      const numbers = threads.flatMap((one) => (one.thread === thread ? one.number : []));
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    }
    expect(new Set(threads.map(({ thread }) => thread)).size).toBeGreaterThan(2);
    const twice = requestsOf(await read('03-resume-same-session', '01-shapes'));
    expect(twice.map(({ number }) => number)).toEqual(twice.map((_, index) => index + 1));
  });

  it('of the transcript on disk have their time, their output, and the prompt', async () => {
    const page = await read('11-session-folder/tool-errors/faeb8dc5-91f1-4c56-84d4-e2bcd98c30ce');
    const [first] = lines('11-session-folder/tool-errors/faeb8dc5-91f1-4c56-84d4-e2bcd98c30ce').flatMap((line) =>
      line.type === 'assistant' ? line : [],
    );
    expect(requestsOf(page)[0]).toMatchObject({ at: first.timestamp, outputTokens: first.message.usage.output_tokens });
    expect(page.segments[0]?.prompt).toEqual(expect.any(String));
  });
});

it('costs, times and ends stand with their segment; two results of one process are one cost', async () => {
  const name = '05-subagent-background-two-results';
  const page = await read(name);
  const results = lines(name).filter(({ type }) => type === 'result');
  expect(results.length).toBe(2);
  expect(page.segments[0]).toMatchObject({
    costUsd: results[1].total_cost_usd,
    durationMs: results[0].duration_ms + results[1].duration_ms,
    outputTokens: results[0].usage.output_tokens + results[1].usage.output_tokens,
    subtype: 'success',
    isError: false,
  });
  const cut = await read('09-sigkill-midtool');
  expect(cut.segments[0]).toMatchObject({ subtype: null, costUsd: null, isError: null });
  expect(requestsOf(cut).at(-1)?.calls.at(-1)?.result).toBeNull();
});

it.each([
  ['06-autocompact', 'compaction', /compacted \(auto, \d+ tokens before\)/],
  ['04-500-ten-retries', 'retry', /asked again \(attempt 1\): .*500/],
  ['04-529-fallback-model', 'model', /another model answers/],
  ['04-401', 'error', /authentication/],
])('%s has a note of its %s', async (name, kind, words) => {
  const notes = notesOf(await readRunPage([openTranscript(sample(name))], { ...bounds, previewChars: 200 }, hostLog()));
  expect(notes.find((note) => note.kind === kind)?.text).toMatch(words);
});

it('previews are one line, bounded, and never half a character', async () => {
  const said = (text: string) => ({ type: 'assistant', message: { id: 'm', content: [{ type: 'text', text }] } });
  const text = async (words: string) => requestsOf(await readEvents(said(words)))[0]?.text;
  expect(await text('  a\n\n\t b  ')).toBe('a b');
  expect(await text('x'.repeat(50))).toBe('x'.repeat(50));
  expect(await text('x'.repeat(51))).toBe(`${'x'.repeat(50)}…`);
  expect(await text(`${'x'.repeat(49)}🙂🙂`)).toBe(`${'x'.repeat(49)}…`);
  expect(await text('x'.repeat(1_000_000))).toBe(`${'x'.repeat(50)}…`);
});

it('what is no event is passed over, and what holds nothing gives nothing', async () => {
  const empty = { message: {} };
  const page = await readEvents(
    [],
    { type: 'assistant', ...empty },
    { type: 'user', ...empty },
    { type: 'assistant', message: { id: 'm', content: [null, 3, { type: 'tool_use' }, { type: 'text' }] } },
    { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'unknown', content: null }] } },
    { type: 'result' },
    { type: 'system', subtype: 'hook_response', hook_name: 5 },
  );
  expect(page.segments.length).toBe(1);
  expect(requestsOf(page).map(({ calls }) => calls.length)).toEqual([0, 1]);
});
