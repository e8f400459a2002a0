import { describe, expect, it } from 'vitest';
import { HOOK_MARKER } from '../../src/shell/index.js';
import { type Event, EXPLORE, gives, measured, response, says, text, uses } from './events.js';

const delivered = `${response({ path: 'lib/utils.js' }, { path: 'src/app.ts' })}\nSee also lib/other.js.\n`;

const explored: Event[] = [says('m1', 1_000, uses('e', EXPLORE, { query: 'how' })), gives('e', delivered)];

async function sufficiency(...events: Event[]) {
  return (await measured([events])).sufficiency;
}

/** Bucket and shown text of the first explore when this is the next call. */
async function after(name: string, input: Event = {}) {
  const [call] = (await sufficiency(...explored, says('m2', 2_000, uses('n', name, input)))).calls;
  return [call?.bucket, call?.next];
}

describe('the next call decides the bucket', () => {
  it.each([
    [EXPLORE, {}, 'explore_again', 'codegraph_explore'],
    ['mcp__codegraph__codegraph_node', {}, 'explore_again', 'codegraph_node'],
    ['Read', { file_path: '/repo/lib/utils.js' }, 'read_returned', 'Read utils.js'],
    ['Read', { file_path: './lib/utils.js' }, 'read_returned', 'Read utils.js'],
    ['Read', { file_path: 'lib\\utils.js' }, 'read_returned', 'Read utils.js'],
    ['Read', { file_path: '/repo/lib/x.js' }, 'read_missed', 'Read x.js'],
    ['Read', { file_path: '/repo/mylib/utils.js' }, 'read_missed', 'Read utils.js'],
    ['Read', { file_path: '/repo/lib/other.js' }, 'read_missed', 'Read other.js (named, not returned)'],
    ['NotebookRead', { notebook_path: '/repo/n.ipynb' }, 'read_missed', 'Read n.ipynb'],
    ['Grep', { pattern: 'x' }, 'search', 'Grep'],
    ['Glob', { pattern: '*' }, 'search', 'Glob'],
    ['Edit', { file_path: 'lib/utils.js' }, 'sufficient', 'Edit'],
    ['Bash', { command: "sed -n '1,9p' lib/utils.js" }, 'read_returned', 'Bash Read utils.js'],
    ['Bash', { command: 'cat lib/utils.js lib/shape.ts' }, 'read_missed', 'Bash Read shape.ts'],
    ['Bash', { command: 'rg foo 2>/dev/null | head' }, 'search', 'Bash search'],
    ['Bash', { command: "sed -i 's/a/b/' lib/utils.js" }, 'sufficient', 'Bash'],
    ['Bash', { command: 'cat > lib/utils.js <<EOF\nx\nEOF' }, 'sufficient', 'Bash'],
    ['Bash', { command: 'npm test' }, 'sufficient', 'Bash'],
  ])('%s %j is %s', async (name, input, bucket, next) => {
    expect(await after(name, input)).toEqual([bucket, next]);
  });

  it('an answer is enough', async () => {
    const found = await sufficiency(...explored, says('m2', 2_000, text('done')));
    expect(found).toMatchObject({ answered: 1, buckets: { sufficient: 1 } });
    expect(found.calls).toEqual([
      {
        thread: null,
        query: 'how',
        files: ['lib/utils.js', 'src/app.ts'],
        chars: delivered.length,
        bucket: 'sufficient',
        next: '(final answer)',
      },
    ]);
  });
});

describe('what is stepped over', () => {
  it('calls of the same message; those that get at files are counted', async () => {
    const found = await sufficiency(
      explored[0] as Event,
      says('m1', 1_000, uses('r', 'Read', { file_path: 'lib/utils.js' })),
      says('m1', 1_000, uses('w', 'Write', {})),
      explored[1] as Event,
      says('m2', 2_000, uses('g', 'Grep')),
    );
    expect(found).toMatchObject({ concurrent: 1, buckets: { search: 1, read_returned: 0 } });
  });

  it('bookkeeping, and what the hook denied', async () => {
    const found = await sufficiency(
      ...explored,
      says('m2', 2_000, uses('t', 'ToolSearch')),
      says('m3', 2_100, uses('d', 'Bash', { command: 'codegraph explore x' })),
      gives('d', `Use the tool instead. ${HOOK_MARKER}`, { isError: true }),
      says('m4', 2_200, uses('o', 'TodoWrite')),
      says('m5', 2_300, uses('g', 'Glob')),
    );
    expect(found).toMatchObject({ denied: 1, buckets: { search: 1 } });
  });
});

