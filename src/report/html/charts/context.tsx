import type { ComponentChildren, VNode } from 'preact';
import { median } from '../../../statistics/index.js';
import { compact, grouped, MISSING, plural } from '../../numbers.js';
import { runAnchor } from '../anchors.js';
import { ContextChart } from './context-chart.js';
import { type SessionWindow, type WindowPair, type WindowStep, windowPairs } from './context-data.js';
import { PARTS, PartLegend, PartPatterns, partName } from './families.js';
import { ChartFigure, FigureTable } from './figure.js';
import { shown } from './text.js';
import type { ChartInput } from './types.js';

/** Of a campaign with more runs only each task's first repetition is drawn: a page of a thousand charts opens in no browser. */
const MOST_RUNS_DRAWN = 200;

/**
 * What occupies the main thread's window, request by request: the runs of one task and repetition side by side, on one
 * scale. The first repetition of each task is open, the others are behind a click.
 */
export function contextCharts(input: ChartInput): VNode {
  const pairs = windowPairs(input);
  if (pairs.length === 0) return <p class="nothing">No run: nothing to draw.</p>;
  const areAllDrawn = input.runs.length <= MOST_RUNS_DRAWN;
  const tasks = new Map<string | null, VNode[]>();
  for (const pair of pairs) {
    const drawn = tasks.get(pair.task) ?? [];
    if (drawn.length > 0 && !areAllDrawn) continue;
    tasks.set(pair.task, [...drawn, pairFigure(pair, input.toolLabel)]);
  }
  return (
    <div class="charts">
      <PartPatterns />
      <SummaryTable input={input} pairs={pairs} />
      <PartLegend toolLabel={input.toolLabel} />
      <p class="note">
        The axis begins at the fixed context: the tokens of instructions, tool descriptions and the first prompt that
        every request of these runs carries. ▼ compaction, ▽ eviction of older results, dashed lines: a new prompt
        (segment). Where no limit of the window is drawn, it lies above the scale. Tokens of results are estimates from
        their characters; the whole window is the host’s own count.
        {areAllDrawn
          ? null
          : ` Drawn is the first repetition of each task: with ${grouped(input.runs.length)} runs, a chart for each would make the page too large. Every run’s windows: parse-run --timeline.`}
      </p>
      {[...tasks].map(([task, [first, ...others]]) => (
        <section key={task ?? ''}>
          {first}
          {others.length === 0 ? null : (
            <details class="more">
              <summary>
                {plural(others.length, 'more repetition')}
                {task === null ? '' : ` of ${shown(task)}`}
              </summary>
              {others}
            </details>
          )}
        </section>
      ))}
    </div>
  );
}

/** All runs of each arm that count, before one pair of them: the fixed part, and what lay in the window at the last request. */
function SummaryTable({ input, pairs }: { input: ChartInput; pairs: WindowPair[] }): VNode {
  const { arms, toolLabel } = input;
  const sessions = pairs.flatMap((pair) => pair.sessions).filter(({ run, steps }) => run.counts && steps.length > 0);
  const of = (arm: string) => sessions.filter(({ run }) => run.arm === arm);
  const cells = (read: (session: SessionWindow) => number) =>
    arms.map((arm) => {
      const middle = medianOf(of(arm).map(read));
      return middle === null ? MISSING : grouped(middle);
    });
  const last = (session: SessionWindow) => session.steps.at(-1);
  const rows: [string, ...string[]][] = [
    ['runs', ...arms.map((arm) => grouped(of(arm).length))],
    ['requests', ...cells(({ steps }) => steps.length)],
    ['fixed context', ...cells(({ fixedTokens }) => fixedTokens)],
    ...PARTS.filter((part) => part !== 'base' && sessions.some(({ parts }) => parts.includes(part))).map(
      (part): [string, ...string[]] => [
        partName(part, toolLabel),
        ...cells((session) => last(session)?.tokens[part] ?? 0),
      ],
    ),
    ['whole window at the end', ...cells((session) => last(session)?.ctxTokens ?? 0)],
  ];
  return (
    <FigureTable
      caption="All runs that count: medians, in tokens at the last request"
      head={['in the window', ...arms.map(shown)]}
      rows={rows}
      numbers={arms.map((_, index) => index + 1)}
    />
  );
}

