import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { measure } from '../../src/metrics/index.js';
import type { RehearsalScript } from '../../src/rehearsal/index.js';
import { makeTrial, profile, type Trial, type TrialOptions } from '../host/rig.js';

/** Sessions of the real CLI with a scripted model: what it says and how large its prompts are is decided here. */

const bash = (command: string, more = {}) => ({ name: 'Bash', input: { command, description: 't', ...more } });
const EXPLORE = 'mcp__engine__engine_explore';
const sized = (inputTokens: number) => ({ usage: { inputTokens, outputTokens: 50 } });

interface Held {
  script: RehearsalScript;
  options?: Partial<TrialOptions>;
  /** Characters that the server's tool answers; undefined: no server. */
  answerChars?: number;
  alwaysLoad?: boolean;
}

let running: Trial | undefined;

/** The last message of the latest request, as JSON. */
function lastMessage(): string {
  const body = running?.rehearsal.requests().at(-1)?.body as { messages?: unknown[] } | undefined;
  return JSON.stringify(body?.messages?.at(-1) ?? null);
}

async function hold({ script, options, answerChars, alwaysLoad = true }: Held) {
  const trial = await makeTrial({ script, prompts: ['How does it work?'], ...options });
  running = trial;
  if (answerChars !== undefined) {
    const server = join(import.meta.dirname, '../fixtures/agent/mcp-server.js');
    const engine = { command: process.execPath, args: [server, '0', String(answerChars)], env: {}, alwaysLoad };
    writeFileSync(trial.isolation.mcpConfigFile, JSON.stringify({ mcpServers: { engine } }));
  }
  const run = await trial.run();
  expect(run.failure).toBeUndefined();
  const session = await trial.session();
  const log = readFileSync(trial.logs[0] ?? '', 'utf8')
    .trimEnd()
    .split('\n');
  const events = log.map((line) => JSON.parse(line) as Record<string, never>);
  return { session, events, measure: measure(session, { profile, windowTokens: 200_000 }) };
}

