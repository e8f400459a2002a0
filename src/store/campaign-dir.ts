import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { z } from 'zod';
import { fail, ok, type Result } from '../model/failure.js';
import { failureName } from '../model/failure-kind.js';
import { type Grade, gradeSchema } from '../model/grade.js';
import { LABELS_FORMAT_VERSION, type Label, type Labels, labelsSchema } from '../model/labels.js';
import { type Manifest, manifestSchema } from '../model/manifest.js';
import { type CampaignPlan, type PlannedTrial, planSchema } from '../model/plan.js';
import { recordSchema, type TrialRecord } from '../model/trial.js';
import { readTextSafely } from '../util/read-safely.js';
import { atUsersPlace, messageOf, readJson, writeJson } from './files.js';
import { appendJournal, checkJournal } from './journal.js';
import { CAMPAIGN_FILES, earlierAttemptFile, LATEST, trialFiles } from './layout.js';

const MAX_REPORT_BYTES = 256 * 1024 * 1024;

/** Makes a new campaign folder under `out`: `<command>-<date>-<time>-<plan hash>`; never one that is there already. */
export function createCampaignDir(out: string, plan: CampaignPlan, planHash: string, now: Date): Result<string> {
  const stamp = now.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-');
  const base = `${plan.command}-${stamp}-${planHash.slice(0, 8)}`;
  try {
    mkdirSync(out, { recursive: true });
    for (let attempt = 0; attempt < 100; attempt++) {
      const dir = join(resolve(out), attempt === 0 ? base : `${base}-${attempt + 1}`);
      if (existsSync(dir)) continue;
      mkdirSync(dir);
      const written = writeJson(join(dir, CAMPAIGN_FILES.plan), plan);
      if (!written.ok) return written;
      pointLatestAt(dir);
      return ok(dir);
    }
    return fail({ reason: 'io', message: `could not find a free campaign name under ${out}` });
  } catch (error) {
    return fail(
      atUsersPlace({
        reason: 'io',
        message: `could not make a campaign folder under ${out}: ${messageOf(error)}`,
        advice: 'choose another place with --out',
      }),
    );
  }
}

/** `<out>/latest` is a link to the newest campaign. A convenience: where links cannot be made there is none. */
function pointLatestAt(dir: string): void {
  const out = dirname(dir);
  const temporary = join(out, `.${LATEST}.${process.pid}`);
  try {
    symlinkSync(basename(dir), temporary);
    renameSync(temporary, join(out, LATEST));
  } catch {
    rmSync(temporary, { force: true });
  }
}

/** After campaigns were removed: a link to one that is gone goes to the newest that is left, or goes too. */
export function mendLatest(out: string, newest: string | undefined): void {
  const link = join(out, LATEST);
  const isLink = lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (!isLink || existsSync(link)) return;
  rmSync(link, { force: true });
  if (newest !== undefined) pointLatestAt(newest);
}

/** Puts another plan in a campaign's place (`--amend`); the one before is kept as plan.<n>.json. */
export function amendPlan(dir: string, plan: CampaignPlan): Result<void> {
  const file = join(dir, CAMPAIGN_FILES.plan);
  let number = 1;
  while (existsSync(join(dir, `plan.${number}.json`))) number += 1;
  const earlier = readJson(file, planSchema);
  if (!earlier.ok) return earlier;
  const kept = writeJson(join(dir, `plan.${number}.json`), earlier.value);
  return kept.ok ? writeJson(file, plan) : kept;
}

/** Removes what a killed process was about to put in place: temporary files of writes that were never finished. */
export function removeUnfinishedWrites(dir: string): void {
  // With the kinds of the entries, so that links to folders are not followed.
  for (const { name, parentPath } of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const isOwn = parentPath === dir;
    if (/\.\d+\.tmp$/.test(name) || (isOwn && /^lock\.json\.[0-9a-f]{16}$/.test(name))) {
      rmSync(join(parentPath, name), { force: true });
    }
  }
}

/** The plan of an existing campaign folder. */
export function readPlan(dir: string): Result<CampaignPlan> {
  const plan = readJson(join(dir, CAMPAIGN_FILES.plan), planSchema);
  if (!plan.ok) return plan;
  if (plan.value === undefined) {
    return fail({ reason: 'bad-input', message: `${dir} is no campaign folder: it has no ${CAMPAIGN_FILES.plan}` });
  }
  return ok(plan.value);
}

export function readManifest(dir: string): Result<Manifest | undefined> {
  return readJson(join(dir, CAMPAIGN_FILES.manifest), manifestSchema);
}

export function writeManifest(dir: string, manifest: Manifest): Result<void> {
  return writeJson(join(dir, CAMPAIGN_FILES.manifest), manifest);
}

const invocationSchema = manifestSchema.pick({ argv: true, cwd: true });
/** How a campaign was started. */
export type CampaignInvocation = z.infer<typeof invocationSchema>;

/** Notes how a campaign was begun, before anything of it is made: so that a kill during the builds can be resumed too. */
export function writeInvocation(dir: string, invocation: CampaignInvocation): Result<void> {
  return writeJson(join(dir, CAMPAIGN_FILES.invocation), invocation);
}

/** How a campaign was begun: by its manifest, else by what was noted at its very start. Undefined: it says nowhere. */
export function readInvocation(dir: string): Result<CampaignInvocation | undefined> {
  const manifest = readManifest(dir);
  if (!manifest.ok || manifest.value) return manifest;
  return readJson(join(dir, CAMPAIGN_FILES.invocation), invocationSchema);
}

