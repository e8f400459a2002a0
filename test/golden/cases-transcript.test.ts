import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { measureHostSession, measureRun } from '../../src/analysis/measure-run.js';
import { compareRuns } from '../../src/analysis/measure-tasks.js';
import { campaignRedactor } from '../../src/analysis/redact-campaign.js';
import { makeDistribution, makeReport } from '../../src/analysis/report-campaign.js';
import { codegraphProfile } from '../../src/engine/codegraph/profile.js';
import { hostLog } from '../../src/host/logs.js';
import type { Measure } from '../../src/model/measure.js';
import { renderComparison, renderDistribution, renderMarkdown } from '../../src/report/index.js';
import { findRuns } from '../../src/store/index.js';
import { type Event, EXPLORE, ends, gives, measured, response, says, text, uses } from '../metrics/events.js';

/** Logs as users have met them, each with values that were worked out by hand from its lines. */

const folder = join(import.meta.dirname, '../fixtures/cases');
const request = { profile: codegraphProfile, windowTokens: 200_000 };
const SESSION = '5b1d7a5e-0000-4000-8000-000000000001';

/** A log of the stream, as `parse-run` measures it. */
async function run(...names: string[]): Promise<Measure> {
  const found = await measureRun(
    names.map((name) => join(folder, name)),
    request,
  );
  if (!found.ok) throw new Error(found.failure.message);
  return found.value.measure;
}

/** A transcript on disk with its agents' files, as `parse-session` measures it. */
async function session(file: string): Promise<Measure> {
  const found = hostLog().sessions.find(file, { environment: { CLAUDE_CONFIG_DIR: '/nowhere' }, session: undefined });
  if (!found.ok) throw new Error(found.failure.message);
  const read = await measureHostSession(found.value, request);
  if (!read.ok) throw new Error(read.failure.message);
  return read.value.measure;
}

const onDisk = (name: string) => session(join(folder, name, `${SESSION}.jsonl`));

type Case = [name: string, read: () => Promise<Measure>, expected: object];

