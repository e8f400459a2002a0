import { createHash } from 'node:crypto';
import { renderToString } from 'preact-render-to-string';
import { allocationCharts, contextCharts, pairedDots, sufficiencyCharts } from './charts/index.js';
import { Excluded } from './excluded.js';
import { Head, titleOf } from './head.js';
import { Method } from './method.js';
import type { HtmlReport } from './model.js';
import { Runs } from './runs.js';
import { SCRIPT } from './script.js';
import { STYLES } from './styles.js';
import { Tables } from './tables.js';

/** What is in the page, in order; the links of its table of contents. */
const PARTS = [
  ['verdict', 'Verdict'],
  ['tasks', 'Tasks'],
  ['context', 'Context'],
  ['explores', 'Explores'],
  ['runs', 'Runs'],
  ['excluded', 'Excluded'],
  ['method', 'Method and caveats'],
] as const;

/** The page as text. */
export function renderPage(report: HtmlReport): string {
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  // Style and script are ours alone and must stand as they are written; everything else is escaped by being rendered.
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${renderToString(<meta http-equiv="Content-Security-Policy" content={policy} />)}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
${renderToString(<title>{`${titleOf(report)} — agent-eval`}</title>)}
<style>${STYLES}</style>
</head>
<body>
${renderToString(<Body report={report} />)}
<script>${SCRIPT}</script>
</body>
</html>
`;
}

function Body({ report }: { report: HtmlReport }) {
  const { charts } = report;
  return (
    <>
      <a class="skip" href="#verdict">
        Skip to the verdict
      </a>
      <nav aria-label="Parts of the report">
        <ol>
          {PARTS.map(([id, title]) => (
            <li>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ol>
      </nav>
      <main>
        <Head report={report} />
        <section aria-labelledby="tasks">
          <h2 id="tasks">Task by task</h2>
          <p class="lead">
            Every run is a point that leads to its page; a line joins the means of the two arms on one task.
          </p>
          {pairedDots(charts)}
          <Tables report={report} />
        </section>
        <section aria-labelledby="context">
          <h2 id="context">What filled the context window</h2>
          <p class="lead">
            Tokens resident at each request, by what put them there. Prompts are divided by lines; what a compaction or
            an eviction took out is marked.
          </p>
          {contextCharts(charts)}
        </section>
        <section aria-labelledby="explores">
          <h2 id="explores">Did an explore suffice, and what of it was used</h2>
          <p class="lead">
            What the agent did next after each answered explore, and how much of the returned source its answer cited.
          </p>
          {sufficiencyCharts(charts)}
          {allocationCharts(charts)}
        </section>
        <Runs report={report} />
        <Excluded report={report} />
        <Method report={report} />
        <footer class="foot">
          Made by {report.generator} from the logs of {report.name}. The same logs give the same figures.
        </footer>
      </main>
    </>
  );
}
