import { type CampaignContext, type CampaignResult, executeCampaign } from '../campaign/index.js';
import { engineFor, webRepository } from '../engine/index.js';
import { agentHost } from '../host/index.js';
import { ok, type Result } from '../model/failure.js';
import type { CampaignPlan } from '../model/plan.js';
import { BUNDLES } from '../util/package.js';
import type { Teardown } from '../util/teardown.js';
import { leaseCache } from './cache-lease.js';
import { makeTrialCheck } from './check-trial.js';
import { completeManifest } from './complete-manifest.js';
import { enterManifest } from './continue.js';
import { runDoctor } from './doctor.js';
import { makeEmitter } from './emitter.js';
import type { ExperimentRequest } from './experiment-request.js';
import { hiddenPlaces } from './hidden-places.js';
import { makeManifest } from './manifest.js';
import { openCampaign } from './open-campaign.js';
import { fetchSources, makeBuilds } from './prepare.js';
import { openRehearsal } from './rehearsal.js';
import { runStep } from './run-step.js';
import { openTemporaryRoot } from './temporary.js';

/** Checks the environment, opens the campaign, builds, and runs every missing trial. What it needs is read only when a trial is to be run. */
export async function execute(
  request: ExperimentRequest,
  teardown: Teardown,
): Promise<Result<{ dir: string; result: CampaignResult }>> {
  const { plan, options, signal, progress } = request;
  const startedAt = new Date();
  // The plan decides: a config that was changed since must not run another engine under the plan's name.
  const engine = engineFor(plan.engine);
  const config = { ...request.config, engine: { ...request.config.engine, profile: plan.engine } };
  const temporary = await openTemporaryRoot(teardown);
  if (!temporary.ok) return temporary;
  const temporaryRoot = temporary.value;
  const leased = await leaseCache(options.cacheDir, teardown, signal);
  if (!leased.ok) return leased;
  const environment = { ...request.environment, TMPDIR: temporaryRoot };
  const rehearsal = await openRehearsal(options, teardown);
  if (!rehearsal.ok) return rehearsal;
  const host = agentHost(plan.host);
  const doctorRequest = {
    ...request,
    host,
    arms: plan.arms,
    environment,
    temporaryRoot,
    engine,
    rehearsal: options.rehearsal,
    fence: options.fence,
    hidden: hiddenPlaces(request),
    toolSearch: options.toolSearch,
  };
  const fit = await runStep(
    progress,
    'checking the fence and the hook',
    () => runDoctor(doctorRequest),
    ({ fence }) => `fence ${fence.level}, hook proven`,
  );
  if (!fit.ok) return fit;
  const opened = openCampaign(request, startedAt, teardown);
  if (!opened.ok) return opened;
  const { dir, planChanges } = opened.value;

  const emit = makeEmitter(dir, progress);
  const repos = plan.repos.map(({ name }) => name).join(', ');
  const sources = await runStep(
    emit,
    `fetching ${repos}`,
    () => fetchSources(plan, options, { engine, emit, signal }),
    () => `sources ready: ${repos}`,
  );
  if (!sources.ok) return sources;
  const { openSandbox } = fit.value;
  const builds = await runStep(
    emit,
    'building the engine of each arm',
    () => makeBuilds({ ...request, config, environment, temporaryRoot, openSandbox }, plan, emit),
    (made) => `builds ready: ${made.size}`,
  );
  if (!builds.ok) return builds;

  const context: CampaignContext = {
    dir,
    plan,
    config,
    engine,
    builds: builds.value,
    sources: sources.value,
    cacheDir: options.cacheDir,
    temporaryRoot,
    hookScript: BUNDLES.hook,
    fence: fit.value.fence,
    openSandbox,
    host,
    claude: fit.value.claude,
    callerEnvironment: environment,
    rehearsalEnvironment: rehearsal.value,
    checkTrial: makeTrialCheck(plan, engine, fit.value.reference),
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
    engineRepository: hasCommits(plan) ? await webRepository(request.checkout, signal) : undefined,
  });
  const entered = enterManifest(dir, plan, manifest, { amend: options.amend, planChanges });
  if (!entered.ok) return entered;
  const result = await executeCampaign(context);
  const ended = completeManifest(dir, result.records);
  if (!ended.ok && !result.stopped) return ended;
  return ok({ dir, result });
}

/** Some arm's build is a commit of the engine checkout. */
function hasCommits({ arms }: CampaignPlan): boolean {
  return arms.some(({ build }) => build?.spec.kind === 'ref');
}
