import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codegraphProfile } from '../../src/engine/codegraph/profile.js';
import { hostLog } from '../../src/host/logs.js';
import { measure } from '../../src/metrics/index.js';
import type { Measure } from '../../src/model/measure.js';
import { renderRun } from '../../src/report/index.js';
import { unwrapAnswer } from '../../src/transcript/unwrap.js';
import {
  boundary,
  type Event,
  EXPLORE,
  ends,
  gives,
  measured,
  response,
  says,
  sessionOf,
  text,
  uses,
} from '../metrics/events.js';

/** The events of a case's log. */
function logOf(name: string): Event[] {
  const log = readFileSync(join('test/fixtures/cases', name, 'run-a.jsonl'), 'utf8');
  return log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Event);
}

/** Measures as the program does when the user sets no window. */
async function measureCase(name: string): Promise<Measure> {
  return measure(await sessionOf(logOf(name)), { profile: codegraphProfile });
}

const returned = response({ path: 'src/a.js', symbols: 'alpha(function)' });
const explored: Event[] = [says('m1', 1_000, uses('e', EXPLORE, { query: 'q' })), gives('e', returned)];

/** The explore's bucket and what is shown as next. */
async function verdictAfter(...events: Event[]) {
  const { sufficiency } = await measured([[...explored, ...events]]);
  return sufficiency.calls.map(({ bucket, next }) => [bucket, next])[0];
}

describe('tools by what they do', () => {
  it.each([
    ['task-bookkeeping', ['read_returned', 'Read a.js']],
    ['delegations/skill-fork', ['read_missed', 'Skill → Read zzz.js']],
    ['delegations/nested', ['read_returned', 'Agent → Agent → Read a.js']],
  ])('%s', async (name, expected) => {
    const [call] = (await measureCase(name)).sufficiency.calls;
    expect([call?.bucket, call?.next]).toEqual(expected);
  });

  it('follows delegations five levels down, past bookkeeping and a branch that did nothing', async () => {
    const levels = [1, 2, 3, 4].map((level) => says(`s${level}`, 10, uses(`d${level + 1}`, 'Agent'), `d${level}`));
    const found = await verdictAfter(
      says('m2', 2_000, uses('d1', 'Agent')),
      says('s0', 10, uses('idle', 'Agent'), 'd1'),
      ...levels,
      says('s5', 10, uses('k', 'TaskCreate'), 'd5'),
      says('s6', 10, uses('g', 'Grep', { pattern: 'x' }), 'd5'),
    );
    expect(found).toEqual(['search', 'Agent → Agent → Agent → Agent → Agent → Grep']);
  });

  it('takes a skill without a thread, and a delegation that did nothing, for moving on', async () => {
    expect(await verdictAfter(says('m2', 2_000, uses('k', 'Skill')))).toEqual(['sufficient', 'Skill']);
    expect(await verdictAfter(says('m2', 2_000, uses('k', 'Agent')))).toEqual(['sufficient', 'Agent']);
  });

  it('ends where two delegations name each other', async () => {
    const found = await verdictAfter(
      says('m2', 2_000, uses('x', 'Agent')),
      says('s1', 10, uses('y', 'Agent'), 'x'),
      says('s2', 10, uses('x', 'Agent'), 'y'),
    );
    expect(found).toEqual(['sufficient', 'Agent']);
  });

  it('knows every tool that the installed program offers in its logs', () => {
    const init = readFileSync('test/fixtures/claude-code/07-toolsearch-default-first-party.jsonl', 'utf8')
      .split('\n')
      .map((line) => (line === '' ? {} : JSON.parse(line)))
      .find(({ subtype }) => subtype === 'init');
    const own = (init.tools as string[]).filter((name) => !name.startsWith('mcp__'));
    expect(own.length).toBeGreaterThan(20);
    expect(own.filter((name) => hostLog().tools.kindOf(name) === undefined)).toEqual([]);
  });

  it('names a tool that no rule knows, unless the host refused it', async () => {
    const found = await measured([
      [
        says('m1', 10, uses('a', 'Telepathy')),
        gives('a', 'ok'),
        says('m2', 20, uses('b', 'Grepp')),
        gives('b', 'Error: No such tool available: Grepp', { isError: true }),
        says('m3', 30, uses('c', 'mcp__other__tool')),
        says('m4', 40, uses('d', 'LSP')),
      ],
    ]);
    expect(found.diagnostics.unknownTools).toEqual(['Telepathy']);
  });
});

