import { engineFor } from '../engine/index.js';
import {
  type CampaignGrades,
  type CampaignJudge,
  type CommandsOutcome,
  chooseLabelUnits,
  type GradingSource,
  gradeCampaign,
  type LabelUnit,
  openSourceFiles,
  proposeFacts,
  readPooledAnswers,
  runCommands,
} from '../grading/index.js';
import { hostLog, NO_ENGINE } from '../host/index.js';
import type { Config, Repo } from '../model/config.js';
import { DEFAULT_ENGINE_NAME, type EngineChoice } from '../model/engine.js';
import type { Expects } from '../model/expects.js';
import { fail, ok, type Result } from '../model/failure.js';
import { DEFAULT_JUDGE } from '../model/judge.js';
import type { Label } from '../model/labels.js';
import type { CampaignPlan } from '../model/plan.js';
import type { ProposedFact } from '../model/proposed-fact.js';
import { readManifest } from '../store/index.js';
import { Teardown } from '../util/teardown.js';
import { fetchSource, type Source } from '../workspace/index.js';
import type { ExperimentContext } from './experiment-request.js';
import { hiddenPlaces } from './hidden-places.js';
import { openPlainModel } from './plain-model.js';
import { openTemporaryRoot } from './temporary.js';

/** What grading needs of a command's invocation. */
export type GradingInvocation = Pick<
  ExperimentContext,
  'config' | 'configFile' | 'options' | 'checkout' | 'environment' | 'signal'
>;

/** Pristine sources by repo, each opened once and held against what the campaign ran on. */
export class GradingSources {
  private readonly opened = new Map<string, Promise<{ source: GradingSource; fetched: Source | undefined }>>();

  constructor(
    private readonly repos: Repo[],
    private readonly invocation: GradingInvocation,
    private readonly how: {
      /** By repo: the hash of the files that a campaign ran on. */
      expectedHashes?: ReadonlyMap<string, string>;
      /** The engine of the campaign, whose index folder is no source. Undefined: the config's. */
      engine?: EngineChoice | undefined;
      /** Fetch nothing. */
      offline?: boolean;
    } = {},
  ) {}

  async sourceOf(name: string): Promise<GradingSource> {
    return (await this.open(name)).source;
  }

  /** The source as a folder; undefined where `sourceOf` tells a problem. */
  async folderOf(name: string): Promise<Source | undefined> {
    return (await this.open(name)).fetched;
  }

  private open(name: string): Promise<{ source: GradingSource; fetched: Source | undefined }> {
    const known = this.opened.get(name) ?? this.fetch(name);
    this.opened.set(name, known);
    return known;
  }

  private async fetch(name: string): Promise<{ source: GradingSource; fetched: Source | undefined }> {
    const problem = (text: string) => ({ source: { problem: text }, fetched: undefined });
    const repo = this.repos.find((one) => one.name === name);
    if (!repo) return problem(`the plan names no repo ${name}`);
    const { options, signal } = this.invocation;
    const { cacheDir, corpusDir } = options;
    const { indexFolder } = engineFor(this.how.engine ?? this.invocation.config.engine.profile).identity;
    const fetched = await fetchSource(repo, { cacheDir, corpusDir, indexFolder, offline: this.how.offline, signal });
    if (!fetched.ok) return problem(fetched.failure.message);
    const { treeHash } = fetched.value;
    const expected = this.how.expectedHashes?.get(name);
    if (expected !== undefined && expected !== treeHash) {
      return problem(
        `the files of ${name} are others than those of the campaign (${treeHash.slice(0, 16)}, not ${expected.slice(0, 16)})`,
      );
    }
    return { source: { files: await openSourceFiles(fetched.value), treeHash }, fetched: fetched.value };
  }
}

