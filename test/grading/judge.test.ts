import { describe, expect, it } from 'vitest';
import { DECOYS } from '../../src/grading/judge-prompt.js';
import { isQuoteOf, maskTools, shownAnswer } from '../../src/grading/judge-text.js';
import { judgeKeyOf, judgeTrial, type TrialToJudge } from '../../src/grading/judge-trial.js';
import { readVotes, tally } from '../../src/grading/judge-votes.js';
import type { AskModel, ModelQuestion } from '../../src/model/judge.js';
import { readJudgeQuestion } from '../../src/rehearsal/index.js';

const PROMPTS = ['How does send turn the body into text?', 'And what happens when there is none at all?'];
const FIRST = 'escapeBody turns the body into text before it is sent.';
const SECOND = 'emptyBody answers with a status of 204.';
const TRIAL: TrialToJudge = {
  task: 'one',
  answers: [FIRST, SECOND],
  prompts: PROMPTS,
  facts: [
    { id: 'escape', prompt: 0, vital: true, claim: 'escapeBody makes text of the body', at: [], accept: [['x']] },
    { id: 'again', prompt: 1, vital: true, claim: 'escapeBody is called first', at: [], accept: [['x']] },
    { id: 'empty', prompt: 1, vital: true, claim: 'emptyBody answers 204', at: [], accept: [['x']] },
  ],
  wrong: [{ id: 'raw', prompt: 0, claim: 'The body is sent as it is', accept: [] }],
};
const SETTINGS = { model: 'haiku', effort: 'low', votes: 3, maxUsdPerAnswer: 0.05 };

type Verdict = { state: string; quote?: string };
/** A judge that gives each statement what `decide` says, by the vote's number from 1. */
function judgeThat(decide: (statement: string, vote: number, question: ModelQuestion) => Verdict) {
  const asked: ModelQuestion[] = [];
  const ask: AskModel = async (question) => {
    asked.push(question);
    const { statements } = readJudgeQuestion(question.prompt);
    const structured = {
      statements: statements.map(({ id, statement }) => ({
        ...{ id, quote: '' },
        ...decide(statement, question.key.repetition, question),
      })),
    };
    return { ok: true, reply: { text: '', structured, costUsd: 0.001 } };
  };
  return { asked, judge: { settings: SETTINGS, cliVersion: '2.1.197', toolNames: ['codegraph'], seed: 1, ask } };
}
const isDecoy = (statement: string) => DECOYS.includes(statement);
const stateOf = (grade: Awaited<ReturnType<typeof judgeTrial>>, id: string) =>
  grade.statements.find((one) => one.id === id);

