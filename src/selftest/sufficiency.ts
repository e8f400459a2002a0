import type { SufficiencyMeasure } from '../model/measure.js';
import { HOOK_MARKER } from '../shell/index.js';
import { check, type Section } from './check.js';
import { type Event, ends, explore, gives, measured, response, says, text, uses } from './transcript.js';

const AFTER = '> lib/named.js holds more that was not returned.\n';
const returned = response(
  [
    { path: 'lib/utils.js', chars: 900 },
    { path: 'lib/a.js', chars: 600 },
  ],
  AFTER,
);

/** An explore that returned lib/utils.js and lib/a.js, then one event for each of these calls. */
async function next(...calls: Event[]): Promise<SufficiencyMeasure> {
  const later = calls.flatMap((block, index) => {
    const isCall = block.type === 'tool_use';
    return [says(`n${index}`, 20 + index, block), ...(isCall ? [gives(String(block.id), 'ok')] : [])];
  });
  const events = [says('m1', 10, explore('e')), gives('e', returned), ...later, says('end', 99, text('done')), ends()];
  return (await measured(events)).sufficiency;
}

const verdict = async (...calls: Event[]) => {
  const [first] = (await next(...calls)).calls;
  return [first?.bucket, first?.next];
};
const shell = (command: string) => verdict(uses('b', 'Bash', { command }));
const readOf = (path: string) => uses('r', 'Read', { file_path: path });

/** The distinct verdicts over all of these commands: one where they agree. */
async function shells(commands: string[]) {
  const verdicts = await Promise.all(commands.map(async (command) => JSON.stringify(await shell(command))));
  return [...new Set(verdicts)].map((one) => JSON.parse(one));
}

const one = async (answer: string, extra: Event = {}) => {
  return (await measured([says('m1', 10, explore('e')), gives('e', answer, extra), ends()])).sufficiency;
};

async function delegated(...blocks: Event[]) {
  const inside = blocks.map((block, index) => says(`s${index}`, 5, block, { thread: 't' }));
  const events: Event[] = [
    says('m1', 10, explore('e')),
    gives('e', returned),
    says('m2', 20, uses('t', 'Agent', { subagent_type: 'Explore' })),
    ...inside,
    gives('t', 'report'),
    says('m3', 30, text('done')),
  ];
  const [first] = (await measured(events)).sufficiency.calls;
  return [first?.bucket, first?.next];
}

/** An explore, then a delegation, in whose thread stands another one, or the call itself. */
async function delegatedThrough(outer: string, inner: string | undefined, call: Event) {
  const below = inner === undefined ? [] : [says('s1', 5, uses('u', inner), { thread: 't' })];
  const events: Event[] = [
    says('m1', 10, explore('e')),
    gives('e', returned),
    says('m2', 20, uses('t', outer)),
    ...below,
    says('s2', 5, call, { thread: inner === undefined ? 't' : 'u' }),
    says('m3', 30, text('done')),
  ];
  const [first] = (await measured(events)).sufficiency.calls;
  return [first?.bucket, first?.next];
}

const sameMessage = async () => {
  const events = [
    says('m1', 10, explore('e')),
    says('m1', 10, readOf('lib/utils.js')),
    says('m1', 10, uses('w', 'Write')),
    gives('e', returned),
    says('m2', 20, uses('g', 'Grep')),
  ];
  const { concurrent, calls } = (await measured(events)).sufficiency;
  return [concurrent, calls[0]?.next];
};

