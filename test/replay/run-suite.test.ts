import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SuiteInput } from '../../src/replay/suite-schema.js';
import { makeFolder } from '../engine/rig.js';
import { compareScripts, REPO, response, type Step } from './rig.js';

let folder: ReturnType<typeof makeFolder>;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => folder.remove());

type Case = SuiteInput['cases'][number];
const ask = (id: string, gold?: Case['gold'], more: Partial<Case> = {}): Case => ({
  id,
  calls: [{ tool: 'codegraph_explore', arguments: { query: id } }],
  gold,
  ...more,
});

const WHOLE = response(['lib/send.js', 1, 7], ['lib/type.js', 1, 2]);

/** Compares one answer of the new build with one of the baseline, for several cases at once. */
async function compare(
  cases: Case[],
  answers: Record<string, [baseline: Step | Step[], now: Step | Step[]]>,
  more = {},
) {
  const side = (index: 0 | 1) => ({
    answers: Object.fromEntries(Object.entries(answers).map(([query, pair]) => [query, pair[index]])),
  });
  const result = await compareScripts(folder.dir, cases, { baseline: side(0), new: side(1) }, more);
  return { ...result, byId: Object.fromEntries(result.cases.map((one) => [one.id, one])) };
}

describe('a build that was made worse', () => {
  it('is caught by each rule of the gate', async () => {
    const cases = [
      ask('file', { files: ['lib/type.js'] }),
      ask('symbol', { symbols: ['lib/send.js:etag'] }),
      ask('line', { lines: ['lib/send.js:2-6'] }),
      ask('text', { contains: ['module.exports'] }),
      ask('not', { not: ['sends'] }),
      ask('error'),
      ask('empty'),
      ask('less'),
      ask('incidental', { incidental: { globs: ['test/**'], maxShare: 0.2 } }),
      ask('answer', { answer: { globs: ['lib/send.js'], minShare: 0.9 } }),
      ask('cap'),
      ask('fixed', { files: ['lib/type.js'] }, { expect: 'fail' }),
      ask('bug', { files: ['lib/type.js'] }, { expect: 'fail' }),
      ask('same', { files: ['lib/type.js'] }),
      ask('gain', { files: ['lib/type.js'] }),
    ];
    const short = response(['lib/send.js', 1, 4]);
    const { byId } = await compare(
      cases,
      {
        file: [WHOLE, response(['lib/send.js', 1, 7], ['test/send.test.js', 1, 2])],
        symbol: [WHOLE, response(['lib/send.js', 1, 4], ['lib/type.js', 1, 2])],
        line: [WHOLE, response(['lib/send.js', 1, 5], ['lib/type.js', 1, 2])],
        text: [WHOLE, response(['lib/send.js', 1, 7], ['lib/type.js', 1, 1])],
        not: [WHOLE, response(['lib/send.js', 1, 7], ['test/send.test.js', 1, 2])],
        error: [WHOLE, { error: 'Error: no index' }],
        empty: [WHOLE, 'No relevant code found for "empty".'],
        less: [WHOLE, short],
        incidental: [WHOLE, response(['lib/send.js', 1, 4], ['test/send.test.js', 1, 2])],
        answer: [response(['lib/send.js', 1, 7]), WHOLE],
        cap: [WHOLE, `${WHOLE}\n${'x'.repeat(900)}`],
        fixed: [short, WHOLE],
        bug: [WHOLE, short],
        same: [WHOLE, WHOLE],
        gain: [short, WHOLE],
      },
      { bounds: { hostCapChars: 1_000, maxSourceDropPercent: 40 } },
    );
    const rules = (id: string) => byId[id]?.findings.map(({ rule }) => rule);
    expect(rules('file')).toEqual(['lost-file']);
    expect(rules('symbol')).toEqual(['lost-symbol']);
    expect(rules('line')).toEqual(['lost-line']);
    expect(byId.line?.findings[0]?.text).toBe('lost 1 of 5 lines of lib/send.js:2-6');
    expect(rules('text')).toEqual(['lost-text']);
    expect(rules('not')).toEqual(['forbidden-text']);
    expect(rules('error')).toEqual(['new-error']);
    expect(rules('empty')).toEqual(['new-no-answer']);
    expect(rules('less')).toEqual(['less-source']);
    expect(rules('incidental')).toEqual(['incidental-share']);
    expect(rules('answer')).toEqual(['answer-share']);
    expect(rules('cap')).toEqual(['host-cap']);
    expect(rules('fixed')).toEqual(['bug-fixed']);
    expect([byId.bug?.state, byId.same?.state, byId.gain?.state]).toEqual(['known-bug', 'equal', 'better']);
  });

  it('is caught when its warm calls are slower, from 30 calls on', async () => {
    const { judgeLatency } = await import('../../src/replay/latency.js');
    const side = (warmP95Ms: number, warmCalls: number) => ({ coldMs: 900, warmP50Ms: 20, warmP95Ms, warmCalls });
    const judge = (now: number, before: number, calls: number, maxP95Factor: number | null = 1.5) =>
      judgeLatency({ new: side(now, calls), baseline: side(before, calls) }, { maxP95Factor }).map(({ rule }) => rule);
    expect(judge(200, 100, 30)).toEqual(['slower']);
    expect(judge(200, 100, 29)).toEqual([]);
    expect(judge(200, 100, 30, null)).toEqual([]);
    // Half as long again, and yet only 20 ms more.
    expect(judge(50, 30, 30)).toEqual([]);
    // 60 ms more, and yet not half as long again.
    expect(judge(360, 300, 30)).toEqual([]);
  });
});

