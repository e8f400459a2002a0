import { expect, test } from 'vitest';
import { withNote } from '../../src/rehearsal/compaction.js';
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
    isCompaction: false,
    compactions: 0,
    summary: undefined,
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

const SUMMARIZE =
  'CRITICAL: TEXT ONLY.\nYour task is to create a detailed summary of the conversation so far, paying attention.';
const GOES_ON = 'This session is being continued from a previous conversation that ran out of context.\n\nSummary:\n';

test('the request for a summary is told apart from a prompt, behind results and alone', () => {
  const asked = [
    { role: 'user', content: 'First?' },
    { role: 'assistant', content: [toolUse('a', 'Bash', { command: 'ls' })] },
    { role: 'user', content: [result('a', 'lib'), { type: 'text', text: SUMMARIZE }] },
    { role: 'system', content: 'USD budget: $3.99' },
  ];
  expect(turnOf(asked)).toMatchObject({
    isCompaction: true,
    prompt: 'First?',
    promptIndex: 0,
    step: 1,
    compactions: 0,
  });
  const answered = [asked[0], { role: 'assistant', content: 'One.' }, { role: 'user', content: SUMMARIZE }];
  expect(turnOf(answered)).toMatchObject({ isCompaction: true, prompt: 'First?', promptIndex: 0, step: 1 });
  expect(turnOf([...answered, { role: 'user', content: 'Second?' }])).toMatchObject({
    isCompaction: false,
    promptIndex: 1,
  });
});

test('after a compaction the prompt, its number and the steps go on from the note in the summary', () => {
  const note = { prompt: 'Third?', promptIndex: 2, step: 3, compactions: 2, lastCall: 'c' };
  const summary = withNote('<analysis>a</analysis>\n<summary>What was found.</summary>', note);
  expect(summary).toMatch(/What was found\.\n\[rehearsal\] .*\n<\/summary>$/);
  const goesOn = [
    {
      role: 'user',
      content: [
        { type: 'text', text: reminder },
        { type: 'text', text: `${GOES_ON}${summary}` },
      ],
    },
    { role: 'assistant', content: [toolUse('b', 'Bash', {}), toolUse('c', 'Bash', { command: 'ls' })] },
    { role: 'user', content: [result('b', 'x'), result('c', 'lib')] },
  ];
  const turn = turnOf(goesOn);
  // The answer with the calls is one of the three steps: the compaction kept it.
  expect(turn).toMatchObject({ prompt: 'Third?', promptIndex: 2, step: 3, compactions: 2, isCompaction: false });
  expect(turn.toolResults).toHaveLength(2);
  expect(turn.summary).toContain('What was found.');
  const next = turnOf([...goesOn, { role: 'assistant', content: 'Done.' }, { role: 'user', content: 'Fourth?' }]);
  expect(next).toMatchObject({ prompt: 'Fourth?', promptIndex: 3, step: 0, compactions: 2 });
  // A summary without a note, as a real model writes it.
  expect(turnOf([{ role: 'user', content: `${GOES_ON}x` }])).toMatchObject({
    compactions: 1,
    promptIndex: 0,
    prompt: '',
  });
});