/** Runs the commands of a change task on the source of a repo. */
export async function runTaskCommands(
  sources: GradingSources,
  invocation: GradingInvocation,
  { repo, expects, patch, temporaryRoot }: { repo: string; expects: Expects; patch: string; temporaryRoot: string },
): Promise<CommandsOutcome> {
  const source = await sources.folderOf(repo);
  if (!source) {
    const found = await sources.sourceOf(repo);
    return { problem: 'problem' in found ? found.problem : 'the source is not there' };
  }
  const { options, environment, signal } = invocation;
  return await runCommands({
    ...{ source, expects, patch, temporaryRoot, cacheDir: options.cacheDir, callerEnvironment: environment, signal },
    // The copy's own installed packages come from the cache, which the commands need not see.
    hidden: hiddenPlaces(invocation),
  });
}

/** What is graded of a campaign, and how. */
export interface GradingRequest {
  regrade?: boolean;
  tasks?: string[] | undefined;
  /** Undefined: if the config has a judge. False: never. */
  judge?: boolean | undefined;
  onJudging?: CampaignJudge['onProgress'];
}

/** Grades the finished trials of a campaign folder by the expectations of the config. */
export async function gradeCampaignFolder(
  dir: string,
  plan: CampaignPlan,
  invocation: GradingInvocation,
  how: GradingRequest = {},
): Promise<Result<CampaignGrades>> {
  const manifest = readManifest(dir);
  if (!manifest.ok) return manifest;
  const unknown = unknownTasks(plan, how.tasks);
  if (unknown) return unknown;
  const expectedHashes = new Map(manifest.value?.sources.map(({ repo, treeHash }) => [repo, treeHash]));
  const sources = new GradingSources(plan.repos, invocation, {
    expectedHashes,
    engine: plan.engine ?? DEFAULT_ENGINE_NAME,
  });
  const { config, signal } = invocation;
  const configFile = plan.command === 'demo' ? 'the embedded config of the demo' : invocation.configFile;
  return await withTemporaryRoot(async (temporaryRoot, teardown) => {
    const judge = await openJudge(plan, invocation, how, { temporaryRoot, teardown });
    if (!judge.ok) return judge;
    return await gradeCampaign({
      ...{ dir, plan, configFile, signal, expects: config.expects, regrade: how.regrade, tasks: how.tasks },
      judge: judge.value,
      prompts: promptsByTask(config),
      profile: NO_ENGINE,
      host: hostLog(plan.host),
      sourceOf: (repo) => sources.sourceOf(repo),
      runCommands: (repo, expects, patch) =>
        runTaskCommands(sources, invocation, { repo, expects, patch, temporaryRoot }),
    });
  });
}

/**
 * Opens the judge that `--judge` or the config asks for; undefined if none is asked for. The answers of a scripted model are judged by a
 * scripted model, so that they cost nothing.
 */
async function openJudge(
  plan: CampaignPlan,
  invocation: GradingInvocation,
  { judge, onJudging }: GradingRequest,
  place: { temporaryRoot: string; teardown: Teardown },
): Promise<Result<CampaignJudge | undefined>> {
  const { config, options, environment, signal } = invocation;
  const settings = config.grading.judge ?? (judge ? DEFAULT_JUDGE : undefined);
  if (!settings || judge === false) return ok(undefined);
  const rehearsal = options.rehearsal || plan.regime.rehearsal;
  const model = await openPlainModel({ options: { ...options, rehearsal }, environment, signal }, place);
  if (!model.ok) return model;
  return ok({
    ...{ settings, seed: plan.seed, maxGradeUsd: config.grading.maxGradeUsd, onProgress: onJudging },
    ...{ ask: model.value.ask, cliVersion: model.value.cliVersion },
    toolNames: toolNamesOf(plan),
  });
}

/**
 * Proposes facts for a task from the answers of all arms of a campaign. Fails with 'bad-input' if the campaign has no such task, asked other
 * prompts than the config has now, or ran on a source that is not to be had.
 */
