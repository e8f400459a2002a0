import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../src/process/index.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';

let user: Surroundings;
beforeAll(() => {
  user = makeSurroundings();
});
afterAll(() => user?.remove());

const classify = (args: string[], stdin: string) =>
  runCommand({
    argv: [process.execPath, resolve('bin/agent-eval.js'), 'classify', ...args],
    cwd: user.cwd,
    env: user.env,
    stdin,
    deadlineMs: 60_000,
  });

test('JSON lines keep their other fields and their order, and get class and reason', async () => {
  const lines = [
    { id: 3, label: 'x', command: 'cd lib && codegraph status', cwd: '/r' },
    { id: 1, command: 'sqlite3 codegraph.db .tables', cwd: '/r/.codegraph' },
    { id: 2, command: 'git commit -m "use codegraph\nstatus"' },
  ];
  const { exitCode, stdout } = await classify(['--json'], lines.map((line) => JSON.stringify(line)).join('\n'));
  expect(exitCode).toBe(0);
  const out = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(out).toEqual(
    ['invoke', 'data', 'mention'].map((kind, at) => ({
      ...lines[at],
      class: kind,
      reason: expect.stringMatching(/./),
    })),
  );
});

test('plain lines, a file and arguments give the same, as text', async () => {
  const commands = ['npx codegraph status', '{ grep -rn codegraph src; }'];
  const file = join(user.cwd, 'commands.txt');
  writeFileSync(file, `${commands.join('\n')}\n\n`);
  const [piped, read, given] = [
    await classify([], commands.join('\n')),
    await classify(['--file', file], ''),
    await classify(commands, ''),
  ];
  expect(piped.stdout).toMatch(/^invoke {2}npx codegraph status\n {8}\S.*\nmention \{ grep/);
  expect([read.stdout, given.stdout]).toEqual([piped.stdout, piped.stdout]);
});

test('a broken line and a missing file are bad input', async () => {
  const broken = await classify([], '{"command":"ls"}\n{"command":');
  expect([broken.exitCode, broken.stderr]).toEqual([2, expect.stringContaining('line 2')]);
  expect((await classify(['--file', join(user.cwd, 'nowhere')], '')).exitCode).toBe(2);
});
