import { scaleLinear } from 'd3-scale';
import type { VNode } from 'preact';
import { compact } from '../../numbers.js';
import type { SessionWindow, WindowPair, WindowStep } from './context-data.js';
import { type Part, partFill, partName } from './families.js';
import { BottomAxis, ChartSvg, type LabelProps, Labels, LeftAxis, round } from './svg.js';
import { shortened } from './text.js';

const WIDTH = 425;
/** The plot's edges. Above it stand the names of prompts and the signs. */
const TOP = 34;
const PLOT_BOTTOM = 184;
const SPAN: [number, number] = [40, 318];
const HEIGHT = 220;
const LINE = 14;

/** From this share of the window's limit on, the limit is drawn; below it the areas would be a strip at the bottom. */
const LIMIT_FROM = 0.4;

/** Half the width of a sign, and the widest that a character of a label is on average. */
const SIGN_HALF = 4;
const CHAR_WIDTH = 7;

/** Where a request and a number of tokens lie in the chart. */
interface Places {
  /** The middle of a request's step. */
  x(request: number): number;
  y(tokens: number): number;
  /** The window's limit if the chart shows it. */
  limitTokens: number | null;
}

interface ContextChartProps {
  session: SessionWindow;
  pair: WindowPair;
  toolLabel: string;
  title: string;
  description: string;
}

/**
 * One session's window as stacked steps, a step a request, on the scale of its pair. The axis begins at the fixed part of the context, which
 * would otherwise fill most of the chart.
 */
export function ContextChart({ session, pair, toolLabel, title, description }: ContextChartProps): VNode {
  const limitTokens = showsLimit(pair, session.limitTokens) ? session.limitTokens : null;
  const room = Math.max(pair.mostTokens, limitTokens ?? 0) - pair.fixedTokens;
  const top = pair.fixedTokens + Math.max(1, room) * 1.04;
  const y = scaleLinear([pair.fixedTokens, top], [PLOT_BOTTOM, TOP]);
  const x = scaleLinear([0.5, pair.mostRequests + 0.5], SPAN);
  const places: Places = { x: (request) => x(request), y: (tokens) => y(tokens), limitTokens };
  const format = y.tickFormat(4, '~s');
  // A label at the fixed part itself stands at the bottom.
  const high = y.ticks(4).filter((tokens) => y(tokens) < PLOT_BOTTOM - LINE);
  const ticks = high.map((tokens) => ({ at: y(tokens), text: format(tokens) }));
  return (
    <ChartSvg title={title} description={description} width={WIDTH} height={HEIGHT}>
      <LeftAxis ticks={[...ticks, { at: PLOT_BOTTOM, text: compact(pair.fixedTokens) }]} from={SPAN[0]} to={SPAN[1]} />
      <BottomAxis
        ticks={requestTicks(pair.mostRequests).map((request) => ({ at: x(request), text: String(request) }))}
        from={PLOT_BOTTOM}
        to={PLOT_BOTTOM}
        title="request"
        middle={(SPAN[0] + SPAN[1]) / 2}
      />
      {/* The tallest first: each lies before the one that it stands on. */}
      {session.parts.toReversed().map((part) => (
        <path
          key={part}
          d={areaPath(session, part, places)}
          fill={partFill(part)}
          stroke="var(--bg)"
          stroke-width="0.5"
        />
      ))}
      <Signs session={session} places={places} />
      {partPlaces(session, places).map(({ part, y: middle }) => (
        <path key={part} d={`M${SPAN[1] + 6},${round(middle - 5)}h10v10h-10Z`} fill={partFill(part)} />
      ))}
      <Labels
        labels={[
          ...borderLabels(session, places),
          ...signLabels(session.steps, places),
          ...partPlaces(session, places).map(({ part, y: middle, tokens }) => ({
            x: SPAN[1] + 20,
            y: middle,
            text: `${shortened(partName(part, toolLabel), 11)} ${compact(tokens)}`,
          })),
          ...(limitTokens === null
            ? []
            : [{ x: SPAN[1] + 6, y: y(limitTokens), text: `limit ${compact(limitTokens)}`, fill: 'var(--worse)' }]),
        ]}
      />
    </ChartSvg>
  );
}

/** Is the limit within the scale of this pair? */
function showsLimit({ mostTokens }: WindowPair, limitTokens: number | null): boolean {
  return limitTokens !== null && mostTokens >= LIMIT_FROM * limitTokens;
}

/** 1, and round numbers. */
function requestTicks(most: number): number[] {
  const every = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((size) => most / size <= 6) ?? 1000;
  const multiples = Array.from({ length: Math.floor(most / every) }, (_, index) => (index + 1) * every);
  return every > 2 ? [1, ...multiples] : multiples;
}