describe('what is compared', () => {
  it('gives files in order, shares, ranges, definitions, repeated text, recall at budgets and equal hashes', async () => {
    const two = { tool: 'codegraph_explore', arguments: { query: 'it' } };
    const cases = [{ id: 'session', calls: [two, two], gold: { lines: ['lib/type.js:1-2'], files: ['lib/send.js'] } }];
    const { cases: results } = await compare(cases, { it: [WHOLE, WHOLE] });
    const [first, second] = results[0]?.calls ?? [];
    const files = first?.new.files ?? [];
    expect(files.map(({ path, ranges }) => [path, ranges])).toEqual([
      ['lib/send.js', [[1, 7]]],
      ['lib/type.js', [[1, 2]]],
    ]);
    expect(files[0]?.definitions).toEqual(['send']);
    expect(files.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
    expect(first?.new.chars).toBe(WHOLE.length);
    expect(first?.new.repeatedChars).toBe(0);
    // The text of every line of both files, without numbers and tabs.
    const sourceChars = [REPO['lib/send.js'], REPO['lib/type.js']].join('\n').replaceAll('\n', '').length;
    expect(second?.new.repeatedChars).toBe(sourceChars);
    expect(first?.new.hash).toBe(first?.baseline.hash);
    expect(results[0]?.gold?.new.recall).toEqual({ files: 1, symbols: null, lines: 1 });
    expect(results[0]?.gold?.new.recallAtChars[0]).toEqual({
      chars: 2_000,
      recall: { files: 1, symbols: null, lines: 1 },
    });
  });
});

describe('a call without an answer on both builds', () => {
  it('leaves a case unanswered only if no call of it is answered', async () => {
    const none = 'No relevant code found for "x".';
    const call = (query: string) => ({ tool: 'codegraph_explore', arguments: { query } });
    const cases = [
      { id: 'half', calls: [call('a'), call('x')], gold: { files: ['lib/type.js'] } },
      { id: 'none', calls: [call('x')], gold: { files: ['lib/type.js'] } },
    ];
    const { byId } = await compare(cases, { a: [WHOLE, response(['lib/send.js', 1, 7])], x: [none, none] });
    expect([byId.half?.state, byId.half?.findings[0]?.rule]).toEqual(['worse', 'lost-file']);
    expect(byId.none?.state).toBe('unanswered');
  });
});

describe('a server that misbehaves', () => {
  it('dies, hangs or answers garbage in mid-case: the rest of the case is not asked, the next case is', async () => {
    const calls = ['one', 'bad', 'three'].map((query) => ({ tool: 'codegraph_explore', arguments: { query } }));
    for (const [bad, kind] of [
      [{ die: true }, 'died'],
      [{ hang: true }, 'timeout'],
      [{ garbage: '<<<this is no JSON>>>' }, 'garbage'],
    ] as const) {
      const cases = [{ id: 'breaks', calls }, ask('after')];
      const answers = { one: [WHOLE, WHOLE], bad: [WHOLE, bad], three: [WHOLE, WHOLE], after: [WHOLE, WHOLE] } as const;
      const { byId } = await compare(cases, answers as never, { callMs: 1_500, repeats: 1 });
      expect(byId.breaks?.calls.map((call) => call.new.error?.kind ?? call.new.outcome)).toEqual([
        'answered',
        kind,
        'not-asked',
      ]);
      expect(byId.breaks?.state).toBe('worse');
      expect(byId.breaks?.findings[0]?.rule).toBe('new-error');
      expect(byId.after?.state).toBe('equal');
    }
  });

  it('answers of another project, which counts as an error', async () => {
    const foreign = response(['other/app.rb', 1, 3]);
    const { byId } = await compare([ask('q')], { q: [WHOLE, foreign] });
    expect(byId.q?.calls[0]?.new.error).toEqual({
      kind: 'other-project',
      message: 'answers with files that the repository does not have: other/app.rb',
    });
    expect(byId.q?.state).toBe('worse');
  });

  it('is nondeterministic: shown with the first line that differs, and outside the gate', async () => {
    const other = WHOLE.replace('return 1', 'return 2');
    const { byId } = await compare([ask('q', { files: ['lib/type.js'] })], { q: [WHOLE, [WHOLE, other]] });
    expect(byId.q?.state).toBe('nondeterministic');
    expect(byId.q?.findings).toEqual([]);
    expect(byId.q?.nondeterministic).toEqual([
      {
        side: 'new',
        call: 0,
        line: WHOLE.split('\n').indexOf('6\t  return 1;') + 1,
        first: '6\t  return 1;',
        other: '6\t  return 2;',
      },
    ]);
  });

  it('fails now and then: an error of any repeat counts', async () => {
    const { byId } = await compare([ask('q')], { q: [WHOLE, [WHOLE, { die: true }]] });
    expect(byId.q?.state).toBe('worse');
  });

  it('changes its tool list between sessions, is slow to be ready, and has other instructions', async () => {
    const answers = { q: WHOLE };
    const result = await compareScripts(
      folder.dir,
      [ask('q')],
      {
        baseline: { answers, instructions: 'Ask in prose.' },
        new: {
          answers,
          instructions: 'Ask in words.',
          readyMs: 1_200,
          tools: [['codegraph_explore'], ['codegraph_explore', 'more']],
        },
      },
      { repeats: 2 },
    );
    expect(result.surface?.new?.isStable).toBe(false);
    expect(result.surface?.baseline?.isStable).toBe(true);
    expect(result.surface?.new?.instructionsChars).toBe(13);
    expect(result.surfaceDiff).toEqual(['- Ask in prose.', '+ Ask in words.']);
    expect(result.cases[0]?.state).toBe('equal');
  });
});
