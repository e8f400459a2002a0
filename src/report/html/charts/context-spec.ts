import type { Mark, Spec } from 'vega';
import { compact } from '../../numbers.js';
import type { SessionWindow, WindowPair, WindowStep } from './context-data.js';
import { areaMark, PLOT, SPAN, signMarks } from './context-marks.js';
import { textMark } from './dots-marks.js';
import { quietAxis } from './draw.js';
import { type Part, partFill, partName } from './families.js';
import { shortened } from './text.js';

const WIDTH = 425;
/** Above the plot: borders' names and signs. */
const TOP = 34;
const BOTTOM = 36;

/** From this share of the window's limit on, the limit is drawn; below it the areas would be a strip at the bottom. */
const LIMIT_FROM = 0.4;

/** More signs than these stand without their figures (the table has them). */
const MOST_NAMED = 4;

/** Is the limit within the scale of this pair? */
function showsLimit({ mostTokens }: WindowPair, limitTokens: number | null): boolean {
  return limitTokens !== null && mostTokens >= LIMIT_FROM * limitTokens;
}

/** One session's window as stacked steps, a step a request, on the scale of its pair. */
export function contextSpec(session: SessionWindow, pair: WindowPair, toolLabel: string): Spec {
  const limit = showsLimit(pair, session.limitTokens) ? session.limitTokens : null;
  const top = Math.max(pair.mostTokens, limit ?? 0) * 1.04;
  const y = (tokens: number) => PLOT * (1 - tokens / top);
  const x = (request: number) => SPAN[0] + ((SPAN[1] - SPAN[0]) * (request - 0.5)) / pair.mostRequests;
  return {
    width: WIDTH,
    height: TOP + PLOT + BOTTOM,
    data: [
      ...session.parts.map((part) => ({ name: part, values: areaData(session, part) })),
      { name: 'borders', values: borderData(session).map((request) => ({ x: x(request - 0.5) })) },
      { name: 'limit', values: limit === null ? [] : [{ tokens: limit }] },
      { name: 'signs', values: signData(session.steps).map((one) => ({ ...one, x: x(one.request) })) },
      {
        name: 'texts',
        values: [
          ...borderTexts(session, x),
          ...signTexts(session.steps, x),
          ...partTexts(session, toolLabel, y),
          ...(limit === null
            ? []
            : [{ x: SPAN[1] + 6, y: y(limit), text: `limit ${compact(limit)}`, fill: 'var(--worse)' }]),
        ],
      },
      { name: 'keys', values: partKeys(session, y) },
    ],
    scales: [
      { name: 'x', type: 'linear', range: SPAN, domain: [0.5, pair.mostRequests + 0.5], zero: false, round: true },
      { name: 'y', type: 'linear', range: [PLOT, 0], domain: [0, top] },
    ],
    marks: [
      {
        type: 'group',
        encode: { enter: { y: { value: TOP }, width: { value: SPAN[1] }, height: { value: PLOT } } },
        signals: [
          { name: 'height', value: PLOT },
          { name: 'width', value: SPAN[1] },
        ],
        axes: [
          quietAxis({
            orient: 'bottom',
            scale: 'x',
            grid: false,
            title: 'request',
            values: requestTicks(pair.mostRequests),
          }),
          quietAxis({ orient: 'left', scale: 'y', offset: -SPAN[0], format: '~s', tickCount: 4 }),
        ],
        // The tallest first: each lies before the one that it stands on.
        marks: [...session.parts.toReversed().map(areaMark), ...signMarks(), textMark()],
      } as Mark,
    ],
  };
}

/** 1, and round numbers. */
function requestTicks(most: number): number[] {
  const every = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((size) => most / size <= 6) ?? 1000;
  const round = Array.from({ length: Math.floor(most / every) }, (_, index) => (index + 1) * every);
  return every > 2 ? [1, ...round] : round;
}

/** A point a request at its left edge, and one that closes the last: the part with all that it stands on, in tokens. */
function areaData({ steps, parts }: SessionWindow, part: Part) {
  const stack = parts.slice(0, parts.indexOf(part) + 1);
  const points = steps.map(({ request, tokens }) => {
    return { request: request - 0.5, to: stack.reduce((sum, one) => sum + tokens[one], 0) };
  });
  const last = points.at(-1);
  return last ? [...points, { ...last, request: last.request + 1 }] : [];
}

/** The first request of every segment but the first. */
function borderData({ steps }: SessionWindow): number[] {
  return steps.flatMap((step, index) => {
    const before = steps[index - 1];
    return before && before.segment !== step.segment ? [step.request] : [];
  });
}

function borderTexts({ steps }: SessionWindow, x: (request: number) => number) {
  const starts = steps.filter((step, index) => step.segment !== steps[index - 1]?.segment);
  if (starts.length < 2) return [];
  // "segment 2" where there is room for the words, else the number alone.
  const edges = [...starts.map((step) => x(step.request - 0.5)), SPAN[1]];
  return starts.map(({ segment }, index) => {
    const room = (edges[index + 1] ?? 0) - (edges[index] ?? 0);
    const text = room > 64 ? `segment ${segment + 1}` : String(segment + 1);
    return { x: (edges[index] ?? 0) + 3, y: -26, text, fill: 'var(--muted)' };
  });
}

interface Sign {
  request: number;
  kind: 'compaction' | 'eviction';
  tokens: number;
}

function signData(steps: WindowStep[]): Sign[] {
  return steps.flatMap(({ request, compactions, compactedTokens, shedTokens }) => [
    ...(compactions > 0 ? [{ request, kind: 'compaction' as const, tokens: compactedTokens }] : []),
    ...(shedTokens > 0 ? [{ request, kind: 'eviction' as const, tokens: shedTokens }] : []),
  ]);
}

function signTexts(steps: WindowStep[], x: (request: number) => number) {
  const signs = signData(steps);
  if (signs.length > MOST_NAMED) return [];
  return signs.map(({ request, kind, tokens }) => {
    const isLate = x(request) > SPAN[1] - 130;
    const text = `${kind === 'compaction' ? 'compacted' : 'evicted'} −${compact(tokens)}`;
    return { x: x(request) + (isLate ? -8 : 8), y: -9, text, align: isLate ? 'right' : 'left' };
  });
}

/** Beside the last request: where each part's name stands, no two closer than a line. */
function partPlaces(
  { steps, parts }: SessionWindow,
  y: (tokens: number) => number,
): { part: Part; y: number; tokens: number }[] {
  const last = steps.at(-1);
  if (!last) return [];
  let below = 0;
  const wanted = parts.map((part) => {
    const tokens = last.tokens[part];
    const middle = y(below + tokens / 2);
    below += tokens;
    return { part, y: middle, tokens };
  });
  // From the bottom up; then down again where the top was passed.
  let limit = PLOT - 4;
  for (const one of wanted) {
    one.y = Math.min(one.y, limit);
    limit = one.y - 14;
  }
  return wanted;
}

function partKeys(session: SessionWindow, y: (tokens: number) => number) {
  return partPlaces(session, y).map((one) => ({ y: one.y, fill: partFill(one.part) }));
}

function partTexts(session: SessionWindow, toolLabel: string, y: (tokens: number) => number) {
  return partPlaces(session, y).map(({ part, y: place, tokens }) => ({
    x: SPAN[1] + 20,
    y: place,
    text: `${shortened(partName(part, toolLabel), 11)} ${compact(tokens)}`,
  }));
}
