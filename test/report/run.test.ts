import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hostLog } from '../../src/host/logs.js';
import type { Measure } from '../../src/model/measure.js';
import type { Session, ToolCall } from '../../src/model/session.js';
import { renderRun } from '../../src/report/index.js';
import {
  allocationWith,
  engine,
  families,
  measureWith,
  occupancyWith,
  sufficiencyWith,
} from '../aggregate/measures.js';

const published = (name: string) =>
  readFileSync(new URL(`../fixtures/report/${name}.printed.txt`, import.meta.url), 'utf8');

function call(order: number, name: string, input: Record<string, string> = {}, thread: string | null = null): ToolCall {
  const kind = hostLog().tools.kindOf(name);
  return { id: `t${order}`, order, name, kind, input, requestId: `m${order}`, thread, result: undefined };
}

function sessionWith(calls: ToolCall[], tools: string[][] = [['Read', 'mcp__codegraph__codegraph_explore']]): Session {
  const thread = (id: string | null) => ({
    id,
    requests: [],
    calls: calls.filter((one) => one.thread === id),
    timeline: [],
    lastText: undefined,
    abandoned: { requests: [], calls: [] },
  });
  return {
    host: hostLog(),
    files: ['x.jsonl'],
    segments: tools.map((names) => ({
      file: 'x.jsonl',
      inits: [
        {
          sessionId: 's',
          model: undefined,
          tools: names,
          mcpServers: [],
          cliVersion: undefined,
          skills: [],
          agents: [],
          plugins: [],
          hasMemory: false,
        },
      ],
      results: [],
      lastSessionId: 's',
      lastSyntheticError: undefined,
      retries: [],
      hookResponses: [],
      stoppedTasks: 0,
      compactionAttempts: [],
      limit: undefined,
      knownEvents: 1,
    })),
    threads: [...new Set([null, ...calls.map((one) => one.thread)])].map(thread),
    answer: undefined,
    diagnostics: {
      lines: 0,
      unparsedLines: [],
      lostLines: 0,
      repeatedRows: 0,
      retries: 0,
      fallbackModels: [],
      otherModels: [],
      subagentErrors: 0,
      knownEvents: 0,
    },
  };
}

/** The published run v03: a shell read, a compacted window's worth of eviction, one explore followed by a shell search. */
const v03calls = [
  call(0, 'Bash', { command: "sed -n '100,200p' lib/response.js" }),
  call(1, 'TodoWrite'),
  call(2, 'mcp__codegraph__codegraph_explore', { query: 'foo_bar const a = 1; index con' }),
  call(3, 'Bash', { command: 'find . -name x.ts' }),
  call(4, 'Grep', { pattern: 'send' }),
];

function v03(): Measure {
  const success = { sessionId: 's', subtype: 'success', isError: false };
  return measureWith({
    files: ['/logs/v03.jsonl', '/logs/v03.t2.jsonl', '/logs/v03.t3.jsonl'],
    requests: 8,
    durationMs: 133_184,
    costUsd: 2.4443,
    tokensProcessed: 165_469,
    occupancy: occupancyWith({
      ctxBaseTokens: 20_404,
      ctxFinalTokens: 24_877,
      charsPerToken: 1.85,
      dispersion: 0.00943,
      evictedTokens: 676,
      residualTokens: families({ tool: 2072, search: 2260, bash: 989, other: 2332 }),
      chars: families({ tool: 3826, search: 4173, bash: 3073, other: 4305 }),
      results: families({ tool: 1, search: 1, bash: 2, other: 1 }),
    }),
    sufficiency: sufficiencyWith({
      answered: 1,
      buckets: { explore_again: 0, read_returned: 0, read_missed: 0, search: 1, sufficient: 0 },
      calls: [
        {
          thread: null,
          query: 'foo_bar const a = 1; index con',
          files: ['lib/express.js', 'packages/element/src/index.ts'],
          chars: 3826,
          bucket: 'search',
          next: 'Bash search',
        },
      ],
    }),
    allocation: allocationWith({
      envelopeChars: 3742,
      usedChars: 1840,
      usedPathChars: 1840,
      efficiency: 1840 / 3742,
      efficiencyPath: 1840 / 3742,
      filesReturned: 2,
      filesUsed: 1,
      calls: [{ envelopeChars: 3742, usedChars: 1840, efficiency: 1840 / 3742, files: 2, filesUsed: 1 }],
      files: [
        { path: 'packages/element/src/index.ts', chars: 1840, calls: 1, via: 'path' },
        { path: 'lib/express.js', chars: 1902, calls: 1, via: null },
      ],
    }),
    diagnostics: { ...measureWith().diagnostics, segments: [success, success, success] },
  });
}

