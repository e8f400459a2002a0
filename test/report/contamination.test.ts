import { expect, test } from 'vitest';
import type { Measure } from '../../src/model/measure.js';
import { renderContamination } from '../../src/report/index.js';

/** Only what the section looks at. */
function measure(commands: Measure['contamination']['commands']): Measure {
  const count = (kind: string, verdict: string) =>
    commands.filter((one) => one.class === kind && one.verdict === verdict).length;
  const counts = (kind: string) => ({ blocked: count(kind, 'blocked'), returned: count(kind, 'returned') });
  return { contamination: { invoke: counts('invoke'), data: counts('data'), commands } } as Measure;
}

test('counts by class and verdict, then each command, the returned ones first, and those of the PATH', () => {
  const runs = [
    {
      name: 'a/with-1',
      measure: measure([
        { thread: null, command: 'codegraph\nstatus', class: 'invoke', verdict: 'blocked' },
        { thread: 't', command: 'sqlite3 .c*/*.db', class: 'data', verdict: 'returned' },
      ]),
      cliAttempts: [],
    },
    {
      name: 'a/without-1',
      measure: null,
      cliAttempts: [{ at: '2026-01-01T00:00:00Z', by: 'bash -c ./run', args: ['explore', 'x'] }],
    },
  ];
  expect(renderContamination(runs, 'codegraph').split('\n')).toEqual([
    'CONTAMINATION — codegraph reached for around its MCP server, over all runs (a lower bound)',
    '  CLI (invoke): 0 RETURNED, 1 blocked · index and daemon (data): 1 RETURNED, 0 blocked · attempted by PATH: 1',
    '  RETURNED data   a/with-1 (subagent): sqlite3 .c*/*.db',
    '  blocked  invoke a/with-1: codegraph status',
    '  blocked  PATH   a/without-1: codegraph explore x — run by bash -c ./run',
  ]);
});
