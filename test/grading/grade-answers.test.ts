import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gradeAnswers } from '../../src/grading/index.js';
import { type ExpectsInput, expectsSchema } from '../../src/model/expects.js';

const corpus = join(import.meta.dirname, '../../corpus/facts');
const shipped = readdirSync(corpus).map((name) => ({
  name: name.replace('.json', ''),
  expects: expectsSchema.parse(JSON.parse(readFileSync(join(corpus, name), 'utf8'))),
}));

const PROMPTS = ['How does gin route a request through its chain of middleware?', 'And without a match?'];
const GIN: ExpectsInput = {
  facts: [
    {
      id: 'entry',
      vital: true,
      claim: 'Engine.ServeHTTP takes a Context from a pool and hands it to handleHTTPRequest',
      at: ['gin.go:ServeHTTP'],
      accept: [
        ['servehttp', 'handlehttprequest'],
        ['sync.pool', 'servehttp'],
      ],
    },
    { id: 'chain', vital: true, claim: 'The chain is merged by combineHandlers', accept: [['combinehandlers']] },
    { id: 'none', prompt: 1, vital: true, claim: 'serveError answers with 404', accept: [['serveerror', '404']] },
    { id: 'later', prompt: 1, vital: false, claim: 'It is not merged per request', accept: [['not per request']] },
  ],
  wrong: [{ id: 'mux', claim: 'gin routes with http.ServeMux', accept: [['http.servemux']] }],
};

function grade(answers: (string | null)[], expects: ExpectsInput = GIN) {
  return gradeAnswers({ answers, prompts: PROMPTS, expects: expectsSchema.parse(expects), source: undefined });
}

/** The state of each fact in the conversation, and in its own answer. */
function states(answers: (string | null)[], expects?: ExpectsInput): Record<string, string> {
  return Object.fromEntries(grade(answers, expects).facts.map(({ id, conversation }) => [id, conversation.state]));
}

describe('gradeAnswers', () => {
  it('supports a fact if every string of one alternative occurs, whatever back-ticks, case and white space', () => {
    const graded = grade(['`ServeHTTP`\n  calls `handleHTTPRequest`. The chain comes from `combineHandlers`.', null]);
    expect(graded.facts.map(({ id, own }) => [id, own.state])).toEqual([
      ['entry', 'supported'],
      ['chain', 'supported'],
      ['none', 'absent'],
      ['later', 'absent'],
    ]);
    expect(graded.facts[1]?.own.quote).toBe('The chain comes from `combineHandlers`.');
    expect(graded.figures).toMatchObject({ factRecall: 2 / 3, passed: 0, factsSupported: 2, falseClaims: 0 });
  });

  it('judges a prompt on its own answer and on the conversation so far, never on what comes later', () => {
    const { facts } = grade(['When nothing matches, serveError writes 404.', 'ServeHTTP calls handleHTTPRequest.']);
    const states = facts.map(({ id, own, conversation }) => [id, own.state, conversation.state]);
    expect(states.slice(0, 3)).toEqual([
      ['entry', 'absent', 'absent'],
      ['chain', 'absent', 'absent'],
      ['none', 'absent', 'supported'],
    ]);
  });

  it('is passed when every vital fact is supported', () => {
    const right = [
      'ServeHTTP hands it to handleHTTPRequest, and combineHandlers makes the chain.',
      'serveError writes 404.',
    ];
    expect(grade(right).figures).toMatchObject({ factRecall: 1, passed: 1 });
  });

  it('counts declared wrong claims that the answer states, and not those it denies', () => {
    expect(grade(['It routes with http.ServeMux.', null]).figures.falseClaims).toBe(1);
    expect(grade(['It does not use http.ServeMux at all.', null]).figures.falseClaims).toBe(0);
  });

  it.each([
    'The chain does not come from combineHandlers.',
    'It is not true that the chain is merged by combineHandlers.',
    "The chain isn't built with combineHandlers.",
    'combineHandlers is not involved in that.',
    'The chain is made without combineHandlers.',
    'It is a myth that anything is merged by combineHandlers.',
    'gin never calls combineHandlers.',
  ])('gives no credit for "%s"', (text) => {
    const { facts } = grade([text, null]);
    expect(facts[1]?.own).toMatchObject({ state: 'absent', negated: true });
  });

  it.each([
    'The chain is not built per request: combineHandlers merges it when the route is registered.',
    'There is no magic here, because combineHandlers does it.',
    'Not a map but a tree is used. The chain comes from combineHandlers.',
  ])('gives credit for "%s"', (text) => {
    expect(states([text, null]).chain).toBe('supported');
  });

  it('matches a fact that is itself a denial, but not its denial', () => {
    expect(states([null, 'The chain is merged when routes are registered, not per request.']).later).toBe('supported');
    expect(states([null, 'It is false that it is merged not per request.']).later).toBe('absent');
  });

  it('gives no credit for the prompts copied into the answer', () => {
    const copied: ExpectsInput = {
      facts: [{ id: 'copy', vital: true, claim: 'a request goes through a chain', accept: [['chain of middleware']] }],
    };
    expect(states([`You asked: ${PROMPTS[0]} Good question.`, null], copied).copy).toBe('absent');
    expect(states(['It runs the chain of middleware by index.', null], copied).copy).toBe('supported');
  });

  it('does not grade an answer in another language, and says so', () => {
    const german =
      'Der Router sucht zuerst im Baum der Methode nach dem passenden Pfad und legt danach die gefundene Kette im Kontext ab, ' +
      'bevor ServeHTTP den Aufruf handleHTTPRequest startet und combineHandlers die Liste zusammenstellt.';
    const graded = grade([german, null]);
    expect(graded.answers[0]?.state).toBe('another-language');
    expect(graded.facts[0]?.own.state).toBe('undecided');
    expect(graded.figures).toMatchObject({ factRecall: null, passed: null, falseClaims: null });
    expect(
      grade([
        'ルータは、リクエストのメソッドの木から ServeHTTP と handleHTTPRequest を通じてハンドラの連鎖を探して実行します。',
        null,
      ]).answers[0]?.state,
    ).toBe('another-language');
  });

  it('has no recall without answers, of no credit, and no share without citations', () => {
    const empty = grade(['', null]);
    expect(empty.figures).toMatchObject({ factRecall: 0, passed: 0, groundedShare: null, fabricatedCitations: null });
    const source = { paths: ['gin.go'], read: () => 'x\n' };
    const graded = gradeAnswers({ answers: ['nothing cited'], prompts: PROMPTS, expects: undefined, source });
    expect(graded.figures).toMatchObject({ groundedShare: null, fabricatedCitations: 0, factRecall: null });
  });

  it('leaves the facts of prompts that were not asked out', () => {
    const graded = gradeAnswers({
      answers: ['ServeHTTP calls handleHTTPRequest; combineHandlers merges.'],
      prompts: PROMPTS.slice(0, 1),
      expects: expectsSchema.parse(GIN),
      source: undefined,
    });
    expect(graded.facts.map(({ id }) => id)).toEqual(['entry', 'chain']);
    expect(graded.figures.factRecall).toBe(1);
  });
});

