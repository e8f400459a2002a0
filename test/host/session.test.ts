import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkSession } from '../../src/host/index.js';
import type { RehearsalScript } from '../../src/rehearsal/index.js';
import { fixture, makeTrial, profile } from './rig.js';

const withoutEngine = { mcpServer: undefined, isEngineTool: profile.isEngineTool };
const bash = (command: string) => ({ name: 'Bash', input: { command, description: 'test' } });

test('two prompts are one session; the hook denies one call and lets the other pass', async () => {
  const seen: string[] = [];
  const script: RehearsalScript = ({ prompt, promptIndex, step }) => {
    if (step > 0) return { text: `answer ${promptIndex}` };
    seen.push(`${promptIndex}: ${prompt}`);
    return { toolCalls: [bash(promptIndex === 0 ? 'codegraph status; touch denied' : 'touch passed')] };
  };
  const trial = await makeTrial({ script, prompts: ['First question?', 'Second question?'] });
  const before = readdirSync(tmpdir());
  const activities: string[] = [];
  let cost: number | undefined;
  const run = await trial.run({
    onActivity: ({ text, costUsd }) => {
      activities.push(text);
      cost = costUsd;
    },
  });

  expect(run.failure).toBeUndefined();
  expect(seen).toEqual(['0: First question?', '1: Second question?']);
  expect(run.sessionIds).toHaveLength(1);
  expect(run.segments.map(({ log, exitCode, ended }) => ({ log, exitCode, ended }))).toEqual([
    { log: 'segment-1.jsonl', exitCode: 0, ended: 'exited' },
    { log: 'segment-2.jsonl', exitCode: 0, ended: 'exited' },
  ]);
  const [first, second] = run.segments.map(({ argv }) => argv);
  expect(second).toEqual([...(first ?? []), '--resume', run.sessionIds[0]]);
  expect(activities).toEqual([
    '1/2 Bash codegraph status; touch denied',
    '1/2 answered',
    '2/2 Bash touch passed',
    '2/2 answered',
  ]);
  expect(existsSync(join(trial.workspace, 'denied'))).toBe(false);
  expect(existsSync(join(trial.workspace, 'passed'))).toBe(true);

  const session = await trial.session();
  const heads = session.threads[0]?.calls.map(({ result }) => result?.head);
  expect(heads?.[0]).toBe('[test-marker] use the tool instead');
  const costs = session.segments.map(({ results }) => results.at(-1)?.totalCostUsd ?? 0);
  expect(cost).toBeCloseTo(
    costs.reduce((sum, one) => sum + one, 0),
    10,
  );
  const check = checkSession(session, withoutEngine);
  expect(check.problem).toBeUndefined();
  expect(check.evidence).toMatchObject({ 'hooks.1': '1 of 1', 'hooks.2': '1 of 1' });
  expect(trial.living()).toEqual([]);
  // Nothing beside the trial's own folder.
  expect(readdirSync(tmpdir()).filter((name) => !before.includes(name) && /claude/.test(name))).toEqual([]);
});

test('a hook that cannot start lets every call pass, and is found out', async () => {
  const script: RehearsalScript = ({ step }) => (step > 0 ? { text: 'done' } : { toolCalls: [bash('echo hello')] });
  const trial = await makeTrial({ script, prompts: ['Say hello.'], hook: fixture('broken-hook.js') });
  const run = await trial.run();
  expect(run.failure).toBeUndefined();
  expect(checkSession(await trial.session(), withoutEngine)).toMatchObject({
    evidence: { 'hooks.1': '0 of 1' },
    problem: { validity: 'unfenced' },
  });
});

test('a model that stays silent is a stalled session, and no further segment is started', async () => {
  const trial = await makeTrial({ script: () => ({ fault: 'hang' }), prompts: ['One?', 'Two?'] });
  const run = await trial.run({ idleMs: 4_000 });
  expect(run.failure?.reason).toBe('session-stalled');
  expect(run.segments.map(({ ended }) => ended)).toEqual(['stalled']);
  expect(trial.living()).toEqual([]);
});

test('a model that is silent until the deadline is a stalled session too, however long a silence may be', async () => {
  const trial = await makeTrial({ script: () => ({ fault: 'hang' }), prompts: ['One?'] });
  const run = await trial.run({ segmentDeadlineMs: 5_000, idleMs: 360_000 });
  expect(run.failure).toMatchObject({ reason: 'session-stalled', message: 'claude made no progress for 5 s' });
  expect(run.segments.map(({ ended }) => ended)).toEqual(['stalled']);
  expect(trial.living()).toEqual([]);
});

test('a segment that takes too long is ended at its deadline', async () => {
  const script: RehearsalScript = ({ step }) => ({
    text: `step ${step}`,
    toolCalls: [bash(`echo ${step}`)],
    delayMs: 300,
  });
  const trial = await makeTrial({ script, prompts: ['Go on for ever.'] });
  const run = await trial.run({ segmentDeadlineMs: 12_000 });
  expect(run.failure?.reason).toBe('session-deadline');
  expect(run.segments.map(({ ended }) => ended)).toEqual(['deadline']);
  expect(trial.living()).toEqual([]);
});

test('an overloaded API is a failure of the infrastructure', async () => {
  const activities: string[] = [];
  const trial = await makeTrial({
    script: () => ({ fault: 'overloaded' }),
    prompts: ['One?', 'Two?'],
    extraEnvironment: { CLAUDE_CODE_MAX_RETRIES: '2' },
  });
  const run = await trial.run({ onActivity: ({ text }) => activities.push(text) });
  expect(run.failure?.reason).toBe('session-infra');
  expect(run.failure?.message).toContain('529');
  expect(run.segments).toHaveLength(1);
  expect(activities).toContain('1/2 retry 1 of 2 (529)');
  expect(checkSession(await trial.session(), withoutEngine).evidence.apiRetries).toBe('2');
});

test('an interrupt in the middle of a tool call ends everything within seconds', async () => {
  const trial = await makeTrial({
    script: () => ({ toolCalls: [bash('sleep 321 & (setsid sleep 322 &) ; sleep 323')] }),
    prompts: ['Wait.', 'Two?'],
  });
  const controller = new AbortController();
  let abortedAt = 0;
  const run = await trial.run({
    signal: controller.signal,
    onActivity: ({ text }) => {
      if (!text.includes('sleep')) return;
      setTimeout(() => {
        expect(trial.living().length).toBeGreaterThan(3);
        abortedAt = Date.now();
        controller.abort();
      }, 800);
    },
  });
  expect(Date.now() - abortedAt).toBeLessThan(5_000);
  expect(run.failure?.reason).toBe('interrupted');
  expect(run.segments.map(({ ended }) => ended)).toEqual(['interrupted']);
  expect(trial.living()).toEqual([]);
});
