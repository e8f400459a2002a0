import { check, type Section } from './check.js';
import {
  type Event,
  ends,
  explore,
  filler,
  gives,
  measured,
  occupancy,
  readLines,
  says,
  text,
  uses,
} from './transcript.js';

const usage = (fields: object): Event => ({ message: { usage: fields } });

/** A row as the transcript on disk has it. */
const row = (uuid: string, parentUuid: string | null, event: Event): Event => ({ ...event, uuid, parentUuid });

/** A Read of 10,000 characters in a gap of 4,000 tokens, then two branches: a Grep that a rewind left, and an answer. */
const rewound: Event[] = [
  row('u1', null, says('m1', 10_000, uses('r', 'Read'))),
  row('u2', 'u1', gives('r', filler(10_000))),
  row('u3', 'u2', says('m2', 14_000, uses('g', 'Grep'))),
  row('u4', 'u3', gives('g', filler(5_000))),
  row('u5', 'u4', says('m3', 16_000, text('left'))),
  row('u6', 'u2', says('m4', 14_000, text('done'))),
];

const iteration = (tokens: number, type = 'message') => ({ type, input_tokens: tokens, output_tokens: 1 });

/** Logs as they are found, beside those that a sound host writes. */
export const logRules: Section = {
  title: '11 What logs in the wild hold',
  checks: [
    check('Usage that is absent, or all 0, is null: tokens, occupancy, a cost of 0', [null, null, null], async () => {
      const found = await measured([
        says('m1', 0, text('x'), usage({})),
        says('m2', 0, text('y'), usage({ input_tokens: 0, output_tokens: 0 })),
        ends('y', { total_cost_usd: 0, usage: { output_tokens: 0 } }),
      ]);
      return [found.tokensProcessed, found.occupancy, found.costUsd];
    }),
    check('Numbers as strings are numbers, and a cache may be given by its parts: 3 + 90 + 7', 100, async () => {
      const parts = { ephemeral_5m_input_tokens: 90, ephemeral_1h_input_tokens: 7 };
      const found = await measured([says('m1', 0, text('x'), usage({ input_tokens: '3', cache_creation: parts }))]);
      return found.tokensProcessed;
    }),
    check('Of server-side iterations the last message is the window, and all are the cost', [600, 1_503], async () => {
      const iterations = [iteration(500), iteration(400, 'advisor_message'), iteration(600)];
      const found = await measured([says('m1', 0, text('x'), usage({ input_tokens: 1_100, iterations }))]);
      return [found.occupancy?.ctxFinalTokens, found.tokensProcessed];
    }),
    check('A row with a uuid that was read is not read again: one result of 500 ms', [1, 500, 11], async () => {
      const events = [
        { ...says('m1', 10, text('x')), uuid: 'u1' },
        { ...ends('x', { duration_ms: 500 }), uuid: 'u2' },
      ];
      const found = await measured([...events, ...events]);
      return [found.requests, found.durationMs, found.tokensProcessed];
    }),
    check(
      'A branch that a rewind left is paid for, and not in the window: 2 of 4 requests live',
      [2, 0, 54_004],
      async () => {
        const found = await measured(rewound);
        return [found.requests, found.occupancy?.residualTokens.search, found.tokensProcessed];
      },
    ),
    check('One message id for two requests: another prompt, and a result between', 2, async () => {
      const events = [says('m', 10, uses('a', 'Read')), gives('a', 'x'), says('m', 20, text('done'))];
      return (await measured(events)).requests;
    }),
    check('A cumulative cost that falls is the next process: 0.50 + 0.25', 0.75, async () => {
      return (await measured([ends('a', { total_cost_usd: 0.5 }), ends('b', { total_cost_usd: 0.25 })])).costUsd;
    }),
    check('A microcompaction evicts what it names', [4_000, 0, 2_000], async () => {
      const metadata = { microcompactMetadata: { compactedToolIds: ['r'] } };
      const found = await occupancy([
        says('m1', 10_000, explore('e')),
        gives('e', filler(10_000)),
        says('m2', 14_000, uses('r', 'Read')),
        gives('r', filler(5_000)),
        { type: 'system', subtype: 'microcompact_boundary', ...metadata },
        says('m3', 14_000, text('done')),
      ]);
      return [found.residualTokens.tool, found.residualTokens.read, found.evictedTokens];
    }),
    check('Another model than init named is flagged', ['claude-opus-4-8'], async () => {
      const init = { type: 'system', subtype: 'init', model: 'claude-sonnet-5' };
      const found = await measured([init, says('m1', 10, text('x'), { message: { model: 'claude-opus-4-8' } })]);
      return found.diagnostics.otherModels;
    }),
    check(
      'Two events on one line are both read; a line that was lost makes the run not ok',
      [2, true, false],
      async () => {
        const events = [says('m1', 10, text('x')), ends('x')].map((event) => JSON.stringify(event));
        const session = await readLines([events.join('')]);
        const broken = await readLines([`${events[0]?.slice(0, 40)}${events[1]}`, '']);
        const { diagnostics } = session;
        return [diagnostics.knownEvents, diagnostics.lostLines === 0, broken.diagnostics.lostLines === 0];
      },
    ),
  ],
};
