import { z } from 'zod';
import { findMetric, JUDGED_METRICS } from '../catalogue/index.js';
import { DEFAULTS, EFFORTS, MAX_RUNS } from '../model/defaults.js';
import { ENGINE_NAMES, type EngineChoice } from '../model/engine.js';
import { expectsSchema } from '../model/expects.js';
import { HOST_NAMES } from '../model/host-log.js';
import { DEFAULT_JUDGE } from '../model/judge.js';
import { legalLabel, legalName } from '../model/legal-name.js';
import { serverSchema } from '../model/server.js';

/**
 * The shape of corpus.config.ts as a user writes it. `load` turns it into `Config` (model/config.ts) with every default in
 * place. Unknown keys are faults: a misspelt key that is silently ignored would change what is measured.
 */

const text = z.string().trim().min(1, 'must not be empty');
const positive = z.number().positive();
const wholeFrom1 = z.number().int().min(1);
const runs = wholeFrom1.max(MAX_RUNS);
const environment = z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'is no variable name'), z.string());

const exclude = z.array(text).default([]);
const commit = z
  .string()
  .regex(/^[0-9a-f]{40}$/, 'must be a full commit SHA (40 hexadecimal digits), so that it is pinned');
const npmPackage = z
  .string()
  .regex(/^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*@\d[\w.+-]*$/i, 'must be package@version with an exact version');

const gitRepo = z.strictObject({ git: text, commit, exclude });
const folderRepo = z.strictObject({ folder: text, exclude });
const npmRepo = z.strictObject({ npm: npmPackage, exclude });

/** A repo is one of three kinds; telling by its key gives one precise fault instead of three vague ones. */
const repo = z.unknown().transform((value, context) => {
  const keys = value !== null && typeof value === 'object' ? Object.keys(value) : [];
  const kinds = { git: gitRepo, folder: folderRepo, npm: npmRepo } as const;
  const kind = (['git', 'folder', 'npm'] as const).find((key) => keys.includes(key));
  if (kind === undefined) {
    context.addIssue({ code: 'custom', message: 'needs one of: git (with commit), folder, npm' });
    return z.NEVER;
  }
  const parsed = kinds[kind].safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    context.addIssue({ code: 'custom', message: issue.message, path: issue.path as (string | number)[] });
  }
  return z.NEVER;
});

const task = z.strictObject({
  repo: text,
  prompts: z.array(text).min(1, 'needs at least one prompt'),
  kind: z.enum(['flow', 'survey', 'locate', 'change', 'control']).optional(),
  expects: expectsSchema.optional(),
});

