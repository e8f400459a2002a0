import type { PinnedBuild } from './build.js';
import type { Repo, Task } from './config.js';
import type { EngineChoice } from './engine.js';
import type { HostName } from './host-log.js';
import type { VerdictDeclaration } from './verdict.js';

export type CommandName = 'ab' | 'with-without' | 'demo' | 'bench-readme' | 'campaign';

/** One side of the comparison: an engine build, or none. */
export interface Arm {
  label: string;
  build: PinnedBuild | null;
  /** Engine environment of this arm beyond the config's. */
  environment: Record<string, string>;
}

/** One task under one arm, once. `id` is unique within the campaign: `<task>/<label>-<repetition>`. */
export interface PlannedTrial {
  id: string;
  task: string;
  arm: string;
  /** From 1. */
  repetition: number;
}

/**
 * `full`: the whole `claude` is fenced. `shell`: only its Bash tool. `none`: nothing (docs/isolation.md, "The fence").
 */
export type FenceLevel = 'full' | 'shell' | 'none';

/** What bears on a figure and is equal in every trial; figures of different regimes are never mixed. */
export interface Regime {
  model: string;
  effort: string;
  maxBudgetUsd: number;
  rehearsal: boolean;
  toolSearch: boolean;
  /** As asked for; what was found to hold stands in the manifest. */
  fence: 'auto' | FenceLevel;
  windowTokens: number;
  /** Trials side by side; undefined (plans of before) means 1. Above 1, durations are distorted. */
  jobs?: number;
}

/** Pure data: every trial, in order. Holds no absolute path. */
export interface CampaignPlan {
  formatVersion: 1;
  command: CommandName;
  /** The engine that the arms are builds of. Undefined: codegraph. */
  engine?: EngineChoice;
  /** The agent host that runs the trials. Undefined means the default one; that keeps the hash of older plans. */
  host?: HostName;
  arms: Arm[];
  repos: Repo[];
  tasks: Task[];
  runs: number;
  seed: number;
  regime: Regime;
  trials: PlannedTrial[];
  /** What the verdicts will be, declared before the runs; undefined (plans of before): the defaults. */
  verdict?: VerdictDeclaration;
}

/** A part of a plan: the `index`-th of `of`, from 1. */
export interface Shard {
  index: number;
  of: number;
}
