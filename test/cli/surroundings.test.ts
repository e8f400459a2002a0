import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cacheDirOf } from '../../src/cli/options.js';
import { runCommand } from '../../src/process/index.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';

let user: Surroundings;
beforeAll(() => {
  user = makeSurroundings();
});
afterAll(() => user.remove());

/** Runs a line of shell in which $AE is the program. */
const shell = (line: string, env: Record<string, string> = {}) =>
  runCommand({
    argv: ['/bin/bash', '-c', line],
    cwd: user.cwd,
    env: { ...user.env, AE: `${process.execPath} ${resolve('bin/agent-eval.js')}`, ...env },
    deadlineMs: 60_000,
  });

test('a current directory that is gone is one clear message and exit code 4', async () => {
  const outcome = await shell('mkdir gone && cd gone && rmdir ../gone && $AE campaigns');
  expect(outcome).toMatchObject({ exitCode: 4, stdout: '' });
  expect(outcome.stderr).toBe('the current directory does not exist any more\n  change to a folder that exists\n');
});

test('too few file descriptors are one clear message and exit code 4', async () => {
  const outcome = await shell('ulimit -n 60; $AE campaigns');
  expect(outcome).toMatchObject({ exitCode: 4, stdout: '' });
  expect(outcome.stderr).toMatch(/^fewer than 128 more files can be opened\n.*ulimit -n 4096\n$/);
});

test.each(['missing', 'file'])('a TMPDIR that is %s is one clear message and exit code 4', async (name) => {
  writeFileSync(join(user.cwd, 'file'), '');
  const TMPDIR = join(user.cwd, name);
  for (const command of ['doctor --rehearsal', 'selftest']) {
    const outcome = await shell(`$AE ${command}`, { TMPDIR });
    expect(outcome).toMatchObject({ exitCode: 4, stdout: '' });
    expect(outcome.stderr).toContain(`TMPDIR is ${TMPDIR}, which`);
    expect(outcome.stderr).not.toContain('    at ');
  }
});

test('an empty HOME writes no caches into the current directory', async () => {
  const place = join(user.root, 'empty-home');
  mkdirSync(place);
  expect(cacheDirOf({ HOME: '' })).toMatch(/^\/(?!$)/);
  expect(cacheDirOf({ HOME: '' })).not.toContain(process.cwd());
  const outcome = await shell(`cd ${place} && $AE clean --caches --older-than 1000d`, { HOME: '', XDG_CACHE_HOME: '' });
  expect(outcome.exitCode).toBe(0);
  expect(readdirSync(place)).toEqual([]);
  expect(existsSync(join(user.cwd, '.cache'))).toBe(false);
});