function v05(): Measure {
  return measureWith({
    files: ['v05.jsonl'],
    requests: 7,
    durationMs: 89_938,
    costUsd: 0.033,
    tokensProcessed: 100_883,
    occupancy: occupancyWith({
      ctxBaseTokens: 12_766,
      ctxFinalTokens: 11_735,
      charsPerToken: 2.55,
      dispersion: 0.01338,
      compactions: 1,
      evictedTokens: 5797,
      residualTokens: families({ tool: 1176, bash: 112 }),
      chars: families({ tool: 3002, read: 1366, search: 1979, bash: 6541, other: 5194 }),
      results: families({ tool: 1, read: 1, search: 1, bash: 2, other: 2 }),
    }),
    sufficiency: sufficiencyWith({ errored: 1 }),
    diagnostics: {
      ...measureWith().diagnostics,
      segments: [{ sessionId: 's', subtype: 'success', isError: false }],
    },
  });
}

const v05calls = [
  call(0, 'Write'),
  call(1, 'Bash', { command: "sed -n '100,200p' lib/response.js" }),
  call(2, 'Grep', { pattern: 'send' }),
  call(3, 'Read', { file_path: 'lib/router/index.js' }),
  call(4, 'Edit'),
  call(5, 'Bash', { command: 'npm test' }),
  call(6, 'mcp__codegraph__codegraph_explore', { query: '{ gamma (req, res) gamma' }),
];

const render = (session: Session, measure: Measure) => renderRun(session, measure, { brief: false, engine });

describe('the published text', () => {
  test('three segments, one explore', () => {
    expect(`${render(sessionWith(v03calls), v03())}\n`).toBe(published('v03'));
  });

  test('one segment, an errored explore, a compaction', () => {
    expect(`${render(sessionWith(v05calls), v05())}\n`).toBe(published('v05'));
  });

  test('brief leaves out the numbered calls alone', () => {
    const brief = renderRun(sessionWith(v05calls), v05(), { brief: true, engine });
    const expected = published('v05').replace(/^ {2}\d+\. .*\n/gm, '');
    expect(`${brief}\n`).toBe(expected);
  });
});

