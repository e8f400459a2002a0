import { scaleLinear, scaleLog } from 'd3-scale';
import { symbol, symbolCircle, symbolDiamond } from 'd3-shape';
import type { VNode } from 'preact';
import type { VerdictWord } from '../../../model/verdict.js';
import { QUESTION_WORDS, signed, unitOf, unitSign } from '../../../statistics/index.js';
import { runAnchor } from '../anchors.js';
import { armColour, armPath, arrowPath } from './arms.js';
import type { Dot, MetricDots, TaskRow } from './dots-data.js';
import { type EffectScale, effectScale } from './effect-scale.js';
import { BottomAxis, ChartSvg, type LabelProps, Labels, round, type Tick } from './svg.js';
import { shortened, shown as visible } from './text.js';
import { type Unit, unitOfMetric } from './values.js';

const BOTTOM = 42;

/** Where things lie across a chart. */
interface Layout {
  width: number;
  /** The runs' values, beside the effects if there are any. */
  runs: [number, number];
  /** Null if the chart has no room for the effects: then only their numbers are printed. */
  effects: [number, number] | null;
  /** Height of a line for the task's name above its runs. 0 if the name stands beside them. */
  nameHeight: number;
}

const LEFT = 180;
const WITH_EFFECTS: Layout = { width: 860, runs: [LEFT, 570], effects: [620, 785], nameHeight: 0 };
const WITHOUT_EFFECTS: Layout = { width: 860, runs: [LEFT, 845], effects: null, nameHeight: 0 };
/** For a phone. */
const NARROW: Layout = { width: 350, runs: [10, 340], effects: null, nameHeight: 18 };
const ALL_ROW = 40;
const TICKS = 5;
/** Areas of the signs. */
const DOT_SIZE = 36;
const ARROW_SIZE = 110;
const ALL_SIZE = 110;

/** From this ratio of the largest to the smallest value on, the axis is logarithmic. */
const LOG_FROM = 25;

/** A lane for each arm within the row of one task. */
interface Row {
  top: number;
  lane: number;
  height: number;
  /** Of the task's name above the lanes. */
  nameHeight: number;
}

interface Axis {
  x(value: number): number;
  domain: [number, number];
  ticks: Tick[];
  isLog: boolean;
}

interface DotsChartProps {
  chart: MetricDots;
  arms: string[];
  title: string;
  description: string;
  isNarrow?: boolean;
}

/**
 * One metric's chart: a row a task with every run, the arms' means and the effect; below, the effect over all tasks. `isNarrow`: drawn for
 * a phone, with each effect as a number.
 */
export function DotsChart({ chart, arms, title, description, isNarrow = false }: DotsChartProps): VNode {
  const { rows, verdict } = chart;
  const layout = isNarrow ? NARROW : verdict ? WITH_EFFECTS : WITHOUT_EFFECTS;
  const unit = unitOfMetric(chart.metric);
  const lane = laneHeight(chart, arms);
  const height = layout.nameHeight + lane * arms.length + 12;
  const at = (index: number): Row => ({ top: index * height, lane, height, nameHeight: layout.nameHeight });
  const tasksEnd = rows.length * height;
  const plot = tasksEnd + (layout.effects ? ALL_ROW : 0);
  const runs = runsAxis(chart, unit, layout);
  const effects = layout.effects === null ? null : effectAxis(chart, layout.effects);
  const rules = [...rows, ...(layout.effects ? [null] : [])];
  const borders = rules.map((_, index) => `M0,${index * height}H${layout.width}`).join('');
  return (
    <ChartSvg title={title} description={description} width={layout.width} height={plot + BOTTOM} hasLinks>
      <BottomAxis
        ticks={runs.ticks}
        from={0}
        to={plot}
        title={runsTitle(chart, unit, runs)}
        middle={middleOf(layout.runs)}
      />
      {effects && layout.effects ? (
        <BottomAxis
          ticks={effects.ticks}
          from={0}
          to={plot}
          title={effectTitle(chart, arms)}
          middle={middleOf(layout.effects)}
        />
      ) : null}
      <path d={borders} fill="none" stroke="var(--line)" />
      {rows.map((row, index) => (
        <RunMarks key={row.task} row={row} arms={arms} unit={unit} at={at(index)} x={runs.x} />
      ))}
      {effects ? <EffectMarks chart={chart} axis={effects} at={at} /> : null}
      <Labels labels={[...taskLabels(chart, at, layout), ...(effects ? allLabels(chart, tasksEnd, layout) : [])]} />
    </ChartSvg>
  );
}

