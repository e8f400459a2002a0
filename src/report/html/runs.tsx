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
      {runs.map((run) => (
        <Run run={run} />
      ))}
    </section>
  );
}

function callNames({ items }: NonNullable<HtmlRun['page']>['segments'][number]): string[] {
  return items.flatMap((item) => (item.kind === 'request' ? item.calls.map(({ name }) => name) : []));
}

function Run({ run }: { run: HtmlRun }) {
  const { chart, page, files } = run;
  const id = runAnchor(chart.name, chart.task);
  return (
    <details class="run">
      <summary>
        <h3>{chart.name}</h3>
        <Standing run={run} />
        <span class="small muted">{summaryOf(run)}</span>
      </summary>
      <div class="body" id={id}>
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
