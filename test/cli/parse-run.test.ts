import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../src/process/index.js';
import { response } from '../metrics/events.js';
import { makeSurroundings } from '../rig/run-cli.js';
import { golden, linesOf, samples, worked, writeRun } from './logs.js';
import { faultsOf } from './schemas.js';

const user = makeSurroundings();
afterAll(() => user.remove());

const log = writeRun(join(user.cwd, 'one'), 'run-new-1', worked());
const measureOf = async (...args: string[]) => {
  const outcome = await user.run(['parse-run', '--json', ...args]);
  expect([outcome.exitCode, faultsOf('measure', outcome.stdout)]).toEqual([0, []]);
  return JSON.parse(outcome.stdout);
};

describe('parse-run', () => {
  it('needs only the first segment, or the folder, of a run', async () => {
    for (const path of [log, join(user.cwd, 'one'), 'one']) {
      const measure = await measureOf(path);
      expect(measure).toMatchObject({ requests: 4, costUsd: 2, durationMs: 3_000, ok: true });
      // 14,000 − 10,000 = 4,000 tokens of 10,000 characters: 2.5 a token; the Read of 5,000 is 2,000.
      expect(measure.occupancy).toMatchObject({ charsPerToken: 2.5, residualTokens: { tool: 4_000, read: 2_000 } });
    }
  });

  it('finds the segments of logs by any name, and takes those given beside it once', async () => {
    expect((await measureOf(join(golden, 'v00.jsonl'))).diagnostics.segments).toHaveLength(3);
    const both = await measureOf(join(golden, 'v00.jsonl'), join(golden, 'v00.t2.jsonl'), join(golden, 'v00.t3.jsonl'));
    expect(both.diagnostics.segments).toHaveLength(3);
  });

  it('prints the blocks, and without the list of calls on --brief', async () => {
    const full = await user.run(['parse-run', log]);
    expect(full.stdout).toContain('=== run-new-1.jsonl + run-new-1.t2.jsonl ===');
    expect(full.stdout).toContain('  2. Read a.js');
    const brief = await user.run(['parse-run', '--brief', log]);
    expect(brief.stdout).not.toContain('  2. Read a.js');
    expect(brief.stdout).toContain('by type: {"mcp__codegraph__codegraph_explore":1,"Read":1}');
  });

  it('divides each response among files, several globs marking the answer', async () => {
    const [first = [], ...rest] = worked();
    const sections = ['lib/a.js', 'lib/b.js', 'lib/c.js'].map((path) => ({ path, chars: 1_000 }));
    const events = first.map((event, index) =>
      index === 1
        ? JSON.parse(
            JSON.stringify(event).replace(/"content":"[^"]*"/, `"content":${JSON.stringify(response(...sections))}`),
          )
        : event,
    );
    const file = writeRun(join(user.cwd, 'envelope'), 'run-x', [events, ...rest]);
    const { stdout } = await user.run(['parse-run', '--envelope', '--answer', '**/a.js', '--answer', 'lib/b.*', file]);
    expect(stdout).toContain('answer files: 66.7%  2,000/3,000 chars');
    expect(stdout).toMatch(/\* +33\.3% +1000 {2}lib\/b\.js/);
    expect(stdout).not.toMatch(/\* +33\.3% +1000 {2}lib\/c\.js/);
  });

  it('reads standard input on -', async () => {
    const outcome = await runCommand({
      argv: ['sh', '-c', 'cat "$1" | "$2" "$3" parse-run --json -', 'sh', log, process.execPath, 'bin/agent-eval.js'],
      env: user.env,
      deadlineMs: 60_000,
    });
    expect(faultsOf('measure', outcome.stdout)).toEqual([]);
    expect(JSON.parse(outcome.stdout)).toMatchObject({ files: ['-'], requests: 3, costUsd: 1 });
  });

  it('gives a list for several runs', async () => {
    const { stdout } = await user.run(['parse-run', '--json', log, join(samples, '01-shapes.jsonl')]);
    const list = JSON.parse(stdout);
    expect(list).toHaveLength(2);
    for (const one of list) expect(faultsOf('measure', JSON.stringify(one))).toEqual([]);
  });
});

