import { arch, cpus, platform, totalmem } from 'node:os';
import type { EngineBuild } from '../model/build.js';
import type { Manifest } from '../model/manifest.js';
import type { CampaignPlan } from '../model/plan.js';
import { planHash } from '../plan/index.js';
import { packageVersion } from '../util/package.js';
import type { Source } from '../workspace/index.js';
import type { Fitness } from './doctor.js';

/** The manifest as it stands before the first trial: everything that could move a figure. */
export function makeManifest(facts: {
  argv: string[];
  plan: CampaignPlan;
  startedAt: Date;
  builds: ReadonlyMap<string, EngineBuild>;
  sources: ReadonlyMap<string, Source>;
  fitness: Fitness;
  /** Where the builds' commits can be looked at; undefined: nowhere that is known. */
  engineRepository?: string;
}): Manifest {
  const { argv, plan, startedAt, builds, sources, fitness, engineRepository } = facts;
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
    ...(engineRepository === undefined ? {} : { engineRepository }),
    sources: [...sources].map(([repo, { treeHash, files, linksLeftOut }]) => ({
      ...{ repo, treeHash, files },
      ...(linksLeftOut.length === 0 ? {} : { linksLeftOut }),
    })),
    environmentKeys: [],
    canary: fitness.canary,
  };
}