function middleOf([from, to]: [number, number]): number {
  return (from + to) / 2;
}

function runsTitle({ metric }: MetricDots, unit: Unit, { isLog }: Axis): string {
  const isNamed = unit.name === '' || metric.label.includes(unit.name);
  return `${metric.label} of each run${isNamed ? '' : `, ${unit.name}`}${isLog ? ', logarithmic' : ''}`;
}

function effectTitle({ verdict }: MetricDots, arms: string[]): string {
  const [baseline, tested] = arms.map((arm) => shortened(arm, 12));
  return `${tested} against ${baseline}${verdict?.unit === 'points' ? ', points' : ''}; band: margin`;
}

function laneHeight({ rows }: MetricDots, arms: string[]): number {
  const counts = rows.flatMap(({ dots }) => arms.map((arm) => dots.filter((dot) => dot.arm === arm).length));
  return Math.min(30, Math.max(16, 4 * Math.max(1, ...counts)));
}

/** From 0, unless the values lie orders of magnitude apart. */
function runsAxis({ metric, rows }: MetricDots, unit: Unit, { runs: range }: Layout): Axis {
  const values = rows.flatMap(({ dots, means }) => [
    ...dots.map((dot) => dot.value),
    ...means.flatMap((mean) => mean ?? []),
  ]);
  const [low, high] = [Math.min(...values) * unit.factor, Math.max(...values) * unit.factor];
  const isRatio = unitOf(metric.kind) === 'percent';
  if (isRatio && low > 0 && high / low > LOG_FROM) {
    const scale = scaleLog([low, high], range).nice();
    const [from = low, to = high] = scale.domain();
    const format = scale.tickFormat(Number.POSITIVE_INFINITY, unit.axis);
    const ticks = logTicks(from, to).map((value) => ({ at: scale(value), text: format(value) }));
    return { x: (value) => scale(value), domain: [from, to], ticks, isLog: true };
  }
  const isEmpty = values.length === 0 || high <= 0;
  const domain: [number, number] = isEmpty ? [Math.min(0, low || 0), 1] : [Math.min(0, low), high];
  return linearAxis(domain, range, TICKS, unit.axis, true);
}

function linearAxis(
  domain: [number, number],
  range: [number, number],
  count: number,
  specifier: string,
  isNice: boolean,
): Axis {
  const scale = isNice ? scaleLinear(domain, range).nice(count) : scaleLinear(domain, range);
  const format = scale.tickFormat(count, specifier);
  const ticks = scale.ticks(count).map((value) => ({ at: scale(value), text: format(value) }));
  const [from = 0, to = 1] = scale.domain();
  return { x: (value) => scale(value), domain: [from, to], ticks, isLog: false };
}

/** Powers of ten; over few of them 2 and 5 as well. d3 would draw a line at every digit. */
function logTicks(low: number, high: number): number[] {
  const [from, to] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const powers = Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index));
  return powers
    .flatMap((power) => (to - from <= 2 ? [1, 2, 5] : [1]).map((digit) => digit * power))
    .filter((value) => value >= low * 0.999 && value <= high * 1.001);
}

/** The axis of every interval on the page, wide enough for the tasks' effects and the interval. */
function effectAxis({ rows, verdict, metric }: MetricDots, range: [number, number]): EffectScale {
  const lead = verdict?.lead ?? null;
  const tasks = rows.flatMap((row) => row.effect ?? []);
  const values = [...tasks, ...(lead ? [lead.effect, ...(lead.interval ?? [])] : [])];
  return effectScale({
    unit: verdict?.unit ?? unitOf(metric.kind),
    ...{ values, margin: metric.margin, range, gap: 44 },
  });
}