/** The middle value, or the mean of the middle two. Null without values. */
function medianOf(values: number[]): number | null {
  return values.length === 0 ? null : median(values);
}

function pairFigure(pair: WindowPair, toolLabel: string): VNode {
  const { task, repetition, sessions } = pair;
  const words = [task === null ? 'runs' : shown(task), ...(repetition === null ? [] : [`repetition ${repetition}`])];
  const title = words.join(', ');
  const panels = sessions.map((session) => panel(session, pair, toolLabel));
  const tables = sessions.map((session) => (
    <WindowTable key={session.run.name} session={session} toolLabel={toolLabel} />
  ));
  return (
    <ChartFigure key={title} title={title} figures={tables}>
      <div class="panels">{panels}</div>
    </ChartFigure>
  );
}

function panel(session: SessionWindow, pair: WindowPair, toolLabel: string): VNode {
  const { run, steps, fixedTokens, limitTokens } = session;
  const last = steps.at(-1);
  const head = (
    <h4>
      {shown(run.arm)}: <a href={`#${runAnchor(run.name, run.task)}`}>{shown(run.name)}</a>
      {run.counts ? '' : ` — left out${run.why === null ? '' : `: ${shown(run.why)}`}`}
    </h4>
  );
  if (!last) {
    return wrap(run.name, [
      head,
      <p class="nothing">{`No window to draw: ${shown(run.why ?? missingWhy(session))}.`}</p>,
    ]);
  }
  const limit =
    limitTokens === null ? '' : `, ${Math.round((100 * last.ctxTokens) / limitTokens)}% of ${compact(limitTokens)}`;
  const end = `${plural(steps.length, 'request')}; fixed context ${grouped(fixedTokens)} tokens; at the end ${compact(last.ctxTokens)} tokens${limit}`;
  const title = `Context of ${shown(run.name)}`;
  const description = `${end}. At the last request: ${session.parts.map((part) => `${partName(part, toolLabel)} ${grouped(last.tokens[part])}`).join(', ')} tokens.`;
  return wrap(run.name, [
    head,
    <p>{end}</p>,
    <ContextChart session={session} pair={pair} toolLabel={toolLabel} title={title} description={description} />,
  ]);
}

function wrap(key: string, children: ComponentChildren): VNode {
  return (
    <div class="panel" key={key}>
      {children}
    </div>
  );
}

function missingWhy({ run }: SessionWindow): string {
  return run.measure === null ? 'it left no session' : 'no request told its size';
}

function WindowTable({ session, toolLabel }: { session: SessionWindow; toolLabel: string }): VNode {
  const { run, steps, parts } = session;
  if (steps.length === 0) return <p>{`${shown(run.name)}: — (${shown(run.why ?? missingWhy(session))})`}</p>;
  return (
    <FigureTable
      caption={`${shown(run.name)}: tokens at each request`}
      head={['request', 'segment', 'window', ...parts.map((part) => partName(part, toolLabel)), 'dropped']}
      rows={steps.map((step) => [
        step.request,
        step.segment + 1,
        grouped(step.ctxTokens),
        ...parts.map((part) => grouped(step.tokens[part])),
        droppedWords(step),
      ])}
      numbers={Array.from({ length: parts.length + 3 }, (_, index) => index)}
    />
  );
}

function droppedWords({ compactions, compactedTokens, shedTokens }: WindowStep): string {
  const words = [
    ...(compactions > 0 ? [`compacted ${grouped(compactedTokens)}`] : []),
    ...(shedTokens > 0 ? [`evicted ${grouped(shedTokens)}`] : []),
  ];
  return words.join(', ');
}
