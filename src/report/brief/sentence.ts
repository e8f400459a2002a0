import { judgedMetric } from '../../catalogue/index.js';
import type { AnswersVerdict, ArmValues, MetricVerdict, VerdictReport } from '../../model/verdict.js';
import { oneLine } from '../clean.js';
import { plural } from '../numbers.js';
import { printValue } from '../values.js';
import { intervalText, shortUnit, signedShort, unsignedShort } from './numbers.js';

/** The verdict on the primary metric in one sentence, with the numbers of the table, and what to do next. */
export function verdictSentence(report: VerdictReport): string {
  const [primary] = report.metrics;
  if (primary === undefined) return '~ No verdict: no metric was declared.';
  const seen = [answersText(report.answers, primary.withheld !== undefined), metricText(primary)]
    .filter((text) => text !== '')
    .join('; ');
  const noise = report.aa ? 'A/A, so any difference is noise: ' : '';
  return [
    `${markOf(primary, report)} ${noise}${wordOf(primary)}: ${seen}.`,
    ...reasons(primary, report),
    ...nextSteps(primary, report),
  ].join(' ');
}

function markOf({ verdict, remedy }: MetricVerdict, { answers }: VerdictReport): string {
  if (verdict === 'none') return remedy ? '?' : '✗';
  if (verdict === 'withheld') return answers.state === 'worse' ? '✗' : '~';
  return { better: '✓', equivalent: '✓', worse: '✗', inconclusive: '?' }[verdict];
}

/** A claim that is withheld is printed without the numbers that follow it: the sentence has them. */
function wordOf({ verdict, remedy, withheld }: MetricVerdict): string {
  if (verdict === 'inconclusive' || (verdict === 'none' && remedy)) return "Can't tell";
  if (verdict === 'none') return 'No verdict';
  return (withheld ?? verdict.toUpperCase()).replace(/ \(.*$/s, '');
}

/** `isSaid`: the word before it says already what became of the answers. */
function answersText(answers: AnswersVerdict, isSaid: boolean): string {
  const { state, metric, armValues, bound, margin, effect, interval } = answers;
  if (state === 'not-asked') return '';
  if (state === 'not-graded') return isSaid ? '' : 'answers not graded';
  const values = fromTo(metric, armValues);
  const range = interval === null ? '' : `; ${intervalText(interval, 'points')}`;
  if (state === 'worse') return `answers ${isSaid ? '' : 'WORSE '}(${values}${signedShort(effect ?? 0)} pts${range})`;
  const word = state === 'not-inferior' ? 'not worse ' : isSaid ? '' : 'not shown to be as good ';
  const loss = bound === null ? '' : boundText(bound, margin);
  return `answers ${word}(${values}${loss})`;
}

function boundText(bound: number, margin: number): string {
  if (bound > 0) return `at least ${signedShort(bound)} pts`;
  return `loss at most ${unsignedShort(bound)} pts, ${margin} allowed`;
}

/** "cost $0.885 → $0.787 (−11%; −18 to −4.2%)". */
function metricText({ metric, unit, lead, armValues, censored }: MetricVerdict): string {
  if (lead === null) return `${metric.label} has no value in both arms`;
  const values = fromTo(metric.name, armValues).replace(/, $/, ' ');
  const bound =
    censored === null
      ? ''
      : { 'at-least': 'at least ', 'at-most': 'at most ', unknown: 'bounds only: ' }[censored.bound];
  const range = lead.interval === null ? 'no interval' : intervalText(lead.interval, unit);
  return `${metric.label} ${values}(${bound}${signedShort(lead.effect)}${shortUnit(unit)}; ${range})`;
}

/** "81.0% → 83.0%, ", the baseline first. "" without values. */
function fromTo(name: string, values: ArmValues | null | undefined): string {
  const metric = judgedMetric(name);
  if (metric === undefined || !values) return '';
  const [from, to] = [values.baseline, values.tested].map((value) => printValue(metric, 'brief', value));
  return `${from} → ${to}, `;
}

/** Why there is no verdict, and how far one reaches. */
function reasons(primary: MetricVerdict, { refusals }: VerdictReport): string[] {
  const { verdict, remedy, reason, lead } = primary;
  if (verdict === 'none') {
    if (remedy) return [`${sizeText(primary)} can never decide.`];
    const [first = reason, ...others] = refusals;
    const more = others.length === 0 ? '' : `, and ${plural(others.length, 'more reason')}`;
    return first === null ? [] : [`${sentence(oneLine(first))}${more}.`];
  }
  if (verdict === 'inconclusive') return reason === null ? [] : [`${sentence(oneLine(reason))}.`];
  return lead?.question === 'corpus' ? [otherTasks(primary)] : [];
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function sizeText({ tasks, clusters, runs: [low, high] }: MetricVerdict): string {
  const repos = clusters < tasks ? ` in ${plural(clusters, 'repo')}` : '';
  return `${plural(tasks, 'task')}${repos} × ${low === high ? plural(high, 'run') : `${low} to ${high} runs`}`;
}

/** What the same runs say about tasks that were not run. */
function otherTasks({ other, unit }: MetricVerdict): string {
  if (!other?.interval) return 'It holds for these tasks and says nothing about others.';
  const [low, high] = other.interval;
  const isShown = low > 0 || high < 0;
  return `Other tasks: ${intervalText(other.interval, unit)}${isShown ? '' : ', not shown'}.`;
}

function nextSteps(primary: MetricVerdict, report: VerdictReport): string[] {
  const { verdict, remedy, withheld } = primary;
  if (verdict === 'none' && remedy) return [`Next: ${remedy.runs === null ? remedy.text : `--runs ${remedy.runs}`}.`];
  if (verdict === 'none') return report.refusals.length === 0 ? [] : [`Next: ${refusalStep(report)}.`];
  if (verdict === 'inconclusive') return enoughText(primary);
  if (withheld !== undefined && report.answers.state === 'not-graded') {
    return ['Next: give the tasks `expects`, then agent-eval grade.'];
  }
  if (withheld !== undefined && report.answers.enough !== null)
    return [`Next: ${plural(report.answers.enough, 'task')}.`];
  return [];
}

function refusalStep({ validity }: VerdictReport): string {
  const isInfra = validity.some(({ causes }) => (causes.infra ?? 0) > 0);
  return isInfra ? 'agent-eval resume with --retry infra' : 'see --full';
}

/** What would be enough to see a difference as large as the margin. */
function enoughText({ enough, metric, unit }: MetricVerdict): string[] {
  if (enough === null) return [];
  const ways = [
    ...(enough.runs === null ? [] : [`--runs ${enough.runs}`]),
    ...(enough.tasks === null ? [] : [plural(enough.tasks, 'task')]),
  ];
  return ways.length === 0 ? [] : [`Next: ${ways.join(' or ')} (to see ${metric.margin}${shortUnit(unit)}).`];
}
