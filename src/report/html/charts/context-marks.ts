import type { Mark } from 'vega';
import { type Part, partFill } from './families.js';

/** Height of the plot, and where it lies from left to right. */
export const PLOT = 150;
export const SPAN: [number, number] = [40, 318];

/** One part of the window with all that it stands on, as steps. */
export function areaMark(part: Part): Mark {
  return {
    type: 'area',
    from: { data: part },
    encode: {
      enter: {
        interpolate: { value: 'step-after' },
        x: { scale: 'x', field: 'request' },
        y: { scale: 'y', field: 'to' },
        y2: { scale: 'y', value: 0 },
        fill: { value: partFill(part) },
        stroke: { value: 'var(--bg)' },
        strokeWidth: { value: 0.5 },
      },
    },
  };
}

/** Borders of segments, the window's limit, what dropped results, and the keys of the areas. */
export function signMarks(): Mark[] {
  return [
    {
      type: 'rule',
      from: { data: 'borders' },
      encode: {
        enter: {
          x: { field: 'x' },
          y: { value: -32 },
          y2: { value: PLOT },
          stroke: { value: 'var(--fg)' },
          strokeDash: { value: [3, 3] },
        },
      },
    },
    {
      type: 'rule',
      from: { data: 'limit' },
      encode: {
        enter: {
          x: { value: SPAN[0] },
          x2: { value: SPAN[1] },
          y: { scale: 'y', field: 'tokens' },
          stroke: { value: 'var(--worse)' },
          strokeDash: { value: [6, 3] },
        },
      },
    },
    {
      type: 'rule',
      from: { data: 'signs' },
      encode: { enter: { x: { field: 'x' }, y: { value: -4 }, y2: { value: PLOT }, stroke: { value: 'var(--fg)' } } },
    },
    {
      type: 'symbol',
      from: { data: 'signs' },
      encode: {
        enter: {
          x: { field: 'x' },
          y: { value: -8 },
          shape: { value: 'triangle-down' },
          size: { value: 60 },
          stroke: { value: 'var(--fg)' },
          fill: [{ test: 'datum.kind === "compaction"', value: 'var(--fg)' }, { value: 'var(--bg)' }],
        },
      },
    },
    keyMark(),
  ] as Mark[];
}

function keyMark(): Mark {
  return {
    type: 'rect',
    from: { data: 'keys' },
    encode: {
      enter: {
        x: { value: SPAN[1] + 6 },
        y: { field: 'y', offset: -5 },
        width: { value: 10 },
        height: { value: 10 },
        fill: { field: 'fill' },
      },
    },
  } as Mark;
}