describe('shells other than Bash', () => {
  it('monitor-shell', async () => {
    const { invoke, data } = (await measureCase('monitor-shell')).contamination;
    expect([invoke, data]).toEqual([
      { blocked: 0, returned: 2 },
      { blocked: 0, returned: 1 },
    ]);
    expect((await measureCase('monitor-shell/control')).contamination.invoke).toEqual({ blocked: 0, returned: 1 });
  });

  it('reads and searches through them count as such', async () => {
    const reads = says('m2', 2_000, uses('p', 'Monitor', { command: 'tail -n 5 src/a.js' }));
    expect(await verdictAfter(reads)).toEqual(['read_returned', 'Monitor Read a.js']);
    const searches = says('m2', 2_000, uses('p', 'PowerShell', { command: 'rg alpha' }));
    expect(await verdictAfter(searches)).toEqual(['search', 'PowerShell search']);
  });
});

describe('what is no answer', () => {
  it('mute-engine', async () => {
    const { sufficiency, diagnostics } = await measureCase('mute-engine/no-output');
    expect(sufficiency).toMatchObject({ answered: 1, noAnswer: 1 });
    expect(diagnostics.unreadAnswers).toEqual([]);
  });

  it.each(['double', 'doublearr', 'doubleobj', 'escaped', 'nested', 'object', 'object2'])(
    'wrapped-content/%s is unwrapped',
    async (name) => {
      const { sufficiency, allocation, diagnostics } = await measureCase(`wrapped-content/${name}`);
      expect([allocation.envelopeChars, sufficiency.noAnswer]).toEqual([9_888, 0]);
      expect(diagnostics.unreadAnswers).toEqual([]);
    },
  );

  it.each([
    ['a number', '42', true],
    ['null', null, false],
    ['an empty list', [], false],
    ['blank lines', ' \n ', false],
    ['an object without source', { result: 'x', sections: [] }, true],
    ['a text without source', 'The index is being rebuilt.', true],
    ["the engine's own message", 'No relevant code found for "q"', false],
    ['two texts that could each be the answer', { a: returned, b: returned }, true],
    ["another tool's empty result", '(mcp__codegraph__codegraph_explore completed with no output)', false],
  ])('%s', async (_, content, isUnread) => {
    const { sufficiency, diagnostics } = await measured([[says('m1', 10, uses('e', EXPLORE)), gives('e', content)]]);
    expect(sufficiency).toMatchObject({ answered: 1, noAnswer: 1 });
    expect(diagnostics.unreadAnswers).toHaveLength(isUnread ? 1 : 0);
    expect(sufficiency.calls[0]?.unread).toBe(isUnread ? true : undefined);
  });

  it('says so, with the beginning of the text', async () => {
    const events = [says('m1', 10, uses('e', EXPLORE)), gives('e', 'The index is being rebuilt.'), ends('done')];
    const printed = renderRun(await sessionOf(events), await measured([events]), {
      brief: true,
      engine: codegraphProfile,
    });
    expect(printed).toContain('no answer: 1 explore response delivered no source');
    expect(printed).toContain('for example "The index is being rebuilt."');
  });

  it('unwraps a text of several parts, and leaves the escapes of quoted source alone', () => {
    const isAnswer = (one: string) => one.startsWith('A\nB');
    expect(unwrapAnswer(JSON.stringify({ content: [{ text: 'A' }, { text: '\nB' }] }), isAnswer)).toBe('A\nB');
    expect(unwrapAnswer(JSON.stringify(JSON.stringify('A\nB')), isAnswer)).toBe('A\nB');
    expect(unwrapAnswer('A\\nB \\"q\\" \\\\n', isAnswer)).toBe('A\nB "q" \\n');
    expect(unwrapAnswer('A\\nB\n', isAnswer)).toBeUndefined();
    expect(unwrapAnswer(`${'['.repeat(60)}${']'.repeat(60)}`, isAnswer)).toBeUndefined();
  });
});

