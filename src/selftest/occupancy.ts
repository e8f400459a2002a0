import { timelinesOf } from '../metrics/index.js';
import { check, type Section } from './check.js';
import { ENGINE } from './engine.js';
import {
  boundary,
  type Event,
  ends,
  explore,
  filler,
  gives,
  measured,
  occupancy,
  pick,
  says,
  sessionOf,
  text,
  uses,
} from './transcript.js';

const read = (id: string) => uses(id, 'Read');

/** 10,000 · explore of 10,000 characters · 14,000 · then. */
const opening: Event[] = [says('m1', 10_000, explore('e')), gives('e', filler(10_000))];

/** 10,000 · explore of 10,000 characters · 14,000 · Read of 5,000 · 16,000. */
export const plain: Event[] = [
  ...opening,
  says('m2', 14_000, read('r')),
  gives('r', filler(5_000)),
  says('m3', 16_000, text('done')),
];

const withThinking = plain.flatMap((event) => {
  if (event.type !== 'assistant') return [event];
  const message = { ...(event.message as Event), content: [{ type: 'thinking', thinking: '' }] };
  return [{ ...event, message }, event];
});

/** At 2.0 characters a token: explore of 8,000, then a Read of 5,000 next to a boundary that kept these. */
const compacted = (kept: string[], last = 9_000): Event[] => [
  says('m1', 10_000, explore('e')),
  gives('e', filler(8_000), { uuid: 'u1' }),
  says('m2', 14_000, read('r')),
  gives('r', filler(5_000), { uuid: 'u9' }),
  boundary(kept),
  says('m3', last, text('done')),
];

const amounts = (tokens: Partial<Record<'tool' | 'read' | 'search' | 'bash' | 'other', number>>) => ({
  ...{ tool: 0, read: 0, search: 0, bash: 0, other: 0 },
  ...tokens,
});

/** A gap that is too full of prose to calibrate by: at 2.5 this many tool characters, and the window grew by `delta`. */
const shedding = (chars: number, delta: number): Event[] => [
  ...opening,
  says('m2', 14_000, text(filler(chars))),
  says('m2', 14_000, read('r')),
  gives('r', filler(chars)),
  says('m3', 14_000 + delta, text('done')),
];

const parallel: Event[] = [
  says('m1', 10_000, read('r')),
  says('m1', 10_000, uses('g', 'Grep')),
  gives('g', filler(5_000)),
  gives('r', filler(5_000)),
  says('m2', 14_000, uses('b', 'Bash')),
  gives('b', filler(10_000)),
  says('m3', 15_000, text('done')),
];

const subagent: Event[] = [
  ...opening,
  says('s1', 70_000, read('x'), { thread: 'e' }),
  gives('x', filler(9_000), { thread: 'e' }),
  says('s2', 90_000, text('sub'), { thread: 'e' }),
  says('m2', 14_000, text('done')),
];

const residual = async (...segments: Event[][]) => (await occupancy(...segments)).residualTokens;