describe('the real CLI', { timeout: 120_000 }, () => {
  it('delegates to a subagent, whose window is its own', async () => {
    const script: RehearsalScript = ({ isSubagent, step, tools }) => {
      if (tools.length === 0) return { text: 'a title' };
      if (isSubagent) {
        return step === 0
          ? { toolCalls: [bash('echo from-sub')], ...sized(9_000) }
          : { text: 'sub answer', ...sized(9_500) };
      }
      const input = { description: 'look', prompt: 'Look around.', subagent_type: 'general-purpose' };
      return step === 0
        ? { toolCalls: [{ name: 'Agent', input }], ...sized(20_000) }
        : { text: 'done', ...sized(21_000) };
    };
    const { measure: found } = await hold({ script });
    // The subagent's last request leaves no event (docs/claude-code.md, "Subagents"): 20,000 + 21,000 + 9,000. The
    // stubs of streamed output come on top.
    expect(found).toMatchObject({
      ok: true,
      requests: 2,
      requestsAllThreads: 3,
      toolCalls: 2,
      counts: { Agent: 1, Bash: 1 },
    });
    expect(found.tokensProcessed).toBeGreaterThanOrEqual(50_000);
    expect(found.tokensProcessed).toBeLessThanOrEqual(50_000 + 3 * 50);
    expect(found.occupancy).toMatchObject({
      ctxBaseTokens: 20_000,
      ctxFinalTokens: 21_000,
      results: { other: 1, bash: 0 },
    });
    expect(found.subagents).toMatchObject([{ requests: 1, ctxBaseTokens: 9_000, ctxFinalTokens: 9_000 }]);
  });

  it('compacts by itself, and keeps the results that its boundary names', async () => {
    // 20,000 characters a result at 2.5: 8,000 tokens each. The threshold is about 167k of a 200k window
    // (docs/claude-code.md, "Compaction").
    const long = bash("head -c 20000 /dev/zero | tr '\\0' x");
    const replies = [
      { toolCalls: [long], ...sized(150_000) },
      { toolCalls: [long, long], ...sized(158_000) },
      { text: 'done', ...sized(30_000) },
    ];
    let sent = 0;
    const script: RehearsalScript = ({ tools }) => {
      // The summary is asked for in a request of its own, beside the last results.
      const isSummary = /summary of the conversation/i.test(lastMessage());
      if (tools.length === 0 || isSummary) return { text: '<summary>All is well.</summary>', ...sized(175_000) };
      return replies[Math.min(sent++, 2)] ?? { text: 'done' };
    };
    const { measure: found, events } = await hold({ script });
    const boundary = events.find(({ subtype }) => subtype === 'compact_boundary') as unknown as {
      compact_metadata: { preserved_messages?: { uuids: string[] } };
    };
    const named = boundary.compact_metadata.preserved_messages?.uuids ?? [];
    const given = events
      .filter((event) => JSON.stringify(event).includes('"tool_result"'))
      .map(({ uuid }) => String(uuid));
    expect(given).toHaveLength(3);
    const kept = given.filter((uuid) => named.includes(uuid)).length;
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(3);
    expect(found).toMatchObject({ ok: true, requests: 3, toolCalls: 3 });
    expect(found.occupancy).toMatchObject({
      ...{ ctxBaseTokens: 150_000, ctxFinalTokens: 30_000, charsPerToken: 2.5, calibrated: true, compactions: 1 },
      ...{
        contributedTokens: { bash: 24_000 },
        residualTokens: { bash: 8_000 * kept },
        evictedTokens: 8_000 * (3 - kept),
      },
    });
  });

  it('puts a note in the place of an over-long answer, which is flagged', async () => {
    const script: RehearsalScript = ({ step, tools }) => {
      if (tools.length === 0) return { text: 'a title' };
      return step === 0 ? { toolCalls: [{ name: EXPLORE, input: { query: 'all' } }] } : { text: 'done' };
    };
    const { measure: found, session } = await hold({ script, answerChars: 150_000 });
    const [call] = session.threads[0]?.calls ?? [];
    expect(call?.result?.head).toMatch(/^Error: result \(150,000 characters/);
    expect(call?.result?.chars).toBeLessThan(3_000);
    expect(found.sufficiency).toMatchObject({ answered: 1, errored: 0, noAnswer: 0, undelivered: 1 });
    expect(found.sufficiency.calls).toMatchObject([
      { bucket: 'sufficient', next: '(final answer)', undelivered: true },
    ]);
    expect(found.occupancy?.chars.tool).toBe(call?.result?.chars);
  });

  it('waits for background Bash: two inits and two results in one process', async () => {
    const script: RehearsalScript = ({ step, promptIndex, tools }) => {
      if (tools.length === 0) return { text: 'a title' };
      if (promptIndex > 0) return { text: 'it has ended', ...sized(22_000) };
      if (step === 0) return { toolCalls: [bash('sleep 1; echo late', { run_in_background: true })], ...sized(20_000) };
      return { text: 'started', ...sized(21_000) };
    };
    const { measure: found, session } = await hold({
      script,
      options: { extraEnvironment: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '0' } },
    });
    const [segment] = session.segments;
    expect([segment?.inits.length, segment?.results.length]).toEqual([2, 2]);
    expect(found).toMatchObject({ ok: true, requests: 3, toolCalls: 1, outputTokens: 150 });
    expect(found.occupancy).toMatchObject({ ctxBaseTokens: 20_000, ctxFinalTokens: 22_000, results: { bash: 1 } });
    const ends = segment?.results ?? [];
    expect(found.costUsd).toBe(ends[1]?.totalCostUsd);
    expect(ends[1]?.totalCostUsd).toBeGreaterThan(ends[0]?.totalCostUsd ?? 0);
    expect(found.durationMs).toBe((ends[0]?.durationMs ?? 0) + (ends[1]?.durationMs ?? 0));
  });

  it('looks for a deferred tool first, which is bookkeeping', async () => {
    const offered: string[][] = [];
    const script: RehearsalScript = ({ step, tools }) => {
      if (tools.length === 0) return { text: 'a title' };
      offered.push(tools);
      if (step === 0)
        return { toolCalls: [{ name: 'ToolSearch', input: { query: `select:${EXPLORE}`, max_results: 1 } }] };
      if (step === 1) return { toolCalls: [{ name: EXPLORE, input: { query: 'all' } }] };
      return step === 2
        ? { toolCalls: [{ name: 'ToolSearch', input: { query: 'x', max_results: 1 } }] }
        : { text: 'done' };
    };
    const { measure: found, session } = await hold({
      script,
      answerChars: 1_000,
      alwaysLoad: false,
      options: { toolSearch: true },
    });
    expect(offered[0]).toContain('ToolSearch');
    expect(offered[0]).not.toContain(EXPLORE);
    expect(found).toMatchObject({
      ok: true,
      raced: false,
      requests: 4,
      toolCalls: 1,
      counts: { ToolSearch: 2, [EXPLORE]: 1 },
    });
    // One part, shown as its JSON.
    const reference = JSON.stringify({ type: 'tool_reference', tool_name: EXPLORE });
    expect(session.threads[0]?.calls[0]?.result?.chars).toBe(reference.length);
    expect(found.sufficiency.calls).toMatchObject([{ chars: 1_000, bucket: 'sufficient', next: '(final answer)' }]);
  });
});
