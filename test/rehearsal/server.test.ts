import { expect, onTestFinished, test } from 'vitest';
import { withNote } from '../../src/rehearsal/compaction.js';
import { type RehearsalScript, startRehearsal } from '../../src/rehearsal/index.js';

const key = { task: 'a/b c', arm: 'new', repetition: 3 };
const messages = [{ role: 'user', content: 'x'.repeat(22) }];

async function start(script: RehearsalScript) {
  const rehearsal = await startRehearsal(script);
  onTestFinished(() => rehearsal.stop());
  const base = rehearsal.environment(key).ANTHROPIC_BASE_URL;
  const post = (path: string, body: unknown = { model: 'm', max_tokens: 9, messages }) =>
    fetch(`${base}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return { rehearsal, post };
}

test('an answer is a pure function of key and request; everything is input tokens', async () => {
  const keys: unknown[] = [];
  const { rehearsal, post } = await start(({ task, arm, repetition }) => {
    keys.push({ task, arm, repetition });
    return { text: 'hello', toolCalls: [{ name: 'Bash', input: { command: 'ls' } }] };
  });
  const first = await (await post('/v1/messages?beta=true')).json();
  const second = await (await post('/v1/messages')).json();
  expect(first).toEqual(second);
  expect(keys).toEqual([key, key]);
  expect(first).toMatchObject({
    type: 'message',
    model: 'm',
    content: [
      { type: 'text', text: 'hello' },
      { type: 'tool_use', name: 'Bash', input: { command: 'ls' } },
    ],
    stop_reason: 'tool_use',
    // 22 characters and an empty list of tools (2): 24 / 2.3; 5 + 4 + 16 characters: 25 / 2.3
    usage: { input_tokens: 11, output_tokens: 11 },
  });
  expect(rehearsal.requests().map((request) => ({ key: request.key, kind: request.kind }))).toEqual([
    { key, kind: 'messages' },
    { key, kind: 'messages' },
  ]);
});

test('another place in the conversation has another message id', async () => {
  const { post } = await start(() => ({ text: 'x' }));
  const longer = [...messages, { role: 'assistant', content: 'a' }, { role: 'user', content: 'b' }];
  const idOf = async (body?: unknown): Promise<unknown> => {
    const answer: unknown = await (await post('/v1/messages', body)).json();
    return answer && typeof answer === 'object' && 'id' in answer ? answer.id : undefined;
  };
  const id = await idOf();
  expect(id).toMatch(/^msg_/);
  expect(await idOf({ model: 'm', max_tokens: 9, messages: longer })).not.toBe(id);
});

test('requests of equal length have different ids, as after a second compaction', async () => {
  const { post } = await start(() => ({ toolCalls: [{ name: 'Bash', input: {} }] }));
  const idsOf = async (compactions: number): Promise<unknown> => {
    const summary = withNote('S', { prompt: 'First?', promptIndex: 0, step: 1, compactions });
    const text = `This session is being continued from a previous conversation.\n${summary}`;
    const body = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: text }] };
    return await (await post('/v1/messages', body)).json();
  };
  const [first, second] = [await idsOf(1), await idsOf(2)] as { id: string; content: { id: string }[] }[];
  expect(second?.id).not.toBe(first?.id);
  expect(second?.content[0]?.id).not.toBe(first?.content[0]?.id);
});

test('a summary says where the conversation was', async () => {
  const { post } = await start((turn) => (turn.isCompaction ? { text: '<summary>S</summary>' } : { text: 'x' }));
  const asked = [
    { role: 'user', content: 'First?' },
    { role: 'assistant', content: 'One.' },
    { role: 'user', content: 'Your task is to create a detailed summary of the conversation so far' },
  ];
  const answer: unknown = await (await post('/v1/messages', { model: 'm', max_tokens: 9, messages: asked })).json();
  const note = { prompt: 'First?', promptIndex: 0, step: 1, compactions: 1 };
  expect(answer).toMatchObject({
    content: [{ type: 'text', text: `<summary>S\n[rehearsal] ${JSON.stringify(note)}\n</summary>` }],
  });
});

test('count_tokens is answered, anything else is unknown', async () => {
  const { post } = await start(() => ({ text: 'x' }));
  expect(await (await post('/v1/messages/count_tokens')).json()).toEqual({ input_tokens: 11 });
  expect((await post('/v1/elsewhere')).status).toBe(404);
});

test.each([
  ['overloaded' as const, 529, 'overloaded_error'],
  [{ status: 401, type: 'authentication_error' }, 401, 'authentication_error'],
])('fault %j: status %d', async (fault, status, type) => {
  const { post } = await start(() => ({ fault }));
  const response = await post('/v1/messages');
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ type: 'error', error: { type } });
});

test('faults of the connection: dropped, cut, malformed; a silent one ends with the server', async () => {
  const faults = ['drop', 'cut', 'malformed', 'hang'] as const;
  const { rehearsal, post } = await start(({ promptIndex }) => ({ text: 'x'.repeat(500), fault: faults[promptIndex] }));
  const ask = (index: number) => {
    const conversation = Array.from({ length: index + 1 }, () => ({ role: 'user', content: 'again' }));
    return post('/v1/messages', { model: 'm', max_tokens: 9, stream: true, messages: conversation });
  };
  await expect(ask(0)).rejects.toThrow();
  await expect(ask(1).then((response) => response.text())).rejects.toThrow();
  await expect(ask(2).then((response) => response.json())).rejects.toThrow();
  const silent = ask(3);
  const early = await Promise.race([
    silent.then(() => 'answered'),
    new Promise((done) => setTimeout(() => done('silent'), 300)),
  ]);
  expect(early).toBe('silent');
  const failed = expect(silent).rejects.toThrow();
  await rehearsal.stop();
  await failed;
});
