import type { LooksDesign, MetricVerdict, VerdictReport, VerdictWord } from '../../model/verdict.js';
import { QUESTION_WORDS, signed, unitSign } from '../../statistics/index.js';
import { MISSING, plural } from '../numbers.js';
import { IntervalStrip } from './interval-strip.js';
import type { HtmlReport } from './model.js';
import { Table } from './parts.js';

const WORDS: Record<VerdictWord, { sign: string; word: string }> = {
  better: { sign: '✓', word: 'Better' },
  worse: { sign: '✕', word: 'Worse' },
  equivalent: { sign: '≈', word: 'Equivalent' },
  inconclusive: { sign: '?', word: 'Inconclusive' },
  none: { sign: '–', word: 'No verdict' },
  withheld: { sign: '!', word: 'No claim' },
};

const ASKED = {
  corpus: 'Did the change alter these numbers, on these tasks?',
  tasks: 'Does it alter these numbers, for tasks like these?',
} as const;

/** A card a metric, the primary one across the page; the exploratory ones in a table behind one click. */
export function Verdicts({ report: { verdicts, arms } }: { report: HtmlReport }) {
  if (verdicts === null || verdicts.metrics.length === 0) {
    const why = arms.length === 2 ? 'these logs have no plan that declares metrics' : 'a verdict compares two arms';
    return <p class="asked">No verdict: {why}. The figures of each arm stand below.</p>;
  }
  const of = (role: string) => verdicts.metrics.filter(({ metric }) => metric.role === role);
  return (
    <>
      <p class="asked">
        {ASKED[verdicts.question]} <strong>{verdicts.tested}</strong> against <strong>{verdicts.baseline}</strong>.
      </p>
      {verdicts.answers.state === 'not-asked' ? null : (
        <p class={verdicts.answers.state === 'worse' ? 'banner' : undefined}>
          <strong>{capital(verdicts.answers.words)}.</strong>
        </p>
      )}
      {verdicts.refusals.map((refusal) => (
        <p class="banner">No verdict: {refusal}.</p>
      ))}
      <div class="cards">
        {of('primary').map((verdict) => (
          <Primary verdict={verdict} report={verdicts} />
        ))}
        {of('secondary').map((verdict) => (
          <Card verdict={verdict} looks={verdicts.looks} />
        ))}
      </div>
      <p class="small muted">
        The large card decides. The small ones are corrected for their number (Holm).{' '}
        {verdicts.looks && verdicts.looks.planned > 1
          ? `Look ${verdicts.looks.look} of ${verdicts.looks.planned} declared: wider intervals in return.`
          : ''}
      </p>
      <Exploratory verdicts={of('exploratory')} looks={verdicts.looks} />
    </>
  );
}

function Word({ verdict: { verdict, withheld } }: { verdict: MetricVerdict }) {
  const { sign, word } = WORDS[verdict];
  return (
    <div class="word">
      <span aria-hidden="true">{sign} </span>
      {withheld ?? word}
    </div>
  );
}

function Primary({ verdict, report }: { verdict: MetricVerdict; report: VerdictReport }) {
  const { metric, lead, other } = verdict;
  const sign = unitSign(verdict);
  return (
    <article class={`card primary ${verdict.verdict}`} id={`metric-${metric.name}`}>
      <div>
        <h2>
          {metric.label} <span class="small">· primary, {metric.better} is better</span>
        </h2>
        <div class="effect">{effectOf(verdict)}</div>
        <Word verdict={verdict} />
      </div>
      <div>
        <IntervalStrip verdict={verdict} width={600} />
        <p>{intervalWords(verdict, report.looks)}</p>
        {verdict.reason === null ? null : <p class="why">{capital(verdict.reason)}.</p>}
        <p class="small muted">
          {designWords(verdict)}
          {report.validity.map(({ arm, valid, of }) => ` · ${arm} ${valid}/${of} valid`)}
        </p>
        {other === null ? null : (
          <p class="small muted">
            {capital(QUESTION_WORDS[other.question])}: {signed(other.effect, sign)}
            {other.interval === null
              ? `, no interval: ${other.why ?? ''}`
              : `, ${signed(other.interval[0], sign)} to ${signed(other.interval[1], sign)}`}
          </p>
        )}
      </div>
      {lead === null ? null : <span hidden data-effect={lead.effect} data-metric={metric.name} />}
    </article>
  );
}

