import { basename } from 'node:path';
import type { CampaignPlan } from '../../model/plan.js';
import type { TrialRecord } from '../../model/trial.js';
import type { HtmlReport } from '../../report/index.js';
import { trialFiles } from '../../store/index.js';
import { lastLines } from '../../util/last-lines.js';
import type { ReportRun, TaskReport } from '../measure-tasks.js';
import { linkTo, type Place } from './runs.js';

type HtmlExcluded = HtmlReport['excluded'][number];

const TAIL = { lines: 12, bytes: 4_096 };

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
    const lines = lastLines(file, TAIL);
    return lines.length === 0 ? [] : [{ name: basename(file), href: linkTo(from, file), lines }];
  });
}
