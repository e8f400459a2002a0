import type { Axis, Mark, Scale, Spec } from 'vega';
import type { VerdictWord } from '../../../model/verdict.js';
import { QUESTION_WORDS, signed, unitSign } from '../../../statistics/index.js';
import { runAnchor } from '../anchors.js';
import { armColour, armShape } from './arms.js';
import type { Dot, MetricDots } from './dots-data.js';
import { dotMarks } from './dots-marks.js';
import { quietAxis } from './draw.js';
import { shortened, shown as visible } from './text.js';
import { type Unit, unitOfMetric } from './values.js';

const WIDTH = 860;
const BOTTOM = 42;
/** Where the runs' values lie, and the effects. */
const LEFT = 180;
/** With and without the effects beside them. */
const RUNS: [number, number] = [LEFT, 570];
const WIDE_RUNS: [number, number] = [LEFT, 845];
const EFFECTS: [number, number] = [620, 785];
const ALL_ROW = 40;

/** From this ratio of the largest to the smallest value on, the axis is logarithmic. */
const LOG_FROM = 25;

/** Pointing right from its value: at least this. */
const ARROW = 'M-0.6,-0.3L0.3,-0.3L0.3,-0.9L1.3,0L0.3,0.9L0.3,0.3L-0.6,0.3Z';

interface Row {
  top: number;
  lane: number;
  height: number;
}

/** One metric's chart: a row a task with every run, the arms' means and the effect; below, the effect over all tasks. */
export function dotsSpec(shown: MetricDots, arms: string[]): Spec {
  const { rows, verdict } = shown;
  const unit = unitOfMetric(shown.metric);
  const lane = laneHeight(shown, arms);
  const height = lane * arms.length + 12;
  const at = (index: number): Row => ({ top: index * height, lane, height });
  const plot = rows.length * height + (verdict ? ALL_ROW : 0);
  const runs = runsScale(shown, unit);
  const effects = effectScale(shown);
  return {
    width: WIDTH,
    height: plot + BOTTOM,
    data: [
      { name: 'runs', values: rows.flatMap((row, index) => runData(row.dots, arms, unit, at(index))) },
      { name: 'means', values: rows.flatMap((row, index) => meanData(row.means, unit, at(index))) },
      { name: 'links', values: rows.flatMap((row, index) => linkData(row.means, unit, at(index))) },
      { name: 'borders', values: [...rows, ...(verdict ? [null] : [])].map((_, index) => ({ y: at(index).top })) },
      { name: 'effects', values: verdict ? effectData(shown, effects, at) : [] },
      { name: 'interval', values: verdict ? intervalData(shown, effects, at(rows.length).top) : [] },
      { name: 'texts', values: [...taskTexts(shown, at), ...(verdict ? allTexts(shown, at(rows.length).top) : [])] },
    ],
    scales: [runs, effects],
    marks: [
      {
        type: 'group',
        encode: { enter: { width: { value: WIDTH }, height: { value: plot } } },
        // What the grid lines span.
        signals: [{ name: 'height', value: plot }],
        axes: axesOf(shown, unit, runs, arms),
        marks: dotMarks(verdict !== null),
      } satisfies Mark,
    ],
  };
}

function axesOf({ metric, verdict }: MetricDots, unit: Unit, runs: Scale, arms: string[]): Axis[] {
  const log = runs.type === 'log' ? ', logarithmic' : '';
  const isNamed = unit.name === '' || metric.label.includes(unit.name);
  const title = `${metric.label} of each run${isNamed ? '' : `, ${unit.name}`}${log}`;
  const first = quietAxis({ orient: 'bottom', scale: 'x', format: unit.axis, title, ...logTicks(runs) });
  if (!verdict) return [first];
  const [baseline, tested] = arms.map((arm) => shortened(arm, 12));
  const name = `${tested} against ${baseline}, ${unitSign(verdict).trim()}`;
  return [first, quietAxis({ orient: 'bottom', scale: 'effect', title: name, tickCount: 4, format: '~f' })];
}

