import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codegraphProfile } from '../../src/engine/codegraph/profile.js';
import { hostLog } from '../../src/host/logs.js';
import { measure } from '../../src/metrics/index.js';
import type { Measure } from '../../src/model/measure.js';
import { openTranscript, readSession } from '../../src/transcript/index.js';
import { boundary, EXPLORE, ends, gives, measured, says, text, uses } from './events.js';

/** Sessions of Claude Code 2.1.197 with a window of 100,000 or 90,000 tokens and a scripted model. */
async function logged(name: string, segments: number, setWindowTokens?: number): Promise<Measure> {
  const files = Array.from({ length: segments }, (_, index) => `${name}${index === 0 ? '' : `.t${index + 1}`}.jsonl`);
  const inputs = files.map((file) => openTranscript(join('test/fixtures/pressure', file)));
  const session = await readSession(inputs, codegraphProfile, hostLog('claude-code'));
  return measure(session, { profile: codegraphProfile, setWindowTokens });
}

describe('requests that stand in no log', () => {
  it('are what the results were charged for beyond the log: the summaries of three compactions', async () => {
    const { hidden, tokensPaid, pressure, ...found } = await logged('compacted', 6);
    // By modelUsage: 99,534 + 125,677 + 168,959 + 171,713 + 126,321 + 169,281 prompt tokens, 3,023 of output.
    expect(tokensPaid).toBe(861_485 + 3_023);
    // By the usage of the results, which leave the summaries out: 657,740 and 2,772.
    expect(hidden).toMatchObject({ requests: 3, promptTokens: 861_485 - 657_740, outputTokens: 3_023 - 2_772 });
    // Input at $3 and output at $15 a million tokens, as the host prices them.
    expect(hidden.costUsd).toBeCloseTo((203_745 * 3 + 251 * 15) / 1e6, 9);
    expect(found.costUsd).toBeCloseTo((861_485 * 3 + 3_023 * 15) / 1e6, 9);
    // Published as the prompts and streamed output of the requests in the log.
    expect(found.tokensProcessed).toBe(657_740 + 2_772);
    expect(pressure.compactions.map(({ prompt }) => prompt)).toEqual([3, 4, 6]);
    expect(pressure.compactions[0]).toEqual({ prompt: 3, afterRequest: 4, trigger: 'auto', tokensBefore: 69_605 });
    expect(pressure).toMatchObject({ promptsBeforeCompaction: 2, failedCompactions: 0 });
    expect(pressure.costByPromptUsd).toHaveLength(6);
    expect(pressure.costByPromptUsd[1]).toBeCloseTo(0.383961, 6);
    expect(pressure.silentClearings).toEqual([]);
  });

  it('are the failed summaries too, each of which was paid for', async () => {
    const { hidden, tokensPaid, pressure, occupancy } = await logged('failed', 4);
    expect(hidden).toMatchObject({ requests: 4, promptTokens: 869_219 - 555_181, outputTokens: 68 });
    expect(tokensPaid).toBe(869_219 + 1_916);
    expect(pressure).toMatchObject({ compactions: [], failedCompactions: 4, promptsBeforeCompaction: null });
    expect(occupancy?.compactions).toBe(0);
  });

  it('do not hide requests whose ids repeat after a compaction, not even with equal prompts', async () => {
    const found = await logged('repeated-ids', 1);
    expect(found.requests).toBe(9);
    expect(found.tokensProcessed).toBe(532_285 + 9 * 24);
    expect(found.hidden).toMatchObject({ requests: 3, promptTokens: 742_723 - 532_285 });
  });

  it('are none where everything that was charged for stands in the log, and unknown without a charge', async () => {
    const usage = { inputTokens: 90, outputTokens: 5, cacheReadInputTokens: 10, cacheCreationInputTokens: 0 };
    const charged = { total_cost_usd: 1, usage: { output_tokens: 5 }, modelUsage: { a: usage } };
    const whole = await measured([[says('m1', 100, text('x')), ends('x', charged)]]);
    expect(whole.hidden).toEqual({ requests: 0, promptTokens: 0, outputTokens: 0, costUsd: 0 });
    expect(whole.tokensPaid).toBe(105);
    const none = { requests: null, promptTokens: null, outputTokens: null, costUsd: null };
    const uncharged = await measured([[says('m1', 100, text('x')), ends('x')]]);
    expect([uncharged.hidden, uncharged.tokensPaid]).toEqual([none, null]);
    // More in the log than was charged for: one of the two is wrong.
    const contradiction = await measured([[says('m1', 101, text('x')), ends('x', charged)]]);
    expect(contradiction.hidden).toEqual(none);
  });

  it('have no count where something beside compactions is hidden, and no output beside subagents', async () => {
    const usage = { inputTokens: 500, outputTokens: 9, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 };
    const charged = { total_cost_usd: 1, usage: { output_tokens: 5 }, modelUsage: { a: usage } };
    const found = await measured([
      [
        says('m1', 100, uses('c', 'Agent')),
        says('s1', 50, text('x'), 'c'),
        gives('c', 'done'),
        says('m2', 200, text('y')),
        ends('y', charged),
      ],
    ]);
    expect(found.hidden).toEqual({ requests: null, promptTokens: 150, outputTokens: null, costUsd: null });
  });
});

