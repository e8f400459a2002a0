import type { AnswersSummary, ArmAnswers, JudgedArm, JudgeSummary } from '../model/answers.js';
import type { Proportion } from '../model/estimate.js';
import type { Grade } from '../model/grade.js';
import type { ProposedFact } from '../model/proposed-fact.js';
import type { TaskCheck } from '../model/task-check.js';
import { oneLine } from './clean.js';
import { MISSING, percent1, plural } from './numbers.js';

/** The answers of a campaign, to stand before every figure of cost: a line an arm, then a line a task and arm. "" without grades. */
export function renderAnswers(answers: AnswersSummary | null): string {
  if (answers === null) return '';
  const lines = ['====== ANSWERS — what was right, before what it cost ======'];
  for (const arm of answers.arms)
    lines.push(`  ${armLine(arm)}`, ...arm.reasons.map((one) => `    ! not graded: ${oneLine(one)}`));
  if (answers.tasks.length > 1) {
    for (const { task, arms } of answers.tasks) {
      lines.push(`  ${oneLine(task)}`, ...arms.map((arm) => `    ${armLine(arm)}`));
    }
  }
  return [...lines, ...judgeLines(answers.judge).map((line) => `  ${line}`)].join('\n');
}

/** What the judge found and how far it can be trusted; empty without one. */
export function judgeLines(judge: JudgeSummary | null): string[] {
  if (judge === null) return [];
  const {
    settings,
    judged,
    of,
    state,
    reason,
    labels,
    labelledAnswers,
    kappa,
    sensitivity,
    specificity,
    unanimousShare,
  } = judge;
  const role =
    state === 'calibrated'
      ? 'calibrated: the figures above are its own'
      : `exploratory (${reason}): it decides nothing`;
  const agreement = [
    kappa === null
      ? `κ ${MISSING}`
      : `κ ${kappa.value.toFixed(2)} (95% interval ${kappa.interval.map((one) => one.toFixed(2)).join(' to ')})`,
    `sensitivity ${proportionText(sensitivity)}`,
    `specificity ${proportionText(specificity)}`,
    `over ${plural(labels, 'label')} from ${plural(labelledAnswers, 'answer')}`,
  ];
  const unanimous = unanimousShare === null ? '' : ` · votes unanimous ${percent1(unanimousShare)}`;
  return [
    `judge (${settings.map(oneLine).join(' | ')}): ${judged} of ${plural(of, 'run')} judged · ${role}`,
    `  ${agreement.join(' · ')}${unanimous} · cost $${judge.costUsd.toFixed(2)}, in no arm’s cost`,
    ...judge.arms.map((arm) => `  ${judgedArmLine(arm)}`),
    ...judge.disagreements.map(
      ({ task, share }) =>
        `  ! ${oneLine(task)}: judge and matching disagree on ${percent1(share)} of the facts; look at \`accept\`, or at the judge`,
    ),
    ...judge.reasons.map((one) => `  ! not judged: ${oneLine(one)}`),
  ];
}

function judgedArmLine({ arm, rawRecall, correctedRecall, sensitivity, specificity }: JudgedArm): string {
  const share = (value: number | null) => (value === null ? MISSING : percent1(value));
  return `${oneLine(arm)}: facts by the judge ${share(rawRecall)}, corrected ${share(correctedRecall)} · sensitivity ${proportionText(sensitivity)} · specificity ${proportionText(specificity)}`;
}

function proportionText(proportion: Proportion | null): string {
  if (proportion === null) return MISSING;
  return `${proportion.count}/${proportion.of}`;
}

function armLine(arm: ArmAnswers): string {
  return [
    `${oneLine(arm.arm)}: ${arm.graded} of ${plural(arm.of, 'run')} graded`,
    ...answerCells(arm).map(([name, value]) => `${name} ${value}`),
  ].join(' · ');
}