function Card({ verdict, looks }: { verdict: MetricVerdict; looks: LooksDesign | null }) {
  const { metric, reason } = verdict;
  return (
    <article class={`card ${verdict.verdict}`} id={`metric-${metric.name}`}>
      <h2>{metric.label}</h2>
      <div class="effect">{effectOf(verdict)}</div>
      <Word verdict={verdict} />
      <IntervalStrip verdict={verdict} />
      {verdict.lead === null ? null : <p class="small">{intervalWords(verdict, looks)}</p>}
      <p class="small muted">
        {designWords(verdict)}
        {verdict.holm === null ? '' : ` · Holm p ${pText(verdict.holm)}`}
      </p>
      {reason !== null && verdict.lead === null ? <p class="small">{capital(reason)}.</p> : null}
      {reason === null || verdict.lead === null ? null : (
        <details class="small muted">
          <summary>why</summary>
          {capital(reason)}.
        </details>
      )}
    </article>
  );
}

function Exploratory({ verdicts, looks }: { verdicts: MetricVerdict[]; looks: LooksDesign | null }) {
  if (verdicts.length === 0) return null;
  return (
    <details class="more">
      <summary>{plural(verdicts.length, 'exploratory metric')}: a hint where to look, no claim</summary>
      <Table head={['metric', 'verdict', 'effect', 'interval', 'could have seen']}>
        {verdicts.map((verdict) => (
          <tr id={`metric-${verdict.metric.name}`}>
            <th scope="row">{verdict.metric.label}</th>
            <td>{verdict.withheld ?? WORDS[verdict.verdict].word}</td>
            <td>{effectOf(verdict)}</td>
            <td>{intervalWords(verdict, looks)}</td>
            <td>
              {verdict.detectable === null ? MISSING : `${verdict.detectable.toFixed(1)}${unitSign(verdict)} or more`}
            </td>
          </tr>
        ))}
      </Table>
    </details>
  );
}

function effectOf(verdict: MetricVerdict): string {
  const { lead, censored } = verdict;
  if (lead === null) return MISSING;
  const bound = { 'at-least': '≥ ', 'at-most': '≤ ', unknown: 'about ' };
  return `${censored === null ? '' : bound[censored.bound]}${signed(lead.effect, unitSign(verdict))}`;
}

function intervalWords(verdict: MetricVerdict, looks: LooksDesign | null): string {
  const { lead } = verdict;
  if (lead === null) return 'no estimate';
  const which = QUESTION_WORDS[lead.question];
  if (lead.interval === null) return `no interval (${lead.why ?? 'unknown'}), ${which}`;
  const sign = unitSign(verdict);
  const level = looks && looks.planned > 1 ? `interval for look ${looks.look}` : '95% interval';
  return `${level} ${signed(lead.interval[0], sign)} to ${signed(lead.interval[1], sign)}, ${which}`;
}

/** How much was looked at, and what such a design can see. */
function designWords(verdict: MetricVerdict): string {
  const { tasks, clusters, runs, detectable } = verdict;
  const [low, high] = runs;
  const each = low === high ? `${low} ${high === 1 ? 'run' : 'runs'}` : `${low} to ${high} runs`;
  const repos = clusters < tasks ? ` in ${plural(clusters, 'repo')}` : '';
  const sees = detectable === null ? '' : ` · sees ${detectable.toFixed(1)}${unitSign(verdict)} or more (80% power)`;
  return `${plural(tasks, 'task')}${repos} × ${each}${sees}`;
}

/** As in the printed report. */
function pText(p: number): string {
  return p < 0.0001 ? '< 0.0001' : `= ${p.toPrecision(2)}`;
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
