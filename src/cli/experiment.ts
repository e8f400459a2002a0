import { hostname, tmpdir } from 'node:os';
import { relative } from 'node:path';
import { type CampaignContext, type CampaignResult, executeCampaign } from '../campaign/index.js';
import { checkArtefactsDiffer, codegraphProfile, makeBuild } from '../engine/index.js';
import type { EngineBuild } from '../model/build.js';
import type { Config, Repo, Task } from '../model/config.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { Arm, CampaignPlan, CommandName } from '../model/plan.js';
import type { CampaignEvent } from '../model/trial.js';
import { planCampaign, planHash } from '../plan/index.js';
import { isAlive, processIdentity } from '../process/index.js';
import { createProgress, jsonText, renderPlan, writeOut } from '../report/index.js';
import { createCampaignDir, readPlan, takeLock, writeManifest } from '../store/index.js';
import { Teardown } from '../util/teardown.js';
import { fetchSource, type Source } from '../workspace/index.js';
import { runDoctor } from './doctor.js';
import { EXIT } from './exit-codes.js';
import { makeJudge } from './judge.js';
import { campaignLogger } from './log.js';
import { completeManifest, makeManifest } from './manifest.js';
import type { Options } from './options.js';
import { hookScript } from './package.js';
import { planCommands } from './plan-commands.js';
import { openRehearsal } from './rehearsal.js';
import { saveReport } from './report-campaign.js';
import { exitCodeOf, tellFailure } from './tell.js';

/** What a command asks of an experiment: everything that follows is the same for `ab`, `with-without` and `demo`. */
export interface ExperimentRequest {
  command: CommandName;
  arms: Arm[];
  tasks: Task[];
  repos: Repo[];
  config: Config;
  options: Options;
  checkout: string;
  environment: Record<string, string>;
  /** Run this arm's trials again, in the campaign that `--campaign` names. */
  rerunArm?: string;
  /** As typed, for the manifest and for the line that resumes. */
  argv: string[];
  signal: AbortSignal;
}

/** Plans, checks the environment, builds, runs every trial and reports. Returns the exit code. */
export async function runExperiment(request: ExperimentRequest): Promise<number> {
  const plan = makePlan(request);
  if (request.options.dryRun) {
    writeOut(request.options.json ? jsonText(plan) : renderPlan(plan, planCommands(plan, request.config)));
    return EXIT.done;
  }
  const teardown = new Teardown();
  try {
    const done = await execute(request, plan, teardown);
    if (!done.ok) return tellFailure(done.failure);
    const { dir, result } = done.value;
    if (result.records.length > 0) {
      const report = await saveReport(dir, request.options);
      if (!report.ok) return tellFailure(report.failure);
      writeOut(request.options.json ? report.value.json : report.value.text);
    }
    return closingWords(dir, result);
  } finally {
    for (const problem of await teardown.run()) process.stderr.write(`teardown: ${problem}\n`);
  }
}

function makePlan({ command, arms, tasks, repos, options }: ExperimentRequest): CampaignPlan {
  const { runs, seed, model, effort, maxBudgetUsd, rehearsal, windowTokens } = options;
  return planCampaign({
    command,
    arms,
    tasks,
    repos,
    runs,
    seed,
    regime: { model, effort, maxBudgetUsd, rehearsal, toolSearch: false, windowTokens },
  });
}

async function execute(
  request: ExperimentRequest,
  plan: CampaignPlan,
  teardown: Teardown,
): Promise<Result<{ dir: string; result: CampaignResult }>> {
  const { options, environment, signal } = request;
  const startedAt = new Date();
  const rehearsal = await openRehearsal(options, teardown);
  if (!rehearsal.ok) return rehearsal;

  const fit = await runDoctor({
    ...request,
    temporaryRoot: tmpdir(),
    profile: codegraphProfile,
    rehearsal: options.rehearsal,
  });
  if (!fit.ok) return fit;
  const dir = campaignDir(plan, options, startedAt);
  if (!dir.ok) return dir;
  const lock = lockCampaign(dir.value);
  if (!lock.ok) return lock;
  teardown.add('unlock the campaign', async () => void lock.value());

  const emit = makeEmitter(dir.value);
  const sources = await fetchSources(plan, options, signal);
  if (!sources.ok) return sources;
  const builds = await makeBuilds(request, plan, emit);
  if (!builds.ok) return builds;

  const context: CampaignContext = {
    dir: dir.value,
    plan,
    config: request.config,
    profile: codegraphProfile,
    builds: builds.value,
    sources: sources.value,
    cacheDir: options.cacheDir,
    temporaryRoot: tmpdir(),
    hookScript,
    claude: fit.value.claude,
    callerEnvironment: environment,
    rehearsalEnvironment: rehearsal.value,
    judge: makeJudge(plan, codegraphProfile),
    rerunArm: request.rerunArm,
    emit,
    signal,
  };
  const started = writeManifest(
    dir.value,
    makeManifest({
      argv: request.argv,
      plan,
      startedAt,
      builds: builds.value,
      sources: sources.value,
      fitness: fit.value,
    }),
  );
  if (!started.ok) return started;
  const result = await executeCampaign(context);
  const ended = completeManifest(dir.value, result.records);
  if (!ended.ok) return ended;
  return ok({ dir: dir.value, result });
}

