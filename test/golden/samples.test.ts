import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codegraphProfile } from '../../src/engine/codegraph/profile.js';
import { hostLog } from '../../src/host/logs.js';
import { measure } from '../../src/metrics/index.js';
import { openTranscript, readSession } from '../../src/transcript/index.js';

const folder = join(import.meta.dirname, '../fixtures/claude-code');

async function read(name: string) {
  const session = await readSession([openTranscript(join(folder, `${name}.jsonl`))], codegraphProfile, hostLog());
  return { session, measure: measure(session, { profile: codegraphProfile, windowTokens: 200_000 }) };
}

type Row = [
  ok: boolean,
  requests: number,
  requestsAllThreads: number,
  toolCalls: number,
  tokensProcessed: number | null,
  outputTokens: number | null,
  costUsd: number | null,
  durationMs: number | null,
  ctxFinalTokens: number | null,
];

/**
 * Every log of the real CLI, counted apart from our code. The scripted model's k-th request has a prompt of 1,100 k + 3
 * tokens and a stub of 2 output tokens: one request 1,105, two 3,310, four 11,020, five 16,525, ten 60,550
 * (docs/claude-code.md, "Usage and cost").
 */
// biome-ignore-start lint/suspicious/noApproximativeNumericConstant: a cost that looks like ln 2
const rows: Record<string, Row> = {
  '01-error-max-budget': [false, 1, 1, 1, 201102, null, 1.350675, 489, 201100],
  '01-error-max-turns': [false, 2, 2, 2, 3310, 100, 0.003543, 553, 2203],
  '01-partial-messages': [true, 2, 2, 2, 3310, 100, 0.003543, 480, 2203],
  '01-shapes': [true, 2, 2, 2, 3310, 100, 0.003543, 429, 2203],
  '03-at-mention': [true, 1, 1, 0, 1105, 50, 0.001434, 482, 1103],
  '03-context-command': [true, 0, 0, 0, null, 0, 0, 252, null],
  '03-resume-fork': [true, 1, 1, 0, 1105, 50, 0.001434, 177, 1103],
  '03-resume-missing': [false, 0, 0, 0, null, 0, 0, 0, null],
  '03-resume-same-session': [true, 2, 2, 2, 3310, 100, 0.003543, 378, 2203],
  '03-unknown-slash': [true, 0, 0, 0, null, 0, 0, 158, null],
  '04-400-prompt-too-long': [false, 0, 0, 0, null, 0, 0, 342, null],
  '04-401': [false, 0, 0, 0, null, 0, 0, 904, null],
  '04-429-long-retry-after': [false, 0, 0, 0, null, 0, 0, 3908, null],
  '04-429-once': [true, 1, 1, 0, 2205, 50, 0.002109, 6053, 2203],
  '04-500-after-work': [false, 2, 2, 2, 3310, 100, 0.003543, 4196, 2203],
  '04-500-ten-retries': [false, 0, 0, 0, null, 0, 0, 185236, null],
  '04-529-fallback-model': [false, 0, 0, 0, null, 0, 0, 10422, null],
  '04-drop-before-headers': [false, 0, 0, 0, null, 0, 0, 3146, null],
  '04-drop-midstream-fallback-off': [false, 0, 0, 0, null, 0, 0, 1428, null],
  '04-drop-midstream-nonstreaming-fallback': [true, 1, 1, 0, 2253, null, 0.002109, 4098, 2203],
  '04-empty-response': [true, 0, 0, 0, null, 100, 0.003543, 372, null],
  '04-hang-api-timeout': [false, 0, 0, 0, null, 0, 0, 11039, null],
  '04-hang-midstream-300s': [false, 0, 0, 0, null, 0, 0, 301268, null],
  '04-max-output-tokens': [false, 4, 4, 0, 11020, 200, 0.009786, 4822, 4403],
  '04-refusal': [false, 1, 1, 0, 1105, 50, 0.001434, 918, 1103],
  '04-resume-after-infra-failure': [true, 1, 1, 0, 1105, 50, 0.001434, 413, 1103],
  '05-subagent-api-error': [true, 2, 2, 1, 4410, 100, 0.004218, 348, 3303],
  '05-subagent-background-two-results': [true, 3, 5, 2, 23857, 150, 0.0161196, 1567, 5503],
  '05-subagent': [true, 2, 3, 2, 11270, 100, 0.0073572, 1196, 4403],
  '05-subagents-parallel': [true, 2, 4, 4, 19330, 100, 0.0225282, 723, 6603],
  '06-autocompact-off-blocking-limit': [false, 14, 14, 14, 2310028, null, 0.693, 1261, 178000],
  '06-autocompact-pct-failed-then-ok': [true, 3, 3, 2, 200715, 150, 0.123786, 572, 20403],
  '06-autocompact': [true, 4, 4, 3, 381120, 200, 0.18042, 716, 20503],
  '06-context-management': [true, 2, 2, 1, 3310, 127, 0.00453735, 413, 2203],
  '06-slash-compact': [true, 0, 0, 0, null, null, 0.058134, 184, null],
  '07-bg-bash-killed-at-exit': [true, 2, 2, 1, 3310, 100, 0.003543, 1803, 2203],
  '07-bg-bash-two-results': [true, 3, 3, 1, 6615, 150, 0.006327, 517, 3303],
  '07-big-bash-and-tool-errors': [true, 10, 10, 9, 60550, 500, 0.044715, 2845, 11003],
  '07-big-mcp': [true, 5, 5, 4, 16525, 250, 0.01392, 546, 5503],
  '07-mcp-results': [true, 10, 10, 9, 60550, 500, 0.044715, 1097, 11003],
  '07-toolsearch-default-first-party': [true, 1, 1, 0, 1105, 50, 0.001434, 569, 1103],
  '07-toolsearch': [true, 4, 4, 2, 11020, 200, 0.009786, 960, 4403],
  '08-ambient-clean': [true, 2, 2, 1, 3310, 100, 0.003543, 942, 2203],
  '08-ambient-everything': [true, 2, 2, 1, 3310, 100, 0.003543, 391, 2203],
  '08-hook-deny-events': [true, 2, 2, 1, 3310, 100, 0.003543, 351, 2203],
  '08-hook-deny': [true, 2, 2, 1, 3310, 100, 0.003543, 349, 2203],
  '08-hook-exit2': [true, 2, 2, 1, 3310, 100, 0.003543, 257, 2203],
  '08-hook-http': [true, 2, 2, 1, 3310, 100, 0.003543, 337, 2203],
  '08-hook-missing-events': [true, 2, 2, 1, 3310, 100, 0.003543, 509, 2203],
  '08-hook-missing-failopen': [true, 2, 2, 1, 3310, 100, 0.003543, 429, 2203],
  '08-hook-timeout-events': [true, 2, 2, 1, 3310, 100, 0.003543, 2790, 2203],
  '09-mcp-blocking': [true, 1, 1, 0, 1105, 50, 0.001434, 447, 1103],
  '09-mcp-crash': [true, 1, 1, 0, 1105, 50, 0.001434, 285, 1103],
  '09-mcp-early-call-wait': [true, 4, 4, 3, 11020, 200, 0.009786, 3496, 4403],
  '09-mcp-slow-pending': [true, 1, 1, 0, 1105, 50, 0.001434, 384, 1103],
  '09-sigint-during-api': [false, 0, 0, 0, null, 0, 0, 3441, null],
  '09-sigint-midtool': [false, 1, 1, 1, 1105, 50, 0.001434, 3727, 1103],
  '09-sigkill-midtool': [false, 1, 1, 1, 1105, null, null, null, 1103],
  '09-sigterm-midtool': [true, 2, 2, 1, 3310, 100, 0.003543, 3685, 2203],
  '10-not-logged-in': [false, 0, 0, 0, null, 0, 0, 439, null],
  '10-permission-denied': [true, 5, 5, 4, 16525, 250, 0.01392, 516, 5503],
};
// biome-ignore-end lint/suspicious/noApproximativeNumericConstant: a cost that looks like ln 2

