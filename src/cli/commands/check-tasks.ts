import { readFileSync } from 'node:fs';
import { controlsAtCeiling } from '../../analysis/index.js';
import { GradingSources, runTaskCommands, withTemporaryRoot } from '../../experiment/index.js';
import { checkTask } from '../../grading/index.js';
import type { Config, Task } from '../../model/config.js';
import type { Expects } from '../../model/expects.js';
import { ok } from '../../model/failure.js';
import type { TaskCheck } from '../../model/task-check.js';
import { jsonText, renderTaskChecks, writeOut } from '../../report/index.js';
import { messageOf } from '../../store/index.js';
import { EXIT } from '../exit-codes.js';
import { type Invocation, invoke, type Surroundings } from '../invocation.js';
import type { CommonFlags } from '../options.js';
import { printFailure } from '../print-failure.js';

/** `check-tasks`: whether the expectations of the config's tasks tell right answers from wrong ones. Costs nothing. */
export async function checkTasks(flags: CommonFlags, surroundings: Surroundings): Promise<number> {
  const invocation = await invoke(flags, surroundings);
  if (!invocation.ok) return printFailure(invocation.failure);
  const { config, configFile, options } = invocation.value;
  const unknown = (options.tasks ?? []).filter((name) => !config.tasks.some((task) => task.name === name));
  if (unknown.length > 0) {
    const advice = `it has: ${config.tasks.map(({ name }) => name).join(', ')}`;
    return printFailure({ reason: 'bad-input', message: `${configFile} has no task ${unknown.join(', ')}`, advice });
  }
  const wanted = config.tasks.filter(({ name }) => options.tasks?.includes(name) ?? true);
  const atCeiling = controlsAtCeiling(options.out);
  const checks: TaskCheck[] = [];
  const checked = await withTemporaryRoot(async (temporaryRoot) => {
    for (const task of wanted) {
      const check = await checkOne(task, invocation.value, temporaryRoot);
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
