import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { raiseFence } from '../../src/fence/index.js';
import { prepareIsolation } from '../../src/host/claude-code/isolation.js';
import { agentHost, checkSession, runSession } from '../../src/host/index.js';
import { hostLog } from '../../src/host/logs.js';
import { endTrialProcesses, findByEnvironment, TRIAL_ID_VARIABLE } from '../../src/process/index.js';
import type { RehearsalScript } from '../../src/rehearsal/index.js';
import { openTranscript, readSession } from '../../src/transcript/index.js';
import { claude, fixture, identity, profile, rehearse, searchPath, temporaryFolder } from './rig.js';

const bash = (command: string) => ({ name: 'Bash', input: { command, description: 'test' } });

/** A fenced trial; `run` holds its session as a campaign does. */
async function fenced(level: 'full' | 'shell', script: RehearsalScript, prompts: string[], serverDelayMs?: number) {
  const root = temporaryFolder();
  const workspace = join(root, 'w');
  mkdirSync(workspace);
  const trialId = `test@${root}`;
  onTestFinished(async () => void (await endTrialProcesses(trialId)));
  const rehearsal = await rehearse(script);
  const rehearsalEnvironment = rehearsal.environment({ task: 't', arm: 'a', repetition: 1 });
  const common = { identity, hookScript: fixture('hook.js'), hostPath: claude, rehearsalEnvironment };
  const callerEnvironment = { PATH: searchPath, HOME: '/nonexistent' };
  const server = { command: process.execPath, args: [fixture('mcp-server.js'), String(serverDelayMs)], env: {} };
  const fence = await raiseFence({
    ...common,
    level,
    root,
    workspace,
    mcpServer: serverDelayMs === undefined ? undefined : server,
    hidden: [],
    callerEnvironment,
  });
  if (!fence.ok) throw new Error(fence.failure.message);
  const { mcpServer } = fence.value;
  const isolation = await prepareIsolation({
    ...common,
    trialRoot: root,
    trialId,
    mcpServer: mcpServer && { name: 'engine', ...mcpServer },
    callerEnvironment,
    toolSearch: false,
    fence: fence.value,
  });
  if (!isolation.ok) throw new Error(isolation.failure.message);
  const logFiles = prompts.map((_, index) => join(root, `${index}.jsonl`));
  const run = (signal: AbortSignal, onActivity?: (activity: { text: string }) => void) =>
    runSession({
      host: agentHost(),
      isolation: isolation.value,
      settings: { model: 'sonnet', effort: 'high', maxBudgetUsd: 4 },
      prompts,
      cwd: workspace,
      logFiles,
      errFiles: logFiles.map((log) => `${log}.err`),
      segmentDeadlineMs: 60_000,
      idleMs: 30_000,
      signal,
      ...(onActivity ? { onActivity } : {}),
    });
  return { fence: fence.value, run, logFiles, workspace, trialId };
}

test.each(['full', 'shell'] as const)(
  'at the level %s a session is resumed, hooked and attached',
  { timeout: 90_000 },
  async (level) => {
    const trial = await fenced(
      level,
      ({ promptIndex, step }) =>
        step > 0
          ? { text: 'done' }
          : { toolCalls: [bash(promptIndex === 0 ? 'codegraph status; touch denied' : 'touch passed')] },
      ['One?', 'Two?'],
      0,
    );
    const run = await trial.run(new AbortController().signal);
    expect(run.failure).toBeUndefined();
    expect(run.sessionIds).toHaveLength(1);
    // The record names the host's own command line.
    expect(run.segments[0]?.argv[0]).toBe(claude);
    expect(existsSync(join(trial.workspace, 'denied'))).toBe(false);
    expect(existsSync(join(trial.workspace, 'passed'))).toBe(true);
    const check = checkSession(await readSession(trial.logFiles.map(openTranscript), profile, hostLog()), {
      mcpServer: 'engine',
      isEngineTool: profile.isEngineTool,
    });
    expect(check.problem).toBeUndefined();
    expect(check.evidence).toMatchObject({
      'hooks.1': '1 of 1',
      'hooks.2': '1 of 1',
      'mcp.1': 'connected',
      'mcp.2': 'connected',
    });
    expect(await trial.fence.drop()).toMatchObject({ ok: true, value: { fence: level, 'fence.mcpStarts': '2' } });
  },
);

test('an interrupt of a fenced session leaves a result line and no process', { timeout: 60_000 }, async () => {
  const script: RehearsalScript = () => ({ toolCalls: [bash('(setsid sleep 322 &) ; sleep 323')] });
  const trial = await fenced('full', script, ['Wait.']);
  const controller = new AbortController();
  const run = await trial.run(controller.signal, ({ text }) => {
    if (text.includes('sleep')) setTimeout(() => controller.abort(), 1_500);
  });
  expect(run.failure?.reason).toBe('interrupted');
  expect(readFileSync(trial.logFiles[0] ?? '', 'utf8')).toContain('"type":"result"');
  expect(findByEnvironment(TRIAL_ID_VARIABLE, trial.trialId)).toEqual([]);
  await trial.fence.drop();
});
