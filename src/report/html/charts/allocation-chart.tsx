import { scaleLinear } from 'd3-scale';
import type { VNode } from 'preact';
import { grouped, plural } from '../../numbers.js';
import type { FileRow, FileShare, TaskAllocation } from './allocation-data.js';
import { armColour } from './arms.js';
import { BottomAxis, ChartSvg, type LabelProps, Labels, round } from './svg.js';
import { shortened, shortPath } from './text.js';

const WIDTH = 860;
const BARS: [number, number] = [275, 485];
const LANE = 15;
const ROW_GAP = 7;
const BOTTOM = 40;
const TICKS = 5;

interface AllocationChartProps {
  task: TaskAllocation;
  title: string;
  description: string;
}

/** One task's files as bars, an arm below the other: cited by path (filled), by a symbol (lighter, dashed), not cited (hollow). */
export function AllocationChart({ task: { rows, arms }, title, description }: AllocationChartProps): VNode {
  const height = arms.length * LANE + ROW_GAP;
  const plot = rows.length * height;
  // The rest is many files: its bar would dwarf those of single ones, so it is told in words.
  const single = rows.filter(({ path }) => path !== null).flatMap(({ shares }) => shares);
  const most = Math.max(1, ...single.map((share) => (share ? charsOf(share) : 0)));
  const x = scaleLinear([0, most], BARS).nice(TICKS);
  const format = x.tickFormat(TICKS, '~s');
  const lanes = lanesOf(rows, arms);
  return (
    <ChartSvg title={title} description={description} width={WIDTH} height={plot + BOTTOM}>
      <BottomAxis
        ticks={x.ticks(TICKS).map((chars) => ({ at: x(chars), text: format(chars) }))}
        from={0}
        to={plot}
        title="characters returned, over all runs"
        middle={(BARS[0] + BARS[1]) / 2}
      />
      {lanes.map(({ share, row, colour, label, y }) =>
        row.path === null ? null : (
          <Bar key={`${row.path} ${label}`} share={share} colour={colour} y={y + 2} x={(chars) => x(chars)} />
        ),
      )}
      <Labels
        labels={[
          ...rows.map((row, index) => ({ x: 0, y: index * height + height / 2, text: nameOf(row) })),
          ...lanes.flatMap((lane) => laneLabels(lane, arms.length > 1)),
        ]}
      />
    </ChartSvg>
  );
}

interface Lane {
  share: FileShare;
  row: FileRow;
  colour: string;
  label: string;
  y: number;
}

/** A lane an arm that was given the file; the lane of one that was not stays free. */
function lanesOf(rows: FileRow[], arms: TaskAllocation['arms']): Lane[] {
  const height = arms.length * LANE + ROW_GAP;
  return rows.flatMap((row, index) =>
    arms.flatMap(({ label, place }, arm) => {
      const share = row.shares[arm];
      const y = index * height + arm * LANE + ROW_GAP / 2;
      return share ? [{ share, row, colour: armColour(place), label, y }] : [];
    }),
  );
}

function laneLabels({ share, row, label, y }: Lane, isNamed: boolean): LabelProps[] {
  const middle = y + LANE / 2;
  const words = `${isNamed ? `${shortened(label, 12)}: ` : ''}${citedWords(share, row)}`;
  const cited = { x: BARS[1] + 12, y: middle, fill: 'var(--muted)', text: shortened(words, 58) };
  if (row.path !== null) return [cited];
  return [cited, { x: BARS[0] + 4, y: middle, text: `${grouped(charsOf(share))} characters in all` }];
}

function nameOf({ path, files }: FileRow): string {
  return path === null ? `the other ${files} files` : shortPath(path, 40);
}

function charsOf({ path, symbol, uncited }: FileShare): number {
  return path + symbol + uncited;
}

/** "cited in 3 of 4 runs: path 2, symbol 1 (createRouter)"; for the rest, runs are counted file by file. */
export function citedWords({ runs, byPath, bySymbol, symbols }: FileShare, { path }: FileRow): string {
  const of = path === null ? `${runs} times it came` : plural(runs, 'run');
  if (byPath + bySymbol === 0) return `not cited in ${of}`;
  const named = symbols.length === 0 ? '' : ` (${symbols.join(', ')})`;
  const how = [...(byPath > 0 ? [`path ${byPath}`] : []), ...(bySymbol > 0 ? [`symbol ${bySymbol}${named}`] : [])];
  return `cited ${byPath + bySymbol} of ${of}: ${how.join(', ')}`;
}

interface BarProps {
  share: FileShare;
  colour: string;
  y: number;
  x(chars: number): number;
}

/** The characters of one file and arm, by whether and how they were cited. */
function Bar({ share, colour, y, x }: BarProps): VNode {
  const looks = [
    { chars: share.path, from: 0, fill: colour },
    { chars: share.symbol, from: share.path, fill: colour, 'fill-opacity': 0.45, 'stroke-dasharray': '2,2' },
    { chars: share.uncited, from: share.path + share.symbol, fill: 'var(--bg)' },
  ];
  return (
    <>
      {looks.map(({ chars, from, ...look }) =>
        chars === 0 ? null : (
          <rect
            key={from}
            x={round(x(from))}
            y={round(y)}
            width={round(x(from + chars) - x(from))}
            height={LANE - 4}
            stroke={colour}
            {...look}
          />
        ),
      )}
    </>
  );
}