describe('every log of the real CLI', () => {
  it('has a row', () => {
    const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl'));
    expect(Object.keys(rows).map((name) => `${name}.jsonl`)).toEqual(files.sort());
  });

  it.each(Object.entries(rows))('%s', async (name, row) => {
    const { measure: found } = await read(name);
    const { ok, requests, requestsAllThreads, toolCalls, tokensProcessed, outputTokens, durationMs } = found;
    const costUsd = found.costUsd === null ? null : Number(found.costUsd.toFixed(9));
    const final = found.occupancy?.ctxFinalTokens ?? null;
    expect([
      ok,
      requests,
      requestsAllThreads,
      toolCalls,
      tokensProcessed,
      outputTokens,
      costUsd,
      durationMs,
      final,
    ]).toEqual(row);
    expect(found.diagnostics.unparsedLines).toEqual([]);
  });
});

/**
 * The result of each call as the model saw it: characters, error, preview in its place (docs/claude-code.md, "Tool
 * results").
 */
const results: Record<string, [tool: string, chars: number, isError: boolean, undelivered: boolean][]> = {
  '07-big-mcp': [
    ['mcp__t__big', 3_018, false, false],
    ['mcp__t__big', 2_216, false, true],
    ['mcp__t__big', 1_242, false, true],
    ['mcp__t__big', 1_243, false, true],
  ],
  // The image has a text of 8 characters and bytes of none; structured content replaces the text.
  '07-mcp-results': [
    ['mcp__t__echo', 7, false, false],
    ['mcp__t__err', 18, true, false],
    ['mcp__t__img', 8, false, false],
    ['mcp__t__struct', 7, false, false],
    ['mcp__t__nosuch', 78, true, false],
    ['mcp__t__echo', 7, false, false],
    ['mcp__t__die', 35, true, false],
    ['mcp__t__echo', 7, false, false],
    ['mcp__t__echo', 7, false, false],
  ],
  '07-big-bash-and-tool-errors': [
    ['Bash', 2_212, false, true],
    ['Bash', 15, true, false],
    ['Bash', 40, true, false],
    ['Read', 3_019, false, false],
    ['Read', 67, true, false],
    ['Edit', 96, true, false],
    ['Bash', 182, true, false],
    ['Grep', 169, true, false],
    ['Glob', 159, true, false],
  ],
  // The reference counts as its JSON: {"type":"tool_reference","tool_name":"mcp__t__echo"}.
  '07-toolsearch': [
    ['mcp__t__echo', 76, true, false],
    ['ToolSearch', 52, false, false],
    ['mcp__t__echo', 7, false, false],
  ],
  '07-bg-bash-killed-at-exit': [['Bash', 255, false, false]],
  '08-hook-deny': [['Bash', 29, true, false]],
  '10-permission-denied': [
    ['Bash', 152, true, false],
    ['Bash', 4, false, false],
    ['Write', 87, true, false],
    ['Read', 88, true, false],
  ],
};

