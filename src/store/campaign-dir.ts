import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fail, ok, type Result } from '../model/failure.js';
import type { Manifest } from '../model/manifest.js';
import type { CampaignPlan, PlannedTrial } from '../model/plan.js';
import type { TrialRecord } from '../model/trial.js';
import { appendLine, messageOf, readJson, writeJson } from './files.js';
import { CAMPAIGN_FILES, earlierAttemptFile, trialFiles } from './layout.js';

/** Who works in a campaign folder: recognisable after its process id was given to another. */
export interface LockHolder {
  pid: number;
  startTime: string;
  host: string;
}

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
      return written.ok ? ok(dir) : written;
    }
    return fail({ reason: 'io', message: `could not find a free campaign name under ${out}` });
  } catch (error) {
    return fail({
      reason: 'io',
      message: `could not make a campaign folder under ${out}: ${messageOf(error)}`,
      advice: 'choose another place with --out',
    });
  }
}

/** The plan of an existing campaign folder. */
export function readPlan(dir: string): Result<CampaignPlan> {
  const plan = readJson<CampaignPlan>(join(dir, CAMPAIGN_FILES.plan));
  if (!plan.ok) return plan;
  if (plan.value === undefined) {
    return fail({ reason: 'bad-input', message: `${dir} is no campaign folder: it has no ${CAMPAIGN_FILES.plan}` });
  }
  return ok(plan.value);
}

export function readManifest(dir: string): Result<Manifest | undefined> {
  return readJson<Manifest>(join(dir, CAMPAIGN_FILES.manifest));
}

export function writeManifest(dir: string, manifest: Manifest): Result<void> {
  return writeJson(join(dir, CAMPAIGN_FILES.manifest), manifest);
}

/** The record of a trial's last attempt; undefined when there is none. */
export function readRecord(dir: string, plan: CampaignPlan, trial: PlannedTrial): Result<TrialRecord | undefined> {
  return readJson<TrialRecord>(trialFiles(dir, plan, trial).record);
}

/** Writes a trial's record and notes its end in the journal. */
export function saveRecord(dir: string, plan: CampaignPlan, trial: PlannedTrial, record: TrialRecord): Result<void> {
  const written = writeJson(trialFiles(dir, plan, trial).record, record);
  if (!written.ok) return written;
  const { trialId, attempt, outcome, validity, costUsd } = record;
  const at = new Date().toISOString();
  return appendLine(
    join(dir, CAMPAIGN_FILES.journal),
    JSON.stringify({ at, event: 'trial-end', trialId, attempt, outcome, validity, costUsd }),
  );
}

/**
 * Moves what an earlier attempt of a trial left (logs, error files, record) aside, so that a new attempt starts on clean
 * names. Returns the number of the attempt that may begin now.
 */
export function setEarlierAttemptAside(dir: string, plan: CampaignPlan, trial: PlannedTrial): Result<number> {
  const files = trialFiles(dir, plan, trial);
  try {
    mkdirSync(files.folder, { recursive: true });
    const present = [files.record, ...files.logs, ...files.errs].filter((file) => existsSync(file));
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

/** A trial that began: how to find its processes and its private folder, should we die before its end. */
export interface StartedTrial {
  trialId: string;
  tag: string;
  root: string;
}

export function noteTrialStart(dir: string, started: StartedTrial): Result<void> {
  const at = new Date().toISOString();
  return appendLine(join(dir, CAMPAIGN_FILES.journal), JSON.stringify({ at, event: 'trial-start', ...started }));
}

/** Trials that the journal saw begin but not end: what a killed campaign may have left behind. */
export function unfinishedTrials(dir: string): StartedTrial[] {
  const open = new Map<string, StartedTrial>();
  for (const line of readLines(join(dir, CAMPAIGN_FILES.journal))) {
    const entry = line as Partial<StartedTrial> & { event?: string };
    if (entry.trialId === undefined) continue;
    if (entry.event === 'trial-end') open.delete(entry.trialId);
    if (entry.event === 'trial-start' && entry.tag !== undefined && entry.root !== undefined) {
      open.set(entry.trialId, { trialId: entry.trialId, tag: entry.tag, root: entry.root });
    }
  }
  return [...open.values()];
}

/** A journal's lines; a last line that was cut by a kill is left out. */
function readLines(file: string): unknown[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as unknown];
      } catch {
        return [];
      }
    });
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

/** Takes the folder's lock. A holder that is proven dead loses it; a living one is named in the failure. */
export function takeLock(dir: string, me: LockHolder, lives: (holder: LockHolder) => boolean): Result<() => void> {
  const file = join(dir, CAMPAIGN_FILES.lock);
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      writeFileSync(file, JSON.stringify(me), { flag: 'wx' });
      return ok(() => rmSync(file, { force: true }));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        return fail({ reason: 'io', message: `could not lock ${dir}: ${messageOf(error)}` });
      }
    }
    const holder = readJson<LockHolder>(file);
    // A lock that cannot be read was being written by a holder that died in between.
    if (holder.ok && holder.value && lives(holder.value)) {
      return fail({
        reason: 'bad-input',
        message: `${dir} is in use by process ${holder.value.pid} on ${holder.value.host}`,
        advice: 'wait for it to end, or stop it, then resume the campaign',
      });
    }
    rmSync(file, { force: true });
  }
  return fail({ reason: 'io', message: `could not lock ${dir}: others keep taking the lock` });
}
