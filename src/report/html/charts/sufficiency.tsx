import type { VNode } from 'preact';
import { BUCKETS } from '../../../model/families.js';
import { MISSING, plural, wholePercent } from '../../numbers.js';
import { ExploreTable } from './explores.js';
import { ChartFigure, FigureTable } from './figure.js';
import { BUCKET_ORDER, BucketPatterns, BucketSwatch, ExploreBar } from './sufficiency-chart.js';
import { BUCKET_WORDS, type Counts, type ExploreFlow, flowsByArm, flowsByTask } from './sufficiency-data.js';
import { shown } from './text.js';
import type { ChartInput } from './types.js';

/** What followed each explore, a bar an arm over the runs that count; then every explore with its query, by task. */
export function sufficiencyCharts(input: ChartInput): VNode {
  const flows = flowsByArm(input);
  const title = `What followed each explore of ${shown(input.toolLabel)}`;
  return (
    <div class="charts">
      <BucketPatterns />
      <ChartFigure title={title} figures={<FlowTables input={input} flows={flows} />}>
        <div class="panels">
          <div>
            {flows.map((flow) => (
              <ArmBar key={flow.arm} flow={flow} toolLabel={input.toolLabel} />
            ))}
          </div>
          <BucketTable flows={flows} />
        </div>
        <p class="note">
          “Read another file” is a file that no explore had returned; “no answer” and “undelivered” (the host put a
          preview in its place) are outlined.
        </p>
      </ChartFigure>
      <ExploreLists input={input} />
    </div>
  );
}

function ArmBar({ flow, toolLabel }: { flow: ExploreFlow; toolLabel: string }): VNode {
  const { arm, counts, runs } = flow;
  if (counts.answered === 0) {
    const why = runs === 0 ? 'no run of it counts' : `none of its ${plural(runs, 'run')} has an answered explore`;
    return (
      <div class="panel">
        <h4>{shown(arm)}</h4>
        <p class="nothing">{`Nothing to draw: ${why}.`}</p>
      </div>
    );
  }
  const words = flowWords(flow);
  const description = `${words}. Then: ${BUCKET_ORDER.map((bucket) => `${BUCKET_WORDS[bucket]} ${counts.buckets[bucket]}`).join(', ')}.`;
  const title = `What followed each explore of ${shown(toolLabel)}, ${shown(arm)}`;
  return (
    <div class="panel">
      <h4>{shown(arm)}</h4>
      <p>{words}</p>
      <ExploreBar flow={flow} title={title} description={description} />
    </div>
  );
}

/** What the bars' colours mean, and their counts. */
function BucketTable({ flows }: { flows: ExploreFlow[] }): VNode {
  return (
    <FigureTable
      caption="Of the answered explores, in the order of the bars"
      head={['what followed', ...flows.map((flow) => shown(flow.arm))]}
      rows={BUCKET_ORDER.map((bucket) => [
        <>
          <BucketSwatch bucket={bucket} /> {BUCKET_WORDS[bucket]}
        </>,
        ...flows.map(({ counts }) => countCell(counts, counts.buckets[bucket])),
      ])}
      numbers={flows.map((_, index) => index + 1)}
    />
  );
}

function countCell(counts: Counts, count: number): string {
  return counts.answered === 0 ? MISSING : `${count} (${wholePercent(count, counts.answered)})`;
}

function flowWords({ counts, runs, leftOut }: ExploreFlow): string {
  const { answered, errored, denied } = counts;
  return [
    `${plural(answered, 'explore')} answered in ${plural(runs, 'run')}`,
    ...(errored > 0 ? [`${errored} errored, not drawn`] : []),
    ...(denied > 0 ? [`${plural(denied, 'denied call')} stepped over`] : []),
    ...(leftOut > 0 ? [`${plural(leftOut, 'run')} left out`] : []),
  ].join('; ');
}

function FlowTables({ input, flows }: { input: ChartInput; flows: ExploreFlow[] }): VNode {
  const plain: [string, keyof Omit<Counts, 'buckets'>][] = [
    ['answered', 'answered'],
    ['of these without an answer', 'noAnswer'],
    ['of these undelivered', 'undelivered'],
    ['errored (in no bucket)', 'errored'],
    ['file accesses in the same message', 'concurrent'],
    ['denied calls stepped over', 'denied'],
  ];
  return (
    <>
      <FigureTable
        caption="By arm, over the runs that count"
        head={['explores', ...flows.map((flow) => shown(flow.arm))]}
        rows={plain.map(([words, key]) => [words, ...flows.map(({ counts }) => counts[key])])}
        numbers={flows.map((_, index) => index + 1)}
      />
      <FigureTable
        caption="By task and arm"
        head={['task', 'arm', 'answered', ...BUCKETS.map((bucket) => BUCKET_WORDS[bucket])]}
        rows={flowsByTask(input).map(({ task, flow }) => [
          task === null ? MISSING : shown(task),
          shown(flow.arm),
          flow.counts.answered,
          ...BUCKETS.map((bucket) => flow.counts.buckets[bucket]),
        ])}
        numbers={[2, 3, 4, 5, 6, 7]}
      />
    </>
  );
}

function ExploreLists({ input }: { input: ChartInput }): VNode | null {
  const tasks = [...new Set(input.runs.map((run) => run.task))].flatMap((task) => {
    const runs = input.runs.filter((run) => run.task === task && run.measure?.sufficiency.calls.length);
    return runs.length === 0 ? [] : [{ task, runs }];
  });
  if (tasks.length === 0) return null;
  return (
    <section>
      <h3>Every explore: what was asked, what came, what followed</h3>
      {tasks.map(({ task, runs }) => (
        <details key={task ?? ''}>
          <summary>
            {task === null ? 'explores' : shown(task)} (
            {plural(
              runs.reduce((sum, run) => sum + (run.measure?.sufficiency.calls.length ?? 0), 0),
              'explore',
            )}
            )
          </summary>
          <ExploreTable runs={runs} named />
        </details>
      ))}
    </section>
  );
}
