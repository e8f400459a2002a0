import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkSession, readCliAttempts } from '../../src/host/index.js';
import { defaultRehearsalScript, type RehearsalScript } from '../../src/rehearsal/index.js';
import { makeTrial, profile, searchPath, temporaryFolder } from './rig.js';

const withEngine = { mcpServer: 'engine', isEngineTool: profile.isEngineTool };

test('a server that takes seconds to start is waited for: its tool is offered in the first request', async () => {
  const trial = await makeTrial({
    script: defaultRehearsalScript,
    prompts: ['How does Router.route work?'],
    serverDelayMs: 7_000,
  });
  const run = await trial.run();
  expect(run.failure).toBeUndefined();
  const session = await trial.session();
  const { evidence, problem } = checkSession(session, withEngine);
  expect(problem).toBeUndefined();
  expect(evidence['mcp.1']).toBe('connected');
  const [first] = session.threads[0]?.calls ?? [];
  expect(first).toMatchObject({ name: 'mcp__engine__engine_explore', input: { query: 'Router.route' } });
  expect(session.answer).toMatch(/`route` is where it starts, in lib\/router\.js/);
});

test('with tool search on, as users have it, the engine is deferred, found by a search, and works', async () => {
  const name = 'mcp__engine__engine_explore';
  const script: RehearsalScript = ({ step }) => {
    if (step === 0) return { toolCalls: [{ name: 'ToolSearch', input: { query: `select:${name}`, max_results: 1 } }] };
    return step === 1 ? { toolCalls: [{ name, input: { query: 'Router.route' } }] } : { text: 'done' };
  };
  const trial = await makeTrial({
    script,
    prompts: ['How does Router.route work?'],
    serverDelayMs: 0,
    toolSearch: true,
  });
  expect((await trial.run()).failure).toBeUndefined();
  const session = await trial.session();
  const { evidence, problem } = checkSession(session, withEngine);
  expect([problem, evidence['mcp.1']]).toEqual([undefined, expect.stringMatching(/^(connected|pending, then used)$/)]);
  const [, use] = session.threads[0]?.calls ?? [];
  expect(use).toMatchObject({ name, result: { isError: false } });
  const [first] = trial.rehearsal.requests();
  expect(JSON.stringify(first?.body)).toContain('"name":"ToolSearch"');
});

test('the shell of a session gets no CLI of the engine but a missing command, which is noted, and finds its neighbours', async () => {
  const bin = temporaryFolder();
  for (const name of ['codegraph', 'neighbour']) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho ran ${name}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  // Built at run time, so that the hook cannot see it.
  const command = 'x=code; { "$x"graph explore "a b"; echo $?; nosuch explore; echo $?; neighbour; } 2>&1';
  const trial = await makeTrial({
    script: ({ step }) => (step > 0 ? { text: 'done' } : { toolCalls: [{ name: 'Bash', input: { command } }] }),
    prompts: ['Try.'],
    caller: { PATH: `${bin}:${searchPath}`, HOME: bin },
  });
  mkdirSync(trial.workspace, { recursive: true });
  expect((await trial.run()).failure).toBeUndefined();
  const session = await trial.session();
  const [own, code, missing, ...rest] = session.threads[0]?.calls[0]?.result?.head.split('\n') ?? [];
  expect(own).toBe(missing?.replace('nosuch', 'codegraph'));
  expect([code, ...rest]).toEqual(['127', '127', 'ran neighbour']);
  expect(readCliAttempts(trial.isolation.notesFile)).toEqual([
    {
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}Z$/),
      by: expect.stringContaining('bash -c'),
      args: ['explore', 'a b'],
    },
  ]);
});

test('a deferred engine that nobody asked for was there all the same', async () => {
  const trial = await makeTrial({
    script: () => ({ text: 'done' }),
    prompts: ['How does Router.route work?'],
    serverDelayMs: 0,
    toolSearch: true,
  });
  expect((await trial.run()).failure).toBeUndefined();
  expect(checkSession(await trial.session(), withEngine)).toMatchObject({ evidence: { 'mcp.1': 'connected' } });
});