const cases: Case[] = [
  [
    'usage is absent: no tokens, no occupancy, and the cost that the result gives',
    () => run('zero-usage/none/run-a.jsonl'),
    { tokensProcessed: null, occupancy: null, costUsd: 0.5, outputTokens: 53 },
  ],
  [
    // 10,000 + 3 and 14,000 + 3.
    'usage is written as strings: they are numbers',
    () => run('zero-usage/strings/run-a.jsonl'),
    {
      tokensProcessed: 24_006,
      occupancy: { ctxBaseTokens: 10_000, ctxFinalTokens: 14_000, residualTokens: { tool: 4_000 } },
    },
  ],
  [
    // 10,002, then 14,050 + 14,600 + 14,680: the advisor is paid for and has a window of its own.
    'iterations of an advisor: the last message is the window, all are the cost',
    () => run('server-side-iterations/advisor-stream/run-a.jsonl'),
    {
      tokensProcessed: 53_332,
      requests: 2,
      occupancy: { ctxBaseTokens: 10_000, ctxFinalTokens: 14_600, charsPerToken: 2.5, residualTokens: { tool: 4_000 } },
    },
  ],
  [
    'the same on disk, where the first request has its final output of 40',
    () => onDisk('server-side-iterations/advisor-disk'),
    { tokensProcessed: 53_370, occupancy: { ctxFinalTokens: 14_600, residualTokens: { tool: 4_000 } } },
  ],
  [
    // 10,002, then 14,050 + 15,580.
    'iterations of a web search',
    () => run('server-side-iterations/websearch/run-w.jsonl'),
    { tokensProcessed: 39_632, occupancy: { ctxFinalTokens: 15_500, residualTokens: { tool: 4_000 } } },
  ],
  [
    'a second compaction writes the history again',
    () => onDisk('replayed-rows/second-compact'),
    {
      occupancy: {
        residualTokens: { tool: 0, read: 2_000 },
        results: { tool: 1, read: 2 },
        contributedTokens: { tool: 4_000, read: 4_000 },
      },
      diagnostics: { repeatedRows: 4 },
    },
  ],
  [
    'the history stands twice',
    () => onDisk('replayed-rows/history-again'),
    { occupancy: { residualTokens: { tool: 4_000, read: 2_000 }, evictedTokens: 0 } },
  ],
  [
    'a compaction writes again what it preserved',
    () => onDisk('replayed-rows/preserved-again'),
    { occupancy: { residualTokens: { tool: 0, read: 2_000 }, results: { tool: 1, read: 1 }, compactions: 1 } },
  ],
  [
    'every line stands twice, the result too',
    () => run('replayed-rows/lines-twice/run-a.jsonl'),
    {
      ...{ ok: true, durationMs: 1_000, costUsd: 0.5, outputTokens: 40, tokensProcessed: 24_004 },
      occupancy: { charsPerToken: 2.5, results: { tool: 1 } },
      diagnostics: { repeatedRows: 5, lines: 10 },
    },
  ],
  [
    // Seven requests were paid for: 10,000 14,000 14,100 16,100 19,100 14,100 15,100, and 40 of output each.
    'a rewind leaves a branch behind',
    () => onDisk('rewind'),
    {
      requests: 4,
      toolCalls: 2,
      tokensProcessed: 102_780,
      occupancy: {
        ctxFinalTokens: 15_100,
        evictedTokens: 0,
        residualTokens: { tool: 4_000, read: 0, search: 1_000 },
      },
      sufficiency: { answered: 1, buckets: { search: 1 } },
      allocation: { envelopeChars: 9_888, efficiency: 1 },
    },
  ],
  [
    'agents of a workflow have files two folders deeper',
    () => session(join(folder, 'workflow-agents/w', `${SESSION}.jsonl`)),
    { requests: 2, requestsAllThreads: 6, tokensProcessed: 48_340, sufficiency: { answered: 2 } },
  ],
  [
    'an agent has its file beside the transcript',
    () => session(join(folder, 'agents-beside/w', `${SESSION}.jsonl`)),
    {
      requestsAllThreads: 4,
      tokensProcessed: 34_260,
      sufficiency: { answered: 1 },
      subagents: [{ thread: 't1', requests: 2, ctxBaseTokens: 5_000, ctxFinalTokens: 9_000 }],
    },
  ],
  [
    'sidechains stand in the main file without any id',
    () => onDisk('inline-sidechains'),
    {
      requests: 2,
      requestsAllThreads: 6,
      subagents: [
        { thread: 't1', requests: 2, ctxBaseTokens: 5_000, ctxFinalTokens: 9_000, residualTokens: { tool: 4_000 } },
        { thread: 't2', requests: 2, ctxBaseTokens: 20_000, ctxFinalTokens: 22_000, residualTokens: { read: 2_000 } },
      ],
    },
  ],
  [
    // 10,040 + 14,040, and 14,540 of the question that was asked by the way.
    "a sidechain's file repeats its parent's rows",
    () => session(join(folder, 'btw-sidechain/w', `${SESSION}.jsonl`)),
    { requests: 2, requestsAllThreads: 3, tokensProcessed: 38_620, sufficiency: { answered: 1 } },
  ],
  [
    'the result is empty, and the answer was streamed',
    () => run('empty-result/run-a.jsonl'),
    { allocation: { hasAnswer: true, efficiency: 1 } },
  ],
  [
    'a gateway gives one message id to three requests',
    () => run('gateway-message-id/run-a.jsonl'),
    {
      ...{ requests: 3, tokensProcessed: 40_060 },
      occupancy: { ctxBaseTokens: 10_000, ctxFinalTokens: 16_000, residualTokens: { tool: 4_000, read: 2_000 } },
      sufficiency: { buckets: { read_returned: 1 } },
    },
  ],
  [
    'one id for two calls of a message',
    () => run('repeated-tool-ids/onemsg/run-a.jsonl'),
    // 5,000 + 2,500 characters in 3,000 tokens.
    { toolCalls: 2, counts: { Read: 2 }, occupancy: { charsPerToken: 2.5, residualTokens: { read: 3_000 } } },
  ],
  [
    'one id for a delegation and a call of its subagent',
    () => run('repeated-tool-ids/threads/run-a.jsonl'),
    { occupancy: { residualTokens: { other: 400, bash: 0 } }, subagents: [{ residualTokens: { bash: 1_000 } }] },
  ],
  [
    'cache creation is given by its parts alone',
    () => run('nested-cache-creation/run-a.jsonl'),
    { tokensProcessed: 24_004, occupancy: { ctxBaseTokens: 10_000, ctxFinalTokens: 14_000 } },
  ],
  [
    'two events on one line',
    () => run('broken-lines/two-on-a-line/run-a.jsonl'),
    {
      ...{ ok: true, toolCalls: 1 },
      occupancy: { residualTokens: { tool: 4_000 } },
      diagnostics: { lines: 4, unparsedLines: [], lostLines: 0 },
    },
  ],
  [
    'padding of NUL bytes before an event',
    () => run('broken-lines/nul-padding/run-a.jsonl'),
    { ok: true, requests: 2, occupancy: { residualTokens: { tool: 4_000 } }, diagnostics: { unparsedLines: [] } },
  ],
  [
    'UTF-16, as PowerShell writes it',
    () => run('broken-lines/utf16/run-a.jsonl'),
    { ok: true, requests: 2, occupancy: { residualTokens: { tool: 4_000 } } },
  ],
  [
    'two processes wrote into one log: the total falls',
    () => run('appended-log/run-a.jsonl'),
    { costUsd: 0.75, durationMs: 1_500 },
  ],
  [
    'retries and fallbacks in the spelling of the disk',
    () => onDisk('disk-diagnostics'),
    { diagnostics: { retries: 1, fallbackModels: ['claude-haiku-4-5'], otherModels: ['claude-haiku-4-5'] } },
  ],
  [
    'a refusal puts another model in',
    () => run('refusal-fallback/run-a.jsonl'),
    { diagnostics: { fallbackModels: ['claude-opus-4-8'], otherModels: ['claude-opus-4-8'] } },
  ],
  [
    'another model answers, and no event says so',
    () => run('refusal-fallback/silent/run-a.jsonl'),
    { diagnostics: { fallbackModels: [], otherModels: ['claude-opus-4-8'] } },
  ],
  [
    // All four requests were paid for: 10,002 + 14,002 + 14,002 + 15,002.
    'the refused message was taken back',
    () => run('refusal-fallback/retracted/run-a.jsonl'),
    {
      ...{ requests: 3, toolCalls: 2, tokensProcessed: 53_008, costUsd: 0.5 },
      sufficiency: { answered: 1, buckets: { search: 1 } },
      occupancy: { residualTokens: { tool: 4_000, search: 1_000, read: 0 } },
    },
  ],
  [
    'a microcompaction names the Read that it cleared',
    () => onDisk('microcompact'),
    { occupancy: { evictedTokens: 2_000, residualTokens: { tool: 4_000, read: 0, search: 2_000 } } },
  ],
  [
    'the session ends in a compaction',
    () => onDisk('ends-in-compact'),
    { occupancy: { compactions: 1, ctxFinalTokens: null, residualTokens: { tool: 0 } } },
  ],
  [
    // Their 2,000 tokens are in the base: no characters tell of them.
    'audio',
    () => run('binary-parts/audio/run-a.jsonl'),
    { occupancy: { evictedTokens: 0, contributedTokens: { read: 0, tool: 4_000 }, charsPerToken: 2.5 } },
  ],
  [
    'a blob',
    () => run('binary-parts/blob/run-a.jsonl'),
    { occupancy: { evictedTokens: 0, contributedTokens: { read: 0, tool: 4_000 }, charsPerToken: 2.5 } },
  ],
];

