import { expect, test } from 'vitest';
import { promptChars, readRequest, readTurn } from '../../src/rehearsal/conversation.js';

const key = { task: 't', arm: 'new', repetition: 2 };
const reminder = '<system-reminder>\nToday is a day.\n</system-reminder>\n';
const toolUse = (id: string, name: string, input: Record<string, unknown>) => ({ type: 'tool_use', id, name, input });
const result = (id: string, content: unknown, isError = false) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...(isError ? { is_error: true } : {}),
});

function turnOf(messages: unknown[], system = 'You help.\n - Primary working directory: /w/a b\n') {
  const request = readRequest({
    model: 'm',
    system: [{ type: 'text', text: system }],
    messages,
    tools: [{ name: 'Bash' }],
  });
  if (!request) throw new Error('no request');
  return readTurn(key, request);
}

test('the prompt is found behind reminders, and results before a closing message of the host', () => {
  const turn = turnOf([
    {
      role: 'user',
      content: [
        { type: 'text', text: reminder },
        { type: 'text', text: 'First?' },
      ],
    },
    { role: 'system', content: 'Agents you may use.' },
    { role: 'assistant', content: [{ type: 'text', text: 'One.' }] },
    { role: 'user', content: `${reminder}Second?` },
    {
      role: 'assistant',
      content: [{ type: 'text', text: 'Looking.' }, toolUse('a', 'Bash', { command: 'ls' }), toolUse('b', 'Read', {})],
    },
    {
      role: 'user',
      content: [
        result('b', [{ type: 'text', text: 'gone' }], true),
        result('a', 'lib'),
        { type: 'text', text: reminder },
      ],
    },
    { role: 'system', content: 'USD budget: $3.99' },
  ]);
  expect(turn).toEqual({
    ...key,
    prompt: 'Second?',
    promptIndex: 1,
    step: 1,
    tools: ['Bash'],
    // In the order of the calls, although they ended the other way round.
    toolResults: [
      { name: 'Bash', input: { command: 'ls' }, text: 'lib', isError: false },
      { name: 'Read', input: {}, text: 'gone', isError: true },
    ],
    earlierCalls: [
      { name: 'Bash', input: { command: 'ls' }, text: 'lib', isError: false },
      { name: 'Read', input: {}, text: 'gone', isError: true },
    ],
    lastText: 'Looking.',
    isSubagent: false,
    workingDirectory: '/w/a b',
  });
});

test('a conversation without a prompt, and one of a subagent', () => {
  expect(turnOf([{ role: 'user', content: reminder }])).toMatchObject({ prompt: '', promptIndex: 0, step: 0 });
  expect(turnOf([{ role: 'user', content: 'x' }], 'header: cc_is_subagent=true;').isSubagent).toBe(true);
});

test('what is no request is none', () => {
  expect(readRequest({ messages: 'x' })).toBeUndefined();
  expect(readRequest(undefined)).toBeUndefined();
});

test('characters are those of system prompt, tools and messages', () => {
  const request = readRequest({
    model: 'm',
    system: 'abc',
    messages: [
      { role: 'user', content: 'de' },
      { role: 'assistant', content: [toolUse('1', 'Go', { a: 1 })] },
      { role: 'user', content: [result('1', 'fghi')] },
    ],
    tools: [{ name: 'Go' }],
  });
  // 3 + [{"name":"Go"}] (15) + 2 + Go{"a":1} (9) + 4
  expect(request && promptChars(request)).toBe(33);
});
