import { z } from 'zod';
import { findMetric, JUDGED_METRICS, type MetricLabel, type MetricName } from '../catalogue/index.js';
import { defaultsSchema, engineSchema, environmentSchema, gradingSchema } from '../model/config.js';
import { MAX_RUNS } from '../model/defaults.js';
import { expectsSchema } from '../model/expects.js';
import { HOST_NAMES } from '../model/host-log.js';
import { legalLabel, legalName } from '../model/legal-name.js';

/**
 * The shape of corpus.config.ts as a user writes it. `load` turns it into `Config` (model/config.ts) with every default in
 * place. Unknown keys are faults: a misspelt key that is silently ignored would change what is measured.
 */

const text = z.string().trim().min(1, 'must not be empty');
const positive = z.number().positive();
const wholeFrom1 = z.number().int().min(1);
const runs = wholeFrom1.max(MAX_RUNS);

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
const checkedRepo = z.unknown().transform((value, context) => {
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

const repoKinds = z.union([gitRepo, folderRepo, npmRepo]);
const repo = checkedRepo as z.ZodType<z.output<typeof repoKinds>, z.input<typeof repoKinds>>;

const task = z.strictObject({
  repo: text,
  prompts: z.array(text).min(1, 'needs at least one prompt'),
  kind: z.enum(['flow', 'survey', 'locate', 'change', 'control']).optional(),
  expects: expectsSchema.optional(),
});

/** A metric by its name or its printed label, such as `costUsd` or `cost`. */
type MetricInput = MetricName | MetricLabel;

/** A metric by its name or its printed label. A misspelt metric would silently decide nothing. */
const checkedMetric = z.string().transform((value, context) => {
  const name = findMetric(value);
  if (name !== undefined) return name;
  const names = JUDGED_METRICS.map(({ name: known }) => known).join(', ');
  // With `continue`, the errors of the whole config are reported at once.
  context.addIssue({ code: 'custom', message: `"${value}" is no metric (there are: ${names})`, continue: true });
  return z.NEVER;
});
/** By metric: percent for ratios and counts, points for shares. */
const checkedMargins = z.record(z.string(), positive.max(99)).transform((value, context) => {
  const byName: Record<string, number> = {};
  for (const [key, margin] of Object.entries(value)) {
    const fault = (message: string) => context.addIssue({ code: 'custom', path: [key], message, continue: true });
    const { data: name, error } = checkedMetric.safeParse(key);
    for (const { message } of error?.issues ?? []) fault(message);
    if (name === undefined) continue;
    if (name in byName) fault(`"${key}" and another key both name the metric ${name}`);
    byName[name] = margin;
  }
  return byName;
});

const metric = checkedMetric as z.ZodType<string, MetricInput>;
const margins = checkedMargins as z.ZodType<Record<string, number>, Partial<Record<MetricInput, number>>>;

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

const arm = z.strictObject({
  label: legalLabel,
  build: text.nullable().optional(),
  environment: environmentSchema.default({}),
});

/** A window in tokens, or none of our own. */
const contextWindow = z
  .string()
  .regex(/^(none|[1-9]\d*k)$/, 'must be "none" or thousands of tokens, such as "100k"')
  .transform((value) => (value === 'none' ? null : Number(value.slice(0, -1)) * 1_000));

const campaign = z.strictObject({
  tasks: z.array(text).min(1, 'needs at least one task').optional(),
  arms: z.array(arm).min(2, 'needs two or more arms').default([]),
  runs: runs.optional(),
  contextWindows: z
    .array(contextWindow)
    .refine((windows) => new Set(windows).size === windows.length, 'names a window twice')
    .default([]),
  verdict: verdict.optional(),
  margins: margins.default({}),
});

export const configSchema = z
  .strictObject({
    engine: engineSchema.prefault({}),
    host: z.enum(HOST_NAMES).optional(),
    repos: z.record(legalName, repo),
    tasks: z.record(legalName, task),
    campaigns: z.record(legalName, campaign).default({}),
    defaults: defaultsSchema.prefault({}),
    verdict: verdict.prefault({}),
    grading: gradingSchema.prefault({}),
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
  expects.recalls.forEach(({ prompt }, index) => {
    if (prompt >= prompts.length)
      add(['recalls', index, 'prompt'], `there is no prompt ${prompt}: the task has ${prompts.length}, counted from 0`);
  });
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
