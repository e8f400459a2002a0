import type { Measure } from '../../model/measure.js';
import { durationWithTenths, grouped, MISSING, plural } from '../numbers.js';
import { runAnchor } from './anchors.js';
import { RunGrade } from './answers.js';
import { runExplores } from './charts/index.js';
import type { HtmlReport, HtmlRun } from './model.js';
import { Facts } from './parts.js';
import { runFacts } from './run-facts.js';
import { Segments } from './segments.js';
import { toolName } from './tool-name.js';

/** Part 5: a page a run, closed until it is wanted; search and filter stand before them and need the script. */
export function Runs({ report }: { report: HtmlReport }) {
  const { runs, previewChars } = report;
  const isEmbedded = runs.some(({ files }) => files.some(({ text }) => text !== null));
  const names = runs.flatMap(({ page }) => page?.segments.flatMap(callNames) ?? []);
  const tools = new Set(names.map(toolName));
  return (
    <section aria-labelledby="runs">
      <h2 id="runs">Every run</h2>
      <p class="lead">
        Request by request: what the model said, what it called, how much came back. Texts are cut at {previewChars}{' '}
        characters; the transcripts {isEmbedded ? 'follow' : 'are linked'} at the end of each run.
      </p>
      <search>
        <form id="find" aria-label="Search and filter the runs" hidden>
          <input
            type="search"
            name="text"
            aria-label="Search in all runs"
            placeholder="Search in what this page shows"
          />
          <select name="tool" aria-label="Only calls of this tool">
            <option value="">all tools</option>
            {[...tools].sort().map((name) => (
              <option>{name}</option>
            ))}
          </select>
          <Choice name="task" label="Only runs of this task" all="all tasks" values={unique(runs, taskOf)} />
          <Choice
            name="arm"
            label="Only runs of this arm"
            all="all arms"
            values={unique(runs, ({ chart }) => chart.arm)}
          />
          <Choice
            name="validity"
            label="Only runs of this validity"
            all="any validity"
            values={unique(runs, validityOf)}
          />
          <Choice name="grade" label="Only runs of this grade" all="any grade" values={unique(runs, gradeOf)} />
          <select name="sort" aria-label="Order of the runs">
            <option value="">in the plan’s order</option>
            {SORTS.map(({ key, label }) => (
              <option value={key}>{label}</option>
            ))}
          </select>
          <label>
            <input type="checkbox" name="errors" /> errors only
          </label>
          <label>
            <input type="checkbox" name="denied" /> denied by the hook
          </label>
          <output />
          <span class="small muted">
            {isEmbedded
              ? `Searches this page: texts cut at ${previewChars} characters, and the transcripts below each run.`
              : `Searches this page alone, where texts are cut at ${previewChars} characters: not the linked transcripts.`}
          </span>
        </form>
      </search>
      <div id="run-list">
        {runs.map((run) => (
          <Run run={run} arms={report.charts.arms} partners={partnersOf(run, runs)} />
        ))}
      </div>
    </section>
  );
}

function callNames({ items }: NonNullable<HtmlRun['page']>['segments'][number]): string[] {
  return items.flatMap((item) => (item.kind === 'request' ? item.calls.map(({ name }) => name) : []));
}

function unique(runs: HtmlRun[], read: (run: HtmlRun) => string): string[] {
  return [...new Set(runs.map(read))].sort();
}

interface ChoiceProps {
  name: string;
  label: string;
  /** What stands for no choice. */
  all: string;
  values: string[];
}

/** A list to filter by; null where there is nothing to choose from. */
function Choice({ name, label, all, values }: ChoiceProps) {
  if (values.length < 2) return null;
  return (
    <select name={name} aria-label={label}>
      <option value="">{all}</option>
      {values.map((value) => (
        <option>{value}</option>
      ))}
    </select>
  );
}

function taskOf({ chart }: HtmlRun): string {
  return chart.task ?? MISSING;
}

function validityOf({ chart, validity }: HtmlRun): string {
  return validity ?? (chart.counts ? 'counts' : 'left out');
}

/** How right the answers were, in words to filter by. */
function gradeOf({ grade }: HtmlRun): string {
  const { factRecall = null, passed = null } = grade?.figures ?? {};
  if (factRecall === null && passed === null) return 'not graded';
  if (passed === 1 || factRecall === 1) return 'all right';
  return factRecall === null || factRecall === 0 ? 'wrong' : 'partly right';
}

