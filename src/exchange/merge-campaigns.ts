import { constants, copyFileSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isInUse } from '../campaign/index.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { Manifest } from '../model/manifest.js';
import type { CampaignPlan, PlannedTrial } from '../model/plan.js';
import {
  type CampaignMetadata,
  compareRegimes,
  computeCampaignSettings,
  formatDifference,
  type Setting,
} from '../model/regime.js';
import { mergePlans, planHash } from '../plan/index.js';
import {
  atUsersPlace,
  CAMPAIGN_FILES,
  checkContents,
  messageOf,
  readManifest,
  readPlan,
  readRecord,
  trialFiles,
  writeAtomically,
  writeManifest,
} from '../store/index.js';
import { readTextSafely } from '../util/read-safely.js';

const MAX_JOINED_BYTES = 256 * 1024 * 1024;

interface Part extends CampaignMetadata {
  dir: string;
  name: string;
}

/**
 * Makes one campaign of its shards in a new folder; the parts stay as they are. Refuses ('bad-input') parts of different plans, measured
 * with different things, overlapping, unfinished, in use, or not all there. Returns the merged plan.
 */
export function mergeCampaigns(out: string, dirs: string[]): Result<CampaignPlan> {
  if (existsSync(out) && readdirSync(out).length > 0) {
    return fail({
      reason: 'bad-input',
      message: `${out} is not empty`,
      advice: 'name a new folder: nothing is ever overwritten',
    });
  }
  const parts: Part[] = [];
  for (const dir of dirs) {
    const part = readPart(resolve(dir));
    if (!part.ok) return part;
    parts.push(part.value);
  }
  const plan = mergePlans(parts);
  if (!plan.ok) return plan;
  const same = checkMeasuredAlike(parts);
  if (!same.ok) return same;
  try {
    mkdirSync(out, { recursive: true });
    for (const part of parts) copyTrials(part, out, plan.value);
    for (const name of [CAMPAIGN_FILES.journal, CAMPAIGN_FILES.log]) joinFiles(parts, name, out);
    const written = writeAtomically(join(out, CAMPAIGN_FILES.plan), `${JSON.stringify(plan.value, null, 2)}\n`);
    if (!written.ok) return written;
  } catch (error) {
    // A half-made campaign would look like a whole one.
    rmSync(out, { recursive: true, force: true });
    return fail(atUsersPlace({ reason: 'io', message: `could not write ${out}: ${messageOf(error)}` }));
  }
  const manifest = writeManifest(out, mergedManifest(parts, plan.value));
  return manifest.ok ? plan : manifest;
}

function readPart(dir: string): Result<Part> {
  const plan = readPlan(dir);
  if (!plan.ok) return plan;
  const manifest = readManifest(dir);
  if (!manifest.ok) return manifest;
  if (!manifest.value)
    return fail({ reason: 'bad-input', message: `${dir} has no ${CAMPAIGN_FILES.manifest}: nothing of it was run` });
  if (isInUse(dir))
    return fail({ reason: 'bad-input', message: `${dir} is still being run`, advice: 'wait for its end' });
  const checked = checkContents(dir, plan.value);
  if (!checked.ok) return checked;
  const missing: string[] = [];
  for (const trial of plan.value.trials) {
    const record = readRecord(dir, plan.value, trial);
    if (!record.ok) return record;
    if (!record.value || record.value.outcome === 'interrupted') missing.push(trial.id);
  }
  if (missing.length === 0) return ok({ dir, name: basename(dir), plan: plan.value, manifest: manifest.value });
  return fail({
    reason: 'bad-input',
    message: `${dir} is not finished: ${missing.length} of ${plan.value.trials.length} trials were not run (${missing.slice(0, 6).join(', ')})`,
    advice: `agent-eval resume ${dir}`,
  });
}