describe('logs in the wild', () => {
  it.each(cases)('%s', async (_title, read, expected) => {
    expect(await read()).toMatchObject(expected);
  });
});

/** A row of the transcript on disk; its parent is the row before it, unless the test says otherwise. */
class Disk {
  readonly rows: Event[] = [];
  private seconds = 0;

  /** Writes a row and returns its uuid. */
  row(event: Event, parentUuid: string | null | undefined = this.last()): string {
    const uuid = `00000000-0000-4000-9000-${String(this.rows.length + 1).padStart(12, '0')}`;
    const timestamp = new Date(Date.UTC(2026, 10, 1, 10, 0, ++this.seconds)).toISOString();
    this.rows.push({ parentUuid, isSidechain: false, sessionId: SESSION, uuid, timestamp, ...event });
    return String(this.rows.at(-1)?.uuid);
  }

  prompt(words: string, parentUuid?: string | null): string {
    return this.row({ type: 'user', message: { role: 'user', content: words } }, parentUuid);
  }

  says(id: string, tokens: number, block: Event, parentUuid?: string, more: Event = {}): string {
    const usage = { input_tokens: tokens, output_tokens: 10 };
    const message = { id, model: 'claude-sonnet-5', role: 'assistant', content: [block], usage };
    return this.row({ type: 'assistant', message, ...more }, parentUuid);
  }

  gives(id: string, content: unknown, parentUuid?: string, more: Event = {}): string {
    const block = { type: 'tool_result', tool_use_id: id, content };
    return this.row({ type: 'user', message: { role: 'user', content: [block] }, ...more }, parentUuid);
  }

  private last(): string | null {
    return (this.rows.at(-1)?.uuid as string | undefined) ?? null;
  }
}

