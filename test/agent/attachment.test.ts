import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkSession } from '../../src/agent/index.js';
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

test('with tool search on, the engine is still up front', async () => {
  const script: RehearsalScript = (turn) => defaultRehearsalScript(turn);
  const trial = await makeTrial({
    script,
    prompts: ['How does Router.route work?'],
    serverDelayMs: 0,
    toolSearch: true,
  });
  expect((await trial.run()).failure).toBeUndefined();
  const session = await trial.session();
  expect(checkSession(session, withEngine)).toMatchObject({ evidence: { 'mcp.1': 'connected' } });
  expect(session.threads[0]?.calls[0]?.name).toBe('mcp__engine__engine_explore');
  const [first] = trial.rehearsal.requests();
  expect(JSON.stringify(first?.body)).toContain('"name":"ToolSearch"');
});

test('the shell of a session finds no CLI of the engine, and finds its neighbours', async () => {
  const bin = temporaryFolder();
  for (const name of ['codegraph', 'neighbour']) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho ran ${name}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const command = 'command -v codegraph || echo absent; neighbour';
  const trial = await makeTrial({
    script: ({ step }) => (step > 0 ? { text: 'done' } : { toolCalls: [{ name: 'Bash', input: { command } }] }),
    prompts: ['Try.'],
    caller: { PATH: `${bin}:${searchPath}`, HOME: bin },
  });
  mkdirSync(trial.workspace, { recursive: true });
  expect((await trial.run()).failure).toBeUndefined();
  const session = await trial.session();
  expect(session.threads[0]?.calls[0]?.result?.head).toBe('absent\nran neighbour');
});
