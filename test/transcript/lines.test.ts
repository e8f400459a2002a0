import { describe, expect, it } from 'vitest';
import { codegraphProfile } from '../../src/engine/codegraph/profile.js';
import { hostLog } from '../../src/host/logs.js';
import { openTranscript, readSession, readStitched } from '../../src/transcript/index.js';

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  // One buffer for all chunks, as a stream may do.
  const reused = Buffer.alloc(size);
  for (let at = 0; at < bytes.length; at += size) {
    const length = Buffer.from(bytes.subarray(at, at + size)).copy(reused);
    yield reused.subarray(0, length);
  }
}

async function read(bytes: Uint8Array | string, size = 1 << 16) {
  const chunks = inChunks(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, size);
  return await readSession([{ name: 'a.jsonl', chunks }], codegraphProfile, hostLog());
}

const line = (words: string) => JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: words });
const words = 'größer € 🎉 한국어';
const wholeAnswer = `${words}\n\nb`;

describe('lines', () => {
  it.each([1, 2, 3, 5, 7, 64, 65_536])('are whole when they come in chunks of %i bytes', async (size) => {
    const { answer, diagnostics } = await read(`${line(words)}\n${line('b')}`, size);
    expect(answer).toBe(wholeAnswer);
    expect(diagnostics).toMatchObject({ lines: 2, unparsedLines: [] });
  });

  it.each([1, 4, 65_536])('may begin with a byte order mark and end in CR LF (chunks of %i)', async (size) => {
    const { answer, diagnostics } = await read(`\uFEFF${line(words)}\r\n\r\n${line('b')}\r\n`, size);
    expect(answer).toBe(wholeAnswer);
    expect(diagnostics).toMatchObject({ lines: 2, unparsedLines: [] });
  });

  it('that do not parse are told with their number', async () => {
    const cut = line('c').slice(0, -9);
    const { diagnostics } = await read(`${line('a')}\n\n{oops\n${line('b')}\n42\n${cut}`);
    expect(diagnostics.unparsedLines).toEqual([
      { file: 'a.jsonl', line: 3 },
      { file: 'a.jsonl', line: 5 },
      { file: 'a.jsonl', line: 6 },
    ]);
    expect(diagnostics).toMatchObject({ lines: 5, knownEvents: 2 });
  });

  it('may hold bytes that are no UTF-8', async () => {
    const [start, end] = line('a?b').split('?') as [string, string];
    const bytes = Buffer.concat([Buffer.from(start), Buffer.from([0xff, 0xc3]), Buffer.from(end)]);
    const { answer, diagnostics } = await read(bytes);
    expect(answer).toBe('a\uFFFD\uFFFDb');
    // Not in silence: the text is not what was written.
    expect(diagnostics.unparsedLines).toEqual([{ file: 'a.jsonl', line: 1 }]);
    expect((await read(line('a\uFFFDb'))).diagnostics.unparsedLines).toEqual([]);
  });

  it('may be 50 MB long', async () => {
    const { answer } = await read(`${line('x'.repeat(50_000_000))}\n${line('b')}`);
    expect(answer?.length).toBe(50_000_003);
  });
});

describe('long lines', () => {
  const padding = 'x'.repeat(3_000);
  const call = (input: object) => ({
    type: 'assistant',
    message: { id: 'm', content: [{ type: 'tool_use', id: 't', name: 'Bash', input }] },
  });
  const gives = (content: unknown, extra: object = {}) => ({
    type: 'user',
    message: { content: [{ type: 'tool_result', tool_use_id: 't', content }] },
    ...extra,
  });
  const resultOf = async (event: object, written: (json: string) => string = (json) => json) => {
    const lines = [call({ command: 'ls' }), event].map((one) => written(JSON.stringify(one)));
    const { threads, diagnostics } = await read(lines.join('\n'));
    expect(diagnostics).toMatchObject({ lines: 2, unparsedLines: [] });
    return threads[0]?.calls[0]?.result;
  };

  it.each([
    ['ASCII', padding, 3_000],
    ['two bytes each', 'ö'.repeat(2_100), 2_100],
    ['three', '€'.repeat(2_100), 2_100],
    ['four, two UTF-16 units', '🎉'.repeat(2_000), 4_000],
    ['a few among many', `${padding}größer als 5 €`, 3_014],
  ])('of %s are measured in UTF-16 units', async (_title, content, chars) => {
    const beside = { tool_use_result: { stdout: content } };
    expect(await resultOf(gives(content, beside))).toMatchObject({ chars, head: content.slice(0, 100) });
    expect(await resultOf(gives([{ type: 'text', text: content }]))).toMatchObject({ chars });
  });

  it('with escapes beside raw characters keep both', async () => {
    const escaped = (json: string) => json.replace('@', '\\u00e9');
    expect(await resultOf(gives(`@€${padding}`), escaped)).toMatchObject({ chars: 3_002 });
    expect((await resultOf(gives(`@€${padding}`), escaped))?.head).toBe(`é€${padding.slice(0, 98)}`);
  });

  it('of which a name is beyond ASCII count as JSON does', async () => {
    const input = { größe: padding, command: 'écho' };
    const { threads } = await read(JSON.stringify(call(input)));
    expect(threads[0]?.calls[0]?.input).toEqual({ command: 'écho' });
    expect(threads[0]?.requests[0]?.outputChars).toBe(JSON.stringify(input).length + 'Bash'.length);
  });

  it('that are broken are told once, wherever they break', async () => {
    const bytes = Buffer.from(JSON.stringify(gives(`€${padding}`, { tool_use_result: { stdout: 'a\n€' } })));
    for (const cut of [1, 2, 6, 9, 1_000]) {
      const { diagnostics } = await read(Buffer.concat([bytes.subarray(0, -cut), Buffer.from('\n{"type":"mode"}')]));
      expect(diagnostics).toMatchObject({ lines: 2, unparsedLines: [{ line: 1 }] });
    }
  });

  it('with bytes that are no UTF-8 are read and told', async () => {
    const text = JSON.stringify(line(`?€${padding}`)).slice(1, -1);
    const [start = '', end = ''] = JSON.parse(`"${text}"`).split('?');
    const { answer, diagnostics } = await read(
      Buffer.concat([Buffer.from(start), Buffer.from([0xff]), Buffer.from(end)]),
    );
    expect(answer).toBe(`\uFFFD€${padding}`);
    expect(diagnostics.unparsedLines).toEqual([{ file: 'a.jsonl', line: 1 }]);
  });

  it('tell whose a subagent is on disk, whatever stands beside it', async () => {
    const delegates = {
      type: 'assistant',
      message: { id: 'm', content: [{ type: 'tool_use', id: 't', name: 'Agent', input: {} }] },
    };
    const answered = gives('done', { toolUseResult: { agentId: 'kö', content: `€${padding}` } });
    const within = { type: 'user', isSidechain: true, agentId: 'kö', message: { content: 'go' } };
    const { threads } = await read([delegates, answered, within].map((one) => JSON.stringify(one)).join('\n'));
    expect(threads.map(({ id }) => id)).toEqual([null, 't']);
  });
});

