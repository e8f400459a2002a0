import { ok, type Result } from '../model/failure.js';
import type { Manifest } from '../model/manifest.js';
import type { FenceLevel } from '../model/plan.js';
import type { TrialRecord } from '../model/trial.js';
import { readManifest, writeManifest } from '../store/index.js';

/** Completes the manifest after the last trial. */
export function completeManifest(dir: string, records: TrialRecord[]): Result<void> {
  const manifest = readManifest(dir);
  if (!manifest.ok) return manifest;
  if (!manifest.value) return ok(undefined);
  const environmentKeys = [...new Set(records.flatMap((record) => record.environmentKeys))].sort();
  const endedAt = manifest.value.endedAt ?? new Date().toISOString();
  const sessions = groupSessions(records, manifest.value.fence);
  return writeManifest(dir, { ...manifest.value, endedAt, environmentKeys, sessions });
}

/** What the host reported of each trial, once for all trials that have it in common. */
function groupSessions(records: TrialRecord[], fence: FenceLevel): NonNullable<Manifest['sessions']> {
  const groups = new Map<string, NonNullable<Manifest['sessions']>[number]>();
  for (const { trialId, session, evidence } of records) {
    if (!session) continue;
    // What stood round this trial; one that was never raised has none.
    const level = (['full', 'shell', 'none'] as const).find((one) => one === evidence.fence) ?? fence;
    const key = JSON.stringify([level, session]);
    const group = groups.get(key) ?? { trials: [], fence: level, ...session };
    group.trials.push(trialId);
    groups.set(key, group);
  }
  return [...groups.values()];
}
