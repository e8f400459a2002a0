import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codegraphProfile } from '../../src/engine/codegraph/profile.js';
import { hostLog } from '../../src/host/logs.js';
import { measure } from '../../src/metrics/index.js';
import type { Measure } from '../../src/model/measure.js';
import { openTranscript, readSession } from '../../src/transcript/index.js';

const folder = join(import.meta.dirname, '../fixtures/golden');

type Expected = Pick<Measure, 'requests' | 'toolCalls' | 'tokensProcessed' | 'costUsd' | 'durationMs'> & {
  files: string[];
  occupancy: Record<string, unknown>;
  sufficiency: Record<string, unknown> & { next: [string, string][] };
  allocation: Record<string, unknown>;
};

const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Record<string, Expected>;

async function read(files: string[]) {
  const session = await readSession(
    files.map((file) => openTranscript(join(folder, file))),
    codegraphProfile,
    hostLog(),
  );
  return { session, measured: measure(session, { profile: codegraphProfile, windowTokens: 200_000 }) };
}

describe('figures published from the same logs', () => {
  it.each(Object.keys(expected))('%s', async (name) => {
    const wanted = expected[name] as Expected;
    const { session, measured } = await read(wanted.files);
    const { next, ...sufficiency } = wanted.sufficiency;

    expect(session.files.map((file) => basename(file))).toEqual(wanted.files);
    const { requests, toolCalls, tokensProcessed, costUsd, durationMs } = wanted;
    expect(measured).toMatchObject({ requests, toolCalls, tokensProcessed, durationMs, occupancy: wanted.occupancy });
    expect(measured.costUsd).toBeCloseTo(costUsd ?? Number.NaN, 9);
    expect(measured.sufficiency).toMatchObject(sufficiency);
    expect(measured.sufficiency.calls.map((call) => [call.bucket, call.next])).toEqual(next);
    expect(measured.allocation).toMatchObject(wanted.allocation);
  });
});

describe('a printed block', () => {
  it('has its figures call by call and file by file', async () => {
    const { measured, session } = await read(['v00.jsonl', 'v00.t2.jsonl', 'v00.t3.jsonl']);
    const { calls, files } = measured.allocation;
    expect(
      calls.map(({ usedChars, envelopeChars, filesUsed, files: of }) => [usedChars, envelopeChars, filesUsed, of]),
    ).toEqual([
      [4_272, 8_559, 1, 3],
      [4_337, 7_951, 2, 4],
      [1_633, 1_633, 1, 1],
    ]);
    expect(files.map(({ path, chars, via, symbol }) => [chars, path, symbol ?? via])).toEqual([
      [5_125, 'lib/express.js', 'path'],
      [4_272, 'lib/application.js', 'compileETag'],
      [3_130, 'src/index.ts', null],
      [3_129, 'context.go', null],
      [1_642, 'packages/element/src/index.ts', null],
      [845, 'lib/view.js', 'path'],
    ]);
    expect(measured.sufficiency.calls.map((call) => call.files.length)).toEqual([0, 3, 4, 0, 1]);
    expect(measured.counts).toEqual({
      ...{ Bash: 3, TodoWrite: 2, ToolSearch: 2, Grep: 1, mcp__codegraph__codegraph_explore: 5, Glob: 1, Write: 3 },
      ...{ Edit: 2, Read: 1 },
    });
    const names = session.threads.flatMap((thread) => thread.calls).toSorted((a, b) => a.order - b.order);
    expect(names.map(({ name }) => name).slice(0, 6)).toEqual([
      ...['Bash', 'TodoWrite', 'ToolSearch', 'Grep', 'mcp__codegraph__codegraph_explore', 'Glob'],
    ]);
  });
});
