import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { ProtocolWatch } from '../../src/fence/mcp-protocol.js';
import { startMcpRelay } from '../../src/fence/mcp-relay.js';
import { temporaryFolder } from '../host/rig.js';

const request = (id: unknown, method = 'tools/call') => JSON.stringify({ jsonrpc: '2.0', id, method });
const answer = (id: unknown) => JSON.stringify({ jsonrpc: '2.0', id, result: {} });

function watched() {
  const answers: string[] = [];
  const broken: string[] = [];
  const watch = new ProtocolWatch(
    (line) => answers.push(line),
    (line) => broken.push(line),
    20,
  );
  onTestFinished(() => watch.close());
  return { watch, answers, broken };
}

test('open requests are answered with an error after a line that is no message', async () => {
  const { watch, answers, broken } = watched();
  watch.sent(request(7));
  watch.sent(request('eight'));
  watch.sent(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  watch.received('<<<this is no JSON>>>');
  watch.received(answer('eight'));
  await setTimeout(60);
  expect(broken).toEqual(['<<<this is no JSON>>>']);
  expect(answers.map((line) => JSON.parse(line))).toEqual([
    { jsonrpc: '2.0', id: 7, error: { code: -32_700, message: expect.stringContaining('<<<this is no JSON>>>') } },
  ]);
});

test.each([
  ['a stray line before the answer', ['loading…', answer(7)], 1],
  ['a stray line when nothing is open', [answer(7), 'done'], 1],
  ['messages, a batch and a blank line', ['', JSON.stringify([JSON.parse(answer(7))]), request(1, 'ping')], 0],
])('%s disturbs nobody', async (_, lines, strays) => {
  const { watch, answers, broken } = watched();
  watch.sent(request(7));
  for (const line of lines) watch.received(line);
  await setTimeout(60);
  expect([answers, broken.length]).toEqual([[], strays]);
});

test('JSON that is no JSON-RPC is no message, and nothing is answered after the end', async () => {
  const { watch, answers, broken } = watched();
  watch.sent(request(7));
  watch.received('{"level":"info"}');
  watch.close();
  await setTimeout(60);
  expect([answers, broken]).toEqual([[], ['{"level":"info"}']]);
});

test('a server that answers with garbage fails the call within seconds', async () => {
  const root = temporaryFolder();
  const script = join(root, 'server.mjs');
  writeFileSync(script, `process.stdin.on('data', () => process.stdout.write('<<<this is no JSON>>>\\n'));`);
  const socket = join(root, 's');
  const server = { command: process.execPath, args: [script], env: {} };
  const relay = await startMcpRelay({ socket, server, workspace: root, stderrFile: join(root, 'err') });
  onTestFinished(async () => {
    await relay.close();
  });
  const client = connect(socket);
  const started = Date.now();
  client.write(`${request(7)}\n`);
  for await (const line of createInterface({ input: client })) {
    if (!line.startsWith('{')) continue;
    expect(JSON.parse(line)).toMatchObject({ id: 7, error: { code: -32_700 } });
    break;
  }
  expect(Date.now() - started).toBeLessThan(20_000);
  expect(relay.counts.brokenLines).toEqual(['<<<this is no JSON>>>']);
  client.destroy();
}, 30_000);