interface RunMarksProps {
  row: TaskRow;
  arms: string[];
  unit: Unit;
  at: Row;
  x(value: number): number;
}

/** The runs of one task as points, the arms' means, and the line between the means. */
function RunMarks({ row, arms, unit, at, x }: RunMarksProps): VNode {
  const place = (value: number) => round(x(value * unit.factor));
  const half = at.lane / 2 - 1;
  const means = row.means.map((mean, arm) => (mean === null ? null : { x: place(mean), y: laneOf(at, arm) }));
  const links = means.flatMap((mean, arm) => {
    const before = means[arm - 1];
    return mean && before ? [`M${before.x},${before.y}L${mean.x},${mean.y}`] : [];
  });
  return (
    <>
      {links.length === 0 ? null : <path d={links.join('')} fill="none" stroke="var(--muted)" />}
      {means.map((mean, arm) =>
        mean === null ? null : (
          <path
            key={arms[arm]}
            d={`M${mean.x},${round(mean.y - half)}V${round(mean.y + half)}`}
            fill="none"
            stroke={armColour(arm)}
            stroke-width="3"
          />
        ),
      )}
      {arms.map((arm, index) => {
        const own = row.dots.filter((dot) => dot.arm === arm);
        // Runs of equal value lie beside each other, not on each other.
        const apart = Math.min(4, (at.lane - 8) / Math.max(1, own.length - 1));
        return own.map((dot, order) => (
          <RunPoint
            key={dot.run}
            dot={dot}
            arm={index}
            x={place(dot.value)}
            y={laneOf(at, index) + (order - (own.length - 1) / 2) * apart}
            text={unit.text(dot.value)}
          />
        ));
      })}
    </>
  );
}

/** One run: filled where it counts in full, hollow where it is in no figure, an arrow where its value was cut off. */
function RunPoint({ dot, arm, x, y, text }: { dot: Dot; arm: number; x: number; y: number; text: string }): VNode {
  const isBound = dot.state === 'bound';
  return (
    <a href={`#${runAnchor(dot.run, dot.task)}`}>
      <path
        d={isBound ? arrowPath(ARROW_SIZE) : armPath(arm, DOT_SIZE)}
        transform={`translate(${x},${round(y)})`}
        fill={isBound || dot.state === 'counted' ? armColour(arm) : 'var(--bg)'}
        stroke={armColour(arm)}
      >
        <title>{`${visible(dot.run)}: ${text}${dot.why === '' ? '' : ` (${dot.why})`}`}</title>
      </path>
    </a>
  );
}

function laneOf({ top, lane, nameHeight }: Row, arm: number): number {
  return top + nameHeight + 6 + lane * (arm + 0.5);
}

/** The line of no effect, each task's effect, and over all tasks the verdict's with its interval. */
function EffectMarks({ chart, axis, at }: { chart: MetricDots; axis: EffectScale; at(index: number): Row }): VNode {
  const { rows, verdict } = chart;
  const place = axis.x;
  const end = at(rows.length).top;
  const middle = end + ALL_ROW / 2;
  const lead = verdict?.lead ?? null;
  return (
    <>
      <path
        d={`M${place(-chart.metric.margin)},0H${place(chart.metric.margin)}V${end + ALL_ROW}H${place(-chart.metric.margin)}Z`}
        fill="var(--line)"
        fill-opacity="0.4"
      />
      <path d={`M${place(0)},0V${end + ALL_ROW}`} fill="none" stroke="var(--muted)" />
      {rows.map(({ task, effect }, index) => {
        const { top, height } = at(index);
        if (effect === null) return null;
        const point = symbol(symbolCircle, DOT_SIZE).digits(1)() ?? '';
        return (
          <path key={task} d={point} transform={`translate(${place(effect)},${top + height / 2})`} fill="var(--fg)" />
        );
      })}
      {lead?.interval ? <Interval interval={lead.interval} axis={axis} y={middle} /> : null}
      {lead === null ? null : (
        <path
          d={symbol(symbolDiamond, ALL_SIZE).digits(1)() ?? ''}
          transform={`translate(${place(lead.effect)},${middle})`}
          fill="var(--fg)"
        />
      )}
    </>
  );
}

