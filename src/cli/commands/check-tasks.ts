import { readFileSync } from 'node:fs';
import { controlsAtCeiling } from '../../analysis/index.js';
import {
  GradingSources,
  openPlainModel,
  type PlainModel,
  runTaskCommands,
  withTemporaryRoot,
} from '../../experiment/index.js';
import { checkTask, examineClosedBook } from '../../grading/index.js';
import type { Config, Task } from '../../model/config.js';
import type { Expects } from '../../model/expects.js';
import { fail, ok, type Result } from '../../model/failure.js';
import type { TaskCheck } from '../../model/task-check.js';
import { jsonText, renderTaskChecks, writeOut } from '../../report/index.js';
import { messageOf } from '../../store/index.js';
import { EXIT } from '../exit-codes.js';
import { type Invocation, invoke, type Surroundings } from '../invocation.js';
import type { CommonFlags } from '../options.js';
import { printFailure } from '../print-failure.js';

export interface CheckTasksFlags extends CommonFlags {
  closedBook?: string;
}

const MAX_TRIES = 20;

/**
 * `check-tasks`: checks that the expectations of the config's tasks tell right answers from wrong ones. Costs nothing, except with
 * `--closed-book`, which asks a model.
 */
export async function checkTasks(flags: CheckTasksFlags, surroundings: Surroundings): Promise<number> {
  const invocation = await invoke(flags, surroundings);
  if (!invocation.ok) return printFailure(invocation.failure);
  const { config, configFile, options } = invocation.value;
  const unknown = (options.tasks ?? []).filter((name) => !config.tasks.some((task) => task.name === name));
  if (unknown.length > 0) {
    const advice = `it has: ${config.tasks.map(({ name }) => name).join(', ')}`;
    return printFailure({ reason: 'bad-input', message: `${configFile} has no task ${unknown.join(', ')}`, advice });
  }
  const tries = readTries(flags.closedBook);
  if (!tries.ok) return printFailure(tries.failure);
  const wanted = config.tasks.filter(({ name }) => options.tasks?.includes(name) ?? true);
  const atCeiling = controlsAtCeiling(options.out);
  const checks: TaskCheck[] = [];
  let leftUsd = config.grading.maxGradeUsd;
  const checked = await withTemporaryRoot(async (temporaryRoot, teardown) => {
    const model = tries.value > 0 ? await openPlainModel(invocation.value, { temporaryRoot, teardown }) : ok(undefined);
    if (!model.ok) return model;
    for (const task of wanted) {
      const plain = await checkOne(task, invocation.value, temporaryRoot);
      const exam = { model: model.value, tries: tries.value, maxUsd: leftUsd };
      const { check, costUsd } = await withClosedBook(plain, task, invocation.value, exam);
      leftUsd -= costUsd;
      checks.push({ ...check, notes: [...check.notes, ...(atCeiling.get(task.name) ?? [])] });
      if (!options.json) writeOut(`${renderTaskChecks(checks.slice(-1))}\n`);
    }
    return ok(undefined);
  });
  if (!checked.ok) return printFailure(checked.failure);
  if (options.json) writeOut(jsonText({ formatVersion: 1, tasks: checks }));
  if (checks.some(({ state }) => state === 'faulty')) return EXIT.verdictNo;
  return checks.some(({ state }) => state === 'not-checked') ? EXIT.incomplete : EXIT.done;
}

/** 0: nothing is asked. */
function readTries(closedBook: string | undefined): Result<number> {
  const tries = Number(closedBook ?? 0);
  if (closedBook === undefined || (Number.isInteger(tries) && tries >= 1 && tries <= MAX_TRIES)) return ok(tries);
  const message = `--closed-book: expected a whole number from 1 to ${MAX_TRIES}, got "${closedBook}"`;
  return fail({ reason: 'bad-input', message });
}

/** The check of a task with what the model knows of its facts by heart. A task that is not asked stays as it is. */
async function withClosedBook(
  check: TaskCheck,
  task: Task,
  { config, options }: Invocation,
  exam: { model: PlainModel | undefined; tries: number; maxUsd: number },
): Promise<{ check: TaskCheck; costUsd: number }> {
  const expects = Object.hasOwn(config.expects, task.name) ? config.expects[task.name] : undefined;
  if (!exam.model || !expects) return { check, costUsd: 0 };
  const { faults, notes, costUsd, isWhole } = await examineClosedBook({
    ...{ task: task.name, repo: task.repo, prompts: task.prompts, expects, tries: exam.tries, maxUsd: exam.maxUsd },
    ...{ model: options.model, effort: options.effort, ask: exam.model.ask },
  });
  const own = isWhole ? check.state : check.state === 'sound' ? 'not-checked' : check.state;
  const state = faults.length > 0 ? 'faulty' : own;
  return {
    check: { ...check, state, faults: [...check.faults, ...faults], notes: [...check.notes, ...notes] },
    costUsd,
  };
}

async function checkOne(task: Task, invocation: Invocation, temporaryRoot: string): Promise<TaskCheck> {
  const { config } = invocation;
  const nothing = { task: task.name, state: 'not-checked' as const, faults: [] };
  const expects = Object.hasOwn(config.expects, task.name) ? config.expects[task.name] : undefined;
  if (!expects) return { ...nothing, notes: ['the task has no `expects`: its answers are never graded'] };
  const sources = new GradingSources(config.repos, invocation);
  const source = await sources.sourceOf(task.repo);
  if ('problem' in source) return { ...nothing, notes: [source.problem] };
  const reference = readPatch(expects.reference);
  if (reference.problem !== undefined) {
    const fault = { kind: 'reference' as const, message: reference.problem };
    return { ...nothing, state: 'faulty', faults: [fault], notes: [] };
  }
  return await checkTask({
    ...{ task: task.name, prompts: task.prompts, expects, source: source.files },
    otherAnswers: otherAnswers(config, task),
    reference: reference.patch,
    otherChanges: otherChanges(config, task),
    runCommands: (patch) => runTaskCommands(sources, invocation, { repo: task.repo, expects, patch, temporaryRoot }),
  });
}

function readPatch(file: string | undefined): { patch?: string; problem?: string } {
  if (file === undefined) return {};
  try {
    return { patch: readFileSync(file, 'utf8') };
  } catch (error) {
    return { problem: `the reference ${file} could not be read: ${messageOf(error)}` };
  }
}

/**
 * Everything that labelled answers to a task on another repo say rightly, as one answer: the most that another answer could say. Tasks on
 * one repo may ask for the same facts.
 */
function otherAnswers({ expects, tasks }: Config, own: Task): { task: string; text: string }[] {
  return Object.entries(expects).flatMap(([task, { calibration }]) => {
    const right = calibration.filter(({ kind }) => kind === 'right').map(({ text }) => text);
    const isOther = tasks.find(({ name }) => name === task)?.repo !== own.repo;
    return !isOther || right.length === 0 ? [] : [{ task, text: right.join('\n\n') }];
  });
}

function otherChanges({ expects, tasks }: Config, own: Task): { task: string; patch: string }[] {
  const others = tasks.filter(({ name, repo }) => name !== own.name && repo === own.repo);
  return others.flatMap(({ name }) => {
    const { patch } = readPatch((expects[name] as Expects | undefined)?.reference);
    return patch === undefined ? [] : [{ task: name, patch }];
  });
}
