import type { MetricVerdict, VerdictReport } from '../model/verdict.js';
import { QUESTION_WORDS, signed, unitSign, verdictWord } from '../statistics/index.js';
import { oneLine } from './clean.js';
import { plural } from './numbers.js';
import type { GateWords } from './schema/report.js';
import { renderVerdicts } from './verdicts.js';

/** What a report in Markdown is made of. */
export interface MarkdownReport {
  /** The campaign's name. */
  dir: string;
  /** Lines that must not be missed: scripted model, fence. */
  head: string[];
  verdicts: VerdictReport | null;
  gate: GateWords | null;
  /** The text of the answers section; "" without grades. */
  answers: string;
  /** The text of the contamination section; its second line has the counts. */
  contamination: string;
  /** The tables, in Markdown, each under its title. */
  sections: { title: string; text: string }[];
}

/**
 * A report for a pull request: the primary verdict in the title, then a line a metric, validity, gate and contamination; everything
 * else is folded (GitHub and GitLab show `<details>`). Without verdicts the tables stand open.
 */
export function renderReportMarkdown(report: MarkdownReport): string {
  const { verdicts, gate, contamination, sections } = report;
  const counts = oneLine(contamination.split('\n')[1] ?? '');
  const parts = [
    `### ${titleOf(report)}`,
    report.head.map((line) => `> ${inline(line)}`).join('\n>\n'),
    ...(report.answers === '' ? [] : [fenced(report.answers)]),
    ...(verdicts ? [verdictTable(verdicts), underTable(verdicts)] : []),
    ...(gate ? [`**${inline(gate.words)}**`] : []),
    `Contamination: ${inline(counts)}`,
    ...(verdicts
      ? [
          folded(
            'The verdicts in full: tests, the other question, costs, what to look at',
            fenced(renderVerdicts(verdicts)),
          ),
        ]
      : []),
    folded('Contamination, call by call', fenced(contamination)),
    ...sections.map(({ title, text }) => (verdicts ? folded(title, text) : `## ${inline(title)}\n\n${text}`)),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** One row a metric that was declared to decide, primary first; the exploratory ones are hints and stand in the full text. */
export function verdictTable(verdicts: VerdictReport): string {
  const rows = deciding(verdicts).map((one) => {
    const { metric, lead, tasks, runs } = one;
    const name = metric.role === 'primary' ? `**${inline(metric.label)}**` : inline(metric.label);
    const sign = unitSign(one);
    const range = lead?.interval ? `${signed(lead.interval[0], sign)} to ${signed(lead.interval[1], sign)}` : '—';
    const size = runs[0] === runs[1] ? String(runs[1]) : `${runs[0]}–${runs[1]}`;
    const cells = [
      name,
      inline(verdictWord(one)),
      lead ? signed(lead.effect, sign) : '—',
      range,
      metric.role,
      `${tasks} × ${size}`,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const head = `| | verdict | effect | interval, ${QUESTION_WORDS[verdicts.question]} | role | tasks × runs |`;
  return [head, '| --- | --- | ---: | --- | --- | ---: |', ...rows].join('\n');
}

function deciding({ metrics }: VerdictReport): MetricVerdict[] {
  return metrics.filter(({ metric }) => metric.role !== 'exploratory');
}

function titleOf({ verdicts, dir }: MarkdownReport): string {
  const primary = verdicts?.metrics.find((one) => one.metric.role === 'primary');
  if (!verdicts || !primary) return `agent-eval: ${inline(dir)}`;
  const what = verdicts.aa
    ? 'A/A, the baseline against itself'
    : `${inline(verdicts.tested)} against ${inline(verdicts.baseline)}`;
  return `${what}: ${inline(verdicts.headline ?? '')}`;
}

function underTable(verdicts: VerdictReport): string {
  const { refusals, validity } = verdicts;
  // A reason that is every metric's stands once, above; the others stand once each, with their metrics.
  const own = new Map<string, string[]>();
  for (const { metric, verdict, reason } of deciding(verdicts)) {
    if (verdict !== 'none' || refusals.length > 0 || reason === null) continue;
    own.set(reason, [...(own.get(reason) ?? []), metric.label]);
  }
  const valid = validity.map((arm) => `${arm.arm} ${arm.valid} of ${plural(arm.of, 'trial')} valid`);
  const reasons = [...own].map(([reason, labels]) => `${labels.join(', ')}: ${reason}`);
  const lines = [
    ...(verdicts.answers.state === 'not-asked' ? [] : [verdicts.answers.words]),
    ...refusals.map((refusal) => `no verdict: ${refusal}`),
    ...reasons,
    valid.join(', '),
  ];
  return lines.map((line) => `- ${inline(line)}`).join('\n');
}

/** A folded part; blank lines around the body, without which Markdown in it is not read. */
export function folded(title: string, body: string): string {
  return `<details><summary>${escapeHtml(oneLine(title))}</summary>\n\n${body}\n\n</details>`;
}

/** In a fence that is longer than any run of backticks in the text. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

/** Text from outside on a line of its own: no markup of it takes effect. */
export function inline(text: string): string {
  return escapeHtml(oneLine(text)).replace(/[\\`*_[\]|~]/g, '\\$&');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