/** A registered name or a whole description; telling by the type gives precise errors in place of "no member matches". */
const profile = z.unknown().transform((value, context): EngineChoice => {
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

const engine = z.strictObject({
  profile: profile.optional(),
  checkout: text.optional(),
  build: z.array(text).min(1).default(['npm ci --ignore-scripts --no-audit --no-fund', 'npm run build']),
  entry: text.optional(),
  sources: z.array(text).min(1).default(['src']),
  node: text.optional(),
  withBuild: text.optional(),
  environment: environment.default({}),
});

const defaults = z.strictObject({
  runs: runs.default(DEFAULTS.runs),
  model: text.default(DEFAULTS.model),
  effort: z.enum(EFFORTS).default(DEFAULTS.effort),
  maxBudgetUsd: positive.default(DEFAULTS.maxBudgetUsd),
  windowTokens: wholeFrom1.optional(),
  tasks: z.array(text).default([]),
  segmentDeadlineMs: positive.default(DEFAULTS.segmentDeadlineMs),
  segmentIdleMs: positive.default(DEFAULTS.segmentIdleMs),
  daemonReadyMs: positive.default(DEFAULTS.daemonReadyMs),
  indexDeadlineMs: positive.default(DEFAULTS.indexDeadlineMs),
  buildDeadlineMs: positive.default(DEFAULTS.buildDeadlineMs),
  retries: z.number().int().min(0).default(DEFAULTS.retries),
  jobsPerRepo: wholeFrom1.optional(),
  cpuJobs: wholeFrom1.optional(),
  limitPauseMs: positive.default(DEFAULTS.limitPauseMs),
  longestPauseMs: positive.default(DEFAULTS.longestPauseMs),
});

/** A metric by its name or its printed label. A misspelt metric would silently decide nothing. */
const metric = z.string().transform((value, context) => {
  const name = findMetric(value);
  if (name !== undefined) return name;
  const names = JUDGED_METRICS.map(({ name: known }) => known).join(', ');
  // With `continue`, the errors of the whole config are reported at once.
  context.addIssue({ code: 'custom', message: `"${value}" is no metric (there are: ${names})`, continue: true });
  return z.NEVER;
});
/** By metric: percent for ratios and counts, points for shares. */
const margins = z.record(z.string(), positive.max(99)).transform((value, context) => {
  const byName: Record<string, number> = {};
  for (const [key, margin] of Object.entries(value)) {
    const fault = (message: string) => context.addIssue({ code: 'custom', path: [key], message, continue: true });
    const { data: name, error } = metric.safeParse(key);
    for (const { message } of error?.issues ?? []) fault(message);
    if (name === undefined) continue;
    if (name in byName) fault(`"${key}" and another key both name the metric ${name}`);
    byName[name] = margin;
  }
  return byName;
});

/** The verdict settings, which are declared before the runs (docs/statistics.md, "Looking more than once"). */
const verdict = z.strictObject({
  primary: metric.optional(),
  secondary: z.array(metric).optional(),
  exploratory: z.array(metric).optional(),
  margins: margins.optional(),
  looks: z
    .strictObject({
      planned: z.number().int().min(1).max(5),
      rule: z.enum(['pocock', 'obrien-fleming']).default('pocock'),
    })
    .optional(),
  gate: z.strictObject({ metric, rule: z.enum(['not-worse', 'shown']).default('not-worse') }).optional(),
  answers: z
    .strictObject({
      metric: z.enum(['factRecall', 'passed']),
      margin: positive.max(99),
    })
    .optional(),
});

/** A model that grades, which costs money; left out, none is asked (docs/answers.md, "The judge"). */
const judge = z.strictObject({
  model: text.default(DEFAULT_JUDGE.model),
  effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).default('low'),
  votes: wholeFrom1
    .max(9)
    .refine((votes) => votes % 2 === 1, 'must be odd, so that two states cannot tie')
    .default(DEFAULT_JUDGE.votes),
  maxUsdPerAnswer: positive.default(DEFAULT_JUDGE.maxUsdPerAnswer),
});
const grading = z.strictObject({
  judge: judge.optional(),
  maxGradeUsd: positive.default(20),
});

const arm = z.strictObject({
  label: legalLabel,
  build: text.nullable().optional(),
  environment: environment.default({}),
});

const campaign = z.strictObject({
  tasks: z.array(text).min(1, 'needs at least one task').optional(),
  arms: z.array(arm).min(2, 'needs two or more arms').default([]),
  runs: runs.optional(),
  margins: margins.default({}),
});

export const configSchema = z
  .strictObject({
    engine: engine.prefault({}),
    host: z.enum(HOST_NAMES).optional(),
    repos: z.record(legalName, repo),
    tasks: z.record(legalName, task),
    campaigns: z.record(legalName, campaign).default({}),
    defaults: defaults.prefault({}),
    verdict: verdict.prefault({}),
    grading: grading.prefault({}),
  })
  .superRefine((config, context) => {
    const fault = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message });
    const known = (names: object) => `(there are: ${Object.keys(names).join(', ') || 'none'})`;
    const checkTasks = (names: string[], path: string[]) =>
      names.forEach((taskName, index) => {
        if (Object.hasOwn(config.tasks, taskName)) return;
        fault([...path, index], `"${taskName}" names no task of this config ${known(config.tasks)}`);
      });
    for (const [taskName, ownTask] of Object.entries(config.tasks)) {
      for (const { path, message } of expectsFaults(ownTask, config.repos))
        fault(['tasks', taskName, ...path], message);
      if (Object.hasOwn(config.repos, ownTask.repo)) continue;
      fault(['tasks', taskName, 'repo'], `"${ownTask.repo}" names no repo of this config ${known(config.repos)}`);
    }
    checkTasks(config.defaults.tasks, ['defaults', 'tasks']);
    for (const [campaignName, { tasks, arms }] of Object.entries(config.campaigns)) {
      checkTasks(tasks ?? [], ['campaigns', campaignName, 'tasks']);
      for (const { index, message } of equalArms(arms)) fault(['campaigns', campaignName, 'arms', index], message);
    }
  });

type ParsedTask = z.output<typeof task>;

/** Where the expectations of a task do not fit the task: another prompt, other prompts, another commit. */
function expectsFaults(
  { prompts, repo: repoName, kind, expects }: ParsedTask,
  repos: Record<string, z.output<typeof repo>>,
): { path: (string | number)[]; message: string }[] {
  const faults: { path: (string | number)[]; message: string }[] = [];
  const add = (path: (string | number)[], message: string) => faults.push({ path: ['expects', ...path], message });
  if (kind === 'change' && (expects?.commands ?? []).length === 0) add(['commands'], 'a change task needs commands');
  if (!expects) return faults;
  for (const name of ['facts', 'wrong', 'calibration'] as const) {
    expects[name].forEach(({ prompt }, index) => {
      if (prompt < prompts.length) return;
      add([name, index, 'prompt'], `there is no prompt ${prompt}: the task has ${prompts.length}, counted from 0`);
    });
  }
  if (expects.prompts?.some((one, index) => one !== prompts[index])) {
    add(['prompts'], 'the facts were written for other prompts than those of the task');
  }
  const pinned = repos[repoName];
  const pin = !pinned ? undefined : 'git' in pinned ? pinned.commit : 'npm' in pinned ? pinned.npm : undefined;
  if (
    expects.commit !== undefined &&
    pin !== undefined &&
    pin !== expects.commit &&
    !pin.endsWith(`@${expects.commit}`)
  ) {
    add(['commit'], `the facts were read at ${expects.commit}, and ${repoName} is pinned to ${pin}`);
  }
  return faults;
}

type ParsedArm = z.output<typeof arm>;

/** Arms that cannot be told apart, by name or by what they do. */
function equalArms(arms: ParsedArm[]): { index: number; message: string }[] {
  return arms.flatMap((one, index) => {
    const earlier = arms.slice(0, index);
    if (earlier.some(({ label }) => label === one.label)) return [{ index, message: `"${one.label}" names two arms` }];
    const same = earlier.find((other) => fingerprint(other) === fingerprint(one));
    return same ? [{ index, message: `"${one.label}" is the same engine and environment as "${same.label}"` }] : [];
  });
}

function fingerprint({ build, environment: variables }: ParsedArm): string {
  return JSON.stringify([build === undefined ? 'default' : { build }, Object.entries(variables).sort()]);
}

export type ParsedConfig = z.output<typeof configSchema>;
