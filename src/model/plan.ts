import { z } from 'zod';
import { pinnedBuildSchema } from './build.js';
import { repoSchema, taskSchema } from './config.js';
import { FENCES } from './defaults.js';
import { ENGINE_NAMES } from './engine.js';
import { HOST_NAMES } from './host-log.js';
import { legalLabel, legalName } from './legal-name.js';
import { serverSchema } from './server.js';
import { verdictDeclarationSchema } from './verdict.js';

/** What a campaign was planned to be. The zod schemas are the types. Fields of later versions are let through when a plan is read. */

const wholeFrom1 = z.number().int().min(1);

const commandNameSchema = z.enum(['ab', 'with-without', 'demo', 'bench-readme', 'campaign'], {
  error: 'names no command that runs a campaign',
});
export type CommandName = z.infer<typeof commandNameSchema>;

const armSchema = z.object({
  label: legalLabel,
  build: pinnedBuildSchema.nullable(),
  /** Engine environment of this arm beyond the config's. */
  environment: z.record(z.string(), z.string()),
});
/** One side of the comparison: an engine build, or none. */
export type Arm = z.infer<typeof armSchema>;

const trialSchema = z.object({ id: z.string(), task: legalName, arm: legalLabel, repetition: wholeFrom1 });
/** One task under one arm, once. `id` is unique within the campaign: `<task>/<label>-<repetition>`. `repetition` counts from 1. */
export type PlannedTrial = z.infer<typeof trialSchema>;

export const fenceLevelSchema = z.enum(['full', 'shell', 'none']);
/**
 * `full`: the whole `claude` is fenced. `shell`: only its Bash tool. `none`: nothing (docs/isolation.md, "The fence").
 */
export type FenceLevel = z.infer<typeof fenceLevelSchema>;

export const regimeSchema = z.object({
  model: z.string(),
  effort: z.string(),
  maxBudgetUsd: z.number(),
  rehearsal: z.boolean(),
  toolSearch: z.boolean(),
  fence: z.enum(FENCES).describe('as asked for; the manifest has the level that was found to hold'),
  windowTokens: z.number(),
  jobs: wholeFrom1
    .optional()
    .describe('trials that run in parallel; missing in older plans, which means 1; above 1, durations are distorted'),
});
/** The declared settings, which are equal in every trial. `computeRegime` adds those that the manifest records. */
export type Regime = z.infer<typeof regimeSchema>;

export const planFieldsSchema = z.object({
  formatVersion: z.literal(1),
  command: commandNameSchema,
  engine: z
    .union([z.enum(ENGINE_NAMES), serverSchema])
    .optional()
    .describe('what the arms are builds of; missing means codegraph'),
  host: z.enum(HOST_NAMES).optional().describe('the agent host that runs the trials; missing means the default one'),
  arms: z.array(armSchema),
  repos: z.array(repoSchema),
  tasks: z.array(taskSchema),
  runs: wholeFrom1,
  seed: z.number(),
  regime: regimeSchema,
  trials: z.array(trialSchema),
  verdict: verdictDeclarationSchema
    .optional()
    .describe('declared before the runs; missing in older plans, which means the defaults'),
});

/** plan.json: every trial, in order. Holds no absolute path. The trials are trials of its tasks and arms, each once. */
export const planSchema = planFieldsSchema.superRefine(({ tasks, arms, trials }, context) => {
  const [names, labels] = [new Set(tasks.map(({ name }) => name)), new Set(arms.map(({ label }) => label))];
  const seen = new Set<string>();
  for (const [index, trial] of trials.entries()) {
    const addError = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: ['trials', index, field], message });
    if (!names.has(trial.task)) addError('task', `"${trial.task}" is no task of this plan`);
    if (!labels.has(trial.arm)) addError('arm', `"${trial.arm}" is no arm of this plan`);
    const id = `${trial.task}/${trial.arm}-${trial.repetition}`;
    if (trial.id !== id) addError('id', `expected "${id}", got "${trial.id}"`);
    if (seen.has(id)) addError('id', `"${id}" stands in the plan twice`);
    seen.add(id);
  }
});
export type CampaignPlan = z.infer<typeof planSchema>;

/** A part of a plan: the `index`-th of `of`, from 1. */
export interface Shard {
  index: number;
  of: number;
}
