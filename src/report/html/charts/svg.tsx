import type { ComponentChildren, VNode } from 'preact';

interface ChartSvgProps {
  /** What the chart says to a reader who cannot see it. Both are visible text already. */
  title: string;
  description: string;
  width: number;
  height: number;
  /** True if parts of the chart are links: the role `img` would hide them from assistive software. */
  hasLinks?: boolean;
  children: ComponentChildren;
}

/** A wider chart is scrolled on a phone, where its text would be too small to read. */
const MAX_NARROW = 500;

/** One chart. All coordinates in it are those of its viewBox, without transformed groups. */
export function ChartSvg({ title, description, width, height, hasLinks = false, children }: ChartSvgProps): VNode {
  return (
    <div
      class={width > MAX_NARROW ? 'chart-svg wide' : 'chart-svg'}
      tabIndex={width > MAX_NARROW && !hasLinks ? 0 : undefined}
    >
      <svg
        role={hasLinks ? 'group' : 'img'}
        aria-label={`${title}. ${description}`}
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
      >
        {children}
      </svg>
    </div>
  );
}

/** Rounds a coordinate to a tenth. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** From the middle of a line of text down to its baseline. */
const BASELINE = 4;

export interface LabelProps {
  x: number;
  /** The middle of the text's height. */
  y: number;
  text: string;
  align?: 'start' | 'middle' | 'end';
  isBold?: boolean;
  /** Undefined: the colour of the page's text. */
  fill?: string;
}

/** Text in a chart. */
export function Label({ x, y, text, align, isBold, fill }: LabelProps): VNode {
  return (
    <text
      x={round(x)}
      y={round(y + BASELINE)}
      text-anchor={align === 'start' ? undefined : align}
      font-weight={isBold ? 600 : undefined}
      fill={fill}
    >
      {text}
    </text>
  );
}

export function Labels({ labels }: { labels: LabelProps[] }): VNode {
  return (
    <g class="t">
      {labels.map((label) => (
        <Label key={`${label.x} ${label.y} ${label.text}`} {...label} />
      ))}
    </g>
  );
}

export interface Tick {
  /** A coordinate along the axis. */
  at: number;
  text: string;
}

interface AxisProps {
  ticks: Tick[];
  /** The extent of the plot across the axis, which the grid lines span. */
  from: number;
  to: number;
}

/** An axis below a plot: faint lines from top (`from`) to bottom (`to`), labels and a title below them. */
export function BottomAxis({ ticks, from, to, title, middle }: AxisProps & { title: string; middle: number }): VNode {
  return (
    <>
      {from === to ? null : (
        <path d={ticks.map(({ at }) => `M${round(at)},${from}V${to}`).join('')} fill="none" stroke="var(--line)" />
      )}
      <Labels
        labels={[
          ...ticks.map(({ at, text }) => muted({ x: at, y: to + 11, text })),
          muted({ x: middle, y: to + 29, text: title }),
        ]}
      />
    </>
  );
}

/** An axis at the left of a plot, of which `from` is the left edge. */
export function LeftAxis({ ticks, from, to }: AxisProps): VNode {
  return (
    <>
      <path d={ticks.map(({ at }) => `M${from},${round(at)}H${to}`).join('')} fill="none" stroke="var(--line)" />
      <Labels labels={ticks.map(({ at, text }) => ({ ...muted({ x: from - 6, y: at, text }), align: 'end' }))} />
    </>
  );
}

function muted({ x, y, text }: { x: number; y: number; text: string }): LabelProps {
  return { x, y, text, align: 'middle', fill: 'var(--muted)' };
}
