import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codegraphProfile } from '../../src/engine/codegraph/profile.js';
import { hostLog } from '../../src/host/logs.js';
import { measure } from '../../src/metrics/index.js';
import { openTranscript, readSession } from '../../src/transcript/index.js';

const folder = join(import.meta.dirname, '../fixtures/claude-code');

async function measured(...files: string[]) {
  const session = await readSession(
    files.map((file) => openTranscript(join(folder, file))),
    codegraphProfile,
    hostLog(),
  );
  return { session, ...measure(session, { profile: codegraphProfile, windowTokens: 200_000 }) };
}

interface Row {
  ok: boolean;
  requests: number;
  all?: number;
  calls: number;
  tokens: number | null;
  output: number | null;
  cost: number | null;
  ms: number | null;
  final: number | null;
}

// Counted over the logs by hand: distinct message ids of real models, their input + cache + output tokens, tool_use blocks
// but ToolSearch, the results' own figures.
const rows: Record<string, Row> = {
  '01-shapes': { ok: true, requests: 2, calls: 2, tokens: 3310, output: 100, cost: 0.003543, ms: 429, final: 2203 },
  '01-partial-messages': {
    ok: true,
    requests: 2,
    calls: 2,
    tokens: 3310,
    output: 100,
    cost: 0.003543,
    ms: 480,
    final: 2203,
  },
  '01-error-max-turns': {
    ok: false,
    requests: 2,
    calls: 2,
    tokens: 3310,
    output: 100,
    cost: 0.003543,
    ms: 553,
    final: 2203,
  },
  '01-error-max-budget': {
    ok: false,
    requests: 1,
    calls: 1,
    tokens: 201102,
    output: null,
    cost: 1.350675,
    ms: 489,
    final: 201100,
  },
  '03-resume-missing': { ok: false, requests: 0, calls: 0, tokens: null, output: 0, cost: 0, ms: 0, final: null },
  '03-unknown-slash': { ok: true, requests: 0, calls: 0, tokens: null, output: 0, cost: 0, ms: 158, final: null },
  '04-401': { ok: false, requests: 0, calls: 0, tokens: null, output: 0, cost: 0, ms: 904, final: null },
  '04-500-after-work': {
    ok: false,
    requests: 2,
    calls: 2,
    tokens: 3310,
    output: 100,
    cost: 0.003543,
    ms: 4196,
    final: 2203,
  },
  '04-drop-midstream-nonstreaming-fallback': {
    ...{ ok: true, requests: 1, calls: 0, tokens: 2253, output: null, cost: 0.002109, ms: 4098, final: 2203 },
  },
  '04-max-output-tokens': {
    ok: false,
    requests: 4,
    calls: 0,
    tokens: 11020,
    output: 200,
    cost: 0.009786,
    ms: 4822,
    final: 4403,
  },
  '05-subagent': {
    ok: true,
    requests: 2,
    all: 3,
    calls: 2,
    tokens: 11270,
    output: 100,
    cost: 0.0073572,
    ms: 1196,
    final: 4403,
  },
  '05-subagents-parallel': {
    ...{ ok: true, requests: 2, all: 4, calls: 4, tokens: 19330, output: 100, cost: 0.0225282, ms: 723, final: 6603 },
  },
  // Two results of one process: durations 1522 + 45 and outputs 100 + 50 add up, the cost is cumulative.
  '05-subagent-background-two-results': {
    ...{ ok: true, requests: 3, all: 5, calls: 2, tokens: 23857, output: 150, cost: 0.0161196, ms: 1567, final: 5503 },
  },
  '06-autocompact': {
    ok: true,
    requests: 4,
    calls: 3,
    tokens: 381120,
    output: 200,
    cost: 0.18042,
    ms: 716,
    final: 20503,
  },
  '06-slash-compact': {
    ok: true,
    requests: 0,
    calls: 0,
    tokens: null,
    output: null,
    cost: 0.058134,
    ms: 184,
    final: null,
  },
  '07-bg-bash-two-results': {
    ok: true,
    requests: 3,
    calls: 1,
    tokens: 6615,
    output: 150,
    cost: 0.006327,
    ms: 517,
    final: 3303,
  },
  '07-toolsearch': {
    ok: true,
    requests: 4,
    calls: 2,
    tokens: 11020,
    output: 200,
    cost: 0.009786,
    ms: 960,
    final: 4403,
  },
  '09-sigint-midtool': {
    ok: false,
    requests: 1,
    calls: 1,
    tokens: 1105,
    output: 50,
    cost: 0.001434,
    ms: 3727,
    final: 1103,
  },
  '09-sigkill-midtool': {
    ok: false,
    requests: 1,
    calls: 1,
    tokens: 1105,
    output: null,
    cost: null,
    ms: null,
    final: 1103,
  },
};