/** Powers of ten; over few of them 2 and 5 as well. Vega would draw a line at every digit. */
function logTicks({ type, domain }: Scale): Partial<Axis> {
  if (type !== 'log' || !Array.isArray(domain)) return {};
  const [low, high] = domain.map((value) => Math.log10(Number(value)));
  const [from, to] = [Math.floor(low ?? 0), Math.ceil(high ?? 0)];
  const powers = Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index));
  return {
    values: powers.flatMap((power) => (to - from <= 2 && power < 10 ** to ? [1, 2, 5] : [1]).map((n) => n * power)),
  };
}

function laneHeight({ rows }: MetricDots, arms: string[]): number {
  const counts = rows.flatMap(({ dots }) => arms.map((arm) => dots.filter((dot) => dot.arm === arm).length));
  return Math.min(30, Math.max(16, 4 * Math.max(1, ...counts)));
}

/** From 0, unless the values lie orders of magnitude apart. */
function runsScale({ metric, rows, verdict }: MetricDots, unit: Unit): Scale {
  const values = rows.flatMap(({ dots, means }) => [
    ...dots.map((dot) => dot.value),
    ...means.flatMap((one) => one ?? []),
  ]);
  const [low, high] = [Math.min(...values) * unit.factor, Math.max(...values) * unit.factor];
  const range = { name: 'x', range: verdict ? RUNS : WIDE_RUNS, nice: true } as const;
  if (values.length === 0 || high <= 0) return { ...range, type: 'linear', domain: [Math.min(0, low || 0), 1] };
  const isRatio = metric.kind === 'ratio' || metric.kind === 'count';
  if (isRatio && low > 0 && high / low > LOG_FROM) return { ...range, type: 'log', domain: [low, high] };
  return { ...range, type: 'linear', domain: [Math.min(0, low), high] };
}

/** Wide enough for the tasks' effects; an interval that reaches further is cut, and its text gives its ends. */
function effectScale({ rows, verdict }: MetricDots): Scale & { domain: [number, number] } {
  const effects = [0, ...rows.flatMap((row) => row.effect ?? []), ...(verdict?.lead ? [verdict.lead.effect] : [])];
  const widest = Math.max(10, ...effects.map(Math.abs));
  const [from, to] = verdict?.lead?.interval ?? [0, 0];
  const low = Math.min(...effects, Math.max(from, -2 * widest));
  const high = Math.max(...effects, Math.min(to, 2 * widest));
  const room = 0.06 * Math.max(high - low, 5);
  return { name: 'effect', type: 'linear', range: EFFECTS, domain: [low - room, high + room] };
}

function runData(dots: Dot[], arms: string[], unit: Unit, row: Row) {
  return arms.flatMap((arm, index) => {
    const own = dots.filter((dot) => dot.arm === arm);
    // Runs of equal value lie beside each other, not on each other.
    const apart = Math.min(4, (row.lane - 8) / Math.max(1, own.length - 1));
    return own.map((dot, place) => ({
      value: dot.value * unit.factor,
      y: laneOf(row, index) + (place - (own.length - 1) / 2) * apart,
      shape: dot.state === 'bound' ? ARROW : armShape(index),
      size: dot.state === 'bound' ? 110 : 42,
      stroke: armColour(index),
      fill: dot.state === 'counted' || dot.state === 'bound' ? armColour(index) : 'var(--bg)',
      href: `#${runAnchor(dot.run, dot.task)}`,
      says: `${visible(dot.run)}: ${unit.text(dot.value)}${dot.why === '' ? '' : ` (${dot.why})`}`,
    }));
  });
}

function laneOf({ top, lane }: Row, arm: number): number {
  return top + 6 + lane * (arm + 0.5);
}

function meanData(means: (number | null)[], unit: Unit, row: Row) {
  return means.flatMap((mean, arm) => {
    if (mean === null) return [];
    const y = laneOf(row, arm);
    const half = row.lane / 2 - 1;
    return [{ value: mean * unit.factor, y: y - half, y2: y + half, stroke: armColour(arm) }];
  });
}

