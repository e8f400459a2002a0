import type { VNode } from 'preact';
import { grouped, MISSING, plural, wholePercent } from '../../numbers.js';
import { AllocationChart, citedWords } from './allocation-chart.js';
import { allocationByTask, type FileShare, MOST_FILES, type TaskAllocation } from './allocation-data.js';
import { ArmLegend } from './arm-legend.js';
import { ChartFigure, FigureTable } from './figure.js';
import { shown } from './text.js';
import type { ChartInput } from './types.js';

/** Characters returned per file, and whether the answers cite it and why: a chart a task, over the runs that count. */
export function allocationCharts(input: ChartInput): VNode {
  const tasks = allocationByTask(input);
  if (tasks.length === 0) {
    return <p class="nothing">No run that counts has both an explore with files and an answer: nothing to draw.</p>;
  }
  return (
    <div class="charts">
      <ArmLegend arms={input.arms} />
      <p class="note">
        Filled: cited by its path. Lighter, dashed: cited by a symbol of it. Hollow: not cited. Counted from the
        answer’s text; a file that is not cited may still have helped.
      </p>
      {tasks.map((task) => (
        <TaskFigure key={task.task ?? ''} task={task} toolLabel={input.toolLabel} />
      ))}
    </div>
  );
}

function TaskFigure({ task, toolLabel }: { task: TaskAllocation; toolLabel: string }): VNode {
  const name = task.task === null ? '' : `${shown(task.task)}: `;
  const title = `${name}what ${shown(toolLabel)} returned, file by file`;
  const words = task.arms.map(armWords).join('; ');
  const shownFiles =
    task.files > MOST_FILES + 1 ? ` The ${MOST_FILES} largest of ${task.files} files, the others as one.` : '';
  const leftOut =
    task.leftOut === 0 ? '' : ` ${plural(task.leftOut, 'run')} left out (not counted, no answer, or no file returned).`;
  return (
    <ChartFigure title={title} figures={<AllocationTable task={task} />}>
      <p>{`${words}.${shownFiles}${leftOut}`}</p>
      <AllocationChart task={task} title={title} description={`${words}.${shownFiles}`} />
    </ChartFigure>
  );
}

function armWords({ label, envelopeChars, usedChars, runs }: TaskAllocation['arms'][number]): string {
  const share = envelopeChars === 0 ? '' : `, ${wholePercent(usedChars, envelopeChars)} of them in cited files`;
  return `${shown(label)}: ${grouped(envelopeChars)} characters in ${plural(runs, 'run')}${share}`;
}

function AllocationTable({ task }: { task: TaskAllocation }): VNode {
  const rows = task.rows.flatMap((row) =>
    row.shares.flatMap((share, arm) => {
      if (!share) return [];
      const name = row.path === null ? `the other ${row.files} files` : shown(row.path);
      return [[name, shown(task.arms[arm]?.label ?? ''), ...chars(share), shown(citedWords(share, row))]];
    }),
  );
  return (
    <FigureTable
      caption="Characters returned, summed over the runs"
      head={['file', 'arm', 'cited by path', 'by symbol', 'not cited', 'why']}
      rows={rows}
      numbers={[2, 3, 4]}
    />
  );
}

function chars({ path, symbol, uncited }: FileShare): string[] {
  return [path, symbol, uncited].map((value) => (value === 0 ? MISSING : grouped(value)));
}
