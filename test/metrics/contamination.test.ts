import { describe, expect, it } from 'vitest';
import { HOOK_MARKER } from '../../src/shell/index.js';
import { type Event, EXPLORE, ends, gives, measured, says, uses } from './events.js';

const run = (
  id: string,
  command: string,
  output: unknown,
  isError?: boolean,
  thread: string | null = null,
): Event[] => [
  says(`m-${id}`, 1_000, uses(id, 'Bash', { command }), thread),
  gives(id, output, { thread, ...(isError === undefined ? {} : { isError }) }),
];

async function contamination(...events: Event[]) {
  return (await measured([events])).contamination;
}

describe('commands that reach for the engine', () => {
  it.each([
    ['denied by the hook', `Use the MCP tool. ${HOOK_MARKER}`, true, 'blocked'],
    ['not found by bash', 'Exit code 127\n/bin/bash: line 1: codegraph: command not found', true, 'blocked'],
    ['not found by zsh', '(eval):1: command not found: codegraph', true, 'blocked'],
    ['not found by sh', 'sh: 1: codegraph: not found', true, 'blocked'],
    ['not found by path', 'bash: line 1: /opt/bin/codegraph: No such file or directory', true, 'blocked'],
    [
      'not found by a wrapper',
      "timeout: failed to run command 'codegraph': No such file or directory",
      true,
      'blocked',
    ],
    ['answered', '**Exploration: x**', false, 'returned'],
    ['answered and failed', 'Exit code 1\n**Exploration: x**', true, 'returned'],
    ['answered beside a missing program', 'bash: line 1: jq: command not found\n{"nodes": 3}', true, 'returned'],
    ['quoting the marker', `Exit code 1\n3\tconst MARKER = '${HOOK_MARKER}';`, true, 'returned'],
  ])('%s', async (_title, output, isError, verdict) => {
    const found = await contamination(...run('b', 'codegraph explore x', output, isError));
    expect(found.invoke).toEqual({ blocked: verdict === 'blocked' ? 1 : 0, returned: verdict === 'returned' ? 1 : 0 });
    expect(found.commands).toEqual([{ thread: null, command: 'codegraph explore x', class: 'invoke', verdict }]);
  });

  it('counts nothing where nothing came back', async () => {
    const found = await contamination(
      ...run('b', 'codegraph sync', '(Bash completed with no output)', false),
      says('m', 1, uses('open', 'Bash', { command: 'codegraph explore x' })),
    );
    expect(found).toMatchObject({ invoke: { blocked: 0, returned: 0 }, commands: [] });
  });

  it('tells data from invocation and both from a mention, in every thread', async () => {
    const found = await contamination(
      ...run('b1', 'sqlite3 .codegraph/codegraph.db .tables', 'nodes'),
      ...run('b2', 'grep -rn codegraph README.md', 'README.md:1:codegraph'),
      says('m1', 1_000, uses('a', 'Agent')),
      ...run('b3', 'npx codegraph explore x', 'text', false, 'a'),
    );
    expect(found).toMatchObject({ invoke: { blocked: 0, returned: 1 }, data: { blocked: 0, returned: 1 } });
    expect(found.commands.map(({ thread }) => thread)).toEqual([null, 'a']);
  });

  it("takes another hook's marker", async () => {
    const events = run('b', 'codegraph explore x', 'DENY-REASON: use Read instead', true);
    const found = await measured([events], { hookMarker: 'DENY-REASON' });
    expect(found.contamination.invoke).toEqual({ blocked: 1, returned: 0 });
  });
});

describe('raced', () => {
  const refused = '<tool_use_error>Error: No such tool available: mcp__codegraph__codegraph_explore</tool_use_error>';
  const init = { type: 'system', subtype: 'init', mcp_servers: [{ name: 'codegraph', status: 'pending' }] };
  const call = (name: string, output: string, isError = true) => [
    says('m1', 1_000, uses('e', name)),
    gives('e', output, { isError }),
    ends('x'),
  ];

  it.each([
    [EXPLORE, refused, true, true],
    [EXPLORE, "The MCP server 'codegraph' is still connecting. Call WaitForMcpServers", true, true],
    [EXPLORE, 'source: // still connecting', false, false],
    [EXPLORE, 'MCP error -32000: Connection closed', true, false],
    ['Grep', 'No such tool available: Grep', true, false],
    ['mcp__other__tool', 'No such tool available: mcp__other__tool', true, false],
  ])('%s answered %j', async (name, output, isError, raced) => {
    expect((await measured([call(name, output, isError)], { expectEngine: true })).raced).toBe(raced);
    expect((await measured([call(name, output, isError)], { expectEngine: false })).raced).toBe(false);
  });

  it('where nobody says what to expect, goes by the servers that init lists', async () => {
    expect((await measured([[init, ...call(EXPLORE, refused)]])).raced).toBe(true);
    expect((await measured([[{ ...init, mcp_servers: [] }, ...call(EXPLORE, refused)]])).raced).toBe(false);
  });
});
