import { type CampaignResult, countTrials, readResumeState } from '../campaign/index.js';
import { ok, type Result } from '../model/failure.js';
import type { CampaignPlan } from '../model/plan.js';
import { checkContents, readJournal, readManifest, readRecord } from '../store/index.js';
import { Teardown } from '../util/teardown.js';
import { completeManifest } from './complete-manifest.js';
import { checkPlan } from './continue.js';
import type { ExperimentRequest } from './experiment-request.js';
import { openCampaign } from './open-campaign.js';
import { openTemporaryRoot } from './temporary.js';

/** A campaign after `runExperiment`: its folder, its plan, and the state of its trials. */
export interface CampaignOutcome {
  /** Absolute path of the campaign folder. */
  dir: string;
  plan: CampaignPlan;
  result: CampaignResult;
  /** False when the campaign was complete already, so that no trial was started. */
  hasRun: boolean;
}

/**
 * Checks the environment, builds the engines and runs every trial that is missing. Everything that it started is ended when
 * it returns. Makes no report. Fails when no trial could be started; a campaign that stopped early is a value with
 * `result.stopped` or `result.interrupted`. `missing` holds what `missingTrials` returns, for a caller that has read it already.
 */
export async function runExperiment(
  request: ExperimentRequest,
  missing = missingTrials(request),
): Promise<Result<CampaignOutcome>> {
  const { plan, options } = request;
  if (options.campaign !== undefined) {
    // Before anything is executed or removed for this folder.
    const samePlan = checkPlan(options.campaign, plan, options.amend);
    if (!samePlan.ok) return samePlan;
    const checked = checkContents(options.campaign, plan);
    if (!checked.ok) return checked;
  }
  const teardown = new Teardown();
  try {
    const isComplete = options.campaign !== undefined && missing?.length === 0;
    if (isComplete) return await openCompleted(request, teardown);
    // Read here alone: a command that starts nothing should not wait for what runs trials.
    const { execute } = await import('./execute.js');
    const executed = await execute(request, teardown);
    return executed.ok ? ok({ ...executed.value, plan, hasRun: true }) : executed;
  } finally {
    for (const problem of await teardown.run()) process.stderr.write(`teardown: ${problem}\n`);
  }
}

/**
 * Ids of the trials that a start would run: all trials of a new campaign, the unfinished ones of a campaign that is
 * continued. Undefined when the campaign folder holds another plan; `runExperiment` reports that.
 */
export function missingTrials({ plan, options, config, rerunArm }: ExperimentRequest): string[] | undefined {
  if (options.campaign === undefined) return plan.trials.map(({ id }) => id);
  const samePlan = checkPlan(options.campaign, plan, options.amend);
  if (!samePlan.ok) return undefined;
  const { done } = readResumeState(
    { dir: options.campaign, plan, config, retryCauses: options.retry },
    readJournal(options.campaign),
  );
  const wanted = plan.trials.filter(({ id, arm }) => (rerunArm === undefined ? !done.has(id) : arm === rerunArm));
  return wanted.map(({ id }) => id);
}

/** A complete campaign needs no doctor and no builds. One that was killed in its last teardown has left things behind. */
async function openCompleted(request: ExperimentRequest, teardown: Teardown): Promise<Result<CampaignOutcome>> {
  const { plan } = request;
  const opened = openCampaign(request, new Date(), teardown);
  if (!opened.ok) return opened;
  const { dir } = opened.value;
  const temporary = await openTemporaryRoot(teardown);
  if (!temporary.ok) return temporary;
  const result = resultOfRecords(dir, plan);
  const manifest = readManifest(dir);
  if (!manifest.ok || manifest.value?.endedAt === undefined) {
    const completed = completeManifest(dir, result.records);
    if (!completed.ok) return completed;
  }
  return ok({ dir, plan, result, hasRun: false });
}

function resultOfRecords(dir: string, plan: CampaignPlan): CampaignResult {
  const records = plan.trials.flatMap((trial) => {
    const record = readRecord(dir, plan, trial);
    return record.ok && record.value ? [record.value] : [];
  });
  const byId = new Map(records.map((record) => [record.trialId, record]));
  return { ...countTrials(plan.trials, byId), records, interrupted: false };
}