describe('results that the host held back', () => {
  it.each(['cleared', 'nocomma', 'old20'])('undelivered-wordings/%s', async (name) => {
    expect((await measureCase(`undelivered-wordings/${name}`)).sufficiency).toMatchObject({
      undelivered: 1,
      noAnswer: 0,
    });
  });

  it.each([
    'Error: result (71.204 characters across 1.200 lines) exceeds maximum allowed tokens. Output has been saved to /x.',
    "Error: result (71'204 characters) exceeds maximum allowed tokens. Failed to save output to file: EACCES",
    'Error: result (71\u202f204 characters) exceeds maximum allowed tokens. Output has been saved to /x.',
    'Error: MCP tool "codegraph_explore" response (31,807 tokens) exceeds maximum allowed tokens (25000).',
    '<persisted-output>Tool result saved to: /x\n\nUse Read to view</persisted-output>',
    '[Tool result missing due to internal error]',
  ])('%s', async (notice) => {
    const { sufficiency } = await measured([[says('m1', 10, uses('e', EXPLORE)), gives('e', notice)]]);
    expect(sufficiency).toMatchObject({ undelivered: 1, noAnswer: 0 });
  });

  it('keeps the files of an answer that was cut, and does not take quoted notices for notices', async () => {
    const end = '\n[OUTPUT TRUNCATED - exceeded 25000 token limit]\nThe tool output was truncated. Ask for less.\n';
    const cut = await measured([[says('m1', 10, uses('e', EXPLORE)), gives('e', `${returned}${end}`)]]);
    expect(cut.sufficiency).toMatchObject({ undelivered: 1, noAnswer: 0 });
    expect(cut.sufficiency.calls[0]?.files).toEqual(['src/a.js']);
    const quoting = returned.replace('x ', '[OUTPUT TRUNCATED - exceeded 25000 token limit]');
    const quoted = await measured([[says('m1', 10, uses('e', EXPLORE)), gives('e', `${quoting}\n[Old tool result`)]]);
    expect(quoted.sufficiency.undelivered).toBe(0);
  });
});

describe('what the window held unseen', () => {
  it.each([
    ['control', { tool: 4_000, read: 2_800 }, 0],
    ['two-gaps', { tool: 4_000, read: 800 }, 1],
    ['three-gaps', { tool: 4_000, read: 2_800 }, 1],
  ])('hidden-injection/%s', async (name, residualTokens, hiddenGaps) => {
    expect((await measureCase(`hidden-injection/${name}`)).occupancy).toMatchObject({
      ...{ charsPerToken: 2.5, calibrated: true, evictedTokens: 0, hiddenGaps },
      residualTokens,
    });
  });

  it('is charged to no result, though its gap might be a text', async () => {
    // R: 8,000 characters and 4,000 hidden tokens in 7,200 (1.1 characters a token). E: 8,000 characters in 3,200.
    const { occupancy } = await measured([
      [
        says('m1', 10_000, uses('r', 'Read')),
        gives('r', 'x '.repeat(4_000)),
        says('m2', 17_200, uses('e', EXPLORE)),
        gives('e', 'x '.repeat(4_000)),
        says('m3', 20_400, text('done')),
      ],
    ]);
    expect(occupancy).toMatchObject({ evictedTokens: 0, contributedTokens: { tool: 3_200 } });
    expect(occupancy?.residualTokens.tool).toBe(3_200);
  });

  it('leaves an estimate where no gap can be a text, and the block calls it one', async () => {
    const events = [
      says('m1', 10_000, uses('r', 'Read')),
      gives('r', 'x '.repeat(1_500)),
      says('m2', 18_000, text('.')),
    ];
    const found = await measured([events]);
    expect(found.occupancy).toMatchObject({
      ...{ calibrated: false, charsPerToken: 3, dispersion: null, hiddenGaps: 1, hiddenTokens: 6_998 },
      ...{ residualTokens: { read: 1_000 } },
    });
    const printed = renderRun(await sessionOf(events), found, { brief: true, engine: codegraphProfile });
    expect(printed).toContain('3.00 chars/tok FALLBACK (an ESTIMATE, not measured)');
    expect(printed).not.toContain('tok measured');
    expect(printed).toContain('hidden additions: the window grew once by more tokens than the results have characters');
  });

  it('is no reason to evict at a compaction either', async () => {
    const { occupancy } = await measured([
      [
        says('m1', 10_000, uses('r', 'Read')),
        gives('r', 'x '.repeat(1_500), { uuid: 'u1' }),
        boundary(['u1']),
        says('m2', 18_000, text('.')),
      ],
    ]);
    expect(occupancy).toMatchObject({ evictedTokens: 0, residualTokens: { read: 1_000 } });
  });
});

