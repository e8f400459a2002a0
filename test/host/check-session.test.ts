import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkSession } from '../../src/host/index.js';
import { hostLog } from '../../src/host/logs.js';
import { openTranscript, readSession } from '../../src/transcript/index.js';
import { profile } from './rig.js';

const folder = join(import.meta.dirname, '../fixtures/claude-code-outcomes');
const isEngineTool = (name: string) => name.startsWith('mcp__t__');

async function check(name: string, mcpServer: string | undefined) {
  const session = await readSession([openTranscript(join(folder, `${name}.jsonl`))], profile, hostLog());
  // The samples were made with auto-memory on, but for the clean one: that is a finding of its own.
  for (const { inits } of session.segments) for (const init of inits) init.hasMemory = false;
  return checkSession(session, { mcpServer, isEngineTool });
}

test('a denied call went through the hook', async () => {
  const { evidence, problem } = await check('08-hook-deny-events', undefined);
  expect(problem).toBeUndefined();
  expect(evidence['hooks.1']).toBe('1 of 1');
});

test.each([
  ['08-hook-missing-events', 'the hook failed in segment 1 (error, exit code 127)'],
  ['08-hook-timeout-events', 'the hook failed in segment 1 (cancelled, exit code 1)'],
])('%s: unfenced', async (name, cause) => {
  expect((await check(name, undefined)).problem).toEqual({ validity: 'unfenced', cause });
});

test('a hook that an interruption cancelled is no failure when its call was rejected', async () => {
  const session = await readSession([openTranscript(join(folder, '08-hook-timeout-events.jsonl'))], profile, hostLog());
  for (const { inits } of session.segments) for (const init of inits) init.hasMemory = false;
  const call = session.threads[0]?.calls.find(({ name }) => name === 'Bash');
  if (call?.result === undefined) throw new Error('the sample has no answered shell call');
  call.result.head =
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a …";
  expect(checkSession(session, { mcpServer: undefined, isEngineTool }).problem).toBeUndefined();
  expect(checkSession(session, { mcpServer: undefined, isEngineTool }).evidence['hooks.1']).toBe('0 of 0');
});

test('a Bash call without any hook event is unfenced', async () => {
  expect((await check('01-shapes', undefined)).problem?.validity).toBe('unfenced');
});

test.each([
  ['09-mcp-blocking', 'connected', undefined],
  ['09-mcp-crash', 'failed', 'not-attached'],
  ['09-mcp-slow-pending', 'pending', 'not-attached'],
  ['09-mcp-early-call-wait', 'pending, then used', undefined],
])('%s: %s', async (name, status, validity) => {
  const { evidence, problem } = await check(name, 't');
  expect(evidence['mcp.1']).toBe(status);
  expect(problem?.validity).toBe(validity);
});

test('a server in an arm that has none is contamination', async () => {
  expect((await check('09-mcp-blocking', undefined)).problem).toEqual({
    validity: 'contaminated',
    cause: 'MCP server t came into segment 1',
  });
});

test('auto-memory is contamination', async () => {
  const session = await readSession([openTranscript(join(folder, '09-mcp-blocking.jsonl'))], profile, hostLog());
  expect(checkSession(session, { mcpServer: 't', isEngineTool }).problem).toEqual({
    validity: 'contaminated',
    cause: 'auto-memory came into segment 1',
  });
});

test('a subagent that died of an API error voids the session although its result is a success', async () => {
  expect((await check('05-subagent-api-error', undefined)).problem?.validity).toBe('infra');
});

test.each(['skills', 'agents'] as const)(
  '%s beyond those of a session without anything of a user are contamination, by name',
  async (kind) => {
    const session = await readSession([openTranscript(join(folder, '09-mcp-blocking.jsonl'))], profile, hostLog());
    for (const { inits } of session.segments) for (const init of inits) init.hasMemory = false;
    const { facts } = checkSession(session, { mcpServer: 't', isEngineTool });
    expect(facts.mcpServers).toEqual(['t (connected)']);
    const expectations = { mcpServer: 't', isEngineTool };
    expect(checkSession(session, { ...expectations, reference: facts }).problem).toBeUndefined();
    const [foreign, ...known] = facts[kind];
    const { problem } = checkSession(session, { ...expectations, reference: { ...facts, [kind]: known } });
    expect(problem).toEqual({
      validity: 'contaminated',
      cause: `${kind === 'skills' ? 'skill' : 'agent'} ${foreign} came into segment 1`,
    });
  },
);

test('a hook that is not ours is contamination, by name', async () => {
  const session = await readSession([openTranscript(join(folder, '08-hook-deny-events.jsonl'))], profile, hostLog());
  const [segment] = session.segments;
  for (const init of segment?.inits ?? []) init.hasMemory = false;
  segment?.hookResponses.push({
    isBeforeCall: false,
    beforeTool: undefined,
    event: 'SessionStart',
    name: 'SessionStart:startup',
    toolUseId: undefined,
    outcome: 'success',
    exitCode: 0,
  });
  expect(checkSession(session, { mcpServer: undefined, isEngineTool }).problem).toEqual({
    validity: 'contaminated',
    cause: 'hook SessionStart:startup came into segment 1',
  });
});
