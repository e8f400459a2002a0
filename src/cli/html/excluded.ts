import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import type { CampaignPlan } from '../../model/plan.js';
import type { TrialRecord } from '../../model/trial.js';
import type { HtmlReport } from '../../report/index.js';
import { trialFiles } from '../../store/index.js';
import type { ReportRun, TaskReport } from '../measure-tasks.js';
import { linkTo, type Place } from './runs.js';

type HtmlExcluded = HtmlReport['excluded'][number];

const TAIL_BYTES = 4_096;
const TAIL_LINES = 12;

/** Every run that is in no figure, with what is known of why. */
export function excludedOf(tasks: TaskReport[], place: Place): HtmlExcluded[] {
  return tasks.flatMap((task) =>
    task.comparison.arms.flatMap((arm) =>
      arm.runs.dropped.map((dropped): HtmlExcluded => {
        const run = task.runs.find((one) => one.name === dropped.name && one.arm === arm.label);
        const { record } = run ?? {};
        return {
          ...{ name: dropped.name, task: task.task, arm: arm.label, cause: dropped.cause },
          detail: dropped.detail ?? run?.fault ?? null,
          outcome: record?.outcome ?? null,
          failure: record?.failure ?? null,
          ends: endsOf(record),
          tails: run ? tailsOf(run, place) : [],
          hasPage: run?.measured !== undefined,
        };
      }),
    ),
  );
}

/** Trials of the plan without a record: never started, or not finished. */
export function notRunOf(tasks: TaskReport[], plan: CampaignPlan | undefined): string[] {
  const finished = new Set(tasks.flatMap(({ runs }) => runs.map(({ name }) => name)));
  return (plan?.trials ?? []).flatMap(({ id }) => (finished.has(id) ? [] : [id]));
}

function endsOf(record: TrialRecord | undefined): string[] {
  return (record?.segments ?? []).flatMap(({ log, ended, exitCode, signal }) => {
    if (ended === 'exited' && exitCode === 0) return [];
    const how = signal === null ? `exit code ${exitCode ?? 'unknown'}` : `signal ${signal}`;
    return [`${log}: ${ended}, ${how}`];
  });
}

/** The last lines of its error output, of every segment that wrote any. */
function tailsOf({ name }: ReportRun, { plan, dir, from }: Place): HtmlExcluded['tails'] {
  const trial = plan?.trials.find(({ id }) => id === name);
  if (!plan || !trial) return [];
  return trialFiles(dir, plan, trial).errs.flatMap((file) => {
    const lines = lastLines(file);
    return lines.length === 0 ? [] : [{ name: basename(file), href: linkTo(from, file), lines }];
  });
}

/** Empty where there is no such file, or nothing in it. */
function lastLines(file: string): string[] {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const { size } = fstatSync(descriptor);
      const buffer = Buffer.alloc(Math.min(size, TAIL_BYTES));
      readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
      const lines = buffer.toString('utf8').split('\n');
      // The first one is most likely cut.
      return (size > TAIL_BYTES ? lines.slice(1) : lines).filter((line) => line.trim() !== '').slice(-TAIL_LINES);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return [];
  }
}
