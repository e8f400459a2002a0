import { lstatSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareIsolation } from '../../../src/host/claude-code/isolation.js';
import { locateClaude } from '../../../src/host/claude-code/locate.js';
import { checkLogin } from '../../../src/host/claude-code/login.js';
import { claude, fixture, identity, searchPath, temporaryFolder } from '../rig.js';

function spec(trialRoot: string, callerEnvironment: Record<string, string>) {
  return {
    trialRoot,
    trialId: 'trial-1',
    identity,
    engineVariables: { CODEGRAPH_NO_PROMPT_HOOK: '1' },
    mcpServer: undefined,
    hookScript: fixture('hook.js'),
    hostPath: claude,
    callerEnvironment: { PATH: searchPath, ...callerEnvironment },
    toolSearch: false,
  };
}

test("of the caller's environment only what is allowed comes in; the rest is set", async () => {
  const root = temporaryFolder();
  const result = await prepareIsolation(
    spec(root, {
      HOME: '/home/someone',
      IS_SANDBOX: '1',
      LC_ALL: 'C.UTF-8',
      ANTHROPIC_API_KEY: 'key',
      ANTHROPIC_MODEL: 'other',
      CLAUDE_CODE_OAUTH_TOKEN: 'token',
      CLAUDE_CODE_USE_BEDROCK: '1',
      AWS_REGION: 'eu-west-1',
      CLAUDECODE: '1',
      CLAUDE_CODE_ENTRYPOINT: 'cli',
      CODEGRAPH_DIR: 'elsewhere',
      NODE_OPTIONS: '--inspect',
      SECRET: 'x',
    }),
  );
  if (!result.ok) throw new Error(result.failure.message);
  const { PATH, ...environment } = result.value.environment;
  expect(environment).toEqual({
    LC_ALL: 'C.UTF-8',
    ANTHROPIC_API_KEY: 'key',
    CLAUDE_CODE_OAUTH_TOKEN: 'token',
    CLAUDE_CODE_USE_BEDROCK: '1',
    AWS_REGION: 'eu-west-1',
    ...(process.getuid?.() === 0 ? { IS_SANDBOX: '1' } : {}),
    CODEGRAPH_NO_PROMPT_HOOK: '1',
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    MCP_CONNECTION_NONBLOCKING: '0',
    MCP_TIMEOUT: '60000',
    MCP_CONNECT_TIMEOUT_MS: '60000',
    HOME: join(root, 'home'),
    CLAUDE_CONFIG_DIR: join(root, 'config'),
    TMPDIR: join(root, 'tmp'),
    AGENT_EVAL_TRIAL: 'trial-1',
  });
  expect(PATH).toContain('node_modules/.bin');
  expect(JSON.parse(readFileSync(result.value.mcpConfigFile, 'utf8'))).toEqual({ mcpServers: {} });
});

test('with a scripted model no login comes in, and the loopback goes round a proxy', async () => {
  const caller = {
    HOME: '/home/someone',
    ANTHROPIC_API_KEY: 'key',
    CLAUDE_CODE_USE_BEDROCK: '1',
    NO_PROXY: 'a.example',
  };
  const result = await prepareIsolation({
    ...spec(temporaryFolder(), caller),
    rehearsalEnvironment: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:1', ANTHROPIC_API_KEY: 'dummy' },
    toolSearch: true,
  });
  if (!result.ok) throw new Error(result.failure.message);
  const { environment } = result.value;
  expect(environment).toMatchObject({
    ANTHROPIC_API_KEY: 'dummy',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    ENABLE_TOOL_SEARCH: 'true',
    NO_PROXY: 'a.example,127.0.0.1,localhost',
  });
  expect(environment.CLAUDE_CODE_USE_BEDROCK).toBeUndefined();
});

test('the OAuth file is linked, not copied, and is a login', async () => {
  const root = temporaryFolder();
  const home = join(root, 'caller');
  mkdirSync(join(home, '.claude'), { recursive: true });
  const file = join(home, '.claude', '.credentials.json');
  writeFileSync(file, '{}');
  const result = await prepareIsolation(spec(root, { HOME: home, IS_SANDBOX: '1' }));
  if (!result.ok) throw new Error(result.failure.message);
  const link = join(root, 'config', '.credentials.json');
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readlinkSync(link)).toBe(file);
  expect(checkLogin({ HOME: home })).toEqual({ ok: true, value: `${file}, linked` });
  expect(checkLogin({ HOME: home, CLAUDE_CODE_OAUTH_TOKEN: 'x' })).toEqual({
    ok: true,
    value: 'CLAUDE_CODE_OAUTH_TOKEN',
  });
  expect(checkLogin({ HOME: root })).toMatchObject({ ok: false, failure: { reason: 'environment-unfit' } });
});

test('a missing hook is refused: the host would let every call pass in silence', async () => {
  const result = await prepareIsolation({
    ...spec(temporaryFolder(), { IS_SANDBOX: '1' }),
    hookScript: '/nowhere/hook.js',
  });
  expect(result).toMatchObject({ ok: false, failure: { reason: 'hook-failed' } });
});

test.runIf(process.getuid?.() === 0)('a real run as root without IS_SANDBOX is refused with advice', async () => {
  const result = await prepareIsolation(spec(temporaryFolder(), {}));
  expect(result).toMatchObject({ ok: false, failure: { reason: 'isolation-failed' } });
  expect(result.ok ? '' : result.failure.advice).toContain('IS_SANDBOX=1');
});

test('claude is found by its real path with its version, or a failure says what to install', async () => {
  const found = await locateClaude(searchPath, { PATH: searchPath, HOME: temporaryFolder() });
  expect(found).toEqual({ ok: true, value: { path: claude, version: expect.stringMatching(/^\d+\.\d+\.\d+$/) } });
  expect(await locateClaude('/nowhere', {})).toMatchObject({
    ok: false,
    failure: { reason: 'environment-unfit', advice: 'npm install -g @anthropic-ai/claude-code' },
  });
});
