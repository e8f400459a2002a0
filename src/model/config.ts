import { z } from 'zod';
import { DEFAULTS, EFFORTS, MAX_RUNS } from './defaults.js';
import { ENGINE_NAMES, type EngineChoice } from './engine.js';
import type { Expects } from './expects.js';
import type { HostName } from './host-log.js';
import { DEFAULT_JUDGE } from './judge.js';
import { legalName } from './legal-name.js';
import { type ServerInput, serverSchema } from './server.js';
import type { VerdictDeclaration } from './verdict.js';

const text = z.string().trim().min(1, 'must not be empty');
const positive = z.number().positive();
const wholeFrom1 = z.number().int().min(1);
export const environmentSchema = z.record(
  z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'is no variable name'),
  z.string(),
);

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
  /** Tokens of the window by which the host decides when to compact. Undefined: the host decides alone. */
  contextWindow: z.number().int().min(1).optional(),
  /** The task of the config that this one is, under another window. Undefined: the one of its own name. */
  variantOf: legalName.optional(),
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
  /** Windows that are crossed with the tasks; null: the host decides alone. Empty: no such factor. */
  contextWindows: (number | null)[];
  /** In place of the config's `verdict`. Undefined: that one. */
  verdict?: VerdictDeclaration | undefined;
  /** By metric: how much worse than the earlier campaign is a regression for `nightly`, in percent (points for shares). */
  margins: Record<string, number>;
}

/** A registered name or a whole description; telling by the type gives precise errors in place of "no member matches". */
const checkedProfile = z.unknown().transform((value, context): EngineChoice => {
  const parsed =
    typeof value === 'object' && value !== null ? serverSchema.safeParse(value) : engineName.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    context.addIssue({ code: 'custom', message: issue.message, path: issue.path as (string | number)[] });
  }
  return z.NEVER;
});
const engineName = z.enum(ENGINE_NAMES, {
  error: ({ input }) =>
    `expected a registered name (${ENGINE_NAMES.join(', ')}) or the description of a server, got ${JSON.stringify(input)}`,
});
const profile = checkedProfile as z.ZodType<EngineChoice, (typeof ENGINE_NAMES)[number] | ServerInput>;

export const engineSchema = z.strictObject({
  /** The MCP server under test: a registered name, or a description of your own (docs/servers.md). Undefined: codegraph. */
  profile: profile.optional(),
  /** The engine checkout, relative to the config file. Undefined: the current directory. */
  checkout: text.optional(),
  /** Shell commands that build it, run in order in a private clone. */
  build: z.array(text).min(1).default(['npm ci --ignore-scripts --no-audit --no-fund', 'npm run build']),
  /** The CLI's script once built, relative to the checkout. Undefined: the one that the engine's profile names. */
  entry: text.optional(),
  /** Folders or files in which a change makes two refs worth comparing. */
  sources: z.array(text).min(1).default(['src']),
  /** The node that runs source builds. Undefined: the node that runs agent-eval. */
  node: text.optional(),
  /** The build of `with-without`, written as for `ab --baseline`. Undefined: CG_BIN, else the CLI on the PATH. */
  withBuild: text.optional(),
  /** Engine environment variables, equal in every arm. */
  environment: environmentSchema.default({}),
});
/** How to build the engine from source, and how to run it. */
export type EngineConfig = z.output<typeof engineSchema>;

export const defaultsSchema = z.strictObject({
  runs: wholeFrom1.max(MAX_RUNS).default(DEFAULTS.runs),
  model: text.default(DEFAULTS.model),
  effort: z.enum(EFFORTS).default(DEFAULTS.effort),
  maxBudgetUsd: positive.default(DEFAULTS.maxBudgetUsd),
  /** Undefined: as the host reports it for the model. */
  windowTokens: wholeFrom1.optional(),
  /** The tasks that `ab` and `with-without` take when none is named. */
  tasks: z.array(text).default([]),
  /** A segment's deadline. */
  segmentDeadlineMs: positive.default(DEFAULTS.segmentDeadlineMs),
  /** The longest silence in a segment's log. */
  segmentIdleMs: positive.default(DEFAULTS.segmentIdleMs),
  daemonReadyMs: positive.default(DEFAULTS.daemonReadyMs),
  indexDeadlineMs: positive.default(DEFAULTS.indexDeadlineMs),
  buildDeadlineMs: positive.default(DEFAULTS.buildDeadlineMs),
  /** How often a trial that failed for reasons outside the agent is run again. */
  retries: z.number().int().min(0).default(DEFAULTS.retries),
  /** Trials of one repo that run in parallel. Undefined: no limit but that of the campaign. */
  jobsPerRepo: wholeFrom1.optional(),
  /** CPU-bound phases (indexing, start of a daemon or of claude) that run in parallel. Undefined: the machine's cores. */
  cpuJobs: wholeFrom1.optional(),
  /** How long a campaign pauses at a limit whose reset time is unknown. It doubles with every such pause in a row. */
  limitPauseMs: positive.default(DEFAULTS.limitPauseMs),
  /** A limit that is lifted later than this ends the campaign instead of pausing it. */
  longestPauseMs: positive.default(DEFAULTS.longestPauseMs),
});
export type Defaults = z.output<typeof defaultsSchema>;

/** A model that grades, which costs money; left out, none is asked (docs/answers.md, "The judge"). */
const judge = z.strictObject({
  model: text.default(DEFAULT_JUDGE.model),
  effort: z.enum(EFFORTS).default('low'),
  votes: wholeFrom1
    .max(9)
    .refine((votes) => votes % 2 === 1, 'must be odd, so that two states cannot tie')
    .default(DEFAULT_JUDGE.votes),
  maxUsdPerAnswer: positive.default(DEFAULT_JUDGE.maxUsdPerAnswer),
});
export const gradingSchema = z.strictObject({
  /** Undefined: no model grades, unless `--judge` asks for one. */
  judge: judge.optional(),
  /** No further answer is judged once grading a campaign has cost as much. */
  maxGradeUsd: positive.default(20),
});
/** How answers are graded beyond what costs nothing. */
export type GradingConfig = z.output<typeof gradingSchema>;

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
