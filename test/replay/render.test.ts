import { beforeAll, describe, expect, it } from 'vitest';
import { CAVEAT, judgeReplay, signTestP } from '../../src/replay/gate.js';
import { renderReplayDiff } from '../../src/replay/render-diff.js';
import { renderReplayJunit } from '../../src/replay/render-junit.js';
import { renderReplayMarkdown } from '../../src/replay/render-markdown.js';
import { renderReplayPage } from '../../src/replay/render-page.js';
import { renderReplay } from '../../src/replay/render-text.js';
import type { CallFacts, CaseResult, ReplayReport, SuiteResult } from '../../src/replay/report-schema.js';
import { readXml } from '../rig/naive-xml.js';

const HOSTILE = '</script><img src=x onerror=alert(1)> | `a` \u001b[31m';

function call(path: string, from: number, to: number, hash: string): CallFacts {
  const chars = 10 * (to - from + 1);
  return {
    ...{ outcome: 'answered', error: null, hash, chars, sourceChars: chars, estimatedTokens: 1, repeatedChars: 0 },
    files: [{ path, chars, share: 1, ranges: [[from, to]], definitions: [] }],
    account: [{ path, rank: 2, score: 1.5, reservedChars: 80, deliveredChars: chars, skipped: null }],
  };
}

function result(id: string, state: CaseResult['state']): CaseResult {
  const baseline = call('lib/a.js', 1, 9, 'a');
  const ours = state === 'equal' ? baseline : call('lib/a.js', 4, 12, 'b');
  const text = `lost 3 of 9 lines of ${HOSTILE}`;
  return {
    ...{ id, state, expect: 'pass', weakLosses: [], nondeterministic: [], gold: null },
    findings: state === 'worse' ? [{ rule: 'lost-line', subject: 'x', text, accepted: null }] : [],
    calls: [{ tool: 'explore', arguments: { query: HOSTILE }, new: ours, baseline }],
  };
}

function reportOf(cases: CaseResult[]): ReplayReport {
  const latency = { coldMs: 9, warmP50Ms: 4, warmP95Ms: 8, warmCalls: 40 };
  const suite: SuiteResult = {
    ...{ name: 'suite', file: '/s.json', repo: 'gin', pin: 'f'.repeat(40), treeHash: 't', failure: null },
    ...{ surface: null, surfaceDiff: [], latency: { new: latency, baseline: latency }, findings: [], cases },
  };
  const build = (title: string) => ({ title, pin: title, version: '1', artefactHash: title });
  const suites = [
    suite,
    { ...suite, name: 'gone', cases: [], latency: null, failure: { reason: 'io', message: 'no disk' } },
  ];
  return {
    ...{ format: 1, new: build('new'), baseline: build('old'), index: 'own', repeats: 2, caveat: CAVEAT, suites },
    ...judgeReplay(suites),
  };
}

const states = ['equal', 'worse', 'changed', 'better', 'nondeterministic', 'unanswered'] as const;
let report: ReplayReport;
beforeAll(() => {
  report = reportOf(Array.from({ length: 500 }, (_, index) => result(`case-${index}`, states[index % 6] ?? 'equal')));
});

describe('500 cases', () => {
  it('take at most 40 lines, losses first, with the gate, the caveat and the number of lines left out', () => {
    const lines = renderReplay(report).split('\n');
    expect(lines.length).toBe(40);
    const first = lines.findIndex((line) => line.startsWith('suite/case-1 '));
    expect(lines[first]).toContain('WORSE');
    expect(lines.filter((line) => line.includes('equal')).length).toBe(1);
    expect(lines.join('\n')).toMatch(/… \d+ more lines/);
    expect(lines.at(-2)).toBe('gate: FAIL: 84 findings not accepted, 84 cases worse');
    expect(lines.at(-1)).toBe(CAVEAT);
  });

  it('give a comment that GitHub takes, in which text of a response is no markup', () => {
    const text = renderReplayMarkdown(report);
    expect(text.length).toBeLessThan(65_536);
    expect(text).toContain('### Replay FAIL: new against old');
    expect(text).toContain('and 376 more cases that differ');
    expect(text).toContain('gone was not run (io): no disk');
    expect(text.split('```')[0]).not.toContain('<img');
    expect(text).toContain('says nothing about savings');
  });

  it('give JUnit with a failure for each loss and an error for a suite that was not run', async () => {
    const xml = await renderReplayJunit(report);
    expect([...xml.matchAll(/<failure /g)].length).toBe(84);
    expect([...xml.matchAll(/<skipped/g)].length).toBe(166);
    expect([...xml.matchAll(/<error /g)].length).toBe(1);
    expect(() => readXml(xml)).not.toThrow();
  });

  it('give one page that runs no script', async () => {
    const page = await renderReplayPage(report);
    expect(page).toContain("script-src 'none'");
    expect(page).not.toMatch(/<script|<img/);
    expect(page).toContain('lines 4-12');
    expect(page).toContain('id="case-suite--case-1"');
    expect(page).toContain('says nothing about savings');
  });
});

it('--diff shows the lines gained and lost by file, with the engine’s own account', () => {
  expect(renderReplayDiff(report, 'case-2')).toContain('~ lib/a.js: gained 10-12, lost 1-3, 90 → 90 chars');
  expect(renderReplayDiff(report, 'case-2')).toContain('engine: rank 2, score 1.5, reserved 80, delivered 90');
  expect(renderReplayDiff(report, 'nothing')).toBe('no case is named "nothing"');
  const equal = reportOf([result('a', 'equal')]);
  expect(renderReplayDiff(equal)).toBe('no case differs');
  const suites = equal.suites.map((suite) => ({ ...suite, surfaceDiff: ['- old line', '+ new line'] }));
  expect(renderReplayDiff({ ...equal, suites: suites.slice(0, 1) })).toBe(
    '=== suite: tools and instructions ===\n  - old line\n  + new line',
  );
});

it('the sign test is exact: 0 of 5 is 2/32, 1 of 5 is 12/32, none is 1', () => {
  expect(signTestP(5, 0)).toBeCloseTo(2 / 32);
  expect(signTestP(1, 4)).toBeCloseTo(12 / 32);
  expect(signTestP(3, 3)).toBe(1);
  expect(signTestP(0, 0)).toBe(1);
});
