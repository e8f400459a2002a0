import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { codegraphProfile } from '../../src/engine/codegraph/profile.js';
import { hostLog } from '../../src/host/logs.js';
import { readSession } from '../../src/transcript/index.js';

type Event = Record<string, unknown>;

async function read(...segments: (Iterable<Event> | string)[]) {
  const inputs = segments.map((events, index) => ({ name: `t${index + 1}`, chunks: bytesOf(events) }));
  return await readSession(inputs, codegraphProfile, hostLog());
}

async function* bytesOf(events: Iterable<Event> | string): AsyncGenerator<Uint8Array> {
  if (typeof events === 'string') yield Buffer.from(events);
  else for (const event of events) yield Buffer.from(`${JSON.stringify(event)}\n`);
}

function assistant(id: string, content: unknown[], usage: Event = {}, parent: string | null = null): Event {
  return { type: 'assistant', message: { id, model: 'claude-sonnet-5', content, usage }, parent_tool_use_id: parent };
}

function result(id: string, content: unknown, parent: string | null = null): Event {
  const block = { type: 'tool_result', tool_use_id: id, content };
  return { type: 'user', message: { content: [block] }, parent_tool_use_id: parent, uuid: `u-${id}` };
}

const use = (id: string, name: string, input: Event = {}) => ({ type: 'tool_use', id, name, input });

describe('requests', () => {
  it('have the field-wise maximum of the usages of their events, and the blocks of all of them', async () => {
    const { threads } = await read([
      assistant('m1', [{ type: 'thinking', thinking: 'hmm' }], { input_tokens: 3, output_tokens: 2 }),
      assistant('m1', [{ type: 'text', text: 'four' }], {
        input_tokens: 3,
        cache_read_input_tokens: 70,
        output_tokens: 1,
      }),
      assistant('m1', [use('a', 'Bash', { command: 'ls' })], { cache_creation_input_tokens: 5, output_tokens: 9 }),
      // The same block once more.
      assistant('m1', [use('a', 'Bash', { command: 'ls' })]),
    ]);
    expect(threads[0]?.requests).toMatchObject([
      { id: 'm1', inputTokens: 3, cacheReadTokens: 70, cacheCreationTokens: 5, outputTokens: 9 },
    ]);
    // 3 of "hmm", 4 of "four", 16 of {"command":"ls"}, 4 of "Bash".
    expect(threads[0]?.requests[0]?.outputChars).toBe(27);
    expect(threads[0]?.calls).toHaveLength(1);
  });

  it('are kept apart by thread, and calls are numbered across threads', async () => {
    const { threads } = await read(
      [
        assistant('m1', [use('a', 'Agent'), use('b', 'Agent')]),
        assistant('s1', [use('s', 'Read', { file_path: 'x', limit: 3 })], {}, 'a'),
        assistant('m2', [use('c', 'Bash')]),
      ],
      [assistant('m3', [use('d', 'Bash')])],
    );
    expect(threads.map(({ id, calls }) => [id, calls.map(({ order, name }) => `${order} ${name}`)])).toEqual([
      [null, ['0 Agent', '1 Agent', '3 Bash', '4 Bash']],
      ['a', ['2 Read']],
    ]);
    expect(threads[1]?.calls[0]?.input).toEqual({ file_path: 'x' });
    expect(threads[0]?.requests.map(({ segment }) => segment)).toEqual([0, 0, 1]);
  });
});

describe('results', () => {
  const image = { type: 'image', source: { type: 'base64', data: 'AAAA' } };
  const reference = { type: 'tool_reference', tool_name: 'X' };

  it.each([
    ['a string', 'größe🎉', 7, false],
    [
      'texts',
      [
        { type: 'text', text: 'ab' },
        { type: 'text', text: 'cde' },
      ],
      5,
      false,
    ],
    ['another part', [{ type: 'text', text: 'ab' }, reference], 2 + JSON.stringify(reference).length, false],
    ['an image', [{ type: 'text', text: 'ab' }, image], 2, true],
    ['nothing', undefined, 0, false],
  ])('of %s have the length that the model saw', async (_title, content, chars, hasImage) => {
    const { threads } = await read([assistant('m', [use('a', 'X')]), result('a', content)]);
    expect(threads[0]?.calls[0]?.result).toMatchObject({ chars, hasImage, isError: false, uuid: 'u-a' });
  });

  it('find their call by its id, in whatever order', async () => {
    const { threads } = await read([
      assistant('m', [use('a', 'X'), use('b', 'Y')]),
      result('b', 'of b'),
      result('a', 'of a'),
      result('nobody', 'lost'),
    ]);
    expect(threads[0]?.calls.map(({ result: found }) => found?.head)).toEqual(['of a', 'of b']);
    expect(threads[0]?.timeline.map(({ kind }) => kind)).toEqual(['request', 'result', 'result', 'userText']);
  });

  it.each([
    ['2,000 characters of an error', true, 5_000, 2_000],
    ['a result of 2,000 characters whole', false, 2_000, 2_000],
    ['the first 100 of a longer one', false, 2_001, 100],
  ])('keep %s for judging', async (_title, isError, chars, kept) => {
    const block = { type: 'tool_result', tool_use_id: 'a', content: 'é'.repeat(chars), is_error: isError };
    const { threads } = await read([assistant('m', [use('a', 'X')]), { type: 'user', message: { content: [block] } }]);
    expect(threads[0]?.calls[0]?.result).toMatchObject({ chars, head: 'é'.repeat(kept) });
  });

  it('share the parsed response of equal explore answers', async () => {
    const explore = 'mcp__codegraph__codegraph_explore';
    const { threads } = await read([
      assistant('m', [use('a', explore), use('b', explore), use('c', 'Read')]),
      result('a', '**`lib/x.js`** — f(function)\n'),
      result('b', [{ type: 'text', text: '**`lib/x.js`** — f(function)\n' }]),
      result('c', '**`lib/x.js`** — f(function)\n'),
    ]);
    const [a, b, c] = threads[0]?.calls.map(({ result: found }) => found?.response) ?? [];
    expect(a?.sections[0]?.path).toBe('lib/x.js');
    expect(b).toBe(a);
    expect(c).toBeUndefined();
  });
});

describe('memory', () => {
  it('does not grow with the length of results', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const path = 'packages/some/rather/long/path/to/a/file.ts';
    function* events(): Generator<Event> {
      for (let index = 0; index < 30; index++) {
        const filler = `${index} of filler `.repeat(50_000);
        yield assistant(`m${index}`, [use(`r${index}`, 'Read'), use(`e${index}`, 'mcp__codegraph__codegraph_explore')]);
        yield result(`r${index}`, filler);
        yield result(`e${index}`, `**\`${path}\`** — someSymbolName${index}(function)\n\n${filler}`);
      }
    }
    collect();
    const before = process.memoryUsage().heapUsed;
    const session = await read(events());
    collect();
    // 39 MB went through.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000);
    expect(session.threads[0]?.calls).toHaveLength(60);
  });
});
