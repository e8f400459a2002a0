import { describe, expect, it } from 'vitest';
import { ends, gives, measured, says, text, uses } from './events.js';

describe('throughput', () => {
  it('counts calls by name, and all but ToolSearch as tool calls', async () => {
    const found = await measured([
      [
        says('m1', 100, uses('a', 'ToolSearch')),
        says('m1', 100, uses('b', 'Bash')),
        says('m2', 200, uses('c', 'Agent')),
        says('s1', 50, uses('d', 'Bash'), 'c'),
        says('m3', 300, uses('e', 'TodoWrite')),
      ],
    ]);
    expect(found).toMatchObject({ toolCalls: 4, requests: 3, requestsAllThreads: 4 });
    expect(found.counts).toEqual({ ToolSearch: 1, Bash: 2, Agent: 1, TodoWrite: 1 });
    // Prompts of 100, 200, 50 and 300 tokens, and one token of output each.
    expect(found.tokensProcessed).toBe(654);
    expect(found).toMatchObject({ costUsd: null, durationMs: null, outputTokens: null });
  });

  it('takes the last cost of each process and every duration', async () => {
    const result = (ms: number, usd: number, tokens: number) =>
      ends('x', { duration_ms: ms, total_cost_usd: usd, usage: { output_tokens: tokens } });
    const found = await measured([[result(10, 0.25, 5), result(20, 0.5, 6)], [result(40, 1, 7)]]);
    expect(found).toMatchObject({ durationMs: 70, costUsd: 1.5, outputTokens: 18 });
  });

  it('gives no output tokens where one of the results has no real figure', async () => {
    const zero = ends('x', { total_cost_usd: 1, usage: { output_tokens: 0 } });
    const some = ends('x', { total_cost_usd: 1, usage: { output_tokens: 9 } });
    expect((await measured([[some], [zero]])).outputTokens).toBeNull();
  });

  it('leaves out what the host made up', async () => {
    const made = says('x1', 0, text('API Error: 500'));
    const message = { ...(made.message as object), model: '<synthetic>' };
    const found = await measured([[says('m1', 100, text('a')), { ...made, message, error: 'server_error' }]]);
    expect(found).toMatchObject({ requests: 1, tokensProcessed: 101, occupancy: { ctxFinalTokens: 100 } });
  });
});

describe('ok', () => {
  const good = ends('x');

  it.each([
    ['a success', [[good]], undefined, true],
    ['as many as planned', [[good], [good]], 2, true],
    ['fewer than planned', [[good]], 2, false],
    ['a segment without a result', [[good], [says('m', 1, text('a'))]], undefined, false],
    ['a success that is an error', [[ends('API Error', { is_error: true })]], 1, false],
    ['another subtype', [[ends('x', { subtype: 'error_max_turns' })]], 1, false],
    ['a bad one before a good one', [[ends('x', { is_error: true }), good]], 1, false],
    ['nothing at all', [], undefined, false],
  ])('%s', async (_title, segments, plannedPrompts, ok) => {
    expect((await measured(segments, { plannedPrompts })).ok).toBe(ok);
  });

  it('flags a subagent that died of an API error', async () => {
    const found = await measured([[says('m', 1, uses('a', 'Agent')), gives('a', 'API Error: 400 bad'), ends('x')]]);
    expect(found.ok).toBe(true);
    expect(found.diagnostics.subagentErrors).toBe(1);
  });
});
