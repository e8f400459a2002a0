import type { LooksDesign, MetricVerdict, VerdictReport, VerdictWord } from '../../model/verdict.js';
import { QUESTION_WORDS, signed, unitSign } from '../../statistics/index.js';
import { MISSING, plural } from '../numbers.js';
import { IntervalStrip } from './interval-strip.js';
import type { HtmlReport } from './model.js';
import { Table } from './parts.js';
import { boundText, isDecided, nextStep, plainWord, sentenceOf, valuesText } from './verdict-sentence.js';

const SIGNS: Record<VerdictWord, string> = {
  ...{ better: '✓', worse: '✕', equivalent: '≈', inconclusive: '?', none: '?', withheld: '!' },
};

/** The primary metric's verdict as a sentence with its interval, a card for each secondary metric, the exploratory ones in a folded table. */
export function Verdicts({ report: { verdicts, arms, toolLabel } }: { report: HtmlReport }) {
  if (verdicts === null || verdicts.metrics.length === 0) {
    const why = arms.length === 2 ? 'these logs have no plan that declares metrics' : 'a verdict compares two arms';
    return <p class="asked">No verdict: {why}. The values of each arm follow below.</p>;
  }
  const of = (role: string) => verdicts.metrics.filter(({ metric }) => metric.role === role);
  const compared = (verdict: MetricVerdict) => verdict.lead !== null;
  const absent = verdicts.metrics.filter((verdict) => !compared(verdict) && verdict.metric.role !== 'primary');
  return (
    <>
      {of('primary').map((verdict) => (
        <Primary verdict={verdict} report={verdicts} />
      ))}
      {verdicts.answers.state === 'not-asked' ? null : (
        <p class={verdicts.answers.state === 'worse' ? 'banner' : undefined}>
          <strong>{capital(verdicts.answers.words)}.</strong>
        </p>
      )}
      {verdicts.refusals.map((refusal) => (
        <p class="banner">No verdict: {refusal}.</p>
      ))}
      <div class="cards">
        {of('secondary')
          .filter(compared)
          .map((verdict) => (
            <Card verdict={verdict} report={verdicts} />
          ))}
      </div>
      <p class="small muted">
        The first metric decides. The others are corrected for their number (Holm).{' '}
        {verdicts.looks && verdicts.looks.planned > 1
          ? `Look ${verdicts.looks.look} of ${verdicts.looks.planned} declared: wider intervals in return.`
          : ''}
        {absent.length === 0 ? '' : notCompared(absent, arms, toolLabel)}
      </p>
      <Exploratory verdicts={of('exploratory').filter(compared)} report={verdicts} />
    </>
  );
}

/** Names the metrics without a pair of values. An arm without the tool cannot have those of the tool. */
function notCompared(verdicts: MetricVerdict[], arms: HtmlReport['arms'], toolLabel: string): string {
  const without = arms.filter(({ build }) => build === null).map(({ label }) => label);
  const isMixed = without.length > 0 && without.length < arms.length;
  const why = isMixed
    ? `${without.join(', ')} has no ${toolLabel}, and so no such value`
    : 'no pair of runs has a value in both arms';
  return `Not compared: ${verdicts.map(({ metric }) => metric.label).join(', ')} (${why}).`;
}

function Word({ verdict }: { verdict: MetricVerdict }) {
  return (
    <>
      <span aria-hidden="true">{SIGNS[verdict.verdict]} </span>
      {plainWord(verdict)}
    </>
  );
}

function Primary({ verdict, report }: { verdict: MetricVerdict; report: VerdictReport }) {
  const { metric, lead, other, reason } = verdict;
  const sign = unitSign(verdict);
  const next = nextStep(verdict, report);
  return (
    <article class={`card primary ${verdict.verdict}`} id={`metric-${metric.name}`}>
      <p class="sentence">
        <strong class="word">
          <Word verdict={verdict} />:
        </strong>{' '}
        {sentenceOf(verdict)}
      </p>
      {reason === null ? null : <p class="why">{capital(reason)}.</p>}
      {next === null ? null : (
        <p class="next">
          <strong>Next:</strong> {next}
        </p>
      )}
      <div class="sides">
        {isDecided(verdict) ? <div class="effect">{effectOf(verdict)}</div> : null}
        <div class="wide-strip">
          <IntervalStrip verdict={verdict} width={600} />
        </div>
        <div class="narrow-strip">
          <IntervalStrip verdict={verdict} width={320} />
        </div>
      </div>
      <p class="small">
        {capital(intervalWords(verdict, report.looks))}. {capital(metric.label)} decides, {metric.better} is better.{' '}
        {report.baseline} → {report.tested}.
      </p>
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
      {lead === null ? null : <span hidden data-effect={lead.effect} data-metric={metric.name} />}
    </article>
  );
}

function Card({ verdict, report }: { verdict: MetricVerdict; report: VerdictReport }) {
  const { metric, reason, lead } = verdict;
  return (
    <article class={`card ${verdict.verdict}`} id={`metric-${metric.name}`}>
      <h2>{metric.label}</h2>
      <p class="values">{valuesText(verdict)}</p>
      <p>
        <span class="change">{effectOf(verdict)}</span>{' '}
        <strong class="word">
          <Word verdict={verdict} />
        </strong>
      </p>
      {lead?.interval ? <IntervalStrip verdict={verdict} /> : null}
      <p class="small">{capital(intervalWords(verdict, report.looks))}.</p>
      <details class="small muted">
        <summary>design and reason</summary>
        {designWords(verdict)}
        {verdict.holm === null ? '' : ` · Holm p ${pText(verdict.holm)}`}.{' '}
        {reason === null ? '' : `${capital(reason)}.`}
      </details>
    </article>
  );
}

function Exploratory({ verdicts, report }: { verdicts: MetricVerdict[]; report: VerdictReport }) {
  if (verdicts.length === 0) return null;
  return (
    <details class="more">
      <summary>{plural(verdicts.length, 'exploratory metric')}: a hint where to look, no claim</summary>
      <Table
        head={['metric', `${report.baseline} → ${report.tested}`, 'verdict', 'change', 'interval', 'could have seen']}
      >
        {verdicts.map((verdict) => (
          <tr id={`metric-${verdict.metric.name}`}>
            <th scope="row">{verdict.metric.label}</th>
            <td>{valuesText(verdict)}</td>
            <td>{plainWord(verdict)}</td>
            <td>{effectOf(verdict)}</td>
            <td>{intervalWords(verdict, report.looks)}</td>
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
  return verdict.lead === null ? MISSING : `${boundText(verdict)}${signed(verdict.lead.effect, unitSign(verdict))}`;
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
