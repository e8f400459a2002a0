import { scaleLinear } from 'd3-scale';
import type { VNode } from 'preact';
import { BUCKETS, type Bucket } from '../../../model/families.js';
import { wholePercent } from '../../numbers.js';
import { BUCKET_WORDS, type ExploreFlow, GIVEN, GIVEN_WORDS } from './sufficiency-data.js';
import { ChartSvg, Labels, round } from './svg.js';

const WIDTH = 425;
const BAR_HEIGHT = 22;
const HEIGHT = 42;
/** A segment narrower than this stands without its percentage. */
const MIN_LABEL_WIDTH = 30;

/** Enough is the first segment: the others are what still had to be done. */
export const BUCKET_ORDER: Bucket[] = BUCKETS.toReversed();

const COLOURS: Record<Bucket, string> = {
  sufficient: 'var(--better)',
  explore_again: 'var(--muted)',
  read_returned: 'var(--muted)',
  read_missed: 'var(--worse)',
  search: 'var(--worse)',
};
/** Two buckets share a colour: one of them is hatched. */
const HATCHED: Bucket[] = ['read_returned', 'search'];

/** The patterns of hatched buckets; once on a page, before the bars. */
export function BucketPatterns(): VNode {
  return (
    <svg aria-hidden="true" width="0" height="0" style="position:absolute">
      <defs>
        {HATCHED.map((bucket) => (
          <pattern key={bucket} id={`bucket-${bucket}`} width="6" height="6" patternUnits="userSpaceOnUse">
            <path d="M0,0H6V6H0Z" fill={COLOURS[bucket]} />
            <path d="M-1,1L1,-1M0,6L6,0M5,7L7,5" fill="none" stroke="var(--bg)" stroke-width="1.6" />
          </pattern>
        ))}
      </defs>
    </svg>
  );
}

/** The colour of a bucket, for a table that explains the bars. */
export function BucketSwatch({ bucket }: { bucket: Bucket }): VNode {
  return (
    <svg aria-hidden="true" viewBox="0 0 14 14" width="14" height="14">
      <path d="M0,0H14V14H0Z" fill={fillOf(bucket)} />
    </svg>
  );
}

interface ExploreBarProps {
  flow: ExploreFlow;
  title: string;
  description: string;
}

/** All answered explores of an arm as one bar of 100 %, divided by what followed them. */
export function ExploreBar({ flow, title, description }: ExploreBarProps): VNode {
  const { answered } = flow.counts;
  const x = scaleLinear([0, answered], [1, WIDTH - 1]);
  let before = 0;
  const segments = BUCKET_ORDER.flatMap((bucket) =>
    GIVEN.flatMap((given) => {
      const count = flow.flow[given][bucket];
      const from = before;
      before += count;
      return count === 0 ? [] : [{ bucket, given, count, from: x(from), to: x(before) }];
    }),
  );
  let counted = 0;
  const labels = BUCKET_ORDER.flatMap((bucket) => {
    const count = flow.counts.buckets[bucket];
    const [from, to] = [x(counted), x(counted + count)];
    counted += count;
    if (to - from < MIN_LABEL_WIDTH) return [];
    return [{ x: (from + to) / 2, y: BAR_HEIGHT + 12, text: wholePercent(count, answered), align: 'middle' as const }];
  });
  return (
    <ChartSvg title={title} description={description} width={WIDTH} height={HEIGHT}>
      {segments.map(({ bucket, given, count, from, to }) => (
        <rect
          key={`${bucket} ${given}`}
          x={round(from)}
          y="1"
          width={round(to - from)}
          height={BAR_HEIGHT}
          fill={fillOf(bucket)}
          stroke={given === 'sources' ? 'var(--bg)' : 'var(--fg)'}
          stroke-dasharray={given === 'sources' ? undefined : '3,2'}
        >
          <title>{`${GIVEN_WORDS[given]} → ${BUCKET_WORDS[bucket]}: ${count}`}</title>
        </rect>
      ))}
      <Labels labels={labels} />
    </ChartSvg>
  );
}

function fillOf(bucket: Bucket): string {
  return HATCHED.includes(bucket) ? `url(#bucket-${bucket})` : COLOURS[bucket];
}
