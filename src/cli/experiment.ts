import { relative } from 'node:path';
import {
  type CampaignContext,
  type CampaignResult,
  countTrials,
  executeCampaign,
  readStanding,
} from '../campaign/index.js';
import { codegraphProfile } from '../engine/index.js';
import type { Config, Repo, Task } from '../model/config.js';
import { ok, type Result } from '../model/failure.js';
import type { Arm, CampaignPlan, CommandName } from '../model/plan.js';
import { planCampaign } from '../plan/index.js';
import { jsonText, renderPlan, writeOut } from '../report/index.js';
import { readFreshReport, readJournal, readManifest, readRecord } from '../store/index.js';
import { Teardown } from '../util/teardown.js';
import { checkPlan, enterManifest } from './continue.js';
import { designLines } from './design-lines.js';
import { runDoctor } from './doctor.js';
import { EXIT } from './exit-codes.js';
import { hiddenPlaces } from './hidden-places.js';
import { makeJudge } from './judge.js';
import { completeManifest, makeManifest } from './manifest.js';
import { confirmCost, estimateCost, type Terminal } from './money.js';
import { makeEmitter, openCampaign } from './open-campaign.js';
import type { Options } from './options.js';
import { hookScript, packageVersion } from './package.js';
import { planCommands } from './plan-commands.js';
import { fetchSources, makeBuilds } from './prepare.js';
import { openRehearsal } from './rehearsal.js';
import { saveReport } from './report-campaign.js';
import { exitCodeOf, tellFailure } from './tell.js';
import { openTemporaryRoot } from './temporary.js';

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
    const commands = planCommands(plan, request.config, request.environment);
    const text = [renderPlan(plan, commands), '', ...designLines(plan, request.options.detect)].join('\n');
    writeOut(request.options.json ? jsonText(plan) : text);
    return EXIT.done;
  }
  const { options } = request;
  const missing = missingTrials(request, plan);
  if (options.campaign !== undefined && missing?.length === 0) return await reportAgain(request, plan);
  if (missing) {
    const estimate = estimateCost(plan, missing, options.out);
    const confirmed = await confirmCost(estimate, missing.length, options, terminal());
    if (!confirmed.ok) return tellFailure(confirmed.failure);
  }
  const teardown = new Teardown();
  try {
    const done = await execute(request, plan, teardown);
    if (!done.ok) return tellFailure(done.failure);
    return await report(request, done.value.dir, done.value.result);
  } finally {
    for (const problem of await teardown.run()) process.stderr.write(`teardown: ${problem}\n`);
  }
}

async function report({ options }: ExperimentRequest, dir: string, result: CampaignResult): Promise<number> {
  if (result.records.length > 0) {
    const made = await saveReport(dir, options);
    // Where the disk is full the report cannot be saved either; why the campaign stopped is what matters.
    if (!made.ok && !result.stopped) return tellFailure(made.failure);
    if (made.ok) writeOut(options.json ? made.value.json : made.value.text);
  }
  return closingWords(dir, result);
}

function terminal(): Terminal {
  const isTTY = process.stdin.isTTY === true && process.stderr.isTTY === true;
  return { input: process.stdin, output: process.stderr, isTTY };
}

function makePlan({ command, arms, tasks, repos, options, config }: ExperimentRequest): CampaignPlan {
  const { runs, seed, model, effort, maxBudgetUsd, rehearsal, toolSearch, windowTokens, fence, jobs } = options;
  return planCampaign({
    command,
    arms,
    tasks,
    repos,
    runs,
    seed,
    regime: { model, effort, maxBudgetUsd, rehearsal, toolSearch, fence, windowTokens, jobs },
    verdict: config.verdict,
  });
}

