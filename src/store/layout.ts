import { basename, dirname, join } from 'node:path';
import type { CampaignPlan, PlannedTrial } from '../model/plan.js';

/** The only place that knows the names of files and folders of a campaign. */

/** Names inside a campaign folder. */
export const CAMPAIGN_FILES = {
  manifest: 'manifest.json',
  invocation: 'invocation.json',
  plan: 'plan.json',
  log: 'campaign.log',
  journal: 'journal.jsonl',
  lock: 'lock.json',
  reportText: 'report.txt',
  reportJson: 'report.json',
  reportHtml: 'report.html',
  labels: 'labels.json',
} as const;

/** The link to the newest campaign, beside the campaigns. */
export const LATEST = 'latest';

/** A trial's logs: one file a prompt. `record`, `err` files, `patch` and `grade` stand beside them. */
export interface TrialFiles {
  folder: string;
  logs: string[];
  errs: string[];
  record: string;
  /** What the session changed in its workspace; only of tasks that are graded by it. */
  patch: string;
  grade: string;
}

/**
 * The files of one trial, by the published names: `<task>/run-<label>-<i>.jsonl` for two engine builds,
 * `<repo>/run<n>/run-headless-<arm>.jsonl` for with and without; further prompts in `.t2.jsonl`, `.t3.jsonl`, …
 */
export function trialFiles(campaignDir: string, plan: CampaignPlan, trial: PlannedTrial): TrialFiles {
  const task = plan.tasks.find((one) => one.name === trial.task);
  const prompts = task?.prompts.length ?? 1;
  let folder: string;
  let stem: string;
  if (plan.command === 'with-without' || plan.command === 'bench-readme') {
    // The published layout has one task a repo; where a repo has several, the task's name keeps them apart.
    const sharesRepo = plan.tasks.filter((one) => one.repo === task?.repo).length > 1;
    const name = sharesRepo || task === undefined ? trial.task : task.repo;
    folder = join(campaignDir, name, `run${trial.repetition}`);
    stem = `run-headless-${trial.arm}`;
  } else {
    folder = join(campaignDir, trial.task);
    stem = `run-${trial.arm}-${trial.repetition}`;
  }
  const logs = Array.from({ length: prompts }, (_, index) => join(folder, segmentName(stem, index)));
  const first = logs[0] ?? join(folder, `${stem}.jsonl`);
  const beside = (ending: string) => first.replace(/\.jsonl$/, ending);
  return {
    folder,
    logs,
    errs: logs.map(errFile),
    record: beside('.trial.json'),
    patch: beside('.patch'),
    grade: beside('.grade.json'),
  };
}

function segmentName(stem: string, index: number): string {
  return index === 0 ? `${stem}.jsonl` : `${stem}.t${index + 1}.jsonl`;
}

function errFile(log: string): string {
  return log.replace(/\.jsonl$/, '.err');
}

/** Where an earlier attempt's file is moved when the trial is run again; nothing is ever overwritten. */
export function earlierAttemptFile(file: string, attempt: number): string {
  return join(dirname(file), 'attempts', `attempt-${attempt}`, basename(file));
}

/** What a log's name says: the run it belongs to and which segment it is (from 1). Undefined: not a run's log. */
export function parseLogName(file: string): { run: string; segment: number } | undefined {
  const match = /^(run-.+?)(?:\.t(\d+))?\.jsonl$/.exec(basename(file));
  if (!match?.[1]) return undefined;
  return { run: match[1], segment: match[2] === undefined ? 1 : Number(match[2]) };
}

/** The arm's label and repetition in a run's name: `run-new-2` → new, 2; `run-headless-with` → with. */
export function parseRunName(run: string): { label: string; repetition: number | undefined } {
  const match = /^run-(?:headless-)?(.+?)(?:-(\d+))?$/.exec(run);
  return { label: match?.[1] ?? run, repetition: match?.[2] === undefined ? undefined : Number(match[2]) };
}
