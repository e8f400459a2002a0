import type { Regime, Shard } from './plan.js';

/** Options with their final values. Nothing after this reads a flag or the environment. */
export interface Options {
  runs: number;
  /** Whether `--runs` or RUNS was given; otherwise `runs` is the config's default. */
  isRunsGiven: boolean;
  model: string;
  effort: string;
  maxBudgetUsd: number;
  /** Undefined: as the host reports it for the model, otherwise 200,000. */
  windowTokens: number | undefined;
  seed: number;
  /** How many prompts of each task are held; undefined: all. */
  turns: number | undefined;
  arms: 'with' | 'without' | 'both';
  /** The first repetition that is held; `runs` is the last. */
  runFrom: number;
  /** The part of the plan that is held here. */
  shard: Shard | undefined;
  out: string;
  campaign: string | undefined;
  tasks: string[] | undefined;
  /** A folder with checked-out repos by name (CORPUS). */
  corpusDir: string | undefined;
  cacheDir: string;
  engineProgram: string | undefined;
  fence: Regime['fence'];
  /** A decrease in percent for which `plan` proposes designs. */
  detect: number | undefined;
  /** The metric that the exit code hangs on; undefined: the config's; false: none is judged. */
  gate: string | false | undefined;
  /** A gate on cost, tokens or time may pass with answers that are not graded. */
  gateWithoutAnswers: boolean;
  /** An A/A campaign to hold against the verdicts; undefined: the last one of the regime. */
  noise: string | undefined;
  /** The baseline against itself. */
  aa: boolean;
  toolSearch: boolean;
  json: boolean;
  /** Also print the tables and averages as they were published, and every run's own blocks whole. */
  full: boolean;
  /** Print the averages as they were published. `full` implies it. */
  publishedAverages: boolean;
  rehearsal: boolean;
  /** A module with the script of the scripted model; undefined: the standing one. */
  rehearsalScript: string | undefined;
  dryRun: boolean;
  includeRaced: boolean;
  includeContaminated: boolean;
  /** Trials side by side. */
  jobs: number;
  maxCampaignUsd: number | undefined;
  /** When the campaign is to stop, ms since 1970. */
  deadlineAt: number | undefined;
  /** Causes whose results are dropped and run again when a campaign is continued. */
  retry: string[];
  /** Go on with a campaign although what is measured with has changed. */
  amend: boolean;
  /** Never ask. */
  yes: boolean;
}

/** Environment variables of this process, or of one that it starts. */
export type Environment = Record<string, string | undefined>;