describe('results, as the model saw them', () => {
  it.each(Object.entries(results))('%s', async (name, wanted) => {
    const { session } = await read(name);
    const calls = session.threads[0]?.calls ?? [];
    expect(calls.map(({ name: tool, result }) => [tool, result?.chars, result?.isError, result?.undelivered])).toEqual(
      wanted,
    );
  });

  it('with an image are marked', async () => {
    const { session } = await read('07-mcp-results');
    const marked = session.threads[0]?.calls.filter(({ result }) => result?.hasImage).map(({ name }) => name);
    expect(marked).toEqual(['mcp__t__img']);
  });
});

describe('subagents', () => {
  it.each([
    // The final text of a subagent in the foreground is no event, so its last request is missing.
    ['05-subagent', [['toolu_sub1_1', 1, 5_758, 5_758]]],
    [
      '05-subagents-parallel',
      [
        ['toolu_subpar_3', 1, 5_758, 5_758],
        ['toolu_subpar_4', 1, 5_858, 5_858],
      ],
    ],
    ['05-subagent-background-two-results', [['toolu_subbg_1', 2, 5_758, 8_180]]],
    ['05-subagent-api-error', []],
  ])('%s', async (name, wanted) => {
    const { measure: found } = await read(name);
    expect(found.subagents.map((one) => [one.thread, one.requests, one.ctxBaseTokens, one.ctxFinalTokens])).toEqual(
      wanted,
    );
    expect(found.diagnostics.subagentErrors).toBe(name === '05-subagent-api-error' ? 1 : 0);
  });
});

describe('processes', () => {
  it.each([
    ['05-subagent-background-two-results', 2, 2, 0],
    ['07-bg-bash-two-results', 2, 2, 0],
    ['07-bg-bash-killed-at-exit', 1, 1, 1],
    ['03-resume-missing', 0, 1, 0],
    ['09-sigkill-midtool', 1, 0, 0],
  ])('%s has %i init, %i result events and %i stopped tasks', async (name, inits, ends, stopped) => {
    const [segment] = (await read(name)).session.segments;
    expect([segment?.inits.length, segment?.results.length, segment?.stoppedTasks]).toEqual([inits, ends, stopped]);
  });

  it('were raced where a tool under test was called while its server was connecting', async () => {
    const profile = { ...codegraphProfile, mcpServer: 't' };
    for (const [name, raced] of [
      ['09-mcp-early-call-wait', true],
      ['07-big-mcp', false],
      ['07-big-bash-and-tool-errors', false],
    ] as const) {
      const session = await readSession([openTranscript(join(folder, `${name}.jsonl`))], profile, hostLog());
      expect(measure(session, { profile, windowTokens: 200_000, expectEngine: true }).raced, name).toBe(raced);
    }
  });

  it('keep through a compaction that failed once what the boundary names', async () => {
    // Bash gave 5 characters twice; the window grew by 60,100 tokens between the two requests. No text of that length has so
    // many tokens, so the ratio is the default: 5 characters are 1.67 tokens.
    const { session, measure: found } = await read('06-autocompact-pct-failed-then-ok');
    const [first] = session.threads[0]?.requests ?? [];
    expect(first?.outputChars).toBe('Bash'.length + '{"command":"echo step1","description":"t"}'.length);
    expect(found.occupancy).toMatchObject({
      ...{ compactions: 1, ctxBaseTokens: 60_103, ctxFinalTokens: 20_403 },
      ...{ charsPerToken: 3, calibrated: false, evictedTokens: 2, residualTokens: { bash: 2 } },
    });
  });
});