/** Section 3, the tools. */
export const sufficiencyRules: Section = {
  title: '3 Explore sufficiency',
  checks: [
    check('A codegraph tool next: explore_again, by its short name', ['explore_again', 'codegraph_status'], () => {
      return verdict(uses('c', 'mcp__codegraph__codegraph_status'));
    }),
    check('Read of a returned file: read_returned', ['read_returned', 'Read utils.js'], () => {
      return verdict(readOf('/repo/lib/utils.js'));
    }),
    check(
      '… also of one that an earlier explore of the thread returned',
      ['read_returned', 'Read utils.js (returned by an earlier explore)'],
      async () => {
        const second = response([{ path: 'lib/other.js' }]);
        const events = [
          says('m1', 10, explore('e')),
          gives('e', returned),
          says('m2', 20, explore('f')),
          gives('f', second),
        ];
        const { calls } = (await measured([...events, says('m3', 30, readOf('lib/utils.js'))])).sufficiency;
        return [calls[1]?.bucket, calls[1]?.next];
      },
    ),
    check('Read of another file: read_missed', ['read_missed', 'Read x.js'], () => verdict(readOf('lib/x.js'))),
    check('… marked where the response mentions its path', ['read_missed', 'Read named.js (named, not returned)'], () =>
      verdict(readOf('/repo/lib/named.js')),
    ),
    check(
      'Grep and Glob: search',
      [
        ['search', 'Grep'],
        ['search', 'Glob'],
      ],
      async () => [await verdict(uses('g', 'Grep')), await verdict(uses('g', 'Glob'))],
    ),
    check('A searching shell command: search', ['search', 'Bash search'], () => shell('grep -rn send lib')),
    check('Anything else: sufficient, by the name of the tool', ['sufficient', 'Write'], () =>
      verdict(uses('w', 'Write')),
    ),
    check('No call: sufficient, the final answer', ['sufficient', '(final answer)'], () => verdict()),
    check('Calls of the same message are skipped; those that access files are counted', [1, 'Grep'], sameMessage),
    check('ToolSearch, TodoWrite and the tools that took its place are skipped', ['search', 'Grep'], () => {
      const tasks = ['TaskCreate', 'TaskUpdate', 'TaskGet', 'TaskList'].map((name) => uses(name, name));
      return verdict(uses('t', 'ToolSearch'), uses('d', 'TodoWrite'), ...tasks, uses('g', 'Grep'));
    }),
    check("A delegation is judged by the subagent's first call", ['search', 'Agent → Bash search'], () => {
      return delegated(uses('x', 'Bash', { command: 'rg send' }));
    }),
    check(
      'Delegations below a delegation are followed down to the first call that says something',
      [
        ['read_returned', 'Agent → Task → Read a.js'],
        ['read_missed', 'Skill → Read z.js'],
        ['sufficient', 'Skill'],
      ],
      async () => [
        await delegatedThrough('Agent', 'Task', readOf('lib/a.js')),
        await delegatedThrough('Skill', undefined, readOf('lib/z.js')),
        await verdict(uses('k', 'Skill')),
      ],
    ),
    check(
      'What another explore of the same message returned was returned before the next call',
      [
        ['read_returned', 'Read b.js (returned by a parallel explore)'],
        ['read_returned', 'Read b.js'],
      ],
      async () => {
        const events = [
          says('m1', 10, explore('e')),
          says('m1', 10, explore('f')),
          gives('f', response([{ path: 'lib/b.js', chars: 600 }])),
          gives('e', returned),
          says('m2', 20, readOf('lib/b.js')),
        ];
        return (await measured(events)).sufficiency.calls.map(({ bucket, next: shown }) => [bucket, shown]);
      },
    ),
    check('… bookkeeping and further delegations skipped', ['read_returned', 'Agent → Read a.js'], () => {
      return delegated(uses('x', 'ToolSearch'), uses('y', 'Task'), readOf('lib/a.js'));
    }),
    check('… and moved on where it makes no such call', ['sufficient', 'Agent'], () =>
      delegated(text('nothing to do')),
    ),
    check(
      'Only the same thread counts: what a subagent does meanwhile is not next',
      ['sufficient', 'Write'],
      async () => {
        const events = [
          says('m1', 10, explore('e')),
          gives('e', returned),
          says('s1', 5, uses('g', 'Grep'), { thread: 't' }),
          says('m2', 20, uses('w', 'Write')),
        ];
        const [first] = (await measured(events)).sufficiency.calls;
        return [first?.bucket, first?.next];
      },
    ),
    check('An error, and a call without a result, are errored and in no bucket', [2, 0], async () => {
      const events = [
        says('m1', 10, explore('e')),
        gives('e', 'boom', { isError: true }),
        says('m2', 20, explore('f')),
      ];
      const { errored, answered } = (await measured(events)).sufficiency;
      return [errored, answered];
    }),
    check('A response that is no answer is bucketed, flagged and counted', [1, 1, true], async () => {
      const { noAnswer, buckets, calls } = await one('No relevant code found for "q"');
      return [noAnswer, buckets.sufficient, calls[0]?.noAnswer];
    }),
    check('Returned: a line that starts with **`path`**', ['lib/utils.js', 'lib/a.js'], async () => {
      return (await one(returned)).calls[0]?.files;
    }),
    check('Returned, in the wording of 0.9: a line #### path — …', ['lib/old.js'], async () => {
      return (await one('#### lib/old.js — send(method)\n\n```js\n1\tx\n```\n')).calls[0]?.files;
    }),
    check('A look-alike inside a code fence returns nothing', ['lib/a.md'], async () => {
      return (await one('**`lib/a.md`**\n\n```md\n**`lib/b.md`**\n#### lib/c.md — x\n```\n')).calls[0]?.files;
    }),
    check(
      'Paths are the same file after \\ → / and without ./, or when one ends in / + the other',
      'read_returned',
      async () => {
        const buckets = await Promise.all(
          ['.\\lib\\utils.js', './lib/utils.js', '/repo/lib/utils.js', 'utils.js'].map(
            async (path) => (await verdict(readOf(path)))[0],
          ),
        );
        return [...new Set(buckets)].join();
      },
    ),
    check(
      '… and not otherwise: mylib/utils.js is another',
      'read_missed',
      async () => (await verdict(readOf('mylib/utils.js')))[0],
    ),
    check('A call that the hook denied is stepped over and counted', [1, 'Grep'], async () => {
      const denied = gives('b', `${HOOK_MARKER} use the MCP tools`, { isError: true });
      const events = [
        says('m1', 10, explore('e')),
        gives('e', returned),
        says('m2', 20, uses('b', 'Bash', { command: 'cat x' })),
      ];
      const found = (await measured([...events, denied, says('m3', 30, uses('g', 'Grep'))])).sufficiency;
      return [found.denied, found.calls[0]?.next];
    }),
  ],
};

