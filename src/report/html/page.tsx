import { AnswerPairs } from './answers.js';
import { allocationCharts, contextCharts, pairedDots, sufficiencyCharts } from './charts/index.js';
import { renderDocument } from './document.js';
import { Excluded } from './excluded.js';
import { Head, titleOf } from './head.js';
import { Method } from './method.js';
import type { HtmlReport } from './model.js';
import { Runs } from './runs.js';
import { SCRIPT } from './script.js';
import { Tables } from './tables.js';

/** What is in the page, in order; the links of its table of contents. */
const PARTS = [
  ['verdict', 'Verdict'],
  ['tasks', 'Tasks'],
  ['answers', 'Answers'],
  ['context', 'Context'],
  ['explores', 'Explores'],
  ['runs', 'Runs'],
  ['excluded', 'Excluded'],
  ['method', 'Method and caveats'],
  ['glossary', 'Glossary'],
] as const;

/** The page as text. */
export function renderPage(report: HtmlReport): string {
  return renderDocument({ title: titleOf(report), body: <Body report={report} />, script: SCRIPT });
}

function Body({ report }: { report: HtmlReport }) {
  const { charts } = report;
  const hasAnswers = report.runs.some(({ answers }) => answers.some((text) => text !== null));
  return (
    <>
      <a class="skip" href="#verdict">
        Skip to the verdict
      </a>
      <nav aria-label="Parts of the report">
        <ol>
          {PARTS.filter(([id]) => id !== 'answers' || hasAnswers).map(([id, title]) => (
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
        <AnswerPairs report={report} />
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