/** The part with all that it stands on: a step a request, closed along the bottom. */
function areaPath({ steps, parts }: SessionWindow, part: Part, { x, y }: Places): string {
  const stack = parts.slice(0, parts.indexOf(part) + 1);
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last) return '';
  const tops = steps.map(({ request, tokens }) => {
    const top = y(stack.reduce((sum, one) => sum + tokens[one], 0));
    return `V${round(top)}H${round(x(request + 0.5))}`;
  });
  const left = round(x(first.request - 0.5));
  return `M${left},${PLOT_BOTTOM}${tops.join('')}V${PLOT_BOTTOM}Z`;
}

/** Borders of segments, the window's limit, and what dropped results. */
function Signs({ session, places }: { session: SessionWindow; places: Places }): VNode {
  const { x, y, limitTokens } = places;
  const borders = bordersOf(session).map((request) => `M${round(x(request - 0.5))},2V${PLOT_BOTTOM}`);
  return (
    <>
      {borders.length === 0 ? null : (
        <path d={borders.join('')} fill="none" stroke="var(--fg)" stroke-dasharray="3,3" />
      )}
      {limitTokens === null ? null : (
        <path
          d={`M${SPAN[0]},${round(y(limitTokens))}H${SPAN[1]}`}
          fill="none"
          stroke="var(--worse)"
          stroke-dasharray="6,3"
        />
      )}
      {signsOf(session.steps).map(({ request, kind }) => (
        <g key={`${request} ${kind}`} transform={`translate(${round(x(request))},0)`} stroke="var(--fg)">
          <path d={`M0,${TOP - 4}V${PLOT_BOTTOM}`} fill="none" />
          <path d={`M-4,${TOP - 11}H4L0,${TOP - 4}Z`} fill={kind === 'compaction' ? 'var(--fg)' : 'var(--bg)'} />
        </g>
      ))}
    </>
  );
}

/** The first request of every segment but the first. */
function bordersOf({ steps }: SessionWindow): number[] {
  return steps.flatMap((step, index) => {
    const before = steps[index - 1];
    return before && before.segment !== step.segment ? [step.request] : [];
  });
}

function borderLabels({ steps }: SessionWindow, { x }: Places): LabelProps[] {
  const starts = steps.filter((step, index) => step.segment !== steps[index - 1]?.segment);
  if (starts.length < 2) return [];
  // "segment 2" where there is room for the words, else the number alone.
  const edges = [...starts.map((step) => x(step.request - 0.5)), SPAN[1]];
  return starts.map(({ segment }, index) => {
    const room = (edges[index + 1] ?? 0) - (edges[index] ?? 0);
    const text = room > 64 ? `segment ${segment + 1}` : String(segment + 1);
    return { x: (edges[index] ?? 0) + 3, y: 8, text, fill: 'var(--muted)' };
  });
}

interface Sign {
  request: number;
  kind: 'compaction' | 'eviction';
  tokens: number;
}

function signsOf(steps: WindowStep[]): Sign[] {
  return steps.flatMap(({ request, compactions, compactedTokens, shedTokens }) => [
    ...(compactions > 0 ? [{ request, kind: 'compaction' as const, tokens: compactedTokens }] : []),
    ...(shedTokens > 0 ? [{ request, kind: 'eviction' as const, tokens: shedTokens }] : []),
  ]);
}

/** What each sign dropped, where the words have room between the signs and each other. The table has all. */
function signLabels(steps: WindowStep[], { x }: Places): LabelProps[] {
  const signs = signsOf(steps);
  const taken = signs.map(({ request }) => [x(request) - SIGN_HALF, x(request) + SIGN_HALF]);
  return signs.flatMap(({ request, kind, tokens }): LabelProps[] => {
    const text = `${kind === 'compaction' ? 'compacted' : 'evicted'} −${compact(tokens)}`;
    const [right, left] = [x(request) + 2 * SIGN_HALF, x(request) - 2 * SIGN_HALF];
    const width = text.length * CHAR_WIDTH;
    const isFree = (from: number, to: number) =>
      from >= SPAN[0] && to <= WIDTH && taken.every(([start = 0, end = 0]) => to <= start || from >= end);
    const align = isFree(right, right + width) ? 'start' : isFree(left - width, left) ? 'end' : null;
    if (align === null) return [];
    taken.push(align === 'start' ? [right, right + width] : [left - width, left]);
    return [{ x: align === 'start' ? right : left, y: TOP - 9, text, align }];
  });
}

/** Beside the last request: where each part's name stands, no two closer than a line. */
function partPlaces({ steps, parts }: SessionWindow, { y }: Places): { part: Part; y: number; tokens: number }[] {
  const last = steps.at(-1);
  if (!last) return [];
  let below = 0;
  const wanted = parts.map((part) => {
    const tokens = last.tokens[part];
    // Of the part at the bottom only what lies above the axis is seen.
    const middle = (y(below + tokens) + Math.min(PLOT_BOTTOM, y(below))) / 2;
    below += tokens;
    return { part, y: middle, tokens };
  });
  // From the bottom up.
  let limit = PLOT_BOTTOM - 4;
  for (const one of wanted) {
    one.y = Math.min(one.y, limit);
    limit = one.y - LINE;
  }
  return wanted;
}
