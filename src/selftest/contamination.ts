import { summarizeArm } from '../aggregate/index.js';
import { hostLog } from '../host/logs.js';
import { measure } from '../metrics/index.js';
import type { ContaminationMeasure } from '../model/measure.js';
import { classifyCommand, HOOK_MARKER, mayReachEngine } from '../shell/index.js';
import { check, type Section } from './check.js';
import { ENGINE } from './engine.js';
import { type Event, EXPLORE, ends, gives, measured, says, sessionOf, uses } from './transcript.js';

const classes = (commands: string[]) => [
  ...new Set(commands.map((command) => classifyCommand(command, ENGINE.identity).class)),
];

async function after(command: string, output: string, extra: Event = {}): Promise<ContaminationMeasure> {
  const events = [says('m1', 10, uses('b', 'Bash', { command })), gives('b', output, extra), ends()];
  return (await measured(events)).contamination;
}

const invoked = async (output: string, extra: Event = {}) => (await after('codegraph explore x', output, extra)).invoke;

const REFUSED =
  '<tool_use_error>Error: No such tool available: it. The MCP server is still connecting.</tool_use_error>';

async function raced(tool: string, expectEngine = true): Promise<boolean> {
  const session = await sessionOf([says('m1', 10, uses('c', tool)), gives('c', REFUSED, { isError: true }), ends()]);
  return measure(session, { profile: ENGINE, windowTokens: 200_000, expectEngine }).raced;
}

/** Section 5. */
export const contaminationRules: Section = {
  title: '5 Contamination',
  checks: [
    check('invoke: it would run the CLI, however it is spelled', ['invoke'], () =>
      classes([
        'codegraph explore x',
        'npx codegraph status',
        'npx -y @colbymchenry/codegraph explore x',
        './node_modules/.bin/codegraph status',
        'cd lib && PATH=$PATH:/opt codegraph query x | head',
        'sh -c "codegraph explore x"',
        'echo $(codegraph explore x)',
        'env A=1 timeout 5 codegraph explore x',
        "c'odegraph' explore x",
      ]),
    ),
    check('data: it reads the index or talks to the daemon', ['data'], () => {
      return classes([
        'strings .codegraph/codegraph.db',
        'sqlite3 .codegraph/codegraph.db .schema',
        'cp -r .codegraph /tmp/x',
      ]);
    }),
    check(
      'The hook that denies and the counter that counts share one classifier: its quick first look lets none of these pass',
      [true, true, false, false],
      () => {
        const commands = ['npx codegraph status', 'cp -r .codegraph /tmp/x', 'grep -rn dispatch lib', 'ls -la src'];
        return commands.map((command) => mayReachEngine(command, ENGINE.identity));
      },
    ),
    check('mention: anything else', ['mention'], () => {
      return classes(['grep -rn codegraph src', 'echo codegraph', 'git log --grep codegraph', 'cat docs/codegraph.md']);
    }),
    check("blocked: the result carries the hook's marker", { blocked: 1, returned: 0 }, () => {
      return invoked(`${HOOK_MARKER} use the MCP tools`, { isError: true });
    }),
    check("blocked: nothing but the shell's own not-found message", { blocked: 1, returned: 0 }, () => {
      return invoked('Exit code 127\n/bin/bash: line 1: codegraph: command not found', { isError: true });
    }),
    check('returned: any other output', { blocked: 0, returned: 1 }, () =>
      invoked('3 symbols found', { isError: false }),
    ),
    check('… of a command that failed too: codegraph explore x; false', { blocked: 0, returned: 1 }, () => {
      return invoked('Exit code 1\n3 symbols found', { isError: true });
    }),
    check(
      '… of a command that a failing hook let through: a hook fails open',
      { blocked: 0, returned: 1 },
      async () => {
        const hook = { type: 'system', subtype: 'hook_response', hook_event: 'PreToolUse', session_id: 's' };
        const events = [
          says('m1', 10, uses('b', 'Bash', { command: 'codegraph explore x' })),
          { ...hook, hook_name: 'PreToolUse:Bash', outcome: 'error', exit_code: 1 },
          gives('b', '3 symbols found', { isError: false }),
          ends(),
        ];
        return (await measured(events)).contamination.invoke;
      },
    ),
    check(
      'Data commands are counted apart',
      [
        { blocked: 0, returned: 0 },
        { blocked: 0, returned: 1 },
      ],
      async () => {
        const { invoke, data } = await after('strings .codegraph/codegraph.db', 'started');
        return [invoke, data];
      },
    ),
    check('Commands of every shell tool are classified: Bash, Monitor, PowerShell', [1, 1, 1], async () => {
      const found: number[] = [];
      for (const name of ['Bash', 'Monitor', 'PowerShell']) {
        const call = uses('b', name, { command: 'codegraph explore x' });
        const events = [says('m1', 10, call), gives('b', '3 symbols found'), ends()];
        found.push((await measured(events)).contamination.invoke.returned);
      }
      return found;
    }),
    check('Commands of every thread are classified', ['t'], async () => {
      const events = [
        says('m1', 10, uses('t', 'Agent')),
        says('s1', 5, uses('b', 'Bash', { command: 'codegraph explore x' }), { thread: 't' }),
        gives('b', 'found', { thread: 't' }),
      ];
      return (await measured(events)).contamination.commands.map(({ thread }) => thread);
    }),
    check('returned > 0 voids the run', [0, 'contaminated'], async () => {
      const events = [
        says('m1', 10, uses('b', 'Bash', { command: 'codegraph explore x' })),
        gives('b', 'found'),
        ends(),
      ];
      const runs = [{ name: 'run-1', measure: await measured(events), expectsEngine: true }];
      const engine = ENGINE;
      const arm = summarizeArm('with', runs, {
        engine,
        tools: hostLog().tools,
        includeRaced: false,
        includeContaminated: false,
      });
      return [arm.runs.kept.length, arm.runs.dropped[0]?.cause];
    }),
    check('raced: a call of the tool under test got "No such tool available" or "still connecting"', true, () =>
      raced(EXPLORE),
    ),
    check('… in an arm that should have it: without it, no race', false, () => raced(EXPLORE, false)),
    check('… the same text for Grep or a deferred tool says nothing', [false, false], async () => [
      await raced('Grep'),
      await raced('WebFetch'),
    ]),
  ],
};
