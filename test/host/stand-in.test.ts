import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readCliAttempts } from '../../src/host/index.js';
import { writeStandIns } from '../../src/host/stand-in.js';
import { runCommand } from '../../src/process/index.js';
import { temporaryFolder } from './rig.js';

/** What a program run by a parent says and gives; `@` is the program's name. */
async function run(command: [string, ...string[]], name: string, path: string) {
  const [program, ...args] = command;
  const argv: [string, ...string[]] = [program, ...args.map((arg) => arg.replaceAll('@', name))];
  const { exitCode, stderr, stdout } = await runCommand({ argv, env: { PATH: path }, deadlineMs: 20_000 });
  return { exitCode, text: `${stdout}${stderr}`.replaceAll(name, '@') };
}

test.each([
  ['bash', ['/bin/bash', '-c', '@ explore x; exit $?']],
  ['sh', ['/bin/sh', '-c', '@ explore x; exit $?']],
] satisfies [string, [string, ...string[]]][])(
  'run by %s, it fails exactly as a missing command does',
  async (_, command) => {
    const root = temporaryFolder();
    const { directory } = writeStandIns(root, ['codegraph']);
    const path = `/usr/bin:/bin:${directory}`;
    expect(await run(command, 'codegraph', path)).toEqual(await run(command, 'nosuchprogram', path));
  },
);

test('each execution is noted with its parent and its arguments, whoever runs it and from wherever', async () => {
  const root = temporaryFolder();
  const { directory, notesFile } = writeStandIns(root, ['codegraph']);
  const path = `/usr/bin:/bin:${directory}`;
  expect(readCliAttempts(notesFile)).toEqual([]);
  await run(['/bin/bash', '-c', "codegraph explore 'two words' ''; true"], 'codegraph', path);
  await run(['/bin/bash', '-c', 'echo a | xargs timeout 9 codegraph; true'], 'codegraph', path);
  await run(['/usr/bin/env', '-i', join(directory, 'codegraph'), "it's"], 'codegraph', path);
  const attempts = readCliAttempts(notesFile);
  expect(attempts.map(({ args }) => args)).toEqual([['explore', 'two words', ''], ['a'], ["it's"]]);
  expect(attempts[0]?.by).toContain('/bin/bash -c codegraph explore');
  expect(attempts[1]?.by).toBe('timeout 9 codegraph a');
});

test('notes that the agent replaced by a pipe, a link or a device are not read, and those of any size are bounded', async () => {
  const root = temporaryFolder();
  const { notesFile } = writeStandIns(root, ['codegraph']);
  await runCommand({ argv: ['mkfifo', notesFile], deadlineMs: 5_000 });
  const startedAt = performance.now();
  expect(readCliAttempts(notesFile)).toEqual([]);
  for (const target of ['/etc/hostname', '/dev/zero']) {
    rmSync(notesFile);
    symlinkSync(target, notesFile);
    expect(readCliAttempts(notesFile)).toEqual([]);
  }
  rmSync(notesFile);
  writeFileSync(notesFile, 'at\u001fby\u001fx\u001e'.repeat(1_000_000));
  expect(readCliAttempts(notesFile)).toHaveLength(200);
  // The folder of the notes leads elsewhere.
  const other = writeStandIns(temporaryFolder(), []).notesFile;
  writeFileSync(other, 'secret\u001e');
  rmSync(dirname(notesFile), { recursive: true });
  symlinkSync(dirname(other), dirname(notesFile));
  expect(readCliAttempts(notesFile)).toEqual([]);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