describe('parse-run --timeline', () => {
  it('says request by request what joined, what it occupies and what is resident', async () => {
    const { stdout } = await user.run(['parse-run', '--brief', '--timeline', log]);
    const shown = stdout.slice(stdout.indexOf('  Window, request by request'));
    expect(shown).toContain('(2.50 chars/tok measured)');
    expect(shown).toContain('request 2: 10,000 → 14,000 tok (+4,000)');
    expect(shown).toMatch(/\+ codegraph {2}1\. mcp__codegraph__codegraph_explore +10,000 chars +4,000 tok/);
    expect(shown).toContain('= resident: codegraph 4,000, Read 2,000, Grep/Glob 0, Bash 0, other 0 tok');
    expect(shown).toContain('--- segment 2 ---');
  });

  it('tells what was compacted, from the same walk as the block', async () => {
    const file = join(samples, '06-autocompact.jsonl');
    const outcome = await user.run(['parse-run', '--timeline', '--json', file]);
    expect(faultsOf('timeline', outcome.stdout)).toEqual([]);
    const [main] = JSON.parse(outcome.stdout).threads;
    const measure = await measureOf(file);
    const last = main.steps.at(-1);
    expect(last.residentTokens).toEqual(measure.occupancy.residualTokens);
    expect(last.compactions).toBe(1);
    const evicted = main.steps.reduce((sum: number, step: { compactedTokens: number; shedTokens: number }) => {
      return sum + step.compactedTokens + step.shedTokens;
    }, 0);
    expect(evicted).toBe(measure.occupancy.evictedTokens);
  });
});

describe('logs that are none', () => {
  writeFileSync(join(user.cwd, 'notes.txt'), 'not a log\n');
  writeFileSync(join(user.cwd, 'other.jsonl'), '{"level":"info","msg":"started"}\n');
  writeFileSync(join(user.cwd, 'empty.jsonl'), '');
  mkdirSync(join(user.cwd, 'bare'));
  mkdirSync(join(user.cwd, 'foreign'));
  writeFileSync(join(user.cwd, 'foreign', 'run-a.jsonl'), '{"level":"info"}\n');

  it.each([
    ['parse-run', 'nowhere.jsonl', 'there is no such file or folder: nowhere.jsonl'],
    ['parse-run', 'bare', 'no run logs (run-<label>.jsonl) in bare'],
    ['parse-run', 'notes.txt', 'notes.txt: no line of it is an event of a Claude Code transcript'],
    ['parse-run', 'other.jsonl', 'other.jsonl: no line of it is an event of a Claude Code transcript'],
    ['parse-run', 'empty.jsonl', 'empty.jsonl: no line of it is an event of a Claude Code transcript'],
    ['parse-session', 'nowhere', 'there is no such file or folder, nor sessions of it: nowhere'],
    ['parse-session', 'bare', 'no session of bare'],
    ['parse-session', 'other.jsonl', 'other.jsonl: no line of it is an event of a Claude Code transcript'],
    ['report', 'nowhere', 'there is no such folder: nowhere'],
    ['report', 'bare', 'no run logs (run-<label>.jsonl) in bare'],
    ['report', 'notes.txt', 'this is a file, not a folder of logs: notes.txt'],
    ['report', 'foreign', 'foreign/run-a.jsonl: no line of it is an event of a Claude Code transcript'],
    ['compare-arms', 'nowhere', 'there is no such folder: nowhere'],
    ['compare-arms', 'bare', 'no run logs (run-<label>.jsonl) in bare'],
    ['compare-arms', 'foreign', 'foreign/run-a.jsonl: no line of it is an event of a Claude Code transcript'],
  ])('%s %s: one clear line, exit 2', async (command, path, message) => {
    const { exitCode, stdout, stderr } = await user.run([command, path, ...(command === 'compare-arms' ? ['a'] : [])]);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr.split('\n')[0]).toBe(`failed (bad-input): ${message}`);
  });

  it('reads the others all the same, and a name is wanted', async () => {
    writeFileSync(join(user.cwd, 'good.jsonl'), linesOf(worked()[0] ?? []));
    const { exitCode, stdout, stderr } = await user.run(['parse-run', '--brief', 'nowhere.jsonl', 'good.jsonl']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('nowhere.jsonl');
    expect(stdout).toContain('=== good.jsonl ===');
    expect((await user.run(['parse-run'])).exitCode).toBe(2);
  });
});