export async function draftFacts(
  dir: string,
  plan: CampaignPlan,
  task: string,
  invocation: GradingInvocation,
): Promise<Result<ProposedFact[]>> {
  const { config, configFile } = invocation;
  const planned = plan.tasks.find(({ name }) => name === task);
  if (!planned) return unknownTasks(plan, [task]) ?? ok([]);
  const own = config.tasks.find(({ name }) => name === task);
  if (!own || planned.prompts.some((prompt, index) => prompt !== own.prompts[index])) {
    return fail({
      reason: 'bad-input',
      message: own
        ? `the campaign asked other prompts than the task ${task} of ${configFile} has`
        : `${configFile} has no task ${task}`,
      advice: 'name the config of the campaign with --config',
    });
  }
  const { host, profile } = { host: hostLog(plan.host), profile: NO_ENGINE };
  const prompts = promptsByTask(config);
  const pooled = await readPooledAnswers(
    { dir, plan, configFile, expects: config.expects, prompts, host, profile },
    task,
  );
  if (!pooled.ok) return pooled;
  const manifest = readManifest(dir);
  if (!manifest.ok) return manifest;
  const sources = new GradingSources(plan.repos, invocation, {
    expectedHashes: new Map(manifest.value?.sources.map(({ repo, treeHash }) => [repo, treeHash])),
    engine: plan.engine ?? DEFAULT_ENGINE_NAME,
  });
  const source = await sources.sourceOf(planned.repo);
  if ('problem' in source)
    return fail({ reason: 'bad-input', message: `no citation can be checked: ${source.problem}` });
  const expects = Object.hasOwn(config.expects, task) ? config.expects[task] : undefined;
  return ok(proposeFacts(pooled.value, { prompts: planned.prompts, expects, source: source.files }));
}

/** Chooses the answers of a campaign that a person is to label. Fails with 'bad-input' if the campaign has no such task. */
export async function openLabelling(
  dir: string,
  plan: CampaignPlan,
  { config, configFile }: GradingInvocation,
  how: { labels: Label[]; limit: number; tasks: string[] | undefined },
): Promise<Result<LabelUnit[]>> {
  const unknown = unknownTasks(plan, how.tasks);
  if (unknown) return unknown;
  return await chooseLabelUnits(
    {
      ...{
        dir,
        plan,
        configFile,
        expects: config.expects,
        tasks: how.tasks,
        profile: NO_ENGINE,
        host: hostLog(plan.host),
      },
      prompts: promptsByTask(config),
    },
    how.labels,
    { limit: how.limit, toolNames: toolNamesOf(plan) },
  );
}

function promptsByTask({ tasks }: Config): Record<string, string[]> {
  return Object.fromEntries(tasks.map(({ name, prompts }) => [name, prompts]));
}

/** Names that would tell a judge or a person which arm gave an answer. */
function toolNamesOf(plan: CampaignPlan): string[] {
  const { identity, mcpServer } = engineFor(plan.engine);
  return [identity.name, ...identity.cliNames, mcpServer];
}

function unknownTasks(plan: CampaignPlan, tasks: string[] = []): Result<never> | undefined {
  const unknown = tasks.filter((name) => !plan.tasks.some((task) => task.name === name));
  if (unknown.length === 0) return undefined;
  return fail({
    reason: 'bad-input',
    message: `the campaign has no task ${unknown.join(', ')}`,
    advice: `it has: ${plan.tasks.map((task) => task.name).join(', ')}`,
  });
}

/** Hands a folder for temporary files to `work` and removes it with all in it, whatever happens. */
export async function withTemporaryRoot<T>(
  work: (temporaryRoot: string, teardown: Teardown) => Promise<Result<T>>,
): Promise<Result<T>> {
  const teardown = new Teardown();
  try {
    const root = await openTemporaryRoot(teardown);
    return root.ok ? await work(root.value, teardown) : root;
  } finally {
    for (const problem of await teardown.run()) process.stderr.write(`teardown: ${problem}\n`);
  }
}