/** What the runs can be sorted by: largest first, runs without a value last. */
const SORTS = [
  { key: 'cost', label: 'most expensive first', read: ({ costUsd }: Measure) => costUsd },
  { key: 'tokens', label: 'most tokens first', read: ({ tokensProcessed }: Measure) => tokensProcessed },
  { key: 'time', label: 'longest first', read: ({ durationMs }: Measure) => durationMs },
  { key: 'calls', label: 'most tool calls first', read: ({ toolCalls }: Measure) => toolCalls },
];

/** The runs of the other arms on the same task and repetition. Empty where the repetition is not known. */
function partnersOf({ chart }: HtmlRun, runs: HtmlRun[]): HtmlRun[] {
  if (chart.repetition === null) return [];
  const same = runs.filter((one) => one.chart.task === chart.task && one.chart.repetition === chart.repetition);
  return same.filter((one) => one.chart.arm !== chart.arm);
}

interface RunProps {
  run: HtmlRun;
  /** The baseline first. */
  arms: string[];
  partners: HtmlRun[];
}

function Run({ run, arms, partners }: RunProps) {
  const { chart, page, files } = run;
  const id = runAnchor(chart.name, chart.task);
  const values = Object.fromEntries(
    SORTS.map(({ key, read }) => [
      `data-by-${key}`,
      chart.measure === null ? undefined : (read(chart.measure) ?? undefined),
    ]),
  );
  const place = arms.indexOf(chart.arm);
  const filters = {
    ...{
      'data-task': taskOf(run),
      'data-arm': chart.arm,
      'data-validity': validityOf(run),
      'data-grade': gradeOf(run),
    },
    'data-place': place,
  };
  const beside = partners.map((one) => runAnchor(one.chart.name, one.chart.task));
  return (
    <details class="run" {...filters} {...values}>
      <summary>
        <h3>{chart.name}</h3>
        <Standing run={run} />
        <span class="small muted">{summaryOf(run)}</span>
      </summary>
      <div class="body" id={id}>
        {beside.length === 0 ? null : (
          <button type="button" class="pair" data-with={beside.join(' ')} hidden>
            Side by side with {partners.map((one) => one.chart.name).join(', ')}
          </button>
        )}
        <Facts rows={runFacts(run)} columns />
        <RunGrade run={run} />
        {runExplores(chart)}
        {page === null ? <p>It left no log.</p> : <Segments page={page} id={id} logs={files} />}
        {run.cliAttempts.length === 0 ? null : <Attempts run={run} />}
        <Files run={run} />
      </div>
    </details>
  );
}

function Standing({ run: { chart, validity } }: { run: HtmlRun }) {
  if (chart.counts) return <span class="chip ok">{validity ?? 'counts'}</span>;
  return <span class="chip bad">left out: {chart.why ?? validity ?? 'no figures'}</span>;
}

function summaryOf({ chart: { measure } }: HtmlRun): string {
  if (measure === null) return 'no figures';
  const { costUsd, tokensProcessed, durationMs, requests, toolCalls } = measure;
  return [
    costUsd === null ? `cost ${MISSING}` : `$${costUsd.toFixed(3)}`,
    tokensProcessed === null ? `tokens ${MISSING}` : `${grouped(tokensProcessed)} tokens`,
    durationMs === null ? `time ${MISSING}` : durationWithTenths(durationMs),
    plural(requests, 'request'),
    plural(toolCalls, 'tool call'),
  ].join(' · ');
}

/** Where the engine's program was run by name, and a stand-in on the PATH failed it. */
function Attempts({ run: { cliAttempts } }: { run: HtmlRun }) {
  return (
    <>
      <h4>The CLI by its name, failed by a stand-in on the PATH</h4>
      <ul class="c">
        {cliAttempts.map(({ at, by, args }) => (
          <li>
            <i>{at}</i> <code>{args.join(' ')}</code> run by <code>{by}</code>
          </li>
        ))}
      </ul>
    </>
  );
}

function Files({ run: { files } }: { run: HtmlRun }) {
  if (files.length === 0) return null;
  const embedded = files.filter(({ text }) => text !== null);
  if (embedded.length === 0) {
    return (
      <p class="small">
        Transcript:{' '}
        {files.map(({ name, href, bytes }, index) => (
          <>
            {index === 0 ? '' : ', '}
            <a href={href}>{name}</a> <span class="muted">({size(bytes)})</span>
          </>
        ))}
      </p>
    );
  }
  return (
    <>
      {embedded.map(({ name, bytes, text }) => (
        <details class="more">
          <summary>
            Transcript {name} ({size(bytes)})
          </summary>
          <pre>{text}</pre>
        </details>
      ))}
    </>
  );
}

function size(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