const scratch = mkdtempSync(join(tmpdir(), 'cases-transcript-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
let folders = 0;

/** Writes files of rows and measures the first of them as a session on disk. */
async function written(files: Record<string, Event[]>): Promise<Measure> {
  const dir = join(scratch, String(++folders));
  for (const [name, rows] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  }
  return await session(join(dir, `${SESSION}.jsonl`));
}

const main = `${SESSION}.jsonl`;
const chars = (count: number) => 'x '.repeat(count).slice(0, count);
const source = (path: string, length: number) => response({ path, chars: length });
const withUsage = (event: Event, usage: unknown): Event => ({
  ...event,
  message: { ...(event.message as Event), usage },
});

describe('usage', () => {
  it('that one request lacks makes the sum unknown, and leaves the window to the others', async () => {
    const found = await measured([
      [
        says('m1', 10_000, uses('a', 'Read')),
        gives('a', chars(5_000)),
        withUsage(says('m2', 0, text('x')), {}),
        says('m3', 12_000, text('y')),
        ends('y', { total_cost_usd: 0.25, usage: { output_tokens: 9 } }),
      ],
    ]);
    expect(found).toMatchObject({ requests: 3, tokensProcessed: null, costUsd: 0.25 });
    expect(found.occupancy).toMatchObject({ ctxFinalTokens: 12_000 });
  });

  it('of zeros is none: neither tokens nor a cost of 0 nor an output of 0 are figures', async () => {
    const zero = { input_tokens: 0, output_tokens: 0 };
    const found = await measured([
      [withUsage(says('m1', 0, text('x')), zero), ends('x', { total_cost_usd: 0, usage: zero, duration_ms: 5 })],
    ]);
    expect(found).toMatchObject({ tokensProcessed: null, costUsd: null, outputTokens: null, occupancy: null });
    expect(found).toMatchObject({ requests: 1, durationMs: 5 });
  });

  it('leaves a cost of 0 to a prompt that asked no model', async () => {
    const found = await measured([[ends('Unknown command: /x', { total_cost_usd: 0, usage: { output_tokens: 0 } })]]);
    expect(found).toMatchObject({ costUsd: 0, outputTokens: 0, tokensProcessed: null });
  });

  it('of a segment without a result leaves cost and duration of the session unknown', async () => {
    const whole = [
      says('m1', 100, text('x')),
      ends('x', { total_cost_usd: 1, duration_ms: 7, usage: { output_tokens: 3 } }),
    ];
    expect(await measured([whole, [says('m2', 200, text('y'))]])).toMatchObject({
      ...{ ok: false, costUsd: null, durationMs: null, outputTokens: null },
      tokensProcessed: 302,
    });
  });

  it('takes figures of results from strings, and the parts of a cache beside a total of 0', async () => {
    const usage = {
      input_tokens: '5',
      cache_creation_input_tokens: 0,
      cache_creation: { ephemeral_1h_input_tokens: 95 },
    };
    const found = await measured([
      [
        withUsage(says('m1', 0, text('x')), usage),
        ends('x', { total_cost_usd: '0.5', duration_ms: '1200', usage: { output_tokens: '7' } }),
      ],
    ]);
    expect(found).toMatchObject({ tokensProcessed: 100, costUsd: 0.5, durationMs: 1_200, outputTokens: 7 });
    expect(found.occupancy).toMatchObject({ ctxBaseTokens: 100 });
  });

  it('of copies grows with their iterations', async () => {
    const once = { type: 'message', input_tokens: 1_000, output_tokens: 5 };
    const twice = { type: 'message', input_tokens: 1_400, output_tokens: 6 };
    const event = says('m1', 0, text('x'));
    const found = await measured([
      [
        withUsage(event, { input_tokens: 1_000, output_tokens: 5, iterations: [once] }),
        withUsage(event, { input_tokens: 2_400, output_tokens: 11, iterations: [once, twice] }),
        says('m2', 1_500, text('y')),
      ],
    ]);
    expect(found.tokensProcessed).toBe(1_005 + 1_406 + 1_501);
    expect(found.occupancy).toMatchObject({ ctxBaseTokens: 1_000, ctxFinalTokens: 1_500 });
  });
});

describe('branches on disk', () => {
  it('parallel results are one: each stands behind the block of its call', async () => {
    const disk = new Disk();
    disk.prompt('q');
    const first = disk.says('m1', 10_000, uses('a', 'Read', { file_path: 'a.js' }));
    const second = disk.says('m1', 10_000, uses('b', 'Read', { file_path: 'b.js' }));
    disk.gives('b', chars(5_000), second);
    const last = disk.gives('a', chars(5_000), first);
    disk.says('m2', 14_000, text('done'), last);
    const found = await written({ [main]: disk.rows });
    expect(found).toMatchObject({ requests: 2, toolCalls: 2, tokensProcessed: 24_020 });
    expect(found.occupancy).toMatchObject({ charsPerToken: 2.5, residualTokens: { read: 4_000 }, evictedTokens: 0 });
  });

  it('a rewind to before a delegation takes the subagent with it, and pays for it', async () => {
    const disk = new Disk();
    const prompt = disk.prompt('q');
    const answer = disk.says('m1', 10_000, text('first answer: src/a.js'), prompt);
    disk.prompt('go on');
    disk.says('m2', 11_000, uses('t', 'Agent', { prompt: 'look' }));
    disk.gives('t', 'found', undefined, { toolUseResult: { agentId: 'x1' } });
    disk.says('m3', 11_500, text('dead answer'));
    disk.prompt('what else?', answer);
    const agent = new Disk();
    const side = { isSidechain: true, agentId: 'x1' };
    const uuid = (n: number) => ({ uuid: `00000000-0000-4000-a000-${String(n).padStart(12, '0')}`, ...side });
    agent.row({ type: 'user', message: { content: 'look' }, ...uuid(1) });
    agent.says('s1', 5_000, uses('e', EXPLORE, { query: 'q' }), undefined, uuid(2));
    agent.gives('e', source('src/a.js', 4_000), undefined, uuid(3));
    const found = await written({ [main]: disk.rows, [`${SESSION}/subagents/agent-x1.jsonl`]: agent.rows });
    expect(found).toMatchObject({ requests: 1, requestsAllThreads: 1, toolCalls: 0, subagents: [] });
    expect(found.tokensProcessed).toBe(10_010 + 11_010 + 11_510 + 5_010);
    expect(found.sufficiency.answered).toBe(0);
    // The session ends in a prompt: what it answers to was said before the branch.
    expect(found.allocation).toMatchObject({ hasAnswer: true, envelopeChars: 0 });
  });

  it('a command in a branch that was left ran all the same', async () => {
    const disk = new Disk();
    const prompt = disk.prompt('q');
    disk.says('m1', 10_000, uses('b', 'Bash', { command: 'codegraph explore x' }), prompt);
    disk.gives('b', 'src/a.js:1');
    disk.prompt('again', null);
    disk.says('m2', 10_000, text('x'));
    const found = await written({ [main]: disk.rows });
    expect(found).toMatchObject({ requests: 1, toolCalls: 0, contamination: { invoke: { returned: 1 } } });
  });

  it('a row whose parent was lost goes on where the file was', async () => {
    const disk = new Disk();
    disk.prompt('q');
    disk.says('m1', 10_000, uses('a', 'Read', { file_path: 'a.js' }));
    disk.gives('a', chars(10_000));
    disk.row({ type: 'progress' });
    disk.says('m2', 14_000, text('done'));
    const found = await written({ [main]: disk.rows.filter(({ type }) => type !== 'progress') });
    expect(found).toMatchObject({ requests: 2, occupancy: { residualTokens: { read: 4_000 } } });
    // The row itself is a link of the chain, whatever it holds.
    expect(await written({ [main]: disk.rows })).toMatchObject({ requests: 2 });
  });

  it('a compaction is on the path of what it preserved', async () => {
    const disk = new Disk();
    disk.prompt('q');
    disk.says('m1', 10_000, uses('a', 'Grep'));
    disk.gives('a', chars(10_000));
    const call = disk.says('m2', 14_000, uses('b', 'Read'));
    const kept = disk.gives('b', chars(5_000));
    const compactMetadata = { trigger: 'auto', preservedMessages: { uuids: [call, kept] } };
    disk.row({ type: 'system', subtype: 'compact_boundary', logicalParentUuid: kept, compactMetadata }, null);
    disk.row({ type: 'user', isCompactSummary: true, message: { content: 'This session is being continued' } });
    // A host that goes on from what was preserved, and not from the summary.
    disk.says('m3', 9_000, text('done'), kept);
    const found = await written({ [main]: disk.rows });
    expect(found.occupancy).toMatchObject({ compactions: 1, residualTokens: { search: 0, read: 2_000 } });
  });
});

describe('threads on disk', () => {
  it('files of agents belong to the session that their rows name', async () => {
    const disk = new Disk();
    disk.prompt('q');
    disk.says('m1', 10_000, text('x'));
    const agent = (sessionId: string, n: number) => {
      const rows = new Disk();
      const uuid = `00000000-0000-4000-b000-${String(n).padStart(12, '0')}`;
      rows.says(`s${n}`, 1_000 * n, text('y'), undefined, { isSidechain: true, agentId: `a${n}`, sessionId, uuid });
      return rows.rows;
    };
    const found = await written({
      [main]: disk.rows,
      'agent-a1.jsonl': agent(SESSION, 1),
      'agent-a2.jsonl': agent('00000000-0000-4000-8000-00000000000f', 2),
      [`${SESSION}/subagents/agent-a3.jsonl`]: agent(SESSION, 3),
      [`${SESSION}/subagents/workflows/wf_1/deep/agent-a4.jsonl`]: agent(SESSION, 4),
      [`${SESSION}/subagents/workflows/wf_1/journal.jsonl`]: agent(SESSION, 5),
    });
    expect(found.subagents.map(({ ctxFinalTokens }) => ctxFinalTokens).sort()).toEqual([1_000, 3_000, 4_000]);
    expect(found.tokensProcessed).toBe(10_010 + 1_010 + 3_010 + 4_010);
  });

  it('a sidechain that repeats its parent under other uuids is known by its message ids', async () => {
    const disk = new Disk();
    disk.prompt('q');
    disk.says('m1', 10_000, uses('e', EXPLORE, { query: 'q' }));
    disk.gives('e', source('src/a.js', 10_000));
    disk.says('m2', 14_000, text('src/a.js'));
    const side = (n: number) => ({
      ...{ isSidechain: true, agentId: 'btw', uuid: `00000000-0000-4000-c000-${String(n).padStart(12, '0')}` },
      timestamp: '2026-11-01T11:00:00.000Z',
    });
    const aside = new Disk();
    aside.says('m1', 10_000, uses('e', EXPLORE, { query: 'q' }), undefined, side(1));
    aside.gives('e', source('src/a.js', 10_000), undefined, side(2));
    aside.says('m2', 14_000, text('src/a.js'), undefined, side(3));
    aside.says('m9', 14_200, text('by the way'), undefined, side(4));
    const found = await written({ [main]: disk.rows, [`${SESSION}/subagents/agent-btw.jsonl`]: aside.rows });
    expect(found).toMatchObject({ requestsAllThreads: 3, toolCalls: 1, tokensProcessed: 10_010 + 14_010 + 14_210 });
    expect(found.sufficiency.answered).toBe(1);
  });
});

describe('ids that a gateway gives twice', () => {
  it('of messages: results between copies of one request, with the same prompt, leave it one', async () => {
    const found = await measured([
      [
        says('m', 10_000, uses('a', 'Read', { file_path: 'a.js' })),
        gives('a', chars(500)),
        says('m', 10_000, uses('b', 'Read', { file_path: 'b.js' })),
        gives('b', chars(500)),
      ],
    ]);
    expect(found).toMatchObject({ requests: 1, toolCalls: 2 });
  });

  it('of messages without usage: a request whose calls are all answered has ended', async () => {
    const bare = (event: Event) => withUsage(event, {});
    const found = await measured([
      [
        bare(says('m', 0, uses('a', EXPLORE, { query: 'q' }))),
        gives('a', source('src/a.js', 2_000)),
        bare(says('m', 0, uses('b', 'Grep', { pattern: 'x' }))),
        gives('b', 'x'),
        bare(says('m', 0, text('done'))),
      ],
    ]);
    expect(found).toMatchObject({ requests: 3, tokensProcessed: null, sufficiency: { buckets: { search: 1 } } });
  });

  it('of calls in later requests: each result goes to the call that is open', async () => {
    const found = await measured([
      [
        says('m1', 10_000, uses('call_0', EXPLORE, { query: 'q' })),
        gives('call_0', source('src/a.js', 10_000)),
        says('m2', 14_000, uses('call_0', 'Agent', { prompt: 'p' })),
        says('s1', 5_000, uses('call_0', 'Grep', {}), 'call_0'),
        gives('call_0', chars(500), { thread: 'call_0' }),
        gives('call_0', chars(1_000)),
        says('m3', 14_400, uses('call_0', 'Agent', { prompt: 'p2' })),
        says('s2', 6_000, text('y'), 'call_0'),
        gives('call_0', chars(1_000)),
        says('m4', 14_800, text('done')),
      ],
    ]);
    expect(found).toMatchObject({ toolCalls: 4, counts: { Agent: 2, Grep: 1 } });
    expect(found.occupancy?.residualTokens).toMatchObject({
      // The answer is a few characters longer than its section of 10,000.
      ...{ tool: expect.closeTo(4_000, -1), other: expect.closeTo(800, -1), search: 0 },
    });
    expect(found.subagents.map(({ requests, ctxBaseTokens }) => [requests, ctxBaseTokens])).toEqual([
      [1, 5_000],
      [1, 6_000],
    ]);
    expect(found.sufficiency.calls.map(({ next }) => next)).toEqual(['Agent → Grep']);
  });
});

describe('costs of several processes in one log', () => {
  const cost = (usd: number, apiMs: number) => ends('x', { total_cost_usd: usd, duration_api_ms: apiMs });

  it.each([
    ['a total that grows is one process', [cost(0.25, 100), cost(0.75, 300)], 0.75],
    ['a total that falls twice is three', [cost(0.5, 100), cost(0.25, 200), cost(0.1, 300)], 0.85],
    ['another cumulative figure falls while the total grows', [cost(0.25, 900), cost(0.5, 400)], 0.75],
  ])('%s', async (_title, results, usd) => {
    expect((await measured([results])).costUsd).toBeCloseTo(usd, 9);
  });
});

describe('lines', () => {
  const events = [
    says('m1', 10_000, uses('a', 'Read')),
    gives('a', chars(10_000)),
    says('m2', 14_000, text('x')),
    ends('x', { total_cost_usd: 1 }),
  ].map((event) => JSON.stringify(event));
  const [one = '', two = '', three = '', four = ''] = events;
  const log = async (content: string | Buffer) => {
    const file = join(scratch, `run-${++folders}.jsonl`);
    writeFileSync(file, content);
    const found = await measureRun([file], request);
    if (!found.ok) throw new Error(found.failure.message);
    return found.value.measure;
  };
  const bigEndian = Buffer.from(`\uFEFF${events.join('\r\n')}\r\n`, 'utf16le').swap16();
  const whole = { ok: true, requests: 2, costUsd: 1, occupancy: { residualTokens: { read: 4_000 } } };

  it.each<[string, string | Buffer, object]>([
    ['four events on one line', events.join(''), { ...whole, diagnostics: { lines: 1, unparsedLines: [] } }],
    ['NUL bytes between two events of a line', `${one}\0\0\0${two}\n${three}\n${four}\n`, whole],
    ['a line of NUL bytes', `${one}\n${'\0'.repeat(5_000)}\n${two}\n${three}\n${four}`, whole],
    ['UTF-16, the higher byte first', bigEndian, whole],
    ['a message of another program', `npm warn x\n${events.join('\n')}`, { ...whole, diagnostics: { lostLines: 0 } }],
    ['a last line that was cut', `${events.join('\n')}\n${two.slice(0, 300)}`, whole],
    [
      'an event that was cut, with the next on its line',
      `${one}\n${two.slice(0, 300)}${three}\n${four}\n`,
      { ok: false, requests: 2, diagnostics: { lostLines: 1, unparsedLines: [{ line: 2 }] } },
    ],
    [
      'a line in the middle that is no JSON',
      `${one}\n${two.slice(300)}\n${three}\n${four}\n`,
      { ok: false, requests: 2, diagnostics: { lostLines: 1 } },
    ],
  ])('%s', async (_title, content, expected) => {
    expect(await log(content)).toMatchObject(expected);
  });
});

describe('the model', () => {
  const init = (model: string) => ({ type: 'system', subtype: 'init', model });
  const by = (event: Event, model: string) => ({ ...event, message: { ...(event.message as Event), model } });

  it.each([
    ['claude-sonnet-5', 'claude-sonnet-5-20260901', []],
    ['us.anthropic.claude-sonnet-5-20260901-v1:0', 'claude-sonnet-5-20260901', []],
    ['claude-sonnet-5[1m]', 'claude-sonnet-5', []],
    ['claude-sonnet-5', 'claude-sonnet-4-5', ['claude-sonnet-4-5']],
  ])('init says %s and %s answers', async (named, answering, others) => {
    const found = await measured([[init(named), by(says('m1', 10, text('x')), answering), ends('x')]]);
    expect(found.diagnostics.otherModels).toEqual(others);
  });

  it('of a subagent may be another', async () => {
    const found = await measured([[init('claude-sonnet-5'), by(says('s', 10, text('x'), 't'), 'claude-haiku-4-5')]]);
    expect(found.diagnostics.otherModels).toEqual([]);
  });

  it('on disk a refusal in camel case takes back a call with its result', async () => {
    const disk = new Disk();
    disk.prompt('q');
    const refused = disk.says('m1', 10_000, uses('a', 'Read', { file_path: 'a.js' }));
    disk.gives('a', chars(5_000));
    const retractedMessageUuids = [refused];
    disk.row({ type: 'system', subtype: 'model_refusal_fallback', fallbackModel: 'x', retractedMessageUuids });
    disk.says('m2', 10_000, text('done'));
    const found = await written({ [main]: disk.rows });
    expect(found).toMatchObject({ requests: 1, toolCalls: 0, tokensProcessed: 20_020 });
    expect(found.occupancy).toMatchObject({ residualTokens: { read: 0 }, contributedTokens: { read: 0 } });
    expect(found.diagnostics.fallbackModels).toEqual(['x']);
  });
});

describe('what leaves the window', () => {
  it('by a microcompaction of the stream, in a gap that grew, at once in the next prompt', async () => {
    const microcompact_metadata = { compacted_tool_ids: ['a', 'b'] };
    const found = await measured([
      [
        says('m1', 10_000, uses('a', 'Read')),
        gives('a', chars(5_000)),
        says('m2', 12_000, uses('b', 'Read')),
        gives('b', chars(5_000)),
        says('m3', 14_000, uses('c', EXPLORE)),
        gives('c', chars(20_000)),
        { type: 'system', subtype: 'microcompact_boundary', microcompact_metadata },
        // 8,000 joined and 4,000 went.
        says('m4', 18_000, text('done')),
      ],
    ]);
    expect(found.occupancy).toMatchObject({
      ...{ charsPerToken: 2.5, evictedTokens: 4_000, ctxFinalTokens: 18_000 },
      residualTokens: { tool: 8_000, read: 0 },
    });
  });

  it('by a last compaction, but for what it preserved; what no prompt held is not resident', async () => {
    const summary = { type: 'user', message: { content: 'This session is being continued' } };
    const boundary = (uuids: string[]) => ({
      ...{ type: 'system', subtype: 'compact_boundary' },
      compact_metadata: { preserved_messages: { uuids } },
    });
    const found = await measured([
      [
        says('m1', 10_000, uses('a', 'Grep')),
        gives('a', chars(10_000), { uuid: 'ua' }),
        says('m2', 14_000, uses('b', 'Read')),
        gives('b', chars(5_000), { uuid: 'ub' }),
        says('m3', 16_000, uses('c', 'Bash')),
        gives('c', chars(5_000), { uuid: 'uc' }),
        boundary(['ub', 'uc']),
        summary,
      ],
    ]);
    expect(found.occupancy).toMatchObject({
      ...{ ctxBaseTokens: 10_000, ctxFinalTokens: null, evictedTokens: 4_000 },
      residualTokens: { search: 0, read: 2_000, bash: 0 },
    });
  });
});

describe('parts of results that carry bytes', () => {
  const base64 = Buffer.from(chars(3_000)).toString('base64');

  it.each<[string, Event, number]>([
    ['a document', { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: base64 } }, 0],
    ['a data URL', { type: 'image_url', image_url: { url: `data:image/png;base64,${base64}` } }, 0],
    ['a short blob', { type: 'resource', resource: { uri: 'x', blob: 'QUJD' } }, 0],
    ['a kind that nobody knows', { type: 'hologram', payload: { bytes: base64 } }, 0],
  ])('%s has no characters', async (_title, part, length) => {
    const found = await measured([
      [says('m1', 1_000, uses('a', 'Read')), gives('a', [part, text('caption')]), says('m2', 5_000, text('x'))],
    ]);
    expect(found.occupancy?.chars.read).toBe(length + 'caption'.length);
  });

  it('a resource with text is text', async () => {
    const part = { type: 'resource', resource: { uri: 'x', text: 'y'.repeat(600) } };
    const found = await measured([
      [says('m1', 1_000, uses('a', 'Read')), gives('a', [part]), says('m2', 5_000, text('x'))],
    ]);
    expect(found.occupancy?.chars.read).toBe(JSON.stringify(part).length);
  });
});

describe('an empty result', () => {
  it('takes the last text of its own prompt, and no narration before a call', async () => {
    const explore = [says('m1', 1_000, uses('a', EXPLORE)), gives('a', source('src/a.js', 1_000))];
    const narration = says('m2', 1_400, text('I look at src/a.js'));
    const call = says('m3', 1_500, uses('b', 'Bash'));
    const found = await measured([[...explore, narration, call, gives('b', 'x'), ends('')], [ends('')]]);
    expect(found.allocation).toMatchObject({ hasAnswer: false, efficiency: null });
    const answered = await measured([[...explore, narration, ends('')], [ends('')]]);
    expect(answered.allocation).toMatchObject({ hasAnswer: true, efficiency: 1 });
  });
});

const options = { windowTokens: 200_000, includeRaced: false, includeContaminated: false };

describe('a run without usage among others', () => {
  it('is in no mean, range, table, CSV or statistics of what it does not give', async () => {
    const dir = mkdtempSync(join(scratch, 'usage-'));
    const log = (id: string, tokens: number, usd: number) => {
      const usage = { input_tokens: tokens, output_tokens: tokens > 0 ? 50 : 0 };
      const events = [
        withUsage(says('m1', 0, text('x')), usage),
        ends('x', { total_cost_usd: usd, duration_ms: 1_000, usage: { output_tokens: usage.output_tokens } }),
      ];
      return events.map((event) => JSON.stringify({ ...event, session_id: id })).join('\n');
    };
    for (const [name, tokens, usd] of [
      ['with-1', 41_050, 0.25],
      ['without-1', 41_050, 0.124],
      ['without-2', 41_050, 0.124],
      ['without-3', 0, 0],
    ] as const) {
      writeFileSync(join(dir, `run-${name}.jsonl`), log(name, tokens, usd));
    }
    const report = await makeReport(dir, options, campaignRedactor(dir, {}));
    if (!report.ok) throw new Error(report.failure.message);
    const { csv, text: printed, json, measured: campaign } = report.value;
    const arm = campaign.shown.tasks[0]?.comparison.arms.find(({ label }) => label === 'without');
    expect(arm?.runs.kept).toHaveLength(3);
    expect(arm?.figures).toMatchObject({
      tokensProcessed: { median: 41_100, min: 41_100, max: 41_100, n: 2 },
      costUsd: { median: 0.124, min: 0.124, max: 0.124, n: 2 },
      outputTokens: { median: 50, min: 50, n: 2 },
      durationMs: { n: 3 },
    });
    expect(printed).toMatch(/tokens processed +41,100 +41,100 \(n=2\)/);
    const [columns = [], ...lines] = csv.split('\n').map((line) => line.split(','));
    const cells = lines.find((line) => line.some((cell) => cell.includes('without-3'))) ?? [];
    const cell = (column: string) => cells[columns.indexOf(column)];
    expect(['tokens_processed', 'cost_usd', 'final_context_tokens', 'duration_ms'].map(cell)).toEqual([
      '',
      '',
      '',
      '1000',
    ]);
    expect(JSON.parse(json).runs.find((run: { name: string }) => run.name.includes('without-3')).measure).toMatchObject(
      {
        ...{ costUsd: null, tokensProcessed: null, outputTokens: null, occupancy: null },
      },
    );
  });
});

describe('logs that are no set of runs', () => {
  const dir = join(folder, 'same-session-twice');
  const twice =
    /run-baseline-1\.jsonl, run-baseline-2 \(copy\)\.jsonl, run-new-1\.jsonl, run-new-2\.jsonl are one session/;
  const without = /run-new-1\.jsonl has later logs, but not \.t2/;

  /** The text before the first line that has a figure. */
  const headOf = (printed: string, firstFigure: string) => {
    expect(printed).toContain(firstFigure);
    return printed.slice(0, printed.indexOf(firstFigure));
  };

  it('compare-arms says so before the table, and leaves out the run with a gap', async () => {
    const found = findRuns(dir);
    if (!found.ok) throw new Error(found.failure.message);
    const labels = ['new', 'baseline', 'baseline-2 (copy)'];
    const compared = await compareRuns(dir, found.value, labels, options);
    if (!compared.ok) throw new Error(compared.failure.message);
    const { warnings, arms } = compared.value;
    expect(warnings.slice(0, 2).map(({ code }) => code)).toEqual(['same-session', 'missing-segment']);
    expect(arms[0]?.runs).toMatchObject({ kept: ['run-new-2.jsonl'], byCause: { 'not-ok': 1 } });
    const head = headOf(renderComparison(compared.value, { dir }), '  runs ');
    expect(head).toMatch(twice);
    expect(head).toMatch(without);
    expect(headOf(renderMarkdown(compared.value), '| runs |')).toMatch(twice);
  });

  it('report and its Markdown say so first, and a distribution does', async () => {
    const report = await makeReport(dir, options, campaignRedactor(dir, {}));
    if (!report.ok) throw new Error(report.failure.message);
    const { text: printed, markdown } = report.value;
    expect(headOf(printed, 'ARM COMPARISON')).toMatch(twice);
    expect(headOf(printed, 'ARM COMPARISON')).toMatch(without);
    expect(headOf(markdown, '| runs |')).toMatch(/are one session, read 4 times/);
    const distribution = await makeDistribution(dir, options);
    if (!distribution.ok) throw new Error(distribution.failure.message);
    expect(headOf(renderDistribution(distribution.value), '  slice')).toMatch(twice);
  });

  it('the same task in two folders is found, and runs of different sessions are none', async () => {
    const log = (sessionId: string) =>
      [says('m1', 10, text('x')), ends('x')]
        .map((event) => JSON.stringify({ ...event, session_id: sessionId }))
        .join('\n');
    const both = mkdtempSync(join(scratch, 'tasks-'));
    for (const [name, id] of [
      ['one/run-new-1.jsonl', 's1'],
      ['one/run-baseline-1.jsonl', 's2'],
      ['two/run-new-1.jsonl', 's1'],
      ['two/run-baseline-1.jsonl', 's3'],
    ] as const) {
      mkdirSync(dirname(join(both, name)), { recursive: true });
      writeFileSync(join(both, name), log(id));
    }
    const report = await makeReport(both, options, campaignRedactor(both, {}));
    if (!report.ok) throw new Error(report.failure.message);
    const told = report.value.text.match(/! [^\n]*are one session[^\n]*/g) ?? [];
    expect(new Set(told.map((line) => line.replace(/ →.*/, '')))).toEqual(
      new Set(['! one/run-new-1.jsonl, two/run-new-1.jsonl are one session, read 2 times']),
    );
  });
});