/** The record of a trial's last attempt; undefined when there is none. */
export function readRecord(dir: string, plan: CampaignPlan, trial: PlannedTrial): Result<TrialRecord | undefined> {
  const file = trialFiles(dir, plan, trial).record;
  const record = readJson(file, recordSchema);
  if (!record.ok || record.value === undefined || record.value.trialId === trial.id) return record;
  return fail({
    reason: 'bad-input',
    message: `${file}: trialId is "${record.value.trialId}", expected "${trial.id}"`,
  });
}

/**
 * Checks everything in a campaign folder by which a start would act: manifest, journal, the records of the plan's trials, and that the
 * folders of the trials are no links to elsewhere. A record that is no JSON passes: its trial is run again.
 */
export function checkContents(dir: string, plan: CampaignPlan): Result<void> {
  const manifest = readManifest(dir);
  if (!manifest.ok) return manifest;
  const journal = checkJournal(dir);
  if (!journal.ok) return journal;
  for (const trial of plan.trials) {
    const { folder } = trialFiles(dir, plan, trial);
    if (existsSync(folder) && realpathSync(folder) !== join(realpathSync(dir), relative(dir, folder))) {
      const message = `${folder} leads out of the campaign folder through a link`;
      return fail({ reason: 'bad-input', message, advice: 'put the folder itself in its place' });
    }
    const record = readRecord(dir, plan, trial);
    if (!record.ok && record.failure.cause !== 'not-json') return record;
  }
  return ok(undefined);
}

/** The grade of a trial; undefined if it has none. */
export function readGrade(dir: string, plan: CampaignPlan, trial: PlannedTrial): Result<Grade | undefined> {
  const read = readJson(trialFiles(dir, plan, trial).grade, gradeSchema);
  if (read.ok) return read;
  return fail({ ...read.failure, advice: 'grade the campaign again: agent-eval grade <campaign> --regrade' });
}

/** Writes a trial's grade beside its log; the trial's record stays as it is. */
export function saveGrade(dir: string, plan: CampaignPlan, trial: PlannedTrial, grade: Grade): Result<void> {
  return writeJson(trialFiles(dir, plan, trial).grade, grade);
}

/** What a person has said of the answers of a campaign; empty if nobody has. */
export function readLabels(dir: string): Result<Label[]> {
  const read = readJson<Labels>(join(dir, CAMPAIGN_FILES.labels), labelsSchema);
  return read.ok ? ok(read.value?.labels ?? []) : read;
}

/** Replaces the labels of a campaign, whole or not at all. */
export function saveLabels(dir: string, labels: Label[]): Result<void> {
  return writeJson(join(dir, CAMPAIGN_FILES.labels), { formatVersion: LABELS_FORMAT_VERSION, labels });
}

/** The saved report, where nothing has happened in the campaign since it was made; undefined: it must be made again. */
export function readFreshReport(dir: string): { text: string; json: string } | undefined {
  const place = (name: string) => join(dir, name);
  try {
    const [text, json] = [place(CAMPAIGN_FILES.reportText), place(CAMPAIGN_FILES.reportJson)];
    const happenedAt = statSync(place(CAMPAIGN_FILES.journal)).mtimeMs;
    if ([text, json].some((file) => statSync(file).mtimeMs < happenedAt)) return undefined;
    const [savedText, savedJson] = [text, json].map((file) => readTextSafely(file, MAX_REPORT_BYTES));
    return savedText === undefined || savedJson === undefined ? undefined : { text: savedText, json: savedJson };
  } catch {
    return undefined;
  }
}

/** Writes a trial's record and notes its end in the journal. */
export function saveRecord(dir: string, plan: CampaignPlan, trial: PlannedTrial, record: TrialRecord): Result<void> {
  const written = writeJson(trialFiles(dir, plan, trial).record, record);
  if (!written.ok) return written;
  const { trialId, attempt, outcome, validity, failure } = record;
  // Without a session nothing was spent; with one whose cost is unknown it stays unknown.
  const costUsd = record.costUsd ?? (record.segments.length === 0 ? 0 : null);
  const cause = failure && failureName(failure);
  return appendJournal(dir, {
    event: 'trial-end',
    trialId,
    attempt,
    outcome,
    validity,
    costUsd,
    ...(cause === undefined ? {} : { cause }),
  });
}

/**
 * Moves what an earlier attempt of a trial left (logs, error files, record) aside, so that a new attempt starts on clean
 * names. Returns the number of the attempt that may begin now.
 */
export function setEarlierAttemptAside(dir: string, plan: CampaignPlan, trial: PlannedTrial): Result<number> {
  const files = trialFiles(dir, plan, trial);
  try {
    mkdirSync(files.folder, { recursive: true });
    const present = [files.record, files.patch, files.grade, ...files.logs, ...files.errs].filter((file) =>
      existsSync(file),
    );
    const attempts = countAttempts(files.logs[0] ?? files.record);
    if (present.length === 0) return ok(attempts + 1);
    for (const file of present) {
      const target = earlierAttemptFile(file, attempts + 1);
      mkdirSync(dirname(target), { recursive: true });
      renameSync(file, target);
    }
    return ok(attempts + 2);
  } catch (error) {
    return fail({ reason: 'io', message: `could not make room for ${trial.id}: ${messageOf(error)}` });
  }
}

function countAttempts(firstLog: string): number {
  const folder = join(dirname(firstLog), 'attempts');
  if (!existsSync(folder)) return 0;
  const stem = firstLog.slice(dirname(firstLog).length + 1).replace(/\.jsonl$/, '');
  const numbers = readdirSync(folder).flatMap((name) => {
    const holds = readdirSync(join(folder, name)).some((file) => file.startsWith(`${stem}.`));
    return holds ? [Number(name.replace('attempt-', ''))] : [];
  });
  return Math.max(0, ...numbers);
}
