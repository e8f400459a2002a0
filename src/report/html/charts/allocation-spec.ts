import type { Mark, Spec } from 'vega';
import { grouped, plural } from '../../numbers.js';
import type { FileRow, FileShare, TaskAllocation } from './allocation-data.js';
import { armColour } from './arms.js';
import { textMark } from './dots-marks.js';
import { quietAxis } from './draw.js';
import { shortened, shortPath } from './text.js';

const WIDTH = 860;
const BARS: [number, number] = [275, 485];
const LANE = 15;
const ROW_GAP = 7;
const BOTTOM = 40;

/** One task's files as bars, an arm below the other: cited by path (filled), by a symbol (striped), not cited (hollow). */
export function allocationSpec({ rows, arms }: TaskAllocation): Spec {
  const height = arms.length * LANE + ROW_GAP;
  const plot = rows.length * height;
  // The rest is many files: its bar would dwarf those of single ones, so it is told in words.
  const single = rows.filter(({ path }) => path !== null).flatMap(({ shares }) => shares);
  const most = Math.max(1, ...single.map((share) => (share ? charsOf(share) : 0)));
  const lanes = lanesOf(rows, arms);
  return {
    width: WIDTH,
    height: plot + BOTTOM,
    data: [
      {
        name: 'bars',
        values: lanes.flatMap(({ share, row, colour, y }) => (row.path === null ? [] : barData(share, colour, y + 2))),
      },
      {
        name: 'texts',
        values: [
          ...rows.map((row, index) => ({ x: 0, y: index * height + height / 2, text: nameOf(row) })),
          ...lanes.flatMap((lane) => laneTexts(lane, arms.length > 1)),
        ],
      },
    ],
    scales: [{ name: 'chars', type: 'linear', range: BARS, domain: [0, most], nice: true }],
    marks: [
      {
        type: 'group',
        encode: { enter: { width: { value: WIDTH }, height: { value: plot } } },
        signals: [{ name: 'height', value: plot }],
        axes: [
          quietAxis({ orient: 'bottom', scale: 'chars', format: '~s', title: 'characters returned, over all runs' }),
        ],
        marks: [barMark(), textMark()],
      } as Mark,
    ],
  };
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

function laneTexts({ share, row, label, y }: Lane, isNamed: boolean) {
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

function barData(share: FileShare, colour: string, y: number) {
  let from = 0;
  const looks = [
    { part: 'path', fill: colour, fillOpacity: 1, dash: null },
    { part: 'symbol', fill: colour, fillOpacity: 0.45, dash: [2, 2] },
    { part: 'uncited', fill: 'var(--bg)', fillOpacity: 1, dash: null },
  ] as const;
  return looks.flatMap(({ part, ...look }) => {
    const chars = share[part];
    if (chars === 0) return [];
    const bar = { ...look, from, to: from + chars, y, stroke: colour };
    from += chars;
    return [bar];
  });
}

function barMark(): Mark {
  return {
    type: 'rect',
    from: { data: 'bars' },
    encode: {
      enter: {
        x: { scale: 'chars', field: 'from' },
        x2: { scale: 'chars', field: 'to' },
        y: { field: 'y' },
        height: { value: LANE - 4 },
        fill: { field: 'fill' },
        fillOpacity: { field: 'fillOpacity' },
        stroke: { field: 'stroke' },
        strokeDash: { field: 'dash' },
      },
    },
  } as Mark;
}
