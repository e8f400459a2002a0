import { metricNamed, rowName, withTool } from '../../catalogue/index.js';
import { runsCell, tableSections } from '../table.js';
import type { HtmlReport, HtmlTask } from './model.js';
import { Scroll } from './scroll.js';

/** The published table of every task, with the same cells as the printed report. */
export function Tables({ report: { tasks, verdicts } }: { report: HtmlReport }) {
  return (
    <>
      {tasks.map((task) => (
        <details class="more">
          <summary>{tasks.length === 1 ? 'Every figure' : `Every figure of ${task.title}`}: medians and ranges</summary>
          <TaskTable task={task} hasVerdict={verdicts !== null} />
        </details>
      ))}
    </>
  );
}

/** Beside a verdict, the medians' directions would be a second answer to the same question. */
function TaskTable({ task: { comparison }, hasVerdict }: { task: HtmlTask; hasVerdict: boolean }) {
  const { arms, directions } = comparison;
  return (
    <Scroll>
      <table>
        <caption>Median [smallest–largest] over the runs that count</caption>
        <thead>
          <tr>
            <th scope="col">figure</th>
            {arms.map(({ label }) => (
              <th scope="col" class="n">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">runs</th>
            {arms.map((arm) => (
              <td class="n">{runsCell(arm)}</td>
            ))}
          </tr>
        </tbody>
        {tableSections(comparison).map(({ title, rows }) => (
          <tbody>
            <tr class="group">
              <th scope="rowgroup" colSpan={arms.length + 1}>
                {title}
              </th>
            </tr>
            {rows.map(({ label, cells }) => (
              <tr>
                <th scope="row">{label}</th>
                {cells.map((cell) => (
                  <td class="n">{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
      {directions.length === 0 || hasVerdict ? null : (
        <p class="small muted">
          Direction of {arms[0]?.label} against {arms[1]?.label}:{' '}
          {directions
            .filter(({ percent }) => percent !== null && percent !== 0)
            .map(({ figure, words, rangesOverlap }) => {
              const metric = metricNamed(figure);
              const label = metric ? withTool(rowName(metric), arms[0]?.toolLabel ?? 'tool') : figure;
              return `${label} ${words}${rangesOverlap ? ' (the ranges overlap)' : ''}`;
            })
            .join(' · ')}
        </p>
      )}
    </Scroll>
  );
}