/** A new folder, or the one that `--campaign` names if it holds the same plan. */
function campaignDir(plan: CampaignPlan, options: Options, now: Date): Result<string> {
  if (options.campaign === undefined) return createCampaignDir(options.out, plan, planHash(plan), now);
  const earlier = readPlan(options.campaign);
  if (!earlier.ok) return earlier;
  if (planHash(earlier.value) === planHash(plan)) return ok(options.campaign);
  const differences = Object.keys(plan).filter((key) => {
    const part = key as keyof CampaignPlan;
    return JSON.stringify(earlier.value[part]) !== JSON.stringify(plan[part]);
  });
  return fail({
    reason: 'plan-changed',
    message: `the plan of ${options.campaign} is another one: ${differences.join(', ')} changed`,
    advice: 'start a new campaign (without --campaign), or give the options of the old one again',
  });
}

function lockCampaign(dir: string): Result<() => void> {
  const startTime = processIdentity(process.pid)?.startTime ?? '';
  const me = { pid: process.pid, startTime, host: hostname() };
  // A holder on another machine cannot be proven dead from here.
  return takeLock(dir, me, (holder) => holder.host !== me.host || isAlive(holder));
}

function makeEmitter(dir: string): (event: CampaignEvent) => void {
  const logger = campaignLogger(dir);
  const progress = createProgress({ stream: process.stderr, isTTY: process.stderr.isTTY === true, now: Date.now });
  return (event) => {
    const { type, ...facts } = event;
    logger.info(facts, type);
    progress(event);
  };
}

async function fetchSources(
  plan: CampaignPlan,
  options: Options,
  signal: AbortSignal,
): Promise<Result<Map<string, Source>>> {
  const sources = new Map<string, Source>();
  for (const repo of plan.repos) {
    const source = await fetchSource(repo, {
      cacheDir: options.cacheDir,
      corpusDir: options.corpusDir,
      indexFolder: codegraphProfile.identity.indexFolder,
      signal,
    });
    if (!source.ok) return source;
    sources.set(repo.name, source.value);
  }
  return ok(sources);
}

/** Builds the arms' engines side by side; equal artefacts are refused: nothing would differ but chance. */
async function makeBuilds(
  { config, checkout, options, signal }: ExperimentRequest,
  plan: CampaignPlan,
  emit: (event: CampaignEvent) => void,
): Promise<Result<Map<string, EngineBuild>>> {
  const made = await Promise.all(
    plan.arms.map(async (arm): Promise<{ label: string; build: Result<EngineBuild> } | undefined> => {
      if (arm.build === null) return undefined;
      const build = await makeBuild(arm.build, {
        checkout,
        engine: config.engine,
        cacheDir: options.cacheDir,
        deadlineMs: config.defaults.buildDeadlineMs,
        signal,
      });
      return { label: arm.label, build };
    }),
  );
  const builds = new Map<string, EngineBuild>();
  for (const one of made) {
    if (!one) continue;
    if (!one.build.ok) return one.build;
    const { pinned, fromCache, durationMs } = one.build.value;
    emit({ type: 'build', title: pinned.title, fromCache, durationMs });
    builds.set(one.label, one.build.value);
  }
  const [first, second] = [...builds.values()];
  if (first && second) {
    const differ = checkArtefactsDiffer(first, second);
    if (!differ.ok) return differ;
  }
  return ok(builds);
}

function closingWords(dir: string, result: CampaignResult): number {
  const place = relative(process.cwd(), dir) || dir;
  const { valid, invalid, failed, notRun } = result;
  process.stderr.write(`${valid} valid, ${invalid} invalid, ${failed} failed, ${notRun} not run: ${place}\n`);
  if (notRun > 0) process.stderr.write(`resume with: agent-eval resume ${place}\n`);
  return exitCodeOf(result);
}