describe('what the published text does not know', () => {
  test('contamination comes first, the returned command before the blocked one', () => {
    const contamination: Measure['contamination'] = {
      invoke: { blocked: 1, returned: 1 },
      data: { blocked: 0, returned: 0 },
      commands: [
        { thread: null, command: 'codegraph status', class: 'invoke', verdict: 'blocked' },
        { thread: 't9', command: 'npx codegraph\n  explore x', class: 'invoke', verdict: 'returned' },
        { thread: null, command: 'ls .codegraph', class: 'mention', verdict: 'returned' },
      ],
    };
    const lines = render(sessionWith(v05calls), { ...v05(), contamination }).split('\n');
    expect(lines.slice(1, 7)).toEqual([
      '=== v05.jsonl ===',
      '!! CONTAMINATED: codegraph was reached around its MCP server; this run is void',
      '  codegraph CLI: 1 RETURNED output, 1 blocked · index and daemon: 0 RETURNED output, 0 blocked',
      '    RETURNED invoke npx codegraph explore x (subagent)',
      '    blocked  invoke codegraph status',
      '',
    ]);
  });

  test('blocked attempts alone do not void the run', () => {
    const contamination: Measure['contamination'] = {
      invoke: { blocked: 0, returned: 0 },
      data: { blocked: 1, returned: 0 },
      commands: [{ thread: null, command: 'sqlite3 .codegraph/x.db', class: 'data', verdict: 'blocked' }],
    };
    const text = render(sessionWith(v05calls), { ...v05(), contamination });
    expect(text).toContain('contamination: attempts to reach codegraph around its MCP server, all blocked\n');
    expect(text).not.toContain('!!');
  });

  test('the rest comes after the blocks, each line only when there is something to say', () => {
    const measure = v03();
    const text = render(sessionWith(v03calls), {
      ...measure,
      ok: false,
      raced: true,
      duplicates: { sourceChars: 2000, duplicateChars: 500, share: 0.25 },
      sufficiency: { ...measure.sufficiency, noAnswer: 1, undelivered: 2 },
      subagents: [
        {
          thread: 't1',
          requests: 3,
          ctxBaseTokens: 9000,
          ctxFinalTokens: 14_000,
          residualTokens: families({ tool: 1200, read: 100, bash: 50 }),
        },
      ],
      diagnostics: {
        ...measure.diagnostics,
        retries: 2,
        lines: 1200,
        unparsedLines: [{ file: 'v03.jsonl', line: 7 }],
      },
    });
    expect(text.split('\n').slice(-9)).toEqual([
      '  Also seen:',
      '    RACED: codegraph was called before it was attached; this run says nothing about it',
      '    NOT OK: not every prompt has a successful result; left out of every comparison',
      '    no answer: 1 explore response delivered no source, and still count above',
      '    undelivered: the host gave the model a preview, a part or a note in place of 2 explore responses',
      '    duplicates: 25.0% of the delivered source had been delivered before (500 of 2,000 source chars)',
      '    subagent window (not in the figures above): 3 requests, 9,000 → 14,000 tok, residual codegraph 1,200, file-access 150 tok',
      '    API retries: 2',
      '    unparsed lines: 1 of 1,200 (v03.jsonl:7)',
    ]);
  });

  test('missing figures are dashes, an API failure is no success, an assumed ratio says so', () => {
    const text = render(sessionWith([], [['Read'], ['Read', 'mcp__codegraph__codegraph_explore']]), {
      ...measureWith({ durationMs: null, costUsd: null, tokensProcessed: null }),
      occupancy: occupancyWith({ calibrated: false, charsPerToken: 3, dispersion: null }),
      diagnostics: {
        ...measureWith().diagnostics,
        segments: [
          { sessionId: 's', subtype: 'success', isError: true },
          { sessionId: 's', subtype: null, isError: null },
        ],
      },
    });
    expect(text).toContain('codegraph tools exposed: 0, 1 (by segment)\n');
    expect(text).toContain('Result: no result | duration — | turns 2 | 2 segments (success but is_error,no result)\n');
    expect(text).toContain('  tokens processed: — | cost —\n');
    expect(text).toContain('measure: 3.00 chars/tok FALLBACK (an ESTIMATE, not measured) · turns 2 · compactions 0\n');
    expect(text).toContain('  Explore sufficiency: no answered codegraph_explore calls\n');
  });

  test('a log without usage or without an answer is said to be so', () => {
    const measure = {
      ...v03(),
      occupancy: null,
      allocation: { ...v03().allocation, efficiency: null, efficiencyPath: null, hasAnswer: false },
    };
    const text = render(sessionWith(v03calls), measure);
    expect(text).toContain('  Residual context occupancy: no request with usage in this log\n');
    expect(text).toContain('    efficiency      —  of 3,742 chars   (no answer in this log to attribute by)\n');
  });

  test('calls of all threads stand in stream order, a subagent’s marked; nothing steers the terminal', () => {
    const calls = [
      call(0, 'Agent', { subagent_type: 'Explore' }),
      call(2, 'Bash', { command: 'echo \u001b[31mred\u001b[0m\nls' }),
      call(1, 'Read', { file_path: '/w/a.ts' }, 't0'),
    ];
    const text = render(sessionWith(calls), v05());
    expect(text).toContain('  1. Agent Explore\n  2. Read a.ts (subagent)\n  3. Bash echo red ls\n');
  });
});

test('the envelope view divides each response and marks the files that answer', () => {
  const section = (path: string, chars: number) => ({
    path,
    chars,
    symbols: [],
    lineNumbers: new Uint32Array(),
    lineChars: new Uint32Array(),
  });
  const explore = call(0, 'mcp__codegraph__codegraph_explore', { query: 'q' });
  explore.result = {
    chars: 1200,
    isError: false,
    uuid: undefined,
    hasImage: false,
    head: '',
    undelivered: false,
    isUnavailable: false,
    isEmptyOutput: false,
    isFailedCommand: false,
    response: {
      chars: 1200,
      noAnswer: false,
      mentions: [],
      sections: [section('lib/b.js', 250), section('lib/a.js', 750)],
    },
  };
  const text = renderRun(sessionWith([explore]), measureWith(), {
    brief: true,
    engine,
    envelope: { answer: ['lib/b.*'] },
  });
  expect(text).toContain(
    [
      '    call 1: "q" 1,000 chars, 2 sections',
      '         75.0%    750  lib/a.js',
      '      *  25.0%    250  lib/b.js',
      '      answer files: 25.0%  250/1,000 chars',
    ].join('\n'),
  );
});