describe('a session of several files', () => {
  it('tells lines with bytes that are no UTF-8 by the file that they stand in', async () => {
    const broken = Buffer.concat([Buffer.from('{"type":"mode","mode":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    const main = { name: 'main.jsonl', chunks: inChunks(Buffer.from(line('a')), 64) };
    const bytes = Buffer.concat([Buffer.from('{"type":"mode"}\n'), broken]);
    const subagent = { name: 'agent.jsonl', chunks: inChunks(bytes, 64), toolUseId: 't' };
    const { diagnostics } = await readStitched(main, [subagent], codegraphProfile, hostLog());
    expect(diagnostics).toMatchObject({ lines: 3, unparsedLines: [{ file: 'agent.jsonl', line: 2 }] });
  });
});

describe('what is no transcript', () => {
  it('is survived and can be told', async () => {
    let state = 7;
    const noise = Uint8Array.from({ length: 300_000 }, () => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state >> 16;
    });
    const { diagnostics } = await read(noise);
    expect(diagnostics.knownEvents).toBe(0);
    expect(diagnostics.unparsedLines.length).toBeGreaterThan(100);
  });

  it.each([
    ['other events', '{"type":"log","message":"x"}\n{"level":30}\n[]\nnull\n"user"'],
    ['names alone', '{"type":"assistant"}\n{"type":"user","message":"x"}\n{"type":"system"}\n{"type":"result"}'],
    ['nothing', ''],
  ])('%s', async (_title, content) => {
    const { diagnostics, segments, threads } = await read(content);
    expect(diagnostics.knownEvents).toBe(0);
    expect(segments[0]?.knownEvents).toBe(0);
    expect(threads).toMatchObject([{ id: null, requests: [] }]);
  });

  it('events with everything of the wrong kind', async () => {
    const wrong = [
      null,
      1,
      'x',
      [],
      {},
      [null],
      [[]],
      [{ type: 'tool_use' }],
      [{ type: 'tool_result', tool_use_id: 3 }],
    ];
    const events = wrong.flatMap((value) => [
      {
        type: 'assistant',
        message: { id: value, content: value, usage: value, model: value },
        parent_tool_use_id: value,
      },
      { type: 'user', message: { content: value }, uuid: value, isSidechain: true, agentId: value },
      ...['init', 'api_retry', 'model_fallback', 'hook_response', 'compact_boundary', 'task_notification'].map(
        (subtype) => ({
          ...{ type: 'system', subtype, session_id: value, tools: value, mcp_servers: value, plugins: value },
          ...{ attempt: value, compact_metadata: { preserved_messages: value }, memory_paths: value },
        }),
      ),
      { type: 'result', subtype: 'x', result: value, usage: value, total_cost_usd: value, permission_denials: value },
    ]);
    const { diagnostics } = await read(events.map((event) => JSON.stringify(event)).join('\n'));
    expect(diagnostics).toMatchObject({ knownEvents: events.length, unparsedLines: [] });
  });

  it('arrays nested a million deep', async () => {
    const deep = '['.repeat(1_000_000) + ']'.repeat(1_000_000);
    const use = `{"type":"tool_use","id":"t","name":"X","input":${deep}}`;
    const { threads } = await read(`{"type":"assistant","message":{"id":"m","content":[${use}]}}`);
    expect(threads[0]?.calls).toHaveLength(1);
  });
});

describe('a file', () => {
  it('is opened when it is read, and its absence rejects', async () => {
    const input = openTranscript('/nonexistent/run-new-1.jsonl');
    await expect(readSession([input], codegraphProfile, hostLog())).rejects.toThrow('ENOENT');
  });
});
