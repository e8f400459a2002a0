import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRuns } from '../store/index.js';
import { check, type Section } from './check.js';
import {
  boundary,
  EXPLORE,
  ends,
  filler,
  gives,
  measured,
  readLines,
  says,
  sessionOf,
  text,
  uses,
} from './transcript.js';

const line = (event: object) => JSON.stringify(event);
const charsOfRead = async (content: unknown) => {
  const session = await sessionOf([says('m1', 10, uses('r', 'Read')), gives('r', content), says('m2', 20, text('.'))]);
  return session.threads[0]?.calls[0]?.result?.chars;
};

/** Runs found in a folder with these log names, each with its number of segments. */
function runsIn(names: string[]): [string, number][] {
  const folder = mkdtempSync(join(tmpdir(), 'agent-eval-selftest-'));
  try {
    mkdirSync(join(folder, 'task'));
    for (const name of names) writeFileSync(join(folder, 'task', name), '');
    const found = findRuns(folder);
    return found.ok ? found.value.map(({ name, files }) => [name, files.length]) : [];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function families(): Promise<Record<string, string>> {
  const names = 'Read NotebookRead Grep Glob Bash Monitor PowerShell BashOutput TaskOutput Write'.split(' ');
  names.push(EXPLORE);
  const found: Record<string, string> = {};
  for (const name of names) {
    const events = [says('m1', 100, uses('c', name)), gives('c', filler(60)), says('m2', 200, text('.'))];
    const { occupancy } = await measured(events);
    found[name] = Object.entries(occupancy?.results ?? {}).find(([, results]) => results > 0)?.[0] ?? 'none';
  }
  return found;
}

const copies = [
  says('m1', 100, text('one')),
  says('m1', 100, uses('a', 'Read'), { message: { usage: { input_tokens: 90, output_tokens: 7 } } }),
  says('m1', 100, uses('b', 'Grep')),
  gives('b', 'second'),
  gives('a', 'first'),
];

/** Section 1. */
export const transcriptRules: Section = {
  title: '1 Transcript',
  checks: [
    check(
      'A .tN file is a segment of its run and never a run; run-<label>-<i> are runs of their own',
      [
        ['task/run-a.jsonl', 2],
        ['task/run-b-1.jsonl', 1],
        ['task/run-b-2.jsonl', 1],
      ],
      () => runsIn(['run-a.t2.jsonl', 'run-a.jsonl', 'run-b-1.jsonl', 'run-b-2.jsonl', 'notes.txt']),
    ),
    check('A session is its segments in prompt order', ['run-x.jsonl', 'run-x.t2.jsonl'], async () => {
      return (await sessionOf([says('m1', 10, text('a'))], [says('m2', 20, text('b'))])).files;
    }),
    check(
      'A line that does not parse is reported by file and number; the others count',
      { requests: 2, lines: [{ file: 'run-x.jsonl', line: 2 }] },
      async () => {
        const session = await readLines([line(says('m1', 10, text('a'))), 'no JSON', line(says('m2', 20, text('b')))]);
        return { requests: session.threads[0]?.requests.length, lines: session.diagnostics.unparsedLines };
      },
    ),
    check('A cut last line is not fatal', [1, [{ file: 'run-x.jsonl', line: 2 }]], async () => {
      const session = await readLines([line(says('m1', 10, text('a'))), '{"type":"assist']);
      return [session.threads[0]?.requests.length, session.diagnostics.unparsedLines];
    }),
    check(
      'A request is a distinct message.id: its copies count once',
      1,
      async () => (await measured(copies)).requests,
    ),
    check(
      'Where copies of a usage grow, the field-wise maximum counts: 100 prompt + 7 output tokens',
      107,
      async () => (await measured(copies)).tokensProcessed,
    ),
    check(
      "A request's blocks are taken from every copy",
      { Read: 1, Grep: 1 },
      async () => (await measured(copies)).counts,
    ),
    check('Results are paired by tool_use_id, whatever their order', ['first', 'second'], async () => {
      return (await sessionOf(copies)).threads[0]?.calls.map(({ result }) => result?.head);
    }),
    check('A thread is a parent_tool_use_id; events of threads interleave', [null, 't'], async () => {
      const events = [
        says('m1', 10, uses('t', 'Agent')),
        says('s1', 5, text('sub'), { thread: 't' }),
        says('m2', 20, text('main')),
        says('s2', 6, text('sub'), { thread: 't' }),
      ];
      const session = await sessionOf(events);
      if (session.threads.some(({ requests }) => requests.length !== 2)) return 'mixed';
      return session.threads.map(({ id }) => id);
    }),
    check('Assistant events of model <synthetic> are in no metric', [1, 11], async () => {
      const made = says('x', 900, text('API Error'), { message: { model: '<synthetic>' } });
      const found = await measured([says('m1', 10, text('a')), made]);
      return [found.requests, found.tokensProcessed];
    }),
    check('Several init and result events of one process are all read, to the end of the file', [2, 2, 2], async () => {
      const init = { type: 'system', subtype: 'init', session_id: 's', tools: [], mcp_servers: [] };
      const events = [init, says('m1', 10, text('a')), ends('a'), init, says('m2', 20, text('b')), ends('b')];
      const session = await sessionOf(events);
      return [
        session.segments[0]?.inits.length,
        session.segments[0]?.results.length,
        session.threads[0]?.requests.length,
      ];
    }),
    check('What the model saw is message.content, never tool_use_result', 5, async () => {
      const result = gives('b', 'short', { tool_use_result: { stdout: filler(5_000) } });
      const session = await sessionOf([says('m1', 10, uses('b', 'Bash')), result]);
      return session.threads[0]?.calls[0]?.result?.chars;
    }),
    check('A result replaced by <persisted-output> counts with the characters of that preview', 40, () => {
      return charsOfRead(`<persisted-output>${filler(22)}`);
    }),
    check('An explore answered by a preview stays in its bucket and is flagged undelivered', [1, 1, true], async () => {
      const shown = 'Error: result (150,000 characters across 9 lines) exceeds maximum allowed tokens. Saved to: f';
      const { sufficiency } = await measured([says('m1', 10, uses('e', EXPLORE)), gives('e', shown), ends()]);
      return [sufficiency.buckets.sufficient, sufficiency.undelivered, sufficiency.calls[0]?.undelivered];
    }),
    check(
      'Undelivered too: every other wording of the host, whatever its thousands separator',
      [true, true, true, true, true, false],
      async () => {
        const notices = [
          'Error: result (71 204 characters) exceeds maximum allowed tokens. Output has been saved to /x.',
          'MCP tool "codegraph_explore" response (31807 tokens) exceeds maximum allowed tokens (25000).',
          '[Old tool result content cleared]',
          'Tool result saved to: /x/y.txt',
          `some source\n[OUTPUT TRUNCATED - exceeded 25000 token limit]\nThe tool output was truncated.`,
          'const notice = "[Old tool result content cleared]";',
        ];
        const sessions = notices.map((notice) => measured([says('m1', 10, uses('e', EXPLORE)), gives('e', notice)]));
        return (await Promise.all(sessions)).map(({ sufficiency }) => sufficiency.undelivered === 1);
      },
    ),
    check(
      'No answer: empty, null, "(… completed with no output)", an object or a text without source; the last two are told',
      [1, 1, 1, 1, 1, 2],
      async () => {
        const contents = [
          '',
          null,
          `(${EXPLORE} completed with no output)`,
          { result: 'x', sections: [] },
          'Something else.',
        ];
        const sessions = contents.map((content) => measured([says('m1', 10, uses('e', EXPLORE)), gives('e', content)]));
        const found = await Promise.all(sessions);
        const unread = found.flatMap(({ diagnostics }) => diagnostics.unreadAnswers).length;
        return [...found.map(({ sufficiency }) => sufficiency.noAnswer), unread];
      },
    ),
    check('A tool of the host that no rule knows is told by name', ['Telepathy'], async () => {
      const events = [
        says('m1', 10, uses('a', 'Telepathy')),
        gives('a', 'x'),
        says('m2', 20, uses('b', 'mcp__other__x')),
      ];
      return (await measured(events)).diagnostics.unknownTools;
    }),
    check('Lengths are UTF-16 units: é is 1, an emoji is 2', 3, () => charsOfRead('é😀')),
    check('A string result counts its length', 7, () => charsOfRead('1234567')),
    check('A list of parts counts their texts, any other part as its JSON', 5 + 13, () => {
      return charsOfRead([{ type: 'text', text: 'abc' }, { type: 'text', text: 'de' }, { type: 'x1' }]);
    }),
    check("An image's base64 is no text: 0 characters", 2, () => {
      return charsOfRead([
        { type: 'text', text: 'ab' },
        { type: 'image', source: { type: 'base64', data: filler(900) } },
      ]);
    }),
    check('The gap of an image is not used to calibrate: 10,000/4,000 stays 2.5', 2.5, async () => {
      const image = { type: 'image', source: { type: 'base64', data: 'AAAA' } };
      const events = [
        says('m1', 10_000, uses('a', 'Read')),
        gives('a', filler(10_000)),
        says('m2', 14_000, uses('b', 'Read')),
        gives('b', [{ type: 'text', text: filler(3_000) }, image]),
        says('m3', 15_000, text('.')),
      ];
      return (await measured(events)).occupancy?.charsPerToken;
    }),
    check(
      'Families: …codegraph… → tool; Read, NotebookRead → read; Grep, Glob → search; shells and background output → bash',
      {
        Read: 'read',
        NotebookRead: 'read',
        Grep: 'search',
        Glob: 'search',
        Bash: 'bash',
        Monitor: 'bash',
        PowerShell: 'bash',
        BashOutput: 'bash',
        TaskOutput: 'bash',
        Write: 'other',
        [EXPLORE]: 'tool',
      },
      families,
    ),
    check('Both subtypes are a compaction boundary: compact_boundary and compaction', 2, async () => {
      const other = { ...boundary(), subtype: 'compaction' };
      return (await measured([says('m1', 10, text('a')), boundary(), other, says('m2', 9, text('b'))])).occupancy
        ?.compactions;
    }),
  ],
};
