import type { Expects, LabelledAnswer } from '../model/expects.js';
import type { TaskCheck, TaskFault } from '../model/task-check.js';
import { resolvePlace, type SourceFiles } from './citations.js';
import { gradeAnswers } from './grade-answers.js';
import type { CommandsOutcome } from './grade-trial.js';

export interface TaskToCheck {
  task: string;
  prompts: string[];
  expects: Expects;
  source: SourceFiles;
  /** Right answers to other tasks, each by its task. */
  otherAnswers: { task: string; text: string }[];
  /** The right change of this task, and those of other tasks on the same repo. Undefined: the task has none. */
  reference: string | undefined;
  otherChanges: { task: string; patch: string }[];
  runCommands(patch: string): Promise<CommandsOutcome>;
}

/** Below this share of the facts that the labelled answers state, matching misses too many. */
const MIN_FOUND = 0.8;
/** Above this share of the facts that the labelled answers do not state, matching finds too many. */
const MAX_FALSE = 0.05;
/** An answer to another question that states as large a share of the vital facts shows that the facts say too little. */
const MAX_OTHER = 0.5;

/**
 * Checks that the expectations of a task tell right from wrong: every `at` resolves, right answers and the right change pass, and nothing,
 * the prompts themselves, answers to other tasks, and changes of other tasks do not. Commands run twice.
 */
export async function checkTask(task: TaskToCheck): Promise<TaskCheck> {
  const facts = checkFacts(task);
  const commands = await checkCommands(task);
  const faults = [...checkPlaces(task), ...facts.faults, ...commands.faults];
  const notes = [...facts.notes, ...commands.notes];
  const state = faults.length > 0 ? 'faulty' : commands.isChecked ? 'sound' : 'not-checked';
  return { task: task.task, state, faults, notes };
}

function checkPlaces({ expects, source }: TaskToCheck): TaskFault[] {
  return expects.facts.flatMap(({ id, at }) =>
    at.flatMap((place): TaskFault[] => {
      const { state, nearest } = resolvePlace(place, source);
      if (state === 'resolved') return [];
      const advice = nearest === undefined ? '' : `; the nearest is ${nearest}`;
      return [{ kind: 'place', message: `${id}: ${place} does not resolve (${state})${advice}` }];
    }),
  );
}

function checkFacts(task: TaskToCheck): { faults: TaskFault[]; notes: string[] } {
  const { expects, prompts, otherAnswers } = task;
  if (expects.facts.length === 0) return { faults: [], notes: [] };
  const faults: TaskFault[] = [];
  const inPrompts = supportedBy(task, prompts);
  if (inPrompts.length > 0) {
    faults.push({ kind: 'prompt', message: `the prompts themselves state: ${inPrompts.join(', ')}` });
  }
  for (const { task: other, text } of otherAnswers) {
    const { factRecall } = gradeOf(
      task,
      prompts.map(() => text),
    ).figures;
    if ((factRecall ?? 0) < MAX_OTHER) continue;
    const share = `${Math.round((factRecall ?? 0) * 100)}%`;
    faults.push({
      kind: 'other-answer',
      message: `a right answer to ${other} is credited with ${share} of the vital facts`,
    });
  }
  const labelled = checkLabelled(task, expects.calibration);
  return { faults: [...faults, ...labelled.faults], notes: labelled.notes };
}

function gradeOf({ prompts, expects }: TaskToCheck, answers: (string | null)[]) {
  return gradeAnswers({ answers, prompts, expects, source: undefined });
}

function supportedBy(task: TaskToCheck, answers: (string | null)[]): string[] {
  return gradeOf(task, answers)
    .facts.filter(({ own }) => own.state === 'supported')
    .map(({ id }) => id);
}