describe('several explores', () => {
  it('a file that an earlier one returned counts as returned', async () => {
    const found = await sufficiency(
      ...explored,
      says('m2', 2_000, uses('e2', EXPLORE)),
      gives('e2', response({ path: 'a/b.go' })),
      says('m3', 3_000, uses('r', 'Read', { file_path: '/repo/lib/utils.js' })),
    );
    expect(found.calls.map(({ next }) => next)).toEqual([
      'codegraph_explore',
      'Read utils.js (returned by an earlier explore)',
    ]);
    expect(found.buckets).toMatchObject({ explore_again: 1, read_returned: 1 });
  });

  it('failed and unanswered ones are counted, not judged', async () => {
    const found = await sufficiency(
      says('m1', 1_000, uses('e1', EXPLORE)),
      gives('e1', 'MCP error -32000: Connection closed', { isError: true }),
      says('m2', 1_100, uses('e2', EXPLORE)),
    );
    expect(found).toMatchObject({ answered: 0, errored: 2 });
  });

  it('those that answer nothing, or came as a preview, are flagged in their bucket', async () => {
    const preview =
      '<persisted-output>\nOutput too large (90KB). Full output saved to: /x\n\nPreview (first 2KB):\nabc';
    const tooLong = 'Error: result (150,000 characters across 900 lines) exceeds maximum allowed tokens. Saved to /x';
    const found = await sufficiency(
      says('m1', 1_000, uses('e1', EXPLORE)),
      gives('e1', 'No relevant code found for "zzz"'),
      says('m2', 1_100, uses('e2', EXPLORE)),
      gives('e2', preview),
      says('m3', 1_200, uses('e3', EXPLORE)),
      gives('e3', [{ type: 'text', text: tooLong }]),
      says('m4', 1_300, uses('g', 'Grep')),
    );
    expect(found).toMatchObject({ answered: 3, noAnswer: 1, undelivered: 2, buckets: { explore_again: 2, search: 1 } });
    expect(found.calls.map(({ noAnswer, undelivered }) => [noAnswer, undelivered])).toEqual([
      [true, undefined],
      [undefined, true],
      [undefined, true],
    ]);
  });
});

describe('subagents', () => {
  const delegated = (...inner: Event[]) => [...explored, says('m2', 2_000, uses('a', 'Agent')), ...inner];

  it("are judged by their first call that says something, not by the parent's next", async () => {
    const found = await sufficiency(
      ...delegated(
        says('s1', 500, uses('s-t', 'TodoWrite'), 'a'),
        says('s1', 500, uses('s-a', 'Agent'), 'a'),
        says('s2', 600, uses('s-r', 'Bash', { command: 'grep -rn x lib' }), 'a'),
        says('m3', 3_000, uses('w', 'Write')),
      ),
    );
    expect(found.calls[0]).toMatchObject({ bucket: 'search', next: 'Agent → Bash search' });
  });

  it('that call nothing moved on', async () => {
    const found = await sufficiency(...delegated(says('m3', 3_000, uses('g', 'Grep'))));
    expect(found.calls[0]).toMatchObject({ bucket: 'sufficient', next: 'Agent' });
  });

  it('have explores of their own, judged in their own thread', async () => {
    const found = await sufficiency(
      says('m1', 1_000, uses('a', 'Agent')),
      says('s1', 500, uses('e', EXPLORE), 'a'),
      says('m2', 1_100, uses('g', 'Grep')),
      gives('e', delivered, { thread: 'a' }),
      says('s2', 900, uses('r', 'Read', { file_path: 'src/app.ts' }), 'a'),
    );
    expect(found.calls).toMatchObject([{ thread: 'a', bucket: 'read_returned', next: 'Read app.ts' }]);
  });
});
