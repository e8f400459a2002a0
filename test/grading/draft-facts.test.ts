import { expect, it } from 'vitest';
import { proposeFacts } from '../../src/grading/index.js';
import { expectsSchema } from '../../src/model/expects.js';

const FILES: Record<string, string> = {
  'lib/send.js': 'exports.send = function send(body) {\n  return escapeBody(body);\n};\nfunction escapeBody() {}\n',
  'lib/empty.js': 'function emptyBody() {}\n',
};
const source = { paths: Object.keys(FILES), read: (path: string) => FILES[path] };
const propose = (answers: (string | null)[][], expects?: object) =>
  proposeFacts(
    answers.map((own, index) => ({ trialId: `run-${index}`, answers: own })),
    {
      prompts: ['How does send turn the body into text?', 'And without a body?'],
      expects: expects && expectsSchema.parse(expects),
      source,
    },
  );

it('proposes each sentence whose citations all resolve, once, with the identifiers that no prompt holds', () => {
  const proposals = propose([
    [
      '# Overview\n\n- The function `escapeBody` is called by **exports.send** before anything is returned, see `send.js:2`.\n',
      null,
    ],
    [
      'In `lib/send.js:4` exports.send relies on `escapeBody()` as it returns. It is cached in `lib/cache.js:3` by cacheBody and others.',
      'Then `emptyBody` of lib/empty.js:emptyBody replies by callNothing() alone. Is `emptyBody` in lib/empty.js:1 called by callNothing()?',
    ],
    ['Nothing here cites anything, although escapeBody and sendBody are named in it.', null],
  ]);
  expect(proposals).toEqual([
    {
      fact: {
        id: 'escapebody',
        prompt: 0,
        vital: false,
        claim: 'The function `escapeBody` is called by exports.send before anything is returned, see `send.js:2`.',
        at: ['lib/send.js:2'],
        accept: [],
        because: 'proposed from the answer of run-0 to prompt 0',
      },
      runs: 1,
    },
    {
      fact: expect.objectContaining({ id: 'escapebody-2', at: ['lib/send.js:4'], accept: [] }),
      runs: 1,
    },
    {
      fact: {
        id: 'emptybody-callnothing',
        prompt: 1,
        vital: true,
        claim: 'Then `emptyBody` of lib/empty.js:emptyBody replies by callNothing() alone.',
        at: ['lib/empty.js:emptyBody'],
        accept: [['emptybody', 'callnothing']],
        because: 'proposed from the answer of run-1 to prompt 1',
      },
      runs: 1,
    },
  ]);
});

it('pools what several runs state, puts the most frequent first, and leaves out what a fact states already', () => {
  const escapes = (place: string) =>
    `The helper escapeBody hands its result to writeHead, see \`lib/${place}\` for it.`;
  const other = 'Another helper, emptyBody, goes to sendStatus as `lib/empty.js:1` shows.';
  const answers = [
    [`${other}\n${escapes('send.js:2')}`, null],
    [escapes('send.js:4'), null],
    ['```\nsend.js:1\n```', null],
  ];
  const [first, second, ...rest] = propose(answers);
  expect(first).toMatchObject({
    runs: 2,
    fact: { at: ['lib/send.js:2', 'lib/send.js:4'], accept: [['escapebody', 'writehead']] },
  });
  expect(second).toMatchObject({ runs: 1, fact: { accept: [['emptybody', 'sendstatus']] } });
  expect(rest).toEqual([]);
  const known = { id: 'escapebody-writehead', vital: true, claim: 'It is', accept: [['escapebody', 'writehead']] };
  expect(propose(answers, { facts: [known] }).map(({ fact }) => fact.id)).toEqual(['emptybody-sendstatus']);
});