/** An interval with a stroke across each end, or an arrow head where it goes on beyond the axis. */
function Interval({ interval, axis, y }: { interval: readonly [number, number]; axis: EffectScale; y: number }): VNode {
  const [from, to] = interval;
  const [low, high] = axis.domain;
  const place = axis.x;
  const [left, right] = [place(from), place(to)];
  const head = (x: number, direction: number) => `M${x},${y - 5}L${round(x + 7 * direction)},${y}L${x},${y + 5}Z`;
  const heads = `${from < low ? head(left, -1) : ''}${to > high ? head(right, 1) : ''}`;
  const strokes = `${from < low ? '' : `M${left},${y - 4.5}V${y + 4.5}`}${to > high ? '' : `M${right},${y - 4.5}V${y + 4.5}`}`;
  return (
    <>
      <path d={`M${left},${y}H${right}${strokes}`} fill="none" stroke="var(--fg)" stroke-width="2" />
      {heads === '' ? null : <path d={heads} fill="var(--fg)" />}
    </>
  );
}

function taskLabels(
  { rows, verdict, metric }: MetricDots,
  at: (index: number) => Row,
  { width, nameHeight, runs }: Layout,
): LabelProps[] {
  const sign = verdict ? unitSign(verdict).replace(' points', '') : '';
  return rows.flatMap((row, index): LabelProps[] => {
    const { top, height } = at(index);
    const middle = top + height / 2;
    const y = nameHeight === 0 ? middle : top + nameHeight / 2 + 2;
    const name: LabelProps = { x: 0, y, text: shortened(row.task, 24), isBold: true };
    const none: LabelProps[] =
      row.dots.length === 0
        ? [{ x: runs[0] + 8, y: middle, text: `no run has ${metric.label}`, fill: 'var(--muted)' }]
        : [];
    if (!verdict) return [name, ...none];
    const effect = row.effect === null ? 'no pair' : signed(row.effect, sign);
    return [name, ...none, { x: width, y, text: effect, align: 'end' }];
  });
}

function allLabels(chart: MetricDots, top: number, { width, runs: [left] }: Layout): LabelProps[] {
  const { verdict, rows } = chart;
  if (!verdict) return [];
  const y = top + ALL_ROW / 2;
  const sign = unitSign(verdict).replace(' points', '');
  const { lead } = verdict;
  return [
    { x: 0, y, text: rows.length === 1 ? 'the one task' : 'all tasks', isBold: true },
    { x: left + 8, y: y - 8, text: chartWord(verdict.verdict), isBold: true },
    { x: left + 8, y: y + 8, text: intervalText(chart, sign), fill: 'var(--muted)' },
    ...(lead ? [{ x: width, y, text: signed(lead.effect, sign), align: 'end', isBold: true } as const] : []),
  ];
}

function intervalText({ verdict, interval: name }: MetricDots, sign: string): string {
  const lead = verdict?.lead;
  if (!lead) return 'no effect: no pair of runs';
  const bounds = { 'at-least': 'at least; ', 'at-most': 'at most; ', unknown: 'cut-off runs in both arms; ' };
  const bound = verdict.censored ? bounds[verdict.censored.bound] : '';
  const { interval, question, why = '' } = lead;
  if (interval === null) return shortened(`${bound}no interval: ${why}`, 64);
  return `${bound}${name} ${signed(interval[0], sign)} to ${signed(interval[1], sign)}, ${QUESTION_WORDS[question]}`;
}

/** The verdict in a word that fits beside the chart. */
function chartWord(verdict: VerdictWord): string {
  if (verdict === 'none') return 'NO VERDICT';
  return verdict === 'withheld' ? 'NO CLAIM' : verdict.toUpperCase();
}
