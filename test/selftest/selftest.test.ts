import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../src/process/index.js';
import { faultsOf } from '../cli/schemas.js';
import { makeSurroundings } from '../rig/run-cli.js';

const user = makeSurroundings();
const copy = mkdtempSync(join(tmpdir(), 'aeselftest-'));
afterAll(() => {
  user.remove();
  rmSync(copy, { recursive: true, force: true });
});

/** Runs the selftest of an installed copy in which one piece of the program is changed, in whichever chunk the bundler put it. */
async function withChange(from: string, to: string) {
  for (const part of ['bin', 'dist', 'package.json', 'corpus.config.ts']) {
    cpSync(resolve(part), join(copy, part), { recursive: true });
  }
  rmSync(join(copy, 'node_modules'), { force: true });
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  const chunks = readdirSync(join(copy, 'dist/chunks')).map((file) => join(copy, 'dist/chunks', file));
  const holding = chunks.filter((chunk) => readFileSync(chunk, 'utf8').includes(from));
  const [path = ''] = holding;
  expect(holding).toEqual([path]);
  const before = readFileSync(path, 'utf8');
  expect(before.split(from)).toHaveLength(2);
  writeFileSync(path, before.replace(from, to));
  return await runCommand({
    argv: [process.execPath, join(copy, 'bin/agent-eval.js'), 'selftest'],
    env: user.env,
    deadlineMs: 60_000,
  });
}

describe('selftest', () => {
  it('lists the rules of all sections, and all hold', async () => {
    const { exitCode, stdout } = await user.run(['selftest']);
    expect(exitCode).toBe(0);
    const sections = new Set(stdout.split('\n').flatMap((line) => /^(\d+) \S/.exec(line)?.[1] ?? []));
    expect([...sections].filter((section) => Number(section) <= 10)).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
      '8',
      '9',
      '10',
    ]);
    expect(stdout).toMatch(/\d+ rules in 14 sections: all hold/);
    expect(stdout).not.toContain('MISS');
  });

  it('is also parse-run --selftest, and has JSON', async () => {
    const other = await user.run(['parse-run', '--selftest']);
    expect([other.exitCode, other.stdout.includes('all hold')]).toEqual([0, true]);
    const json = await user.run(['selftest', '--json']);
    expect([json.exitCode, faultsOf('selftest', json.stdout)]).toEqual([0, []]);
  });

  it('ends with 1 where an expectation is planted that does not hold', async () => {
    const { exitCode, stdout } = await withChange('(4,000/3,000/3,000) is 40%", .4', '(4,000/3,000/3,000) is 40%", .5');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('MISS  Check: one of three files cited');
    expect(stdout).toContain('expected 0.5');
    expect(stdout).toContain('1 MISSED');
  });

  it.each([
    ['the share of a clean gap', 'isMostlyTools(gap, .8)', 'isMostlyTools(gap, .7)'],
    ['the tolerance of shedding', 'Math.max(200,', 'Math.max(300,'],
    ['the number of files that share a symbol', 'AMBIGUOUS_FILES = 3', 'AMBIGUOUS_FILES = 2'],
  ])('ends with 1 where the code is wrong: %s', async (_, from, to) => {
    expect((await withChange(from, to)).exitCode).toBe(1);
  });
});
