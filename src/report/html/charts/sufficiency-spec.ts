import type { Mark, Spec } from 'vega';
import { BUCKETS, type Bucket } from '../../../model/measure.js';
import { wholePercent } from '../../numbers.js';
import { textMark } from './dots-marks.js';
import { BUCKET_WORDS, type ExploreFlow, GIVEN, GIVEN_WORDS, type Given } from './sufficiency-data.js';

const WIDTH = 425;
/** Of all ribbons together; slots of few explores are as high as their text. */
const FLOW = 120;
const SLOT = 18;
const GAP = 5;
const LEFT = 108;
const RIGHT = 210;
const NODE = 8;

/** Enough is the top of the list here: the rest is what still had to be done. */
const ORDER: Bucket[] = BUCKETS.toReversed();

const COLOURS: Record<Bucket, string> = {
  sufficient: 'var(--better)',
  explore_again: 'var(--muted)',
  read_returned: 'var(--muted)',
  read_missed: 'var(--worse)',
  search: 'var(--worse)',
};

interface Slot {
  y: number;
  height: number;
  count: number;
}

/** From what the explores of an arm gave, on the left, to what followed them; widths are counts. */
export function flowSpec(flow: ExploreFlow): Spec {
  const { answered, buckets } = flow.counts;
  const each = FLOW / Math.max(1, answered);
  const given = GIVEN.filter((one) => countOf(flow, one) > 0);
  const right = slots(
    ORDER.map((bucket) => buckets[bucket]),
    each,
  );
  const left = slots(
    given.map((one) => countOf(flow, one)),
    each,
  );
  const height = Math.max(endOf(right), endOf(left)) + 2;
  // Both sides in the middle of the height.
  const shift = (all: Slot[]) => all.map((slot) => ({ ...slot, y: slot.y + (height - 2 - endOf(all)) / 2 }));
  const [from, to] = [shift(left), shift(right)];
  return {
    width: WIDTH,
    height,
    data: [
      { name: 'ribbons', values: ribbons(flow, given, from, to, each) },
      {
        name: 'nodes',
        values: [
          ...from.map((slot) => node(slot, LEFT, 'var(--fg)')),
          ...to.map((slot, index) => node(slot, RIGHT, colourOf(ORDER[index]))),
        ],
      },
      {
        name: 'texts',
        values: [
          ...from.map((slot, index) => ({
            ...{ x: LEFT - 8, y: middleOf(slot), align: 'right' },
            text: `${GIVEN_WORDS[given[index] ?? 'sources']} ${slot.count}`,
          })),
          ...to.map((slot, index) => ({
            ...{ x: RIGHT + NODE + 7, y: middleOf(slot), fill: slot.count === 0 ? 'var(--muted)' : 'var(--fg)' },
            text: `${BUCKET_WORDS[ORDER[index] ?? 'sufficient']} ${slot.count} (${wholePercent(slot.count, answered)})`,
          })),
        ],
      },
    ],
    marks: [...flowMarks(), textMark()],
  };
}

function countOf({ flow }: ExploreFlow, given: Given): number {
  return BUCKETS.reduce((sum, bucket) => sum + flow[given][bucket], 0);
}

function colourOf(bucket: Bucket | undefined): string {
  return bucket === undefined ? 'var(--muted)' : COLOURS[bucket];
}

function slots(counts: number[], each: number): Slot[] {
  let y = 0;
  return counts.map((count) => {
    const room = Math.max(SLOT, count * each);
    const slot = { y: y + (room - count * each) / 2, height: count * each, count };
    y += room + GAP;
    return slot;
  });
}

function endOf(all: Slot[]): number {
  const last = all.at(-1);
  if (!last) return SLOT;
  return last.y + last.height + Math.max(0, SLOT - last.height) / 2;
}

function middleOf({ y, height }: Slot): number {
  return y + height / 2;
}

/** One that nothing flows through is a hairline. */
function node({ y, height }: Slot, x: number, fill: string) {
  return { x, y: y + 1, height: Math.max(1, height), fill };
}

function ribbons(flow: ExploreFlow, given: readonly Given[], from: Slot[], to: Slot[], each: number) {
  const filled = ORDER.map(() => 0);
  return given.flatMap((one, index) => {
    let start = from[index]?.y ?? 0;
    return ORDER.flatMap((bucket, place) => {
      const count = flow.flow[one][bucket];
      if (count === 0) return [];
      const end = (to[place]?.y ?? 0) + (filled[place] ?? 0);
      const wide = count * each;
      const path = ribbon(start + 1, end + 1, wide);
      start += wide;
      filled[place] = (filled[place] ?? 0) + wide;
      const says = `${GIVEN_WORDS[one]} → ${BUCKET_WORDS[bucket]}: ${count}`;
      // What gave no answer is outlined as well.
      return [{ path, fill: colourOf(bucket), says, stroke: one === 'sources' ? null : 'var(--fg)' }];
    });
  });
}

function ribbon(from: number, to: number, wide: number): string {
  const [x, x2] = [LEFT + NODE, RIGHT];
  const middle = (x + x2) / 2;
  return `M${x},${from}C${middle},${from},${middle},${to},${x2},${to}V${to + wide}C${middle},${to + wide},${middle},${from + wide},${x},${from + wide}Z`;
}

function flowMarks(): Mark[] {
  return [
    {
      type: 'path',
      from: { data: 'ribbons' },
      encode: {
        enter: {
          path: { field: 'path' },
          fill: { field: 'fill' },
          fillOpacity: { value: 0.4 },
          stroke: { field: 'stroke' },
          strokeDash: { value: [2, 2] },
          description: { field: 'says' },
        },
      },
    },
    {
      type: 'rect',
      from: { data: 'nodes' },
      encode: {
        enter: {
          x: { field: 'x' },
          y: { field: 'y' },
          width: { value: NODE },
          height: { field: 'height' },
          fill: { field: 'fill' },
        },
      },
    },
  ] as Mark[];
}
