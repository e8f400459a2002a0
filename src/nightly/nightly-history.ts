import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ok, type Result } from '../model/failure.js';
import type { Manifest } from '../model/manifest.js';
import type { CampaignPlan } from '../model/plan.js';
import type { NightlyEntry } from '../report/index.js';
import { messageOf } from '../store/index.js';
import { readTextSafely } from '../util/read-safely.js';

/** The folder of a nightly campaign's history and lock, below `--out`. */
export function nightlyFolder(out: string, name: string): string {
  const folder = join(out, 'nightly', name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The nights so far, the oldest first; a line that a kill cut is left out. */
export function readHistory(folder: string): NightlyEntry[] {
  const text = readTextSafely(join(folder, HISTORY), MAX_HISTORY_BYTES) ?? '';
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as NightlyEntry];
    } catch {
      return [];
    }
  });
}

const HISTORY = 'history.jsonl';
const MAX_HISTORY_BYTES = 64 * 1024 * 1024;

export function appendHistory(folder: string, entry: NightlyEntry): Result<void> {
  try {
    appendFileSync(join(folder, HISTORY), `${JSON.stringify(entry)}\n`);
    return ok(undefined);
  } catch (error) {
    return fail({ reason: 'io', message: `could not append to ${join(folder, HISTORY)}: ${messageOf(error)}` });
  }
}

/**
 * What must be equal for two campaigns' figures to be compared: everything but the engine under test, when it ran and on which
 * machine. Prompts, arms, repetitions, model, corpus and CLI are in it.
 */
export function regimeKey(plan: CampaignPlan, manifest: Manifest): string {
  const facts = {
    regime: plan.regime,
    tasks: plan.tasks,
    arms: plan.arms.map(({ label, build, environment }) => [label, build === null, Object.entries(environment).sort()]),
    runs: plan.runs,
    claude: manifest.versions.claude,
    fence: manifest.fence,
    sources: manifest.sources.map(({ repo, treeHash }) => [repo, treeHash]),
  };
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16);
}
