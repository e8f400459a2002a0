import { expect, test } from 'vitest';
import { distributionOf } from '../../src/aggregate/index.js';
import type { CampaignPlan } from '../../src/model/plan.js';
import {
  renderConfigFaults,
  renderDistribution,
  renderDoctor,
  renderFailure,
  renderPlan,
  renderProbe,
  scriptedBanner,
} from '../../src/report/index.js';
import { allocationWith, runOf, sufficiencyWith } from '../aggregate/measures.js';
import { REGIME } from '../rig/regime.js';

test('a failure says what, why and what next', () => {
  const text = renderFailure({
    reason: 'build-failed',
    message: 'the build of main (1a2b3c4) failed',
    command: 'npm run build',
    exitCode: 2,
    lastLines: ['src/a.ts(3,1): error TS1005', '\u001b[31mgave up\u001b[0m'],
    advice: 'mend the build, then run the same command again',
  });
  expect(text).toBe(
    [
      'failed (build-failed): the build of main (1a2b3c4) failed',
      '  command: npm run build',
      '  exit code: 2',
      '  its last lines:',
      '    | src/a.ts(3,1): error TS1005',
      '    | gave up',
      '  → mend the build, then run the same command again',
    ].join('\n'),
  );
});

test('a signal stands in place of an exit code', () => {
  const text = renderFailure({ reason: 'session-infra', message: 'killed', exitCode: null, signal: 'SIGKILL' });
  expect(text).toBe(
    "failed (session-infra): killed\n  ended by signal: SIGKILL\n  → see the trial's .err file and its record, then `agent-eval resume`",
  );
});

test('doctor: state, detail, remedy, verdict', () => {
  const text = renderDoctor([
    { name: 'claude', state: 'fine', detail: '2.1.197' },
    { name: 'disk', state: 'note', detail: '4 GB free' },
    { name: 'login', state: 'problem', detail: 'none', remedy: 'set ANTHROPIC_API_KEY' },
  ]);
  expect(text).toBe(
    [
      'fine    claude  2.1.197',
      'note    disk    4 GB free',
      'problem login   none',
      '                → set ANTHROPIC_API_KEY',
      '',
      'not ready: 1 problem',
    ].join('\n'),
  );
  expect(renderDoctor([{ name: 'git', state: 'fine', detail: '2.43' }])).toBe('fine    git  2.43\n\nready');
});

test('every fault of a config with its path', () => {
  const faults = [
    { path: 'tasks[0].repo', message: 'no such repo: expres' },
    { path: '', message: 'unknown key: repo' },
  ];
  expect(renderConfigFaults(faults)).toBe(
    'the config has 2 faults:\n  tasks[0].repo: no such repo: expres\n  (the config): unknown key: repo',
  );
});

test('the banner stands only over a scripted model', () => {
  expect(scriptedBanner({ rehearsal: true }, 'codegraph')).toBe(
    'scripted model: the figures show the harness, not codegraph',
  );
  expect(scriptedBanner({ rehearsal: false }, 'codegraph')).toBeUndefined();
  expect(scriptedBanner(null, 'codegraph')).toBeUndefined();
});

const plan: CampaignPlan = {
  formatVersion: 1,
  command: 'ab',
  arms: [
    {
      label: 'new',
      build: { spec: { kind: 'ref', ref: 'HEAD' }, text: 'HEAD', kind: 'source', pin: 'abc', title: 'HEAD (abc)' },
      environment: { CODEGRAPH_X: '1' },
    },
    { label: 'without', build: null, environment: {} },
  ],
  repos: [{ name: 'express', source: { kind: 'folder', dir: 'x' }, exclude: [] }],
  tasks: [{ name: 'charset', repo: 'express', prompts: ['Add a charset\noption', 'And test it'] }],
  runs: 1,
  seed: 1,
  regime: REGIME,
  trials: [
    { id: 'charset/new-1', task: 'charset', arm: 'new', repetition: 1 },
    { id: 'charset/without-1', task: 'charset', arm: 'without', repetition: 1 },
  ],
};

test('a plan lists builds, tasks and every trial in order', () => {
  const commands = { setup: ['npm ci', 'npm run build'], trials: { 'charset/new-1': ['claude -p …'] } };
  expect(renderPlan(plan, commands)).toBe(
    [
      'plan of ab: 2 trials, nothing started',
      '  model sonnet, effort high, budget of a prompt $4, window 200000 tokens unless the log reports another, tool search left to the host: MCP tools up front, concurrency (--jobs) 1, engine codegraph, fence auto',
      '',
      'arms',
      '  new: HEAD (abc) [HEAD] pinned to abc, CODEGRAPH_X=1',
      '  without: no engine',
      '',
      'tasks',
      '  charset on express',
      '    1. Add a charset option',
      '    2. And test it',
      '',
      'once, before the trials',
      '  npm ci',
      '  npm run build',
      '',
      'trials, in order',
      '   1. charset/new-1  (2 prompts)',
      '        claude -p …',
      '   2. charset/without-1  (2 prompts)',
    ].join('\n'),
  );
});

test('a plan without commands lists its trials all the same', () => {
  expect(renderPlan(plan)).toContain('   2. charset/without-1  (2 prompts)');
});

test('a probe shows time, sections with sizes and the text', () => {
  const text = renderProbe({
    repo: 'express',
    build: '1.6.1',
    query: 'res.send',
    text: '**`lib/a.js`** — send(function)\n\u0007body\n',
    durationMs: 340,
    response: {
      chars: 1000,
      noAnswer: false,
      mentions: [],
      sections: [
        {
          path: 'lib/a.js',
          chars: 800,
          symbols: [
            { name: 'send', kind: 'function', defines: true },
            { name: 'emit', kind: 'calls', defines: false },
          ],
          lineNumbers: Uint32Array.of(10, 11, 14),
          lineChars: Uint32Array.of(5, 5, 5),
        },
      ],
    },
  });
  expect(text).toBe(
    [
      '=== probe express · 1.6.1 ===',
      'query: "res.send"',
      'answered in 340ms: 1,000 chars, 800 of them in 1 section',
      '  100.0%    800  lib/a.js  3 lines (10–14)  send',
      '',
      '**`lib/a.js`** — send(function)',
      'body',
    ].join('\n'),
  );
});

test('the distribution table, and who is not in it', () => {
  const scored = (name: string, efficiency: number) =>
    runOf(name, {
      allocation: allocationWith({
        envelopeChars: 1000,
        usedChars: efficiency * 1000,
        usedPathChars: 0,
        efficiency,
        efficiencyPath: 0,
        calls: [{ envelopeChars: 1000, usedChars: efficiency * 1000, efficiency, files: 2, filesUsed: 1 }],
      }),
      sufficiency: sufficiencyWith({
        answered: 1,
        buckets: { explore_again: 0, read_returned: 0, read_missed: 0, search: 0, sufficient: 1 },
      }),
    });
  const runs = [scored('a', 0.5), scored('b', 1), runOf('c', { ok: false })];
  const text = renderDistribution(distributionOf(runs, { includeRaced: false, includeContaminated: false }));
  expect(text).toContain('  slice                n   pooled   median      p25      p75      min  path-cited only\n');
  // 0.5 and 1: the quartiles lie a quarter of the way in.
  expect(text).toContain('  all                  2    75.0%    75.0%    62.5%    87.5%    50.0%             0.0%\n');
  expect(text).toContain('  one prompt           0        —        —        —        —        —                —\n');
  expect(text).toContain('       2  100%  moved on / answered\n');
  expect(text).toContain('  dropped: 1 session\n    c: not-ok — results: success; success\n');
});
