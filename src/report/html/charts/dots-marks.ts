import type { Mark } from 'vega';
import { FONT_PX } from './draw.js';

/** Text from the data set `texts`: x, y (its middle), text, weight, align, fill. */
export function textMark(): Mark {
  return {
    type: 'text',
    from: { data: 'texts' },
    encode: {
      enter: {
        x: { field: 'x' },
        y: { field: 'y' },
        text: { field: 'text' },
        baseline: { value: 'middle' },
        align: [{ test: 'datum.align', field: 'align' }, { value: 'left' }],
        fontWeight: [{ test: 'datum.weight === "bold"', value: 600 }, { value: undefined }],
        fill: [{ test: 'datum.fill', field: 'fill' }, { value: 'var(--fg)' }],
        fontSize: { value: FONT_PX },
      },
    },
  } as Mark;
}

/** The marks of one chart of paired dots, over its data sets. */
export function dotMarks(hasEffect: boolean): Mark[] {
  return [
    {
      type: 'rule',
      from: { data: 'borders' },
      encode: {
        enter: { y: { field: 'y' }, x2: { signal: 'width' }, stroke: { value: 'var(--line)' } },
      },
    },
    {
      type: 'rule',
      from: { data: 'links' },
      encode: {
        enter: {
          x: { scale: 'x', field: 'value' },
          x2: { scale: 'x', field: 'value2' },
          y: { field: 'y' },
          y2: { field: 'y2' },
          stroke: { value: 'var(--muted)' },
        },
      },
    },
    {
      type: 'rule',
      from: { data: 'means' },
      encode: {
        enter: {
          x: { scale: 'x', field: 'value' },
          y: { field: 'y' },
          y2: { field: 'y2' },
          stroke: { field: 'stroke' },
          strokeWidth: { value: 3 },
        },
      },
    },
    {
      type: 'symbol',
      from: { data: 'runs' },
      encode: {
        enter: {
          x: { scale: 'x', field: 'value' },
          y: { field: 'y' },
          shape: { field: 'shape' },
          size: { field: 'size' },
          strokeWidth: { value: 1 },
          fill: { field: 'fill' },
          stroke: { field: 'stroke' },
          href: { field: 'href' },
          description: { field: 'says' },
        },
      },
    },
    ...(hasEffect ? effectMarks() : []),
    textMark(),
  ];
}

function effectMarks(): Mark[] {
  const x = { scale: 'effect', field: 'value' };
  return [
    {
      type: 'rule',
      from: { data: 'effects' },
      encode: {
        enter: {
          x,
          y: { field: 'y' },
          y2: { field: 'y2' },
          stroke: { value: 'var(--muted)' },
          opacity: [{ test: 'datum.kind === "zero"', value: 1 }, { value: 0 }],
        },
      },
    },
    {
      type: 'rule',
      from: { data: 'interval' },
      encode: {
        enter: {
          x: { scale: 'effect', field: 'from' },
          x2: { scale: 'effect', field: 'to' },
          y: { field: 'y' },
          stroke: { value: 'var(--fg)' },
          strokeWidth: { value: 2 },
        },
      },
    },
    endMark('from', 'cutLeft', 'triangle-left'),
    endMark('to', 'cutRight', 'triangle-right'),
    {
      type: 'symbol',
      from: { data: 'effects' },
      encode: {
        enter: {
          x,
          y: { field: 'y' },
          shape: [{ test: 'datum.kind === "all"', value: 'diamond' }, { value: 'circle' }],
          size: [{ test: 'datum.kind === "all"', value: 130 }, { value: 36 }],
          fill: { value: 'var(--fg)' },
          opacity: [{ test: 'datum.kind === "zero"', value: 0 }, { value: 1 }],
        },
      },
    },
  ] as Mark[];
}

/** The interval's end: a stroke across, or an arrow head where it goes on beyond the axis. */
function endMark(field: 'from' | 'to', cut: string, arrow: string): Mark {
  return {
    type: 'symbol',
    from: { data: 'interval' },
    encode: {
      enter: {
        x: { scale: 'effect', field },
        y: { field: 'y' },
        shape: [{ test: `datum.${cut}`, value: arrow }, { value: 'stroke' }],
        angle: [{ test: `datum.${cut}`, value: 0 }, { value: 90 }],
        size: { value: 80 },
        stroke: { value: 'var(--fg)' },
        strokeWidth: { value: 2 },
        fill: { value: 'var(--fg)' },
      },
    },
  } as Mark;
}