/** Section 2, from the log to the residual. */
export const occupancyRules: Section = {
  title: '2 Residual context occupancy',
  checks: [
    check(
      'Example: 10,000 · E 10,000 chars · 14,000 · R 5,000 · 16,000',
      {
        ...{ charsPerToken: 2.5, ctxBaseTokens: 10_000, ctxFinalTokens: 16_000, evictedTokens: 0 },
        residualTokens: amounts({ tool: 4_000, read: 2_000 }),
      },
      async () => {
        const found = await occupancy(plain);
        return pick(found, 'charsPerToken', 'ctxBaseTokens', 'ctxFinalTokens', 'evictedTokens', 'residualTokens');
      },
    ),
    check(
      'Example: the same with an empty thinking block in an event of its own',
      [3, amounts({ tool: 4_000, read: 2_000 })],
      async () => [(await measured(withThinking)).requests, await residual(withThinking)],
    ),
    check(
      'Example: 10,000 · E 10,000 · 14,000 · E called · boundary · its result 5,000 · 8,000',
      [2_000, 6_000],
      async () => {
        const events = [...opening, says('m2', 14_000, explore('f')), boundary(), gives('f', filler(5_000))];
        const found = await occupancy([...events, says('m3', 8_000, text('done'))]);
        return [found.residualTokens.tool, found.contributedTokens.tool];
      },
    ),
    check(
      'Example: 10,000 · E 10,000 · 14,000 · R 10,000 · 14,500',
      [3_500, amounts({ tool: 500, read: 4_000 })],
      async () => {
        const events = [...opening, says('m2', 14_000, read('r')), gives('r', filler(10_000))];
        const found = await occupancy([...events, says('m3', 14_500, text('done'))]);
        return [found.evictedTokens, found.residualTokens];
      },
    ),
    check(
      'Example: E 8,000 · R 5,000 (u9) · boundary preserving u9, at 2.0 chars/tok',
      [2, 4_000, amounts({ read: 2_500 })],
      async () => {
        const found = await occupancy(compacted(['u9']));
        return [found.charsPerToken, found.evictedTokens, found.residualTokens];
      },
    ),
    check(
      'Example: two segments are one session, its cost the sum of both results',
      [3, 4_000, 14_600, 0.75],
      async () => {
        const first = [...opening, says('m2', 14_000, text('a')), ends('a', { total_cost_usd: 0.25 })];
        const found = await measured(first, [says('m3', 14_600, text('b')), ends('b', { total_cost_usd: 0.5 })]);
        const { residualTokens, ctxFinalTokens } = found.occupancy ?? (await occupancy());
        return [found.requests, residualTokens.tool, ctxFinalTokens, found.costUsd];
      },
    ),
    check('Context of a request = input + cache read + cache creation', 10_000, async () => {
      const usage = { input_tokens: 1, cache_read_input_tokens: 8_999, cache_creation_input_tokens: 1_000 };
      return (await occupancy([says('m1', 0, text('a'), { message: { usage } })])).ctxBaseTokens;
    }),
    check(
      'Main thread only: a subagent of 90,000 tokens is not in it',
      [14_000, amounts({ tool: 4_000 })],
      async () => {
        const found = await occupancy(subagent);
        return [found.ctxFinalTokens, found.residualTokens];
      },
    ),
    check(
      'A boundary without a list drops all that was resident, and counts it as evicted',
      [4_000, amounts({})],
      async () => {
        const found = await occupancy([
          ...opening,
          says('m2', 14_000, text('.')),
          boundary(),
          says('m3', 5_000, text('.')),
        ]);
        return [found.evictedTokens, found.residualTokens];
      },
    ),
    check(
      'Where the boundary lists what it kept, unlisted results of its own gap go too',
      [6_500, amounts({})],
      async () => {
        const found = await occupancy(compacted(['u7']));
        return [found.evictedTokens, found.residualTokens];
      },
    ),
    check(
      'Results join in the order of their calls, whatever the order they arrive in: the oldest is shed first',
      [3_000, amounts({ search: 1_000, bash: 4_000 })],
      async () => {
        const found = await occupancy(parallel);
        return [found.evictedTokens, found.residualTokens];
      },
    ),
    check('Excess is shed above 200 tokens: 200 is not, 201 is', [0, 201], async () => {
      return [(await occupancy(shedding(700, 80))).evictedTokens, (await occupancy(shedding(700, 79))).evictedTokens];
    }),
    check(
      'Results never take more than a growth that text of their length can have, and nothing is shed: 5,000 characters in 1,000 tokens',
      [1_000, 1_000, 0],
      async () => {
        const found = await occupancy(shedding(5_000, 1_000));
        return [found.residualTokens.read, found.contributedTokens.read, found.evictedTokens];
      },
    ),
    check('… 8 characters a token are text still, 8.01 are not: then older results were shed', [0, 1_376], async () => {
      return [
        (await occupancy(shedding(5_000, 625))).evictedTokens,
        (await occupancy(shedding(5_000, 624))).evictedTokens,
      ];
    }),
    check(
      'Differences within 5% of the tool tokens are the spread of the ratio: 8,000 in 7,600 stay 8,000',
      [8_000, 7_599],
      async () => [
        (await occupancy(shedding(20_000, 7_600))).residualTokens.read,
        (await occupancy(shedding(20_000, 7_599))).residualTokens.read,
      ],
    ),
    check('Contributed is all that ever joined', amounts({ read: 2_000, search: 2_000, bash: 4_000 }), async () => {
      return (await occupancy(parallel)).contributedTokens;
    }),
    check(
      'What follows the last request was never in a prompt and is not resident',
      amounts({ tool: 4_000 }),
      async () => {
        return await residual([...opening, says('m2', 14_000, read('r')), gives('r', filler(5_000))]);
      },
    ),
    check('A gap that has a boundary is never shed from', [0, amounts({ tool: 6_000 })], async () => {
      const events = [
        says('m1', 10_000, explore('e')),
        boundary(),
        gives('e', filler(18_000)),
        says('m2', 5_000, text('.')),
      ];
      const found = await occupancy(events);
      return [found.evictedTokens, found.residualTokens];
    }),
    check('The timeline ends at the same residual as the block', amounts({ search: 1_000, bash: 4_000 }), async () => {
      const [main] = timelinesOf(await sessionOf(parallel), ENGINE);
      return main?.steps.at(-1)?.residentTokens;
    }),
  ],
};
