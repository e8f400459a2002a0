import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ok, type Result } from '../model/failure.js';
import { type CampaignMetadata, computeRegime, hashRegime } from '../model/regime.js';
import { type NightlyEntry, nightlyEntrySchema } from '../report/index.js';
import { checkShape, messageOf } from '../store/index.js';
import { readTextSafely } from '../util/read-safely.js';

/** The folder of a nightly campaign's history and lock, below `--out`. */
export function nightlyFolder(out: string, name: string): string {
  const folder = join(out, 'nightly', name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * Returns the nightly runs so far, the oldest first. A line that a kill cut off is left out. Fails with 'bad-input' for a line of another
 * shape or format version, because a run that is left out would change the number of comparisons made so far.
 */
export function readHistory(folder: string): Result<NightlyEntry[]> {
  const file = join(folder, HISTORY);
  const entries: NightlyEntry[] = [];
  for (const [index, line] of (readTextSafely(file, MAX_HISTORY_BYTES) ?? '').split('\n').entries()) {
    const value = parseLine(line);
    if (value === undefined) continue;
    const entry = checkShape(`${file}, line ${index + 1},`, value, nightlyEntrySchema);
    if (!entry.ok) return entry;
    entries.push(entry.value);
  }
  return ok(entries);
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
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
 * Returns the key that nightly runs with comparable values share: a hash over the regime, the arms without their builds, and the number
 * of repetitions. Null if a setting is not recorded: the run is then comparable with no other.
 */
export function regimeKey({ plan, manifest }: CampaignMetadata): string | null {
  const arms = plan.arms.map(({ label, build, environment }) => [
    ...[label, build === null],
    Object.entries(environment).sort(),
  ]);
  const repetitions = plan.tasks.map((task) => task.repetitions ?? null);
  return hashRegime(computeRegime({ plan, manifest }), {
    arms,
    runs: plan.runs,
    repetitions,
  });
}

/** Returns the earlier nightly runs of the same regime that ended with one of these verdicts. */
export function entriesOfRegime(
  history: NightlyEntry[],
  regime: string | null,
  verdicts: NightlyEntry['verdict'][],
): NightlyEntry[] {
  return history.filter((entry) => regime !== null && entry.regime === regime && verdicts.includes(entry.verdict));
}
