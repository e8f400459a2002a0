import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkSession, runSession } from '../../../src/host/index.js';
import { measure } from '../../../src/metrics/index.js';
import { openTranscript, readRunPage, readSession } from '../../../src/transcript/index.js';
import { identity, profile, temporaryFolder } from '../rig.js';
import { secondHost } from './host.js';

test('a session of another agent host runs, is checked, measured and shown without a line for it outside its folder', async () => {
  const root = temporaryFolder();
  const program = await secondHost.locate('', {});
  if (!program.ok) throw new Error(program.failure.message);
  const isolation = await secondHost.prepare({
    ...{ trialRoot: root, trialId: `second@${root}`, identity, mcpServer: undefined, hookScript: '/nowhere' },
    ...{ hostPath: program.value.path, callerEnvironment: { PATH: process.env.PATH ?? '' }, toolSearch: false },
  });
  if (!isolation.ok) throw new Error(isolation.failure.message);
  const logFiles = [join(root, 'run-with-1.jsonl'), join(root, 'run-with-1.t2.jsonl')];
  const activities: string[] = [];
  const run = await runSession({
    ...{ host: secondHost, isolation: isolation.value, prompts: ['How?', 'And then?'], cwd: root, logFiles },
    settings: { model: 'tiny-1', effort: 'high', maxBudgetUsd: 1 },
    ...{ errFiles: logFiles.map((file) => `${file}.err`), segmentDeadlineMs: 20_000, idleMs: 20_000 },
    signal: new AbortController().signal,
    onActivity: ({ text }) => activities.push(text),
  });
  expect(run).toMatchObject({ sessionIds: ['ses_1'] });
  expect(run.failure).toBeUndefined();
  expect(run.segments[1]?.argv.slice(-2)).toEqual(['--continue', 'ses_1']);
  expect(activities).toEqual(expect.arrayContaining(['1/2 run ls lib', '1/2 answered', '2/2 answered']));

  const session = await readSession(logFiles.map(openTranscript), profile, secondHost.log);
  expect(session.answer).toBe('Done: How?\n\nDone: And then?');
  const check = checkSession(session, { mcpServer: 'engine', isEngineTool: profile.isEngineTool });
  expect(check.problem).toBeUndefined();
  expect(check.evidence).toMatchObject({ 'hooks.1': '1 of 1', 'mcp.1': 'connected' });

  const measured = measure(session, { profile, windowTokens: 100_000, expectEngine: true, plannedPrompts: 2 });
  expect(measured).toMatchObject({
    ...{ ok: true, raced: false, requests: 3, toolCalls: 2, costUsd: 0.5, outputTokens: 50, durationMs: 80 },
    // 1,010 + 1,115 + 1,320: the cached tokens are a part of the input in this host's log.
    tokensProcessed: 3_445,
    counts: { run: 1, mcp__engine__engine_explore: 1 },
    occupancy: { ctxFinalTokens: 1_300 },
  });
  const page = await readRunPage(logFiles.map(openTranscript), { previewChars: 20, hookMarker: '[x]' }, secondHost.log);
  const [first] = page.segments[0]?.items ?? [];
  expect(first).toMatchObject({ kind: 'request', ctxTokens: 1_000, calls: [{ name: 'run', hook: 'passed' }] });
});
