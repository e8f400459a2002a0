import { arch, cpus, platform, totalmem } from 'node:os';
import type { EngineBuild } from '../model/build.js';
import { ok, type Result } from '../model/failure.js';
import type { Manifest } from '../model/manifest.js';
import type { CampaignPlan, FenceLevel } from '../model/plan.js';
import type { TrialRecord } from '../model/trial.js';
import { planHash } from '../plan/index.js';
import { readManifest, writeManifest } from '../store/index.js';
import type { Source } from '../workspace/index.js';
import type { Fitness } from './doctor.js';
import { packageVersion } from './package.js';

/** The manifest as it stands before the first trial: everything that could move a figure. */
export function makeManifest(facts: {
  argv: string[];
  plan: CampaignPlan;
  startedAt: Date;
  builds: ReadonlyMap<string, EngineBuild>;
  sources: ReadonlyMap<string, Source>;
  fitness: Fitness;
}): Manifest {
  const { argv, plan, startedAt, builds, sources, fitness } = facts;
  return {
    formatVersion: 1,
    command: plan.command,
    argv,
    cwd: process.cwd(),
    startedAt: startedAt.toISOString(),
    planHash: planHash(plan),
    regime: plan.regime,
    versions: {
      agentEval: packageVersion,
      node: process.versions.node,
      claude: fitness.claude.version,
      git: fitness.gitVersion,
    },
    host: {
      platform: platform(),
      arch: arch(),
      cores: cpus().length,
      memoryBytes: totalmem(),
      root: process.getuid?.() === 0,
    },
    fence: fitness.fence.level,
    fenceEvidence: fitness.fence.evidence,
    builds: [...builds].map(([arm, build]) => ({
      arm,
      title: build.pinned.title,
      pin: build.pinned.pin,
      kind: build.pinned.kind,
      version: build.version,
      artefactHash: build.artefactHash,
      key: build.key,
      fromCache: build.fromCache,
    })),
    sources: [...sources].map(([repo, source]) => ({ repo, treeHash: source.treeHash, files: source.files })),
    environmentKeys: [],
    canary: fitness.canary,
  };
}

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
