import type { Grade } from '../../model/grade.js';
import { answerCells, judgeLines } from '../answers.js';
import { percent1 } from '../numbers.js';
import { runAnchor } from './anchors.js';
import { type AnswerMark, answerHtml } from './answer-text.js';
import type { HtmlReport, HtmlRun } from './model.js';
import { Table } from './parts.js';

/** How the answers of each arm were graded, to stand before every figure of cost. */
export function Answers({ report: { answers } }: { report: HtmlReport }) {
  if (answers === null) return null;
  const [first] = answers.arms;
  const rows = [
    ...answers.arms.map((arm) => ({ task: 'all tasks', arm })),
    ...(answers.tasks.length > 1 ? answers.tasks.flatMap(({ task, arms }) => arms.map((arm) => ({ task, arm }))) : []),
  ];
  return (
    <>
      <h2>Were the answers right?</h2>
      <Table head={['task', 'arm', 'graded', ...(first ? answerCells(first).map(([name]) => name) : [])]}>
        {rows.map(({ task, arm }) => (
          <tr>
            <th scope="row">{task}</th>
            <td>{arm.arm}</td>
            <td>
              {arm.graded} of {arm.of}
            </td>
            {answerCells(arm).map(([, value]) => (
              <td>{value}</td>
            ))}
          </tr>
        ))}
      </Table>
      {judgeLines(answers.judge).map((line) => (
        <p class="small">{line}</p>
      ))}
      {answers.arms.flatMap(({ arm, reasons }) =>
        reasons.map((reason) => (
          <p class="small muted">
            {arm}, not graded: {reason}.
          </p>
        )),
      )}
    </>
  );
}

/** One run's answer against its facts: the sentence that states each, every citation, and the output of commands that failed. */
export function RunGrade({ run: { grade } }: { run: HtmlRun }) {
  if (grade === null) return null;
  const { state, reason, facts, wrong, citations, commands } = grade;
  return (
    <>
      <h4>
        The answer: {state}
        {reason === undefined ? '' : ` (${reason})`}
      </h4>
      {facts.length === 0 ? null : (
        <Table head={['fact', 'prompt', 'state', 'the sentence that states it']}>
          {facts.map((fact) => (
            <FactRow fact={fact} />
          ))}
        </Table>
      )}
      {wrong.flatMap(({ id, found, quote }) =>
        found ? (
          <p class="bad">
            False claim {id}: <q>{quote}</q>
          </p>
        ) : (
          []
        ),
      )}
      {citations === null || citations.length === 0 ? null : (
        <p class="small">
          Citations:{' '}
          {citations.map((citation, index) => (
            <>
              {index === 0 ? '' : ', '}
              <code class={citation.state === 'resolved' ? undefined : 'bad'}>
                {citation.state === 'resolved' ? '✓' : '✕'} {citation.text}
              </code>
              {citation.state === 'resolved' ? '' : ` (${citation.state})`}
            </>
          ))}
        </p>
      )}
      <Commands commands={commands} />
    </>
  );
}

/** The commands of a change task; the output of those that did not pass is open. */
function Commands({ commands }: { commands: Grade['commands'] }) {
  return (
    <>
      {commands.map((command) => (
        <details class="more" open={command.state !== 'passed'}>
          <summary>
            {command.state}: <code>{command.run}</code>
          </summary>
          <pre>{command.outputTail.join('\n')}</pre>
        </details>
      ))}
    </>
  );
}

/** The whole answers, the arms of each repetition in parallel columns; nothing where no run has an answer. */
export function AnswerPairs({ report }: { report: HtmlReport }) {
  const runs = report.runs.filter(({ answers }) => answers.some((text) => text !== null));
  if (runs.length === 0) return null;
  const groups = new Map<string, HtmlRun[]>();
  for (const run of runs) {
    const { task, name, repetition } = run.chart;
    const title = repetition === null ? name : `${task ?? report.name}, run ${repetition}`;
    groups.set(title, [...(groups.get(title) ?? []), run]);
  }
  return (
    <section aria-labelledby="answers">
      <h2 id="answers">The answers</h2>
      <p class="lead">
        As they were given, the arms of each repetition in parallel columns. A sentence that states a fact is marked
        with the fact’s id; a citation that was looked up in the source is followed by ✓ or ✕.
      </p>
      {[...groups].map(([title, own]) => (
        <details class="pair">
          <summary>
            <h3>{title}</h3>
            {own.map(({ chart, grade }) => (
              <span class="small muted">
                {chart.arm}: {recallWords(grade)}
              </span>
            ))}
          </summary>
          <div class="body cols">
            {own.map((run) => (
              <AnswerOfRun run={run} />
            ))}
          </div>
        </details>
      ))}
    </section>
  );
}

function AnswerOfRun({ run: { chart, answers, grade } }: { run: HtmlRun }) {
  const missing = (grade?.facts ?? []).filter(({ vital, conversation }) => vital && conversation.state !== 'supported');
  return (
    <article class="answer">
      <h4>
        <a href={`#${runAnchor(chart.name, chart.task)}`}>{chart.arm}</a>
      </h4>
      {answers.map((text, prompt) => (
        <>
          {answers.length > 1 ? <p class="k">Answer {prompt + 1}</p> : null}
          {text === null ? (
            <p class="muted">No answer.</p>
          ) : (
            <div
              // The renderer escapes all markup of the answer, and the page's policy allows no script but ours.
              dangerouslySetInnerHTML={{ __html: answerHtml(text, marksOf(grade), grade?.citations ?? []) }}
            />
          )}
        </>
      ))}
      {missing.length === 0 ? null : (
        <p class="bad small">Vital facts not stated: {missing.map(({ id }) => id).join(', ')}.</p>
      )}
      <Commands commands={grade?.commands ?? []} />
    </article>
  );
}

function recallWords(grade: Grade | null): string {
  const recall = grade?.figures.factRecall ?? null;
  return recall === null ? 'facts not graded' : `facts ${percent1(recall)}`;
}

/** The sentences that state facts and false claims, as the matching found them, or as a judge quoted them. */
function marksOf(grade: Grade | null): AnswerMark[] {
  if (grade === null) return [];
  const matched = grade.facts.flatMap(({ id, conversation: { state, quote } }) =>
    state === 'supported' && quote !== undefined ? [{ quote, label: id }] : [],
  );
  const wrong = grade.wrong.flatMap(({ id, quote }) =>
    quote === undefined ? [] : [{ quote, label: `false claim ${id}` }],
  );
  const judged = (grade.judge?.statements ?? []).flatMap(({ id, conversation, quote }) =>
    conversation === 'supported' && quote !== undefined ? [{ quote, label: `${id} (judge)` }] : [],
  );
  return [...matched, ...wrong, ...judged];
}

function FactRow({ fact }: { fact: Grade['facts'][number] }) {
  const { id, prompt, vital, own, conversation } = fact;
  const state = own.state === conversation.state ? own.state : `${conversation.state} (in an earlier answer)`;
  return (
    <tr>
      <th scope="row">
        {id}
        {vital ? '' : ' (not vital)'}
      </th>
      <td>{prompt + 1}</td>
      <td class={conversation.state === 'supported' ? undefined : 'bad'}>
        {state}
        {conversation.negated ? ', negated' : ''}
      </td>
      <td>{conversation.quote ?? ''}</td>
    </tr>
  );
}