describe('the window that was set', () => {
  it('held where the host compacted at its threshold, which lies 33,000 tokens below the window', async () => {
    const { pressure } = await logged('compacted', 6, 100_000);
    expect(pressure.window).toEqual({ thresholdTokens: 67_000, state: 'held' });
    // 69,605 tokens were no reason to compact in a window of 130,000.
    expect((await logged('compacted', 6, 130_000)).pressure.window).toEqual({
      thresholdTokens: 97_000,
      state: 'broken',
    });
    // A window of 80,000 would have been compacted before the second prompt.
    expect((await logged('compacted', 6, 80_000)).pressure.window?.state).toBe('broken');
    expect((await logged('compacted', 2, 110_000)).pressure.window?.state).toBe('not-reached');
    expect((await logged('compacted', 2)).pressure.window).toBeNull();
  });
});

describe('lines delivered again', () => {
  const section = (path: string, lines: number[]) =>
    [`**\`${path}\`** — x(function)`, '```js', ...lines.map((line) => `${line}\tline ${line}`), '```', ''].join('\n');

  it('counts lines of explores and Reads that a compaction had dropped, once after each', async () => {
    const found = await measured([
      [
        says('m1', 1_000, uses('a', EXPLORE)),
        gives('a', section('lib/a.js', [1, 2, 3])),
        says('m2', 2_000, uses('b', 'Read', { file_path: '/w/lib/a.js' })),
        gives('b', '     2→two\n     3→three\n     4→four'),
        boundary([]),
        says('m3', 1_500, uses('c', 'Read', { file_path: '/w/lib/a.js' })),
        gives('c', '     3→three\n     4→four\n     5→five\n\n<system-reminder>\nx\n</system-reminder>'),
        says('m4', 1_800, uses('d', EXPLORE)),
        gives('d', section('lib/a.js', [3, 9])),
        ends('x'),
      ],
    ]);
    // Delivered: 3 + 3 + 3 + 2. Again after the boundary: lines 3 and 4. The second 3 came since the boundary.
    expect(found.pressure).toMatchObject({ linesDelivered: 11, linesRedelivered: 2 });
  });
});

describe('a prompt that shrinks without a boundary', () => {
  const at = (minute: number) => ({ timestamp: `2026-11-01T10:${String(minute).padStart(2, '0')}:00.000Z` });

  it('is listed with the pause before it', async () => {
    const found = await measured([
      [
        says('m1', 10_000, uses('a', 'Bash')),
        { ...gives('a', 'x'.repeat(4_000)), ...at(0) },
        says('m2', 12_000, uses('b', 'Bash')),
        { ...gives('b', 'x'), ...at(7) },
        says('m3', 11_500, uses('c', 'Bash')),
        { ...gives('c', 'x'), ...at(8) },
        says('m4', 5_000, text('y')),
        ends('y'),
      ],
      // In the stream no prompt has a time: the pause ends with the next timed event.
      [
        says('m5', 4_000, uses('d', 'Bash')),
        { ...gives('d', 'x'), ...at(50) },
        says('m6', 4_100, text('z')),
        ends('z'),
      ],
    ]);
    // From 12,000 to 11,500 is less than 5 %.
    expect(found.pressure.silentClearings).toEqual([
      { request: 4, tokens: 6_500, pauseMs: 60_000 },
      { request: 5, tokens: 1_000, pauseMs: 42 * 60_000 },
    ]);
  });

  it('is none after a compaction', async () => {
    const found = await measured([
      [says('m1', 10_000, text('x')), boundary(), says('m2', 3_000, text('y')), ends('y')],
    ]);
    expect(found.pressure.silentClearings).toEqual([]);
  });
});