/** What is told of an arm's answers, in the order of the printed line: name and value. */
export function answerCells(arm: ArmAnswers): [string, string][] {
  const { factRecall, passed, falseClaims, groundedShare, fabricatedCitations, costPerFactUsd, costPerFactInterval } =
    arm;
  return [
    ['facts', factRecall === null ? MISSING : percent1(factRecall)],
    ['passed', passed === null ? MISSING : `${passed.count}/${passed.of}`],
    ['false claims a run', falseClaims === null ? MISSING : falseClaims.toFixed(2)],
    ['citations found', groundedShare === null ? MISSING : percent1(groundedShare)],
    ['citations invented', fabricatedCitations === null ? MISSING : String(fabricatedCitations)],
    ['cost per fact', costPerFactUsd === null ? MISSING : `${dollars(costPerFactUsd)}${range(costPerFactInterval)}`],
  ];
}

function dollars(usd: number): string {
  return `$${usd.toFixed(4)}`;
}

/** Returns the interval in brackets, with a space before it. "" without an interval. */
function range(interval: [number, number] | null): string {
  return interval === null ? '' : ` [${dollars(interval[0])}–${dollars(interval[1])}]`;
}

/** The grades of a campaign, a line a trial, with what a reader would look at: facts that are absent, citations that do not resolve. */
export function renderGrades({ grades, skipped }: { grades: Grade[]; skipped: string[] }): string {
  const lines = grades.flatMap((grade) => [gradeLine(grade), ...detailLines(grade)]);
  return [...lines, ...skipped.map((id) => `${oneLine(id)}: no session to grade`)].join('\n');
}

function gradeLine({ trialId, state, reason, figures }: Grade): string {
  const { factRecall, passed, falseClaims, groundedShare, fabricatedCitations } = figures;
  const cells = [
    `facts ${factRecall === null ? MISSING : percent1(factRecall)}`,
    passed === null ? `passed ${MISSING}` : passed === 1 ? 'passed' : 'not passed',
    `false claims ${falseClaims ?? MISSING}`,
    `citations found ${groundedShare === null ? MISSING : percent1(groundedShare)}`,
    `invented ${fabricatedCitations ?? MISSING}`,
  ];
  const why = reason === undefined ? '' : ` (${oneLine(reason)})`;
  return `${oneLine(trialId)}: ${state}${why} · ${cells.join(' · ')}`;
}

function detailLines({ facts, wrong, citations, commands, sourceProblem }: Grade): string[] {
  const absent = facts.filter(({ vital, conversation }) => vital && conversation.state !== 'supported');
  const bad = (citations ?? []).filter(({ state }) => state !== 'resolved');
  return [
    ...absent.map(({ id, conversation }) => `${conversation.negated ? 'negated' : conversation.state}: ${id}`),
    ...wrong.filter(({ found }) => found).map(({ id }) => `wrong claim: ${id}`),
    ...bad.map(({ text, state }) => `${state}: ${text}`),
    ...commands.filter(({ state }) => state !== 'passed').map(({ run, state }) => `${state}: ${run}`),
    ...(sourceProblem === undefined ? [] : [`citations are not resolved: ${sourceProblem}`]),
  ].map((line) => `    ${oneLine(line)}`);
}

/** The checks of tasks: a line a task, its faults and its notes below it. */
export function renderTaskChecks(checks: TaskCheck[]): string {
  return checks
    .flatMap(({ task, state, faults, notes }) => [
      `${oneLine(task)}: ${state}`,
      ...faults.map(({ kind, message }) => `    ! ${kind}: ${oneLine(message)}`),
      ...notes.map((note) => `    ${oneLine(note)}`),
    ])
    .join('\n');
}

/** Proposed facts with their numbers, for a person to accept. `first` is the number of the first one. */
export function renderProposals(proposals: ProposedFact[], first = 1): string {
  return proposals
    .flatMap(({ fact, runs }, index) => {
      const { id, prompt, vital, claim, at, accept } = fact;
      const strings = accept.map((one) => one.join(' + ')).join(' or ');
      return [
        `${first + index}. ${id} (prompt ${prompt}, in ${plural(runs, 'run')}${vital ? '' : ', not vital'}): ${oneLine(claim)}`,
        `     at ${at.map(oneLine).join(', ')}`,
        `     accept ${strings === '' ? MISSING : oneLine(strings)}`,
      ];
    })
    .join('\n');
}
