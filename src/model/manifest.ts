import type { FenceLevel, Regime } from './plan.js';
import type { SessionFacts } from './trial.js';

/** One build as it really ran. */
export interface ManifestBuild {
  arm: string;
  title: string;
  pin: string;
  kind: 'source' | 'package';
  version: string;
  artefactHash: string;
  key: string;
  fromCache: boolean;
}

/** Everything that could move a figure, written before the first trial and completed at the end. */
export interface Manifest {
  formatVersion: 1;
  command: string;
  argv: string[];
  /** Where it was typed; `resume` goes there first, since names in `argv` may be relative. */
  cwd: string;
  startedAt: string;
  endedAt?: string;
  planHash: string;
  regime: Regime;
  versions: { agentEval: string; node: string; claude: string; git: string };
  host: { platform: string; arch: string; cores: number; memoryBytes: number; root: boolean };
  fence: FenceLevel;
  /** What proves the level, or why a stronger one does not hold here. */
  fenceEvidence?: Record<string, string>;
  builds: ManifestBuild[];
  /** Web address of the engine's repository (`https://host/owner/name`), where builds are its commits and its remote tells. */
  engineRepository?: string;
  /** `linksLeftOut`: links that led out of the repository and are in no copy of it, as `path -> target`; undefined: none. */
  sources: { repo: string; treeHash: string; files: number; linksLeftOut?: string[] }[];
  environmentKeys: string[];
  /** What the host reported of each trial; trials of which it reported the same stand together. */
  sessions?: (SessionFacts & { trials: string[]; fence: FenceLevel })[];
  canary?: Record<string, string>;
  /** Of a merged campaign: the shards that it was made of. */
  parts?: { name: string; host: Manifest['host']; startedAt: string }[];
  /** What had changed when the campaign was continued with --amend. */
  amendments?: { at: string; differences: string[] }[];
}
