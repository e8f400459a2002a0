import { z } from 'zod';
import type { EngineChoice } from './engine.js';
import type { Expects } from './expects.js';
import type { HostName } from './host-log.js';
import type { JudgeSettings } from './judge.js';
import { legalName } from './legal-name.js';
import type { VerdictDeclaration } from './verdict.js';

const repoSourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('git'), url: z.string(), commit: z.string() }),
  z.object({ kind: z.literal('folder'), dir: z.string() }),
  z.object({ kind: z.literal('npm'), packageName: z.string(), version: z.string() }),
]);
/** Where a target repository's files come from. */
export type RepoSource = z.infer<typeof repoSourceSchema>;

export const repoSchema = z.object({
  name: legalName,
  source: repoSourceSchema,
  /** Names (or paths relative to the root) to leave out of the copy, beyond those that every source of the kind leaves out. */
  exclude: z.array(z.string()),
});
export type Repo = z.infer<typeof repoSchema>;

const repetition = z.number().int().min(1);
export const taskSchema = z.object({
  name: legalName,
  repo: legalName,
  /** The prompts of one session, in order. */
  prompts: z.array(z.string()).min(1),
  /**
   * The repetitions of the whole campaign, and those of them in this part of it (a shard's own). Undefined means all, from 1 on.
   */
  repetitions: z.object({ all: z.array(repetition), here: z.array(repetition) }).optional(),
});
export type Task = z.infer<typeof taskSchema>;

/** One side of a configured campaign. */
export interface CampaignArm {
  label: string;
  /** As typed (`main`, `npm:<package>@<version>`); null: no engine; undefined: the one of `with-without`. */
  build: string | null | undefined;
  /** Engine environment of this arm beyond the config's. */
  environment: Record<string, string>;
}

/** A set of tasks and arms that the config names. */
export interface Campaign {
  name: string;
  tasks: string[];
  /** Empty: with and without the engine. */
  arms: CampaignArm[];
  runs: number | undefined;
  /** By metric: how much worse than the earlier campaign is a regression for `nightly`, in percent (points for shares). */
  margins: Record<string, number>;
}

/** How to build the engine from source, and how to run it. */
export interface EngineConfig {
  /** Which engine this is. Undefined: codegraph. */
  profile?: EngineChoice | undefined;
  /** The engine checkout; undefined: the current directory. */
  checkout: string | undefined;
  /** Shell commands, run in order in a private clone. */
  build: string[];
  /** The CLI's script, relative to the checkout, once built. Undefined: the one that the engine's profile names. */
  entry?: string | undefined;
  /** Folders or files in which a change makes two refs worth comparing. */
  sources: string[];
  /** Node for source builds (22.5 or later for codegraph). Undefined: the node that runs agent-eval. */
  node: string | undefined;
  /** Build for `with-without`, as text; undefined: CG_BIN, else the CLI on the PATH. */
  withBuild: string | undefined;
  /** Engine environment variables, equal in every arm. */
  environment: Record<string, string>;
}

export interface Defaults {
  runs: number;
  model: string;
  effort: string;
  maxBudgetUsd: number;
  /** Undefined: as the host reports it for the model. */
  windowTokens?: number | undefined;
  /** Task names that `ab` and `with-without` take when none is named. */
  tasks: string[];
  /** A segment's deadline and the longest silence in its log. */
  segmentDeadlineMs: number;
  segmentIdleMs: number;
  daemonReadyMs: number;
  indexDeadlineMs: number;
  buildDeadlineMs: number;
  /** How often a trial that failed for reasons outside the agent is run again. */
  retries: number;
  /** Trials of one repo side by side; undefined: no limit but the campaign's. */
  jobsPerRepo: number | undefined;
  /** CPU-bound phases (indexing, start of a daemon or of claude) side by side; undefined: the machine's cores. */
  cpuJobs: number | undefined;
  /** How long a campaign pauses at a limit whose reset time is unknown; it doubles with every such pause in a row. */
  limitPauseMs: number;
  /** A limit that is lifted later than this ends the campaign in place of a pause. */
  longestPauseMs: number;
}

/** The whole of corpus.config.ts, validated, with every default in place. */
export interface Config {
  engine: EngineConfig;
  /** The agent host that runs the sessions. Undefined: the default one. */
  host: HostName | undefined;
  repos: Repo[];
  tasks: Task[];
  /** By task. Apart from the tasks, so that no plan and no session ever holds what a right answer is. */
  expects: Record<string, Expects>;
  /** By task: the JSON file that its expectations were read from, absolute. Not in it: tasks whose expectations stand in the config. */
  expectsFiles: Record<string, string>;
  campaigns: Campaign[];
  defaults: Defaults;
  verdict: VerdictDeclaration;
  grading: GradingConfig;
}

/** How answers are graded beyond what costs nothing. */
export interface GradingConfig {
  /** Undefined: no model grades, unless `--judge` asks for one. */
  judge: JudgeSettings | undefined;
  /** No further answer is judged once grading a campaign has cost as much. */
  maxGradeUsd: number;
}
