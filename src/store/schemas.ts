import { z } from 'zod';
import { ENGINE_NAMES } from '../model/engine.js';
import { legalLabel, legalName } from '../model/legal-name.js';
import type { CommandName } from '../model/plan.js';
import { serverSchema } from '../model/server.js';

/**
 * The shapes of what a campaign folder contains. A folder may come from anywhere, so every file is checked when it is read. Names
 * follow the rules of the config, because paths are made of them. Fields that are not named here are let through.
 */

const formatVersion = z.literal(1);
const wholeFrom1 = z.number().int().min(1);
const texts = z.array(z.string());
const COMMANDS: Record<CommandName, true> = {
  ab: true,
  'with-without': true,
  demo: true,
  'bench-readme': true,
  campaign: true,
};

const buildSpec = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('ref'), ref: z.string() }),
  z.looseObject({ kind: z.literal('npm'), packageName: z.string(), version: z.string() }),
  z.looseObject({ kind: z.literal('path'), dir: z.string() }),
  z.looseObject({ kind: z.literal('worktree') }),
]);

const pinnedBuild = z.looseObject({
  spec: buildSpec,
  text: z.string(),
  kind: z.enum(['source', 'package']),
  pin: z.string(),
  title: z.string(),
});

const arm = z.looseObject({
  label: legalLabel,
  build: pinnedBuild.nullable(),
  environment: z.record(z.string(), z.string()),
});

const source = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('git'), url: z.string(), commit: z.string() }),
  z.looseObject({ kind: z.literal('folder'), dir: z.string() }),
  z.looseObject({ kind: z.literal('npm'), packageName: z.string(), version: z.string() }),
]);

const task = z.looseObject({
  name: legalName,
  repo: legalName,
  prompts: texts.min(1),
  repetitions: z.looseObject({ all: z.array(wholeFrom1), here: z.array(wholeFrom1) }).optional(),
});

const regime = z.looseObject({
  model: z.string(),
  effort: z.string(),
  maxBudgetUsd: z.number(),
  rehearsal: z.boolean(),
  toolSearch: z.boolean(),
  fence: z.enum(['auto', 'full', 'shell', 'none']),
  windowTokens: z.number(),
  jobs: wholeFrom1.optional(),
});

const trial = z.looseObject({ id: z.string(), task: legalName, arm: legalLabel, repetition: wholeFrom1 });

/** Shape of plan.json: the trials are trials of its tasks and arms, each once. */
export const planSchema = z
  .looseObject({
    formatVersion,
    command: z.string().refine((name) => Object.hasOwn(COMMANDS, name), 'names no command that runs a campaign'),
    engine: z.union([z.enum(ENGINE_NAMES), serverSchema]).optional(),
    arms: z.array(arm),
    repos: z.array(z.looseObject({ name: legalName, source, exclude: texts })),
    tasks: z.array(task),
    runs: wholeFrom1,
    seed: z.number(),
    regime,
    trials: z.array(trial),
    verdict: z.looseObject({}).optional(),
  })
  .superRefine(({ tasks, arms, trials }, context) => {
    const [names, labels] = [new Set(tasks.map(({ name }) => name)), new Set(arms.map(({ label }) => label))];
    const seen = new Set<string>();
    for (const [index, one] of trials.entries()) {
      const fault = (field: string, message: string) =>
        context.addIssue({ code: 'custom', path: ['trials', index, field], message });
      if (!names.has(one.task)) fault('task', `"${one.task}" is no task of this plan`);
      if (!labels.has(one.arm)) fault('arm', `"${one.arm}" is no arm of this plan`);
      const id = `${one.task}/${one.arm}-${one.repetition}`;
      if (one.id !== id) fault('id', `expected "${id}", got "${one.id}"`);
      if (seen.has(id)) fault('id', `"${id}" stands in the plan twice`);
      seen.add(id);
    }
  });

const host = z.looseObject({ platform: z.string(), arch: z.string(), cores: z.number(), memoryBytes: z.number() });