/** Section 3, shell commands. */
export const shellRules: Section = {
  title: '3 Shell commands after an explore',
  checks: [
    check(
      'Readers: cat bat head tail less more nl sed awk wc with a path, git show REF:path',
      [['read_missed', 'Bash Read shape.ts']],
      () =>
        shells([
          ...[
            'cat',
            'bat',
            'head -20',
            'tail -n 5',
            'less',
            'more',
            'nl',
            "sed -n '1,9p'",
            "awk '{print $1}'",
            'wc -l',
          ].map((program) => `${program} src/shape.ts`),
          'git show HEAD~1:src/shape.ts',
        ]),
    ),
    check(
      'Searchers: grep egrep fgrep rg ag ack find fd ls tree, git grep, git ls-files',
      [['search', 'Bash search']],
      () =>
        shells([
          ...['grep -rn x lib', 'egrep x lib/*', 'fgrep -r x lib', 'rg x', 'ag x', 'ack x', 'find . -name "*.js"'],
          ...['fd x', 'ls -la lib', 'tree', 'git grep x', 'git ls-files'],
        ]),
    ),
    check('Several files: the first that was not returned decides', ['read_missed', 'Bash Read x.js'], () => {
      return shell('cat lib/utils.js lib/x.js lib/y.js');
    }),
    check('… else the first', ['read_returned', 'Bash Read utils.js'], () => shell('cat lib/utils.js lib/a.js')),
    check('Neither: sed -i, a here-document or a redirect that writes a file', [['sufficient', 'Bash']], () => {
      return shells(["sed -i 's/a/b/' lib/x.js", 'cat > lib/x.js <<EOF\nhello\nEOF', 'echo hi > lib/x.js']);
    }),
    check('2>/dev/null and 2>&1 are no writes', [['read_missed', 'Bash Read x.js']], () => {
      return shells(['cat lib/x.js 2>/dev/null', 'cat lib/x.js 2>&1']);
    }),
    check('A searcher stays one when its output goes to a file', ['search', 'Bash search'], () =>
      shell('grep -rn x lib > out.txt'),
    ),
    check(
      'The first reading or searching command decides, through lists, pipes, loops and sh -c',
      [['read_missed', 'Bash Read x.js']],
      () =>
        shells([
          'cd lib && echo start; cat lib/x.js | grep send',
          'for i in 1 2; do cat lib/x.js; done',
          `sh -c "cat lib/x.js; ls"`,
          'if true; then cat lib/x.js; fi',
        ]),
    ),
    check('No reading or searching command: moved on', [['sufficient', 'Bash']], () => {
      return shells(['npm test', 'node -e 1', 'git status']);
    }),
  ],
};
