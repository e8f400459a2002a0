import type { VNode } from 'preact';
import type { SufficiencyCall } from '../../../model/measure.js';
import { grouped, plural } from '../../numbers.js';
import { runAnchor } from '../anchors.js';
import { FigureTable } from './figure.js';
import { BUCKET_WORDS } from './sufficiency-data.js';
import { shortened, shortPath, shown } from './text.js';
import type { ChartRun } from './types.js';

/** Files that a list over all runs names; a run's own page names more. */
const FEW_FILES = 3;
const MANY_FILES = 20;
const QUERY_CHARS = 300;

/** For a run's page: every explore of it, query → files → bucket → next; null where there was none. */
export function runExplores(run: ChartRun): VNode | null {
  const calls = run.measure?.sufficiency.calls ?? [];
  return calls.length === 0 ? null : (
    <div class="charts">
      <ExploreTable runs={[run]} />
    </div>
  );
}

/** A line an explore; with `named`, the run that made it, and fewer of its files. */
export function ExploreTable({ runs, named = false }: { runs: ChartRun[]; named?: boolean }): VNode {
  const most = named ? FEW_FILES : MANY_FILES;
  const rows = runs.flatMap((run) =>
    (run.measure?.sufficiency.calls ?? []).map((call) => [
      ...(named ? [<a href={`#${runAnchor(run.name, run.task)}`}>{shown(run.name)}</a>] : []),
      shortened(call.query, QUERY_CHARS),
      filesWords(call, most),
      `${BUCKET_WORDS[call.bucket]}: ${shown(call.next)}${call.named ? ' (named, not returned)' : ''}`,
    ]),
  );
  const head = [...(named ? ['run'] : []), 'query', 'what came', 'what followed'];
  return <FigureTable caption="Explores in their order" head={head} rows={rows} />;
}

function filesWords({ files, chars, noAnswer, undelivered, thread }: SufficiencyCall, most: number): string {
  const more = files.length > most ? `, and ${files.length - most} more` : '';
  const list = files.slice(0, most).map((path) => shortPath(path, 48));
  const words = [
    ...(undelivered ? ['undelivered: a preview in its place'] : []),
    ...(noAnswer ? ['no answer'] : []),
    `${grouped(chars)} characters`,
    files.length === 0 ? 'no file' : `${plural(files.length, 'file')}: ${list.join(', ')}${more}`,
    ...(thread === null ? [] : ['asked by a subagent']),
  ];
  return words.join('; ');
}
