import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { raiseFence } from '../../../src/fence/index.js';
import { prepareIsolation } from '../../../src/host/claude-code/isolation.js';
import { apiKeyHelper, checkLogin, withSettingsLogin } from '../../../src/host/claude-code/login.js';
import { agentHost, readCliAttempts, runSession } from '../../../src/host/index.js';
import { claude, fixture, identity, searchPath, temporaryFolder } from '../rig.js';

/** A HOME whose user settings hold a way to log in. */
function homeWith(settings: unknown): string {
  const home = temporaryFolder();
  mkdirSync(join(home, '.claude'));
  writeFileSync(join(home, '.claude/settings.json'), JSON.stringify(settings));
  return home;
}

/** Answers every request with a refusal, and keeps the keys that came. */
async function keyCollector(): Promise<{ url: string; keys: string[] }> {
  const keys: string[] = [];
  const server: Server = createServer((request, response) => {
    const { 'x-api-key': key, authorization } = request.headers;
    // The host also looks whether the place answers at all, without a key.
    if (request.url?.startsWith('/v1/messages')) keys.push(`${key ?? authorization ?? 'none'}`.replace(/^Bearer /, ''));
    request.resume();
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end('{"type":"error","error":{"type":"invalid_request_error","message":"no"}}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys };
}

test('a cloud of the user settings is a login, and of their variables nothing but the login comes in', () => {
  const home = homeWith({
    env: { CLAUDE_CODE_USE_BEDROCK: '1', AWS_REGION: 'eu-west-1', AMBIENT: '1', ANTHROPIC_MODEL: 'x' },
  });
  mkdirSync(join(home, '.aws'));
  writeFileSync(join(home, '.aws/credentials'), '');
  const environment = withSettingsLogin({ HOME: home, AWS_REGION: 'us-east-1' });
  expect(environment).toEqual({
    HOME: home,
    CLAUDE_CODE_USE_BEDROCK: '1',
    AWS_REGION: 'us-east-1',
    AWS_SHARED_CREDENTIALS_FILE: join(home, '.aws/credentials'),
  });
  expect(checkLogin(environment)).toEqual({ ok: true, value: 'CLAUDE_CODE_USE_BEDROCK' });
});

test('no helper, settings that are no JSON: no login', () => {
  const home = homeWith({});
  expect(apiKeyHelper({ HOME: home })).toBeUndefined();
  writeFileSync(join(home, '.claude/settings.json'), '{');
  expect(checkLogin({ HOME: home }).ok).toBe(false);
});

test.each(['none', 'shell', 'full'] as const)(
  'at the level %s the key that apiKeyHelper prints is used, and stands in no file',
  async (level) => {
    // The helper's own file lies in the user's HOME, which no session sees.
    const home = homeWith({ apiKeyHelper: 'echo "key-$(cat ~/part)"' });
    writeFileSync(join(home, 'part'), '4711-secret\n');
    const { url, keys } = await keyCollector();
    const root = temporaryFolder();
    const workspace = join(root, 'w');
    const callerEnvironment = { PATH: searchPath, HOME: home, ANTHROPIC_BASE_URL: url, IS_SANDBOX: '1' };
    expect(checkLogin(callerEnvironment)).toEqual({ ok: true, value: 'apiKeyHelper of your settings' });
    const common = { identity, hookScript: fixture('hook.js'), hostPath: claude, callerEnvironment };
    const helper = apiKeyHelper(callerEnvironment);
    const fence = await raiseFence({
      ...common,
      level,
      root,
      workspace,
      mcpServer: undefined,
      hidden: [home],
      apiKeyHelper: helper,
    });
    if (!fence.ok) throw new Error(fence.failure.message);
    const isolation = await prepareIsolation({
      ...common,
      trialRoot: root,
      trialId: `test@${root}`,
      mcpServer: undefined,
      toolSearch: false,
      fence: fence.value,
    });
    if (!isolation.ok) throw new Error(isolation.failure.message);
    mkdirSync(workspace, { recursive: true });
    isolation.value.environment.CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC = '1';
    const log = join(root, 'log.jsonl');
    await runSession({
      host: agentHost(),
      isolation: isolation.value,
      settings: { model: 'sonnet', effort: 'high', maxBudgetUsd: 4 },
      prompts: ['How does it go?'],
      cwd: workspace,
      logFiles: [log],
      errFiles: [`${log}.err`],
      segmentDeadlineMs: 60_000,
      idleMs: 30_000,
      signal: new AbortController().signal,
    });
    await fence.value.drop();
    expect(keys.length).toBeGreaterThan(0);
    expect(new Set(keys)).toEqual(new Set(['key-4711-secret']));
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => join(root, name));
    const holding = files.filter(
      (file) => statSync(file).isFile() && readFileSync(file, 'utf8').includes('4711-secret'),
    );
    expect(holding).toEqual([]);
    expect(readCliAttempts(isolation.value.notesFile)).toEqual([]);
  },
);
