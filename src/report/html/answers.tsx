import type { Grade } from '../../model/grade.js';
import { answerCells, judgeLines } from '../answers.js';
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
      {commands.map((command) => (
        <details class="more">
          <summary>
            {command.state}: <code>{command.run}</code>
          </summary>
          <pre>{command.outputTail.join('\n')}</pre>
        </details>
      ))}
    </>
  );
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
