import { appendFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Activity, LogTail } from '../../src/host/log-tail.js';
import { hostLog } from '../../src/host/logs.js';
import { temporaryFolder } from './rig.js';

const { format } = hostLog();

test('lines are taken once they are whole, cut anywhere, also inside a character', () => {
  const file = join(temporaryFolder(), 'log');
  const seen: Activity[] = [];
  const tail = new LogTail(file, format, (activity) => seen.push(activity));
  expect(tail.read()).toBe(false);

  const call = { type: 'tool_use', name: 'Read', input: { limit: 5, file_path: 'lib/é.js' } };
  const line = Buffer.from(`${JSON.stringify({ type: 'assistant', message: { content: [call] } })}\n`);
  const cut = line.indexOf(0xc3) + 1;
  writeFileSync(file, line.subarray(0, cut));
  expect(tail.read()).toBe(true);
  expect(seen).toEqual([]);
  appendFileSync(file, line.subarray(cut));
  tail.read();
  expect(seen).toEqual([{ text: 'Read lib/é.js', costUsd: undefined }]);

  appendFileSync(file, `no JSON\n{"type":"result","subtype":"success","total_cost_usd":0.25}\n`);
  tail.read();
  expect(seen.at(-1)).toEqual({ text: 'answered', costUsd: 0.25 });
  expect(tail.hasResult).toBe(true);
  // The end of a background task starts another turn (docs/claude-code.md, "Background tasks").
  appendFileSync(file, '{"type":"system","subtype":"init"}\n');
  tail.read();
  expect(tail.hasResult).toBe(false);
});

test('a long command is cut, white space is one blank', () => {
  const file = join(temporaryFolder(), 'log');
  const seen: string[] = [];
  const command = `${'x'.repeat(58)}\n  yz123`;
  const event = { type: 'assistant', message: { content: [{ type: 'tool_use', name: 'Bash', input: { command } }] } };
  writeFileSync(file, `${JSON.stringify(event)}\n`);
  new LogTail(file, format, ({ text }) => seen.push(text)).read();
  expect(seen).toEqual([`Bash ${'x'.repeat(58)} y…`]);
});

test('the agent is at work from the first answer of the model on, but not while the CLI asks again after an error', () => {
  const file = join(temporaryFolder(), 'log');
  const tail = new LogTail(file, format, () => undefined);
  const after = (event: unknown) => {
    appendFileSync(file, `${JSON.stringify(event)}\n`);
    tail.read();
    return tail.isAtWork;
  };
  const answer = { type: 'assistant', message: { model: 'claude-sonnet-4-5', content: [] } };
  expect(after({ type: 'system', subtype: 'init' })).toBe(false);
  expect(after({ type: 'assistant', message: { model: '<synthetic>', content: [] } })).toBe(false);
  expect(after(answer)).toBe(true);
  expect(after({ type: 'user', message: { content: [] } })).toBe(true);
  expect(after({ type: 'system', subtype: 'api_retry', attempt: 1, max_retries: 10 })).toBe(false);
  expect(after(answer)).toBe(true);
});

test('a line of 300 MB is skipped within seconds, and what follows it is read', () => {
  const file = join(temporaryFolder(), 'log');
  const seen: string[] = [];
  const tail = new LogTail(file, format, ({ text }) => seen.push(text));
  writeFileSync(file, '{"type":"result","subtype":"success"}\n{"type":"user"');
  truncateSync(file, 300 * 1024 * 1024);
  const startedAt = performance.now();
  tail.read();
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(tail.hasResult).toBe(false);
  appendFileSync(file, '\n{"type":"result","subtype":"success"}\n');
  tail.read();
  expect(seen).toEqual(['answered', 'answered']);
  expect(tail.hasResult).toBe(true);
});