describe('the shipped facts', () => {
  const labelled = shipped.flatMap(({ expects }) =>
    expects.calibration.map((answer) => ({
      labels: answer.labels,
      facts: gradeAnswers({
        answers: Array.from({ length: 3 }, (_, index) => (index === answer.prompt ? answer.text : null)),
        prompts: expects.prompts ?? [],
        expects,
        source: undefined,
      }).facts,
    })),
  );
  const outcomes = labelled.flatMap(({ labels, facts }) =>
    Object.entries(labels).map(([id, label]) => ({
      label,
      isFound: facts.find((fact) => fact.id === id)?.own.state === 'supported',
    })),
  );

  it('are found in the labelled answers that state them', () => {
    const supported = outcomes.filter(({ label }) => label === 'supported');
    expect(supported.length).toBeGreaterThan(400);
    expect(supported.filter(({ isFound }) => isFound).length / supported.length).toBeGreaterThan(0.98);
  });

  it('are not found in the labelled answers that do not', () => {
    const others = outcomes.filter(({ label }) => label !== 'supported');
    expect(others.length).toBeGreaterThan(400);
    expect(others.filter(({ isFound }) => isFound).length / others.length).toBeLessThan(0.01);
  });

  const words = [
    ...new Set(
      shipped.flatMap(({ expects }) =>
        expects.facts.flatMap(({ accept }) => accept.flat().flatMap((one) => one.split(' '))),
      ),
    ),
  ];
  const lists: [string, string][] = [
    ['commas', words.join(', ')],
    ['line ends', words.map((word) => `- \`${word}\``).join('\n')],
    ['"and"', words.join(' and ')],
    ['numbers', words.map((word, index) => `${index + 1}. ${word}`).join('\n')],
  ];
  it.each(lists)('are not found in a list of every word they are matched by, divided by %s', (_how, list) => {
    for (const { expects } of shipped) {
      const prompts = expects.prompts ?? [];
      const { facts } = gradeAnswers({ answers: prompts.map(() => list), prompts, expects, source: undefined });
      expect(facts.filter(({ own }) => own.state === 'supported').map(({ id }) => id)).toEqual([]);
    }
  });

  it('are not found in their own prompts', () => {
    for (const { expects } of shipped) {
      const prompts = expects.prompts ?? [];
      const { facts } = gradeAnswers({ answers: prompts, prompts, expects, source: undefined });
      expect(facts.filter(({ own }) => own.state === 'supported').map(({ id }) => id)).toEqual([]);
    }
  });
});
