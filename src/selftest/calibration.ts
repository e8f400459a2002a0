import { renderRun } from '../report/index.js';
import { check, type Section } from './check.js';
import { ENGINE } from './engine.js';
import { plain } from './occupancy.js';
import {
  boundary,
  type Event,
  ends,
  filler,
  gives,
  measured,
  occupancy,
  says,
  sessionOf,
  text,
  uses,
} from './transcript.js';

/** One gap: prose before the call, characters of the Read, tokens by which the window grew. */
interface GapPlan {
  prose?: number;
  tool: number;
  delta: number;
}

/** A call of Read without input has 6 characters of its own: its name and `{}`. */
const CALL_CHARS = 6;

function withGaps(gaps: GapPlan[]): Event[] {
  let tokens = 10_000;
  const events = gaps.flatMap(({ prose = CALL_CHARS, tool, delta }, index) => {
    const [id, call] = [`m${index}`, `r${index}`];
    const before = [says(id, tokens, text(filler(prose - CALL_CHARS))), says(id, tokens, uses(call, 'Read'))];
    tokens += delta;
    return [...before, gives(call, filler(tool))];
  });
  return [...events, says('last', tokens, text('done'))];
}

const ratio = async (...gaps: GapPlan[]) => {
  const { charsPerToken } = await occupancy(withGaps(gaps));
  return Number(charsPerToken.toFixed(3));
};
const dispersion = async (...gaps: GapPlan[]) => (await occupancy(withGaps(gaps))).dispersion;

const clean: GapPlan = { tool: 10_000, delta: 4_000 };

async function printed(events: Event[]): Promise<string> {
  return renderRun(await sessionOf(events), await measured(events), { brief: true, engine: ENGINE });
}

const baseIn = (block: string) => /base \(prompt\+prose\)\s+([\d,]+) tok/.exec(block)?.[1];

/** Section 2, characters per token, its error, and what is printed. */
export const calibrationRules: Section = {
  title: '2 Characters per token, error bar, base and window',
  checks: [
    check('Clean gaps are pooled: 14,000 characters over 5,500 tokens', 2.545, () => {
      return ratio(clean, { tool: 4_000, delta: 1_500 });
    }),
    check('A gap of more than 500 characters is clean (501), of 500 not', [2.52, 2.5], async () => [
      await ratio(clean, { tool: 495, delta: 165 }),
      await ratio(clean, { tool: 494, delta: 165 }),
    ]),
    check('A gap is clean from 80% tool characters on: 2,000 of 2,500 is, of 2,501 not', [2.5, 3.126], async () => [
      await ratio({ prose: 500, tool: 2_000, delta: 800 }),
      await ratio({ prose: 501, tool: 2_000, delta: 800 }),
    ]),
    check('A gap in which the window did not grow is not clean', 2.5, () => ratio(clean, { tool: 4_000, delta: -500 })),
    check('A gap with a compaction is not clean', 2.5, async () => {
      const events = withGaps([clean, { tool: 6_000, delta: 2_000 }]);
      return (await occupancy([...events.slice(0, -1), boundary(), ...events.slice(-1)])).charsPerToken;
    }),
    check(
      'Gaps above 1.5 × the lower median are dropped (3.2 over 2), those at 1.5 × stay (3 over 2)',
      [2, 2.2],
      async () => [
        await ratio({ tool: 8_000, delta: 4_000 }, { tool: 3_200, delta: 1_000 }),
        await ratio({ tool: 8_000, delta: 4_000 }, { tool: 3_000, delta: 1_000 }),
      ],
    ),
    check(
      'No clean gap: all characters of growing gaps, prose, thinking, calls and user text included',
      3.25,
      async () => {
        const user = { type: 'user', message: { role: 'user', content: filler(1_000) }, parent_tool_use_id: null };
        const events = [
          says('m1', 10_000, text(filler(994))),
          says('m1', 10_000, { type: 'thinking', thinking: filler(1_000) }),
          says('m1', 10_000, uses('r', 'Read')),
          gives('r', filler(10_000)),
          user,
          says('m2', 14_000, text('done')),
        ];
        return (await occupancy(events)).charsPerToken;
      },
    ),
    check('Nothing to measure by: 3.0, not calibrated', [3, false], async () => {
      const found = await occupancy([says('m1', 10_000, text('a'))]);
      return [found.charsPerToken, found.calibrated];
    }),
    check('… and the block says FALLBACK', true, async () => {
      return (await printed([says('m1', 10_000, text('a'))])).includes('3.00 chars/tok FALLBACK');
    }),
    check('The error bar is the lower median of the relative errors: of 0 and 3 it is 0', 0, () => {
      return dispersion(clean, { tool: 10_000, delta: 1_000 });
    }),
    check('It counts gaps of at least 95% tool characters: at 90% the 0 falls away and 3 remains', 3, () => {
      return dispersion({ prose: 1_000, tool: 9_000, delta: 3_600 }, { tool: 10_000, delta: 1_000 });
    }),
    check('Without such a gap there is no error bar', null, () =>
      dispersion({ prose: 1_000, tool: 9_000, delta: 3_600 }),
    ),
    check('Base = final context less the residuals: 16,000 − 6,000', '10,000', async () =>
      baseIn(await printed(plain)),
    ),
    check('Base is never below 0', '0', async () => {
      const events = [
        says('m1', 10_000, uses('r', 'Read')),
        gives('r', filler(9_000)),
        boundary(),
        says('m2', 900, text('.')),
      ];
      return baseIn(await printed(events));
    }),
    check(
      'A window that nobody set is the one that the result reports for the model of the session, else 200,000',
      [
        [1_000_000, 'reported'],
        [200_000, 'default'],
      ],
      async () => {
        const modelUsage = {
          'claude-haiku-4-5': { contextWindow: 400_000 },
          'claude-sonnet-5[1m]': { contextWindow: 1_000_000 },
        };
        const reported = (await measured([says('m1', 10, text('a')), ends('a', { modelUsage })])).occupancy;
        const silent = (await measured([says('m1', 10, text('a')), ends('a')])).occupancy;
        return [reported, silent].map((one) => [one?.windowTokens, one?.windowSource]);
      },
    ),
    check(
      'A gap with fewer than 1 or more than 8 characters a token is no text and does not calibrate',
      [2.5, 2.5, 3],
      async () => [
        await ratio(clean, { tool: 2_000, delta: 6_800 }),
        await ratio(clean, { tool: 9_000, delta: 1_100 }),
        await ratio({ tool: 2_000, delta: 6_800 }, { tool: 9_000, delta: 1_100 }),
      ],
    ),
    check(
      'What a gap grew by beyond its characters is told, belongs to the base and is neither charged nor evicted',
      [1, 5_998, 800, 0],
      async () => {
        const found = await occupancy(withGaps([clean, { tool: 2_000, delta: 6_800 }]));
        return [found.hiddenGaps, found.hiddenTokens, found.residualTokens.read - 4_000, found.evictedTokens];
      },
    ),
    check(
      'Where no gap is text the ratio is the default, and the block calls it an ESTIMATE',
      [false, true],
      async () => {
        const events = withGaps([{ tool: 2_000, delta: 6_800 }]);
        return [
          (await occupancy(events)).calibrated,
          (await printed(events)).includes('3.00 chars/tok FALLBACK (an ESTIMATE'),
        ];
      },
    ),
  ],
};