/** Shape of manifest.json. */
export const manifestSchema = z.looseObject({
  formatVersion,
  command: z.string(),
  argv: texts,
  cwd: z.string(),
  startedAt: z.string(),
  endedAt: z.string().optional(),
  planHash: z.string(),
  regime,
  versions: z.looseObject({ agentEval: z.string(), node: z.string(), claude: z.string(), git: z.string() }),
  host,
  fence: z.enum(['full', 'shell', 'none']),
  fenceEvidence: z.record(z.string(), z.string()).optional(),
  builds: z.array(
    z.looseObject({
      arm: legalLabel,
      title: z.string(),
      pin: z.string(),
      kind: z.enum(['source', 'package']),
      version: z.string(),
      artefactHash: z.string(),
      key: z.string(),
      fromCache: z.boolean(),
    }),
  ),
  engineRepository: z.string().optional(),
  sources: z.array(z.looseObject({ repo: legalName, treeHash: z.string(), files: z.number() })),
  environmentKeys: texts,
  sessions: z
    .array(
      z.looseObject({
        ...{ trials: texts, tools: texts, mcpServers: texts, hooks: texts, skills: texts, agents: texts },
        plugins: texts,
      }),
    )
    .optional(),
  canary: z.record(z.string(), z.string()).optional(),
  parts: z.array(z.looseObject({ name: z.string(), host, startedAt: z.string() })).optional(),
  amendments: z.array(z.looseObject({ at: z.string(), differences: texts })).optional(),
});

/** Shape of what the user's cache remembers of a start. */
export const startedSchema = z.looseObject({ flags: z.record(z.string(), z.union([z.string(), z.boolean()])) });

/** Shape of invocation.json. */
export const invocationSchema = z.looseObject({ argv: texts, cwd: z.string() });

/** Name of a file that lies beside the one that names it. */
const besides = z.string().regex(/^[^/\\\0]+$/, 'is no file name');

/** Shape of a trial's record. */
export const recordSchema = z.looseObject({
  formatVersion,
  trialId: z.string(),
  task: legalName,
  arm: legalLabel,
  repetition: wholeFrom1,
  attempt: wholeFrom1,
  outcome: z.enum(['ok', 'failed', 'interrupted']),
  validity: z.string(),
  failure: z.looseObject({ reason: z.string(), message: z.string(), cause: z.string().optional() }).optional(),
  startedAt: z.string(),
  phasesMs: z.record(z.string(), z.number()),
  segments: z.array(
    z.looseObject({
      log: besides,
      argv: texts,
      exitCode: z.number().nullable(),
      signal: z.string().nullable(),
      startedAt: z.string(),
      durationMs: z.number(),
      ended: z.string(),
    }),
  ),
  sessionIds: texts,
  environmentKeys: texts,
  evidence: z.record(z.string(), z.string()),
  session: z.looseObject({}).optional(),
  cliAttempts: z.array(z.looseObject({ at: z.string(), by: z.string(), args: texts })).optional(),
  costUsd: z.number().nullable(),
});

const at = z.string();
const trialId = z.string();

/** Shapes of the lines of journal.jsonl, by their event. Lines of other events are let through. */
export const journalSchemas: Readonly<Record<string, z.ZodType>> = {
  'trial-start': z.looseObject({
    at,
    trialId,
    tag: z.string(),
    root: z.string().startsWith('/', 'is no absolute path'),
  }),
  'trial-end': z.looseObject({
    ...{ at, trialId, attempt: wholeFrom1, outcome: z.enum(['ok', 'failed', 'interrupted']), validity: z.string() },
    costUsd: z.number().nullable(),
    cause: z.string().optional(),
  }),
  'trial-lost': z.looseObject({ at, trialId }),
  'trial-dropped': z.looseObject({ at, trialId, cause: z.string() }),
  'campaign-start': z.looseObject({ at, pid: z.number(), host: z.string() }),
  retry: z.looseObject({ at, trialId, attempt: z.number(), cause: z.string() }),
  pause: z.looseObject({ at, until: z.string(), reason: z.string() }),
  stop: z.looseObject({ at, reason: z.string(), message: z.string() }),
  'campaign-end': z.looseObject({ at, interrupted: z.boolean() }),
};