async function execute(
  request: ExperimentRequest,
  plan: CampaignPlan,
  teardown: Teardown,
): Promise<Result<{ dir: string; result: CampaignResult }>> {
  const { options, signal } = request;
  const startedAt = new Date();
  const temporaryRoot = await openTemporaryRoot(teardown);
  const environment = { ...request.environment, TMPDIR: temporaryRoot };
  const rehearsal = await openRehearsal(options, teardown);
  if (!rehearsal.ok) return rehearsal;
  const fit = await runDoctor({
    ...request,
    environment,
    temporaryRoot,
    profile: codegraphProfile,
    rehearsal: options.rehearsal,
    fence: options.fence,
    hidden: hiddenPlaces(request),
    toolSearch: options.toolSearch,
  });
  if (!fit.ok) return fit;
  const opened = openCampaign(plan, options, request.argv, startedAt, teardown);
  if (!opened.ok) return opened;
  const { dir, planChanges } = opened.value;

  const emit = makeEmitter(dir);
  const sources = await fetchSources(plan, options, signal);
  if (!sources.ok) return sources;
  const builds = await makeBuilds({ ...request, environment }, plan, emit);
  if (!builds.ok) return builds;

  const context: CampaignContext = {
    dir,
    plan,
    config: request.config,
    profile: codegraphProfile,
    builds: builds.value,
    sources: sources.value,
    cacheDir: options.cacheDir,
    temporaryRoot,
    hookScript,
    fence: fit.value.fence,
    claude: fit.value.claude,
    callerEnvironment: environment,
    rehearsalEnvironment: rehearsal.value,
    judge: makeJudge(plan, codegraphProfile, fit.value.reference),
    rerunArm: request.rerunArm,
    retryCauses: options.retry,
    amended: options.amend,
    maxCampaignUsd: options.maxCampaignUsd,
    deadlineAt: options.deadlineAt,
    emit,
    signal,
  };
  const manifest = makeManifest({
    argv: request.argv,
    plan,
    startedAt,
    builds: builds.value,
    sources: sources.value,
    fitness: fit.value,
  });
  const entered = enterManifest(dir, plan, manifest, { amend: options.amend, planChanges });
  if (!entered.ok) return entered;
  const result = await executeCampaign(context);
  const ended = completeManifest(dir, result.records);
  if (!ended.ok && !result.stopped) return ended;
  return ok({ dir, result });
}

/**
 * The trials that a start would run: all of a new campaign, what is missing of one that is continued. Undefined where its
 * folder's plan is another one: what is to be done about that is decided when the folder is opened.
 */
function missingTrials(request: ExperimentRequest, plan: CampaignPlan): string[] | undefined {
  const { options, config, rerunArm } = request;
  if (options.campaign === undefined) return plan.trials.map(({ id }) => id);
  const samePlan = checkPlan(options.campaign, plan, options.amend);
  if (!samePlan.ok) return undefined;
  const { done } = readStanding(
    { dir: options.campaign, plan, config, retryCauses: options.retry },
    readJournal(options.campaign),
  );
  const wanted = plan.trials.filter(({ id, arm }) => (rerunArm === undefined ? !done.has(id) : arm === rerunArm));
  return wanted.map(({ id }) => id);
}

/** A finished campaign that is resumed needs no doctor and no builds: there is nothing to run, but perhaps a report to make. */
async function reportAgain(request: ExperimentRequest, plan: CampaignPlan): Promise<number> {
  const teardown = new Teardown();
  try {
    const opened = openCampaign(plan, request.options, request.argv, new Date(), teardown);
    if (!opened.ok) return tellFailure(opened.failure);
    const { dir } = opened.value;
    // A campaign that was killed in its last trial's teardown is finished, and yet has left things.
    await openTemporaryRoot(teardown);
    const result = nothingToRun(dir, plan);
    const saved = isOurVersion(dir) ? readFreshReport(dir) : undefined;
    if (saved) {
      writeOut(request.options.json ? saved.json : saved.text);
      return closingWords(dir, result);
    }
    const completed = completeManifest(dir, result.records);
    return completed.ok ? await report(request, dir, result) : tellFailure(completed.failure);
  } finally {
    for (const problem of await teardown.run()) process.stderr.write(`teardown: ${problem}\n`);
  }
}

/** A saved report counts when this version made it: another may measure differently. */
function isOurVersion(dir: string): boolean {
  const manifest = readManifest(dir);
  return manifest.ok && manifest.value?.versions.agentEval === packageVersion && manifest.value.endedAt !== undefined;
}

function nothingToRun(dir: string, plan: CampaignPlan): CampaignResult {
  const records = plan.trials.flatMap((trial) => {
    const record = readRecord(dir, plan, trial);
    return record.ok && record.value ? [record.value] : [];
  });
  const byId = new Map(records.map((record) => [record.trialId, record]));
  return { ...countTrials(plan.trials, byId), records, interrupted: false };
}

function closingWords(dir: string, result: CampaignResult): number {
  const place = relative(process.cwd(), dir) || dir;
  const { valid, invalid, failed, notRun } = result;
  process.stderr.write(`${valid} valid, ${invalid} invalid, ${failed} failed, ${notRun} not run: ${place}\n`);
  const { stopped } = result;
  if (stopped) process.stderr.write(`stopped: ${stopped.message}\n${stopped.advice ? `  ${stopped.advice}\n` : ''}`);
  if (notRun > 0 || stopped) process.stderr.write(`resume with: agent-eval resume ${place}\n`);
  return exitCodeOf(result);
}
