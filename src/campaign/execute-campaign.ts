import { basename } from 'node:path';
import pLimit from 'p-limit';
import type { PlannedTrial } from '../model/plan.js';
import type { TrialRecord } from '../model/trial.js';
import { endTrialProcesses } from '../process/index.js';
import { readRecord, saveRecord, unfinishedTrials } from '../store/index.js';
import { removeWorkspace } from '../workspace/index.js';
import type { CampaignContext } from './context.js';
import { executeTrial } from './execute-trial.js';

/** How a campaign stands after it was executed. The four counts add up to the plan. */
export interface CampaignResult {
  valid: number;
  /** Ran to the end, but may not count: raced, contaminated, unfenced, never attached. */
  invalid: number;
  failed: number;
  notRun: number;
  records: TrialRecord[];
  interrupted: boolean;
}

/**
 * Runs every trial of the plan that has no final record yet, in order, one after the other; saves after each. An abort ends the
 * running trial, keeps what is finished and starts no other.
 */
export async function executeCampaign(context: CampaignContext): Promise<CampaignResult> {
  const { plan, dir, signal, emit } = context;
  const records = new Map<string, TrialRecord>();
  for (const trial of plan.trials) {
    const record = readRecord(dir, plan, trial);
    if (record.ok && record.value && isFinal(record.value)) records.set(trial.id, record.value);
  }
  await sweep(context);
  emit({ type: 'campaign-start', dir, trials: plan.trials.length, done: records.size });

  // One at a time: arms that compete for the processor would charge each other's time to their figures.
  const limit = pLimit(1);
  const { rerunArm } = context;
  const missing = plan.trials.filter((trial) =>
    rerunArm === undefined ? !records.has(trial.id) : trial.arm === rerunArm,
  );
  await Promise.all(
    missing.map((trial) =>
      limit(async () => {
        if (signal.aborted) return;
        const record = await runOne(context, trial);
        records.set(trial.id, record);
      }),
    ),
  );
  emit({ type: 'campaign-end', dir, interrupted: signal.aborted });
  return count(plan.trials, records, signal.aborted);
}

/** Clears what a killed campaign left: processes, found by their trial's tag, and private folders. */
async function sweep({ dir, emit }: CampaignContext): Promise<void> {
  for (const { trialId, tag, root } of unfinishedTrials(dir)) {
    const { found, left } = await endTrialProcesses(tag);
    // Only a folder that a trial made is ever removed.
    const removed = basename(root).startsWith('ae-') ? await removeWorkspace(root) : undefined;
    const ended = found.length - left.length;
    if (ended > 0) emit({ type: 'note', text: `${trialId}: ended ${ended} processes that a killed campaign left` });
    if (left.length > 0) emit({ type: 'note', text: `${trialId}: could not end ${left.join(', ')}` });
    if (removed && !removed.ok) emit({ type: 'note', text: removed.failure.message });
  }
}

/** An interrupted trial is run again on resumption; every other end is final. */
function isFinal(record: TrialRecord): boolean {
  return record.outcome !== 'interrupted';
}

async function runOne(context: CampaignContext, trial: PlannedTrial): Promise<TrialRecord> {
  const position = context.plan.trials.indexOf(trial) + 1;
  context.emit({ type: 'trial-start', trialId: trial.id, position, of: context.plan.trials.length });
  const record = await executeTrial(context, trial);
  const saved = saveRecord(context.dir, context.plan, trial, record);
  if (!saved.ok) context.emit({ type: 'note', text: saved.failure.message });
  context.emit({ type: 'trial-end', trialId: trial.id, record });
  return record;
}

function count(trials: PlannedTrial[], records: Map<string, TrialRecord>, interrupted: boolean): CampaignResult {
  const result: CampaignResult = { valid: 0, invalid: 0, failed: 0, notRun: 0, records: [], interrupted };
  for (const trial of trials) {
    const record = records.get(trial.id);
    if (record) result.records.push(record);
    if (!record || record.outcome === 'interrupted') result.notRun += 1;
    else if (record.outcome === 'failed') result.failed += 1;
    else if (record.validity === 'valid') result.valid += 1;
    else result.invalid += 1;
  }
  return result;
}
