import { expect, test } from 'vitest';
import { agentHost, canaryScript, runCanary } from '../../src/host/index.js';
import { claude, fixture, identity, rehearse, searchPath, temporaryFolder } from './rig.js';

async function canary(hook: string) {
  const root = temporaryFolder();
  const rehearsal = await rehearse(canaryScript(identity, agentHost().canary));
  return await runCanary({
    host: agentHost(),
    root,
    hostPath: claude,
    identity,
    hookScript: fixture(hook),
    hookMarker: '[test-marker]',
    callerEnvironment: { PATH: searchPath, HOME: root },
    rehearsalEnvironment: rehearsal.environment({ task: 'canary', arm: 'canary', repetition: 1 }),
    toolSearch: false,
    signal: new AbortController().signal,
  });
}

test('a working hook: two calls denied, the mention passed, no effect on disk', async () => {
  expect(await canary('hook.js')).toMatchObject({
    ok: true,
    value: {
      evidence: { canary: 'denied 2 of 2, passed 1 of 1', 'hooks.1': '3 of 3' },
      facts: { hooks: ['PreToolUse:Bash'], mcpServers: [], plugins: [], memory: false },
    },
  });
});

test('a hook that fails is found out', async () => {
  expect(await canary('broken-hook.js')).toMatchObject({ ok: false, failure: { reason: 'hook-failed' } });
});

test('a hook that lets everything pass is found out', async () => {
  expect(await canary('idle-hook.js')).toMatchObject({
    ok: false,
    failure: { reason: 'hook-failed', message: expect.stringContaining('was not denied') },
  });
});
