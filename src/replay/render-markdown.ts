import { fenced, folded, inline } from '../report/index.js';
import { renderReplayDiff } from './render-diff.js';
import { caseCells, casesInOrder, STATE_WORDS } from './render-text.js';
import type { CaseResult, ReplayReport } from './report-schema.js';

const MAX_ROWS = 40;
/** GitHub refuses comments of more than 65,536 characters. */
const MAX_DIFF_CHARS = 40_000;

/** The report for a pull request: the gate in the title, a row for each case that differs, the lines gained and lost folded. */
export function renderReplayMarkdown(report: ReplayReport): string {
  const { new: ours, baseline, gate, counts, suites, caveat } = report;
  const cases = casesInOrder(report).filter(({ result }) => result.state !== 'equal');
  const rows = cases.slice(0, MAX_ROWS).map(({ suite, result }) => row(suite, result));
  const left = cases.length - rows.length;
  const diff = renderReplayDiff(report);
  const parts = [
    `### Replay ${gate.result.toUpperCase()}: ${inline(ours.title)} against ${inline(baseline.title)}`,
    `**${inline(gate.text)}** · ${counts.equal} of ${suites.reduce((sum, one) => sum + one.cases.length, 0)} cases equal`,
    ...suites.flatMap(({ name, failure, findings }) => [
      ...(failure ? [`- ${inline(name)} was not run (${inline(failure.reason)}): ${inline(failure.message)}`] : []),
      ...findings.map(({ text }) => `- ${inline(name)}: ${inline(text)}`),
    ]),
    ...(rows.length > 0 ? [[HEAD, ...rows].join('\n')] : []),
    ...(left > 0 ? [`and ${left} more cases that differ`] : []),
    ...(cases.length > 0 ? [folded('Lines gained and lost, by file', fenced(cut(diff)))] : []),
    `<sub>${inline(caveat)}</sub>`,
  ];
  return `${parts.join('\n\n')}\n`;
}

const HEAD =
  '| case | state | source chars | files | gold lines | gold files | findings |\n|---|---|--:|--:|--:|--:|---|';

function row(suite: string, result: CaseResult): string {
  const findings = result.findings.map(({ text, accepted }) =>
    accepted === null ? inline(text) : `${inline(text)} (accepted: ${inline(accepted)})`,
  );
  const cells = [
    inline(`${suite}/${result.id}`),
    STATE_WORDS[result.state],
    ...caseCells(result),
    findings.join('<br>'),
  ];
  return `| ${cells.join(' | ')} |`;
}

function cut(text: string): string {
  return text.length <= MAX_DIFF_CHARS ? text : `${text.slice(0, MAX_DIFF_CHARS)}\n… cut here; --diff prints all of it`;
}
