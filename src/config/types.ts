import type { MetricLabel, MetricName } from '../catalogue/index.js';
import type { ExpectsInput } from '../model/expects.js';
import type { AnswersDeclaration, GateRule, LooksDesign } from '../model/verdict.js';

/** A target repository: exactly one of git (with a commit), folder or npm, and what to leave out of it. */
export type RepoInput =
  | { git: string; commit: string; exclude?: string[] }
  | { folder: string; exclude?: string[] }
  | { npm: string; exclude?: string[] };

/** A metric by its name or its printed label, such as `costUsd` or `cost`. */
type MetricInput = MetricName | MetricLabel;

/** Tasks and arms under one name, for `campaign <name>`, `bench-readme` and `nightly`. */
export interface CampaignInput {
  /** Task names, in order; left out: every task of the config. */
  tasks?: string[];
  /**
   * Two or more. `build` as for `ab --baseline`; null: no engine; left out: the engine of `with-without`. Left out altogether:
   * with and without the engine.
   */
  arms?: { label: string; build?: string | null; environment?: Record<string, string> }[];
  /** Repetitions an arm (`--runs` and RUNS win). */
  runs?: number;
  /**
   * Sizes of the context window, `none` or thousands of tokens such as `100k`. Every task is run under each of them, in every arm
   * (docs/campaigns.md, "Context pressure").
   */
  contextWindows?: string[];
  /** In place of the config's `verdict`. */
  verdict?: VerdictInput;
  /**
   * What `nightly` calls a regression: by metric, how much worse than the earlier campaign, in percent (points for shares). The
   * metric's whole interval must lie beyond it.
   */
  margins?: Partial<Record<MetricInput, number>>;
}

/** What is decided, declared before the runs. Every field has a default (docs/config.md). */
export interface VerdictInput {
  primary?: MetricInput;
  secondary?: MetricInput[];
  exploratory?: MetricInput[];
  /** By metric: percent for ratios and counts, points for shares. */
  margins?: Partial<Record<MetricInput, number>>;
  /** Interim looks at growing data, at most 5. */
  looks?: { planned: number; rule?: LooksDesign['rule'] };
  /** The metric that the exit code depends on. */
  gate?: { metric: MetricInput; rule?: GateRule };
  /** How answers are compared, and how many points worse they may be for a claim on cost, tokens or time to stand. */
  answers?: AnswersDeclaration;
}

/** One session to hold on one repo: its prompts in order. */
export interface TaskInput {
  repo: string;
  prompts: string[];
  /** What the prompts ask for. `change`: the agent edits the repository, and commands decide whether it did so rightly. */
  kind?: 'flow' | 'survey' | 'locate' | 'change' | 'control';
  /**
   * What a right answer or change must hold, or the JSON file that says it, relative to the config file (docs/answers.md). With
   * `extends`, what that file says and more.
   */
  expects?: ExpectsInput | string | (Partial<ExpectsInput> & { extends: string });
}
