import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { codegraphProfile } from '../../src/engine/codegraph/profile.js';
import { apiEnvironment, apiTarget, isAllowed } from '../../src/fence/api-target.js';
import { startForwarder } from '../../src/fence/forwarder.js';
import { checkLine } from '../../src/fence/mcp-relay.js';
import { maskArguments, toolchains } from '../../src/fence/visible.js';
import { temporaryFolder } from '../host/rig.js';

test('a call may name no project outside the workspace, not by a link either', () => {
  const root = temporaryFolder();
  const workspace = join(root, 'w');
  mkdirSync(join(workspace, 'lib'), { recursive: true });
  mkdirSync(join(root, 'other'));
  symlinkSync(join(root, 'other'), join(workspace, 'link'));
  const call = (projectPath: unknown) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { name: 'x', arguments: { query: 'q', projectPath } },
    });
  for (const path of [join(root, 'other'), '/', '..', 'link', '/nonexistent', 5]) {
    const { refusal } = checkLine(call(path), workspace);
    expect(JSON.parse(refusal ?? '{}')).toMatchObject({ id: 7, result: { isError: true } });
  }
  for (const path of [workspace, '.', 'lib', null]) expect(checkLine(call(path), workspace).refusal).toBeUndefined();
  // The workspace itself: a folder in it may hold a link to another index.
  expect(JSON.parse(checkLine(call('lib'), workspace).line).params.arguments.projectPath).toBe(workspace);
  expect(checkLine('{"method":"initialize"}', workspace)).toEqual({ line: '{"method":"initialize"}' });
  expect(checkLine('no json', workspace)).toEqual({ line: 'no json' });
});

test('the one place that can be reached is where the API is', () => {
  const real = apiTarget({ HTTPS_PROXY: 'http://proxy:3128' }, undefined);
  expect(real).toMatchObject({ ok: true, value: { kind: 'proxy', upstream: new URL('http://proxy:3128') } });
  if (!real.ok) return;
  expect(isAllowed(real.value, 'api.anthropic.com:443')).toBe(true);
  expect(
    ['packages.example.org:443', 'api.anthropic.com:80', 'api.anthropic.com.evil.example:443'].map((place) =>
      isAllowed(real.value, place),
    ),
  ).toEqual([false, false, false]);
  expect(apiEnvironment({ NO_PROXY: 'x', https_proxy: 'http://proxy:3128', A: '1' }, real.value)).toEqual({
    A: '1',
    HTTPS_PROXY: `http://127.0.0.1:${real.value.port}`,
  });
  // A scripted model wins over the caller's server.
  expect(
    apiTarget(
      { ANTHROPIC_BASE_URL: 'https://gateway.example/v' },
      { ANTHROPIC_BASE_URL: 'http://127.0.0.1:4321/trial' },
    ),
  ).toMatchObject({
    value: { kind: 'straight', host: '127.0.0.1', port: 4321 },
  });
  expect(apiTarget({ ANTHROPIC_BASE_URL: 'https://gateway.example/v' }, undefined)).toMatchObject({
    value: { kind: 'proxy', allowed: ['gateway.example:443'] },
  });
  expect(apiTarget({ ANTHROPIC_BASE_URL: 'http://gateway.example/v' }, undefined)).toMatchObject({ ok: false });
});

test('the forwarder is a proxy for CONNECT to the allowed place and nothing else', async () => {
  const echo = createServer((socket) => socket.pipe(socket));
  const port = await listening(echo);
  const socket = join(temporaryFolder(), 'api.sock');
  const target = {
    kind: 'proxy' as const,
    host: '127.0.0.1',
    port: 1,
    allowed: [`127.0.0.1:${port}`],
    upstream: undefined,
  };
  const forwarder = await startForwarder(socket, target);
  onTestFinished(() => forwarder.close());
  expect(await say(socket, `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nhost: x\r\n\r\nhello`, 'hello')).toBe(
    'HTTP/1.1 200 Connection Established\r\n\r\nhello',
  );
  expect(await say(socket, 'CONNECT packages.example.org:443 HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1.1 403/);
  expect(await say(socket, `GET http://127.0.0.1:${port}/ HTTP/1.1\r\n\r\n`)).toMatch(/^HTTP\/1.1 403/);
  expect(forwarder.counts).toEqual({
    connections: 3,
    refused: ['packages.example.org:443', `GET http://127.0.0.1:${port}/ HTTP/1.1`],
  });
});

test('installations on the PATH are shown whole, projects, HOME and hidden places are not', () => {
  const home = temporaryFolder();
  const root = temporaryFolder();
  const make = (...names: string[]) => {
    mkdirSync(join(home, ...names), { recursive: true });
    return join(home, ...names);
  };
  const nvm = make('.nvm/versions/node/v22/bin');
  const engine = make('.nvm/versions/node/v22/lib/node_modules/@colbymchenry/codegraph');
  writeFileSync(join(engine, 'npm-shim.js'), '');
  symlinkSync(join(engine, 'npm-shim.js'), join(nvm, 'codegraph'));
  writeFileSync(join(nvm, 'node'), '');
  const links = join(root, 'bin-1');
  mkdirSync(links);
  symlinkSync(join(nvm, 'node'), join(links, 'node'));
  const path = [
    links,
    make('.local/bin'),
    make('bin'),
    make('project/node_modules/.bin'),
    make('hidden/bin'),
    '/usr/bin',
    '/bin',
  ].join(':');
  const shown = toolchains({ path, root, home, hidden: [home, join(home, 'hidden')] });
  expect(shown).toEqual([join(home, '.nvm/versions/node/v22'), join(home, '.local/bin'), join(home, 'bin')]);
  const masks = maskArguments(shown, codegraphProfile.identity, [home, join(home, 'hidden')], path);
  // The folder alone: what lies in it goes with it.
  expect(masks.filter((arg) => arg.startsWith(home))).toEqual([realpathSync(engine), realpathSync(engine)]);
});

function listening(server: Server): Promise<number> {
  onTestFinished(() => void server.close());
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
}

/** What a socket answers, up to its end or to a text that is waited for. */
function say(file: string, text: string, ending?: string): Promise<string> {
  return new Promise((resolve) => {
    let seen = '';
    const socket = connect(file, () => socket.write(text));
    socket.on('data', (chunk) => {
      seen += chunk;
      if (ending !== undefined && seen.endsWith(ending)) socket.destroy();
    });
    socket.on('close', () => resolve(seen));
  });
}
