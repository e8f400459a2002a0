import type { VNode } from 'preact';
import { signed, unitSign } from '../../../statistics/index.js';
import { runAnchor } from '../anchors.js';
import { ArmLegend } from './arm-legend.js';
import { DotsChart } from './dots-chart.js';
import { type MetricDots, metricDots } from './dots-data.js';
import { ChartFigure, FigureTable } from './figure.js';
import { shown } from './text.js';
import type { ChartInput } from './types.js';
import { unitOfMetric } from './values.js';

/** Of a campaign with more runs the charts are not drawn a second time for phones: there they are scrolled. */
const MAX_RUNS_DRAWN_TWICE = 300;

/**
 * One chart a declared metric: every run, the arms' means, the effect of each task and over all of them. The primary one is open, the others
 * are folded. A metric that fewer than two arms have is named and not drawn.
 */
export function pairedDots(input: ChartInput): VNode {
  const { arms, observations } = input;
  if (observations.length === 0) return <p class="nothing">No finished run: nothing to draw.</p>;
  const charts = metricDots(input);
  const drawn = charts.filter((chart) => armsWith(chart, arms) >= Math.min(2, arms.length));
  const [first, ...others] = drawn;
  const absent = charts.filter((chart) => !drawn.includes(chart)).map(({ metric }) => metric.label);
  const figure = (chart: MetricDots) => (
    <DotsFigure
      key={chart.metric.name}
      chart={chart}
      arms={arms}
      isDrawnTwice={observations.length <= MAX_RUNS_DRAWN_TWICE}
    />
  );
  return (
    <div class="charts">
      <ArmLegend arms={arms} dots />
      {first === undefined ? <p class="nothing">No metric has values in two arms: nothing to draw.</p> : figure(first)}
      {others.length === 0 ? null : (
        <details class="more">
          <summary>
            {others.length === 1 ? 'Another metric' : `${others.length} more metrics`}:{' '}
            {others.map(({ metric }) => shown(metric.label)).join(', ')}
          </summary>
          {others.map(figure)}
        </details>
      )}
      {absent.length === 0 ? null : (
        <p class="note">{`Not drawn, since fewer than two arms have a value: ${absent.map(shown).join(', ')}.`}</p>
      )}
    </div>
  );
}

/** Counts the arms with a value of the metric. */
function armsWith({ rows }: MetricDots, arms: string[]): number {
  return arms.filter((arm) => rows.some(({ dots }) => dots.some((dot) => dot.arm === arm))).length;
}

interface DotsFigureProps {
  chart: MetricDots;
  arms: string[];
  /** Also for a phone. */
  isDrawnTwice: boolean;
}

function DotsFigure({ chart, arms, isDrawnTwice }: DotsFigureProps): VNode {
  const { metric, verdict, rows, missing } = chart;
  const count = rows.reduce((sum, row) => sum + row.dots.length, 0);
  const title = `${capital(metric.label)} (${metric.role}; ${metric.better} is better)`;
  const description = `${count} runs of ${rows.length} ${rows.length === 1 ? 'task' : 'tasks'} as points by arm. ${verdict ? shown(verdict.words) : ''}`;
  const props = { chart, arms, title, description };
  return (
    <ChartFigure title={title} figures={<DotsTables chart={chart} arms={arms} />}>
      {isDrawnTwice ? (
        <>
          <div class="for-wide">
            <DotsChart {...props} />
          </div>
          <div class="for-narrow">
            <DotsChart {...props} isNarrow />
          </div>
        </>
      ) : (
        <DotsChart {...props} />
      )}
      {missing.length === 0 ? null : (
        <p class="note">
          {`Not drawn, since missing is not zero: ${missing.length} ${missing.length === 1 ? 'run' : 'runs'} without a value (in the table).`}
        </p>
      )}
    </ChartFigure>
  );
}

function DotsTables({ chart, arms }: { chart: MetricDots; arms: string[] }): VNode {
  const { metric, verdict, rows, missing } = chart;
  const unit = unitOfMetric(metric);
  const link = (run: string, task: string) => <a href={`#${runAnchor(run, task)}`}>{shown(run)}</a>;
  const runs = [
    ...rows.flatMap(({ dots }) =>
      dots.map((dot) => [shown(dot.task), link(dot.run, dot.task), shown(dot.arm), unit.text(dot.value), dot.why]),
    ),
    ...missing.map((one) => [shown(one.task), link(one.run, one.task), shown(one.arm), '—', one.why]),
  ];
  const sign = verdict ? unitSign(verdict) : '';
  const means = rows.map((row) => [
    shown(row.task),
    ...row.means.map((mean) => (mean === null ? '—' : unit.text(mean))),
    ...(verdict ? [row.effect === null ? '—' : signed(row.effect, sign)] : []),
  ]);
  const lead = verdict?.lead;
  if (lead) means.push(['all tasks', ...arms.map(() => ''), signed(lead.effect, sign)]);
  return (
    <>
      <FigureTable
        caption={`${capital(metric.label)}: ${meanWords(metric.kind)}, and the effect`}
        head={['task', ...arms.map(shown), ...(verdict ? ['effect'] : [])]}
        rows={means}
        numbers={[1, 2, 3, 4, 5]}
      />
      <FigureTable
        caption={`${capital(metric.label)} of every run`}
        head={['task', 'run', 'arm', 'value', 'remark']}
        rows={runs}
        numbers={[3]}
      />
    </>
  );
}

function meanWords(kind: MetricDots['metric']['kind']): string {
  if (kind === 'ratio') return 'geometric means of the runs';
  if (kind === 'count') return 'means of the runs (of ln(y+1))';
  if (kind === 'totals') return 'totals over all runs';
  return kind === 'pooled' ? 'shares pooled over the runs' : 'means of the runs';
}

function capital(text: string): string {
  const line = shown(text);
  return line.charAt(0).toUpperCase() + line.slice(1);
}