/** Checks that every setting and every build are the same in all parts. A part need not have the tasks and repos of another. */
function checkMeasuredAlike(parts: Part[]): Result<void> {
  const seen: Setting[] = [];
  const differences: string[] = [];
  for (const [index, part] of parts.entries()) {
    const settings = computeCampaignSettings(part);
    const changed = index === 0 ? [] : compareRegimes(seen, settings);
    for (const difference of changed) {
      const isInBoth = difference.a !== undefined && difference.b !== undefined;
      if (isInBoth || difference.scope === 'campaign') {
        differences.push(`${formatDifference(difference, ' / ')} in ${part.name}`);
      }
    }
    seen.push(...settings.filter(({ name }) => !seen.some((earlier) => earlier.name === name)));
  }
  if (differences.length === 0) return ok(undefined);
  return fail({
    reason: 'bad-input',
    message: `the parts were measured with different things:\n${differences.map((line) => `  ${line}`).join('\n')}`,
    advice: 'run the part that differs again, with what the others had',
  });
}

/** A trial's files under the names that the merged plan gives them, and its earlier attempts. */
function copyTrials({ dir, plan }: Part, out: string, merged: CampaignPlan): void {
  for (const trial of plan.trials) {
    const [from, to] = [stemOf(dir, plan, trial), stemOf(out, merged, trial)];
    for (const folder of [from.folder, ...attemptFolders(from.folder)]) {
      for (const name of filesIn(folder).filter((one) => belongsTo(one, from.stem))) {
        const target = join(to.folder, relative(from.folder, folder), `${to.stem}${name.slice(from.stem.length)}`);
        mkdirSync(dirname(target), { recursive: true });
        copyFileSync(join(folder, name), target, constants.COPYFILE_EXCL);
      }
    }
  }
}

function stemOf(dir: string, plan: CampaignPlan, trial: PlannedTrial): { folder: string; stem: string } {
  const { folder, logs } = trialFiles(dir, plan, trial);
  return { folder, stem: basename(logs[0] ?? '', '.jsonl') };
}

/** `run-new-1` has `run-new-1.jsonl` and `run-new-1.t2.jsonl`, but not `run-new-12.jsonl`. */
function belongsTo(name: string, stem: string): boolean {
  return name.startsWith(`${stem}.`);
}

function attemptFolders(folder: string): string[] {
  const attempts = join(folder, 'attempts');
  if (!lstatSync(attempts, { throwIfNoEntry: false })?.isDirectory()) return [];
  const entries = readdirSync(attempts, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [join(attempts, entry.name)] : []));
}

/** The names of the regular files in a folder. Links are left out, so that nothing from elsewhere is merged. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
}

function joinFiles(parts: Part[], name: string, out: string): void {
  const texts = parts.flatMap(({ dir }) => readTextSafely(join(dir, name), MAX_JOINED_BYTES) ?? []);
  const written = writeAtomically(
    join(out, name),
    texts.map((text) => (text.endsWith('\n') ? text : `${text}\n`)).join(''),
  );
  if (!written.ok) throw new Error(written.failure.message);
}

function mergedManifest(parts: Part[], plan: CampaignPlan): Manifest {
  const manifests = parts.map((part) => part.manifest);
  const [first] = manifests;
  if (!first) throw new Error('a merge of nothing');
  const amendments = manifests.flatMap((one) => one.amendments ?? []);
  const ended = manifests.flatMap(({ endedAt }) => endedAt ?? []).sort();
  const sources = plan.repos.flatMap(
    (repo) => manifests.flatMap((one) => one.sources).find((source) => source.repo === repo.name) ?? [],
  );
  return {
    ...first,
    argv: first.argv.filter((word, index, all) => !/^--shard(=|$)/.test(word) && all[index - 1] !== '--shard'),
    startedAt: manifests.map(({ startedAt }) => startedAt).sort()[0] ?? first.startedAt,
    endedAt: ended.length === parts.length ? ended.at(-1) : undefined,
    planHash: planHash(plan),
    sources,
    environmentKeys: [...new Set(manifests.flatMap((one) => one.environmentKeys))].sort(),
    sessions: manifests.flatMap(({ sessions }) => sessions ?? []),
    ...(amendments.length > 0 ? { amendments } : {}),
    parts: parts.map(({ name, manifest }) => ({ name, host: manifest.host, startedAt: manifest.startedAt })),
  };
}