describe('explores side by side', () => {
  it('parallel-explores', async () => {
    const { buckets, calls } = (await measureCase('parallel-explores')).sufficiency;
    expect(buckets.read_returned).toBe(2);
    expect(calls.map(({ next }) => next)).toEqual(['Read b.js (returned by a parallel explore)', 'Read b.js']);
  });

  it('does not count what a parallel explore failed to return, or one of another thread returned', async () => {
    const other = response({ path: 'src/b.js' });
    const failed = await measured([
      [
        says('m1', 10, uses('e', EXPLORE)),
        says('m1', 10, uses('f', EXPLORE)),
        gives('e', returned),
        gives('f', other, { isError: true }),
        says('m2', 20, uses('r', 'Read', { file_path: 'src/b.js' })),
      ],
    ]);
    expect(failed.sufficiency.calls.map(({ bucket }) => bucket)).toEqual(['read_missed']);
    const apart = await measured([
      [
        says('m1', 10, uses('e', EXPLORE)),
        says('s1', 10, uses('f', EXPLORE), 'a'),
        gives('e', returned),
        gives('f', other, { thread: 'a' }),
        says('m2', 20, uses('r', 'Read', { file_path: 'src/b.js' })),
      ],
    ]);
    expect(apart.sufficiency.calls[0]?.bucket).toBe('read_missed');
  });
});

describe('the size of the window', () => {
  it('window-1m', async () => {
    const found = await measureCase('window-1m');
    expect(found.occupancy).toMatchObject({ windowTokens: 1_000_000, windowSource: 'reported' });
    const printed = renderRun(await sessionOf(logOf('window-1m')), found, { brief: true, engine: codegraphProfile });
    expect(printed).toContain('41.4% of 1000k window (as the log reports it)');
  });

  it('is what the user set, whatever the log reports', async () => {
    const session = await sessionOf(logOf('window-1m'));
    const { occupancy } = measure(session, { profile: codegraphProfile, windowTokens: 200_000 });
    expect(occupancy).toMatchObject({ windowTokens: 200_000, windowSource: 'set' });
  });

  it.each([
    [
      'the one of the main thread, not of a subagent',
      { 'claude-sonnet-5': 500_000, 'claude-haiku-4-5': 900_000 },
      500_000,
    ],
    ['the only one that there is', { 'some-gateway/sonnet': 400_000 }, 400_000],
    ['none where several are for other models', { a: 300_000, b: 400_000 }, 200_000],
    ['none where it is no size', { 'claude-sonnet-5': 0 }, 200_000],
  ])('%s', async (_, windows, expected) => {
    const modelUsage = Object.fromEntries(
      Object.entries(windows).map(([model, contextWindow]) => [model, { contextWindow }]),
    );
    const session = await sessionOf([says('m1', 10, text('a')), ends('a', { modelUsage })]);
    expect(measure(session, { profile: codegraphProfile }).occupancy?.windowTokens).toBe(expected);
  });
});