/** From the mean of each arm to the next one's. */
function linkData(means: (number | null)[], unit: Unit, row: Row) {
  return means.slice(1).flatMap((mean, index) => {
    const before = means[index] ?? null;
    if (mean === null || before === null) return [];
    return [
      {
        value: before * unit.factor,
        y: laneOf(row, index),
        value2: mean * unit.factor,
        y2: laneOf(row, index + 1),
      },
    ];
  });
}

interface TextDatum {
  x: number;
  y: number;
  text: string;
  weight?: 'bold' | 'normal';
  align?: 'left' | 'right';
  fill?: string;
}

function taskTexts({ rows, verdict, metric }: MetricDots, at: (index: number) => Row): TextDatum[] {
  const sign = verdict ? unitSign(verdict).replace(' points', '') : '';
  return rows.flatMap((row, index): TextDatum[] => {
    const { top, height } = at(index);
    const middle = top + height / 2;
    const name: TextDatum = { x: 0, y: middle, text: shortened(row.task, 24), weight: 'bold' };
    const none: TextDatum[] =
      row.dots.length === 0
        ? [{ x: LEFT + 8, y: middle, text: `no run has ${metric.label}`, fill: 'var(--muted)' }]
        : [];
    if (!verdict) return [name, ...none];
    const effect = row.effect === null ? 'no pair' : signed(row.effect, sign);
    return [name, ...none, { x: WIDTH, y: middle, text: effect, align: 'right' }];
  });
}

function allTexts(shown: MetricDots, top: number): TextDatum[] {
  const { verdict, rows } = shown;
  if (!verdict) return [];
  const middle = top + ALL_ROW / 2;
  const sign = unitSign(verdict).replace(' points', '');
  const { lead } = verdict;
  const name = rows.length === 1 ? 'the one task' : 'all tasks';
  const texts: TextDatum[] = [{ x: 0, y: middle, text: name, weight: 'bold' }];
  texts.push({ x: LEFT + 8, y: middle - 8, text: chartWord(verdict.verdict), weight: 'bold' });
  texts.push({ x: LEFT + 8, y: middle + 8, text: intervalText(shown, sign), fill: 'var(--muted)' });
  if (lead) texts.push({ x: WIDTH, y: middle, text: signed(lead.effect, sign), align: 'right', weight: 'bold' });
  return texts;
}

/** The verdict in a word that fits beside the chart. */
function chartWord(verdict: VerdictWord): string {
  if (verdict === 'none') return 'NO VERDICT';
  return verdict === 'withheld' ? 'NO CLAIM' : verdict.toUpperCase();
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

function effectData({ rows, verdict }: MetricDots, scale: { domain: [number, number] }, at: (index: number) => Row) {
  const zero = { value: 0, y: 0, y2: at(rows.length).top + ALL_ROW, kind: 'zero' };
  const own = rows.flatMap((row, index) => {
    const { top, height } = at(index);
    return row.effect === null ? [] : [{ value: row.effect, y: top + height / 2, kind: 'task' }];
  });
  const lead = verdict?.lead;
  const all = lead
    ? [{ value: clamp(lead.effect, scale.domain), y: at(rows.length).top + ALL_ROW / 2, kind: 'all' }]
    : [];
  return [zero, ...own, ...all];
}

function intervalData({ verdict }: MetricDots, { domain }: { domain: [number, number] }, top: number) {
  const interval = verdict?.lead?.interval;
  if (!interval) return [];
  const [from, to] = interval;
  const y = top + ALL_ROW / 2;
  return [{ from: clamp(from, domain), to: clamp(to, domain), y, cutLeft: from < domain[0], cutRight: to > domain[1] }];
}

function clamp(value: number, [low, high]: [number, number]): number {
  return Math.min(high, Math.max(low, value));
}