describe('judgeTrial', () => {
  it('counts what a majority of the votes supports with a quote, on the answer itself and on the conversation', async () => {
    const { judge } = judgeThat((statement, vote) => {
      if (isDecoy(statement) || statement.includes('as it is')) return { state: 'absent' };
      if (statement.includes('204')) return { state: 'supported', quote: 'emptyBody answers with a status' };
      // One of three votes finds it absent.
      return vote === 2 ? { state: 'absent' } : { state: 'supported', quote: 'turns the body into text' };
    });
    const grade = await judgeTrial(TRIAL, judge);
    expect(grade).toMatchObject({
      state: 'judged',
      figures: { factRecall: 1, passed: 1, factsSupported: 3, falseClaims: 0 },
      costUsd: expect.closeTo(0.006, 6),
    });
    expect(stateOf(grade, 'escape')).toMatchObject({ own: 'supported', quote: 'turns the body into text' });
    // The quote stands in the first answer, so the second one alone does not state it.
    expect(stateOf(grade, 'again')).toMatchObject({ own: 'absent', conversation: 'supported' });
  });

  it('shows each vote the statements in another order, without ids, arm or cost, and with two statements that no answer makes', async () => {
    const { asked, judge } = judgeThat(() => ({ state: 'absent' }));
    await judgeTrial(TRIAL, judge);
    expect(asked).toHaveLength(6);
    const orders = asked
      .slice(0, 3)
      .map(({ prompt }) => readJudgeQuestion(prompt).statements.map((one) => one.statement));
    for (const order of orders) expect(order.filter(isDecoy)).toHaveLength(2);
    const own = orders.map((order) => order.filter((one) => !isDecoy(one)).join('|'));
    const decoys = orders.map((order) => order.filter(isDecoy).join('|'));
    expect(new Set([...own, ...decoys]).size).toBeGreaterThan(3);
    for (const { prompt } of asked) expect(prompt).not.toMatch(/baseline|usd|\braw\b|again"/i);
    const second = judgeThat(() => ({ state: 'absent' }));
    await judgeTrial(TRIAL, second.judge);
    expect(second.asked).toEqual(asked);
  });

  it('gives no credit for a forged quote, and says why there is no judgement', async () => {
    const { judge } = judgeThat((statement) =>
      isDecoy(statement) ? { state: 'absent' } : { state: 'supported', quote: 'escapeBody certainly does that' },
    );
    const grade = await judgeTrial(TRIAL, judge);
    expect(grade).toMatchObject({
      state: 'failed',
      reason: 'the quote does not stand in the answer',
      figures: { factRecall: null, passed: null, falseClaims: null },
    });
    expect(stateOf(grade, 'escape')).toMatchObject({ conversation: 'undecided', votes: [{ state: null }, {}, {}] });
  });

  it('voids every vote of a judge that says yes to everything', async () => {
    const { judge } = judgeThat(() => ({ state: 'supported', quote: 'turns the body into text' }));
    const grade = await judgeTrial(TRIAL, judge);
    expect(grade.state).toBe('failed');
    expect(grade.reason).toMatch(/^the judge found a statement in the answer that no answer makes/);
    expect(grade.figures.factRecall).toBeNull();
  });

  it('asks three times for a reply, stops at the budget of an answer, and does not ask about an empty answer', async () => {
    let calls = 0;
    const ask: AskModel = async () => {
      calls += 1;
      return { ok: false, failure: { message: 'no JSON', costUsd: 0, isTransient: true } };
    };
    const base = { settings: SETTINGS, cliVersion: '1', toolNames: [], seed: 1 };
    const failed = await judgeTrial({ ...TRIAL, answers: [FIRST, null] }, { ...base, ask });
    expect({ calls, state: failed.state, reason: failed.reason }).toEqual({
      calls: 18,
      state: 'failed',
      reason: 'no JSON',
    });
    const empty = await judgeTrial({ ...TRIAL, answers: [null, null] }, { ...base, ask });
    expect({ calls, recall: empty.figures.factRecall }).toEqual({ calls: 18, recall: 0 });
    const dear: AskModel = async () => ({ ok: true, reply: { text: '', structured: {}, costUsd: 0.03 } });
    const spent = await judgeTrial(TRIAL, { ...base, ask: dear });
    expect(spent.reason).toMatch(/the judge spent more than \$0.05 on one answer/);
    expect(spent.costUsd).toBeCloseTo(0.12, 6);
  });

  it('has another key for another answer, claim, model, number of votes or CLI, and not for another seed', () => {
    const base = { settings: SETTINGS, cliVersion: '1', toolNames: ['a', 'b'], seed: 1 };
    const key = judgeKeyOf(TRIAL, base);
    expect(judgeKeyOf(TRIAL, { ...base, seed: 2, toolNames: ['b', 'a'] })).toBe(key);
    const others = [
      judgeKeyOf({ ...TRIAL, answers: [FIRST, 'other'] }, base),
      judgeKeyOf({ ...TRIAL, facts: TRIAL.facts.map((fact) => ({ ...fact, claim: 'other' })) }, base),
      judgeKeyOf(TRIAL, { ...base, settings: { ...SETTINGS, model: 'sonnet' } }),
      judgeKeyOf(TRIAL, { ...base, settings: { ...SETTINGS, votes: 5 } }),
      judgeKeyOf(TRIAL, { ...base, cliVersion: '2' }),
    ];
    expect(new Set([key, ...others]).size).toBe(6);
  });
});

describe('tally', () => {
  const votes = (...states: (string | null)[]) => states.map((state) => ({ state }) as never);
  it.each([
    [['supported', 'supported', 'absent'], 'supported'],
    [['supported', 'absent', 'contradicted'], 'partial'],
    [['supported', 'absent', null], 'partial'],
    [['supported', 'supported', null], 'supported'],
    [['supported', null, null], 'undecided'],
    [['absent', 'absent', 'supported'], 'absent'],
  ])('%s is %s', (states, expected) => {
    expect(tally(votes(...(states as (string | null)[])), 3).state).toBe(expected);
  });
});

describe('readVotes', () => {
  const asked = { statements: ['s1', 's2'], decoys: ['s3'], shown: [FIRST] };
  it('voids a statement that the reply leaves out or names twice, and everything in a reply of another form', () => {
    const twice = { id: 's2', state: 'absent', quote: '' };
    const found = readVotes({ statements: [twice, twice] }, asked);
    expect(found.get('s1')?.conversation.void).toBe('the reply leaves the statement out');
    expect(found.get('s2')?.conversation.void).toBe('the reply names the statement twice');
    for (const reply of [undefined, 'yes', { statements: [{ id: 's1', state: 'yes' }] }])
      expect(readVotes(reply, asked).get('s1')?.conversation.void).toMatch(/not of the form/);
  });
});

describe('what a judge is shown', () => {
  it('masks the tools of every arm and keeps the words of the answer', () => {
    const text =
      'I read it with codegraph_explore (mcp__codegraph__codegraph_explore) over MCP, then the Grep tool. Read on.';
    expect(maskTools(text, ['codegraph', 'codegraph_explore'])).toBe(
      'I read it with [tool] ([tool]) over [tool], then the [tool] tool. Read on.',
    );
    expect(maskTools('src/codegraph/index.ts and recodegraph', ['codegraph'])).toBe(
      'src/codegraph/index.ts and recodegraph',
    );
  });

  it('leaves out sentences copied from the prompt, and no `@path` that the CLI would read', () => {
    const shown = shownAnswer(`How does send  turn the body\ninto text? See @/etc/passwd.`, PROMPTS, []);
    expect(shown).toBe('See ＠/etc/passwd.');
  });

  it('takes a quote whatever Markdown and white space, and none that is too short or altered', () => {
    const shown = 'The **body** is\n  turned into `text` here.';
    expect(isQuoteOf('body is turned into text', shown)).toBe(true);
    for (const quote of ['', 'text', 'Body is turned into text', 'body was turned'])
      expect(isQuoteOf(quote, shown)).toBe(false);
    expect(isQuoteOf('204', '204')).toBe(true);
  });
});