function checkLabelled(task: TaskToCheck, answers: LabelledAnswer[]): { faults: TaskFault[]; notes: string[] } {
  if (answers.length === 0) {
    return {
      faults: [],
      notes: ['no labelled answers (`calibration`): whether `accept` finds the facts was not tried'],
    };
  }
  const marks = answers.flatMap(({ prompt, text, labels }) => {
    const found = new Set(
      supportedBy(
        task,
        task.prompts.map((_, index) => (index === prompt ? text : null)),
      ),
    );
    return Object.entries(labels).map(([id, label]) => ({
      id,
      isStated: label === 'supported',
      isFound: found.has(id),
    }));
  });
  const stated = marks.filter(({ isStated }) => isStated);
  const others = marks.filter(({ isStated }) => !isStated);
  const missed = stated.filter(({ isFound }) => !isFound);
  const invented = others.filter(({ isFound }) => isFound);
  const faults: TaskFault[] = [];
  const names = (some: { id: string }[]) => [...new Set(some.map(({ id }) => id))].join(', ');
  if (missed.length > stated.length * (1 - MIN_FOUND)) {
    const message = `\`accept\` finds ${stated.length - missed.length} of ${stated.length} facts that labelled answers state; missed: ${names(missed)}`;
    faults.push({ kind: 'reference', message });
  }
  if (invented.length > others.length * MAX_FALSE) {
    const message = `\`accept\` finds ${invented.length} of ${others.length} facts that labelled answers do not state: ${names(invented)}`;
    faults.push({ kind: 'false-match', message });
  }
  const never = task.expects.facts.filter(
    ({ id, vital }) => vital && !marks.some((mark) => mark.id === id && mark.isStated && mark.isFound),
  );
  if (never.length > 0) {
    const message = `no labelled answer states, and is found to state, the vital facts ${names(never)}`;
    faults.push({ kind: 'reference', message });
  }
  const found = `\`accept\` finds ${stated.length - missed.length} of ${stated.length} stated facts, and ${invented.length} of ${others.length} that are not stated`;
  return { faults, notes: [found] };
}

async function checkCommands(task: TaskToCheck): Promise<{ faults: TaskFault[]; notes: string[]; isChecked: boolean }> {
  const { expects, reference, otherChanges } = task;
  if (expects.commands.length === 0) return { faults: [], notes: [], isChecked: true };
  const faults: TaskFault[] = [];
  const runs: { what: string; patch: string; wanted: 'pass' | 'pristine' | 'fail' }[] = [
    { what: 'the pristine copy', patch: '', wanted: 'pristine' },
    ...(reference === undefined ? [] : [{ what: 'the reference', patch: reference, wanted: 'pass' as const }]),
    ...otherChanges.map((other) => ({
      what: `the reference of ${other.task}`,
      patch: other.patch,
      wanted: 'fail' as const,
    })),
  ];
  for (const { what, patch, wanted } of runs) {
    const outcomes = [await task.runCommands(patch), await task.runCommands(patch)];
    const [first, second] = outcomes.map((outcome) => ('problem' in outcome ? undefined : outcome.commands));
    const problem = outcomes.flatMap((outcome) => ('problem' in outcome ? outcome.problem : []))[0];
    if (!first || !second) return { faults, notes: [problem ?? ''], isChecked: false };
    first.forEach(({ run, state }, index) => {
      const again = second[index]?.state;
      if (again === state) return;
      faults.push({ kind: 'flaky', message: `"${run}" on ${what}: ${state} the first time, ${again} the second` });
    });
    faults.push(...commandFaults(what, wanted, first));
  }
  const notes = reference === undefined ? ['no `reference`: whether a right change passes was not tried'] : [];
  return { faults, notes, isChecked: true };
}

function commandFaults(
  what: string,
  wanted: 'pass' | 'pristine' | 'fail',
  commands: Extract<CommandsOutcome, { commands: unknown }>['commands'],
): TaskFault[] {
  if (wanted === 'fail') {
    const isPassed = commands.every(({ state }) => state === 'passed');
    return isPassed
      ? [{ kind: 'other-answer', message: `${what} passes, although it is the change of another task` }]
      : [];
  }
  return commands.flatMap(({ run, regression, state, outputTail }): TaskFault[] => {
    const shouldPass = wanted === 'pass' || regression;
    if ((state === 'passed') === shouldPass) return [];
    const last = outputTail.at(-1);
    const why = shouldPass && last !== undefined ? `: ${last}` : '';
    const message = `"${run}" on ${what}: ${state}, and must ${shouldPass ? 'pass' : 'fail'}${why}`;
    return [{ kind: wanted === 'pass' ? 'reference' : 'pristine', message }];
  });
}