describe('logs of the real CLI', () => {
  it.each(Object.entries(rows))('%s', async (name, row) => {
    const found = await measured(`${name}.jsonl`);
    expect({
      ok: found.ok,
      requests: found.requests,
      all: found.requestsAllThreads,
      calls: found.toolCalls,
      tokens: found.tokensProcessed,
      output: found.outputTokens,
      cost: found.costUsd === null ? null : Number(found.costUsd.toFixed(9)),
      ms: found.durationMs,
      final: found.occupancy?.ctxFinalTokens ?? null,
    }).toEqual({ all: row.requests, ...row });
  });

  it.each(readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.jsonl')))(
    '%s is read to the last line',
    async (file) => {
      const { diagnostics, session } = await measured(file);
      expect(diagnostics.unparsedLines).toEqual([]);
      expect(session.diagnostics.knownEvents).toBe(diagnostics.lines);
    },
  );

  it.each([
    ['04-429-once', { retries: 1 }],
    ['04-500-ten-retries', { retries: 10 }],
    ['04-529-fallback-model', { retries: 6, fallbackModels: ['claude-haiku-4-5'] }],
    ['05-subagent-api-error', { subagentErrors: 1 }],
    ['09-sigkill-midtool', { segments: [{ subtype: null, isError: null }] }],
    ['04-401', { segments: [{ subtype: 'success', isError: true }] }],
  ])('%s flags %j', async (name, flags) => {
    expect((await measured(`${name}.jsonl`)).diagnostics).toMatchObject(flags);
  });

  it.each([
    ['04-401', 'authentication_failed'],
    ['04-429-long-retry-after', 'rate_limit'],
    ['04-max-output-tokens', 'max_output_tokens'],
    ['03-unknown-slash', ''],
    ['01-shapes', undefined],
  ])('%s ends with the made-up message %j', async (name, error) => {
    expect((await measured(`${name}.jsonl`)).session.segments[0]?.lastSyntheticError).toBe(error);
  });

  it('keeps through a compaction what the boundary names', async () => {
    // 51 characters a gap in 60,100 tokens: no text, so the ratio is the default 3. The five characters of step 3 are kept,
    // the ten of the two others are not.
    const { occupancy } = await measured('06-autocompact.jsonl');
    expect(occupancy).toMatchObject({
      ...{ compactions: 1, calibrated: false, charsPerToken: 3, dispersion: null },
      ...{ evictedTokens: 3, residualTokens: { bash: 2 } },
    });
  });

  it('goes on where a session was resumed', async () => {
    const found = await measured('01-shapes.jsonl', '03-resume-fork.jsonl');
    expect(found).toMatchObject({ ok: true, toolCalls: 2, durationMs: 606 });
    expect(found.costUsd).toBeCloseTo(0.003543 + 0.001434, 9);
    expect(found.diagnostics.segments).toHaveLength(2);
  });

  it('counts previews in place of big results', async () => {
    const { session } = await measured('07-big-mcp.jsonl');
    expect(session.threads[0]?.calls.map(({ result }) => result?.undelivered)).toContain(true);
    const small = await measured('01-shapes.jsonl');
    expect(small.session.threads[0]?.calls.map(({ result }) => result?.undelivered)).not.toContain(true);
  });
});
