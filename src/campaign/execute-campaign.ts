import { availableParallelism, hostname } from 'node:os';
import { dirname } from 'node:path';
import type { Failure } from '../model/failure.js';
import type { PlannedTrial } from '../model/plan.js';
import type { TrialRecord } from '../model/trial.js';
import { clearDeadStart } from '../process/index.js';
import { appendJournal, type JournalEntry, readJournal, unfinishedTrials } from '../store/index.js';
import type { CampaignContext } from './context.js';
import { type Counts, countTrials, readResumeState } from './resume-state.js';
import { TrialRunner } from './run-trial.js';
import { TrialScheduler } from './scheduler.js';

/** How a campaign stands after it was executed. The four counts add up to the plan. */
export interface CampaignResult extends Counts {
  records: TrialRecord[];
  /** By the user. */
  interrupted: boolean;
  /** Why it ended before its plan did: deadline, money, a limit, a changed CLI, a disk, a login. */
  stopped?: Failure;
}

/**
 * Runs every trial of the plan that has no final record yet, as many side by side as the regime says, starting them in the plan's
 * order; saves after each. An abort ends the running trials, keeps what is finished and starts no other.
 */
export async function executeCampaign(context: CampaignContext): Promise<CampaignResult> {
  const { plan, dir, rerunArm, emit } = context;
  const journal = readJournal(dir);
  const resumeState = readResumeState(context, journal);
  const records = new Map([...resumeState.toRerun, ...resumeState.done]);
  await sweep(context, journal);
  for (const dropped of resumeState.dropped) appendJournal(dir, { event: 'trial-dropped', ...dropped });
  const started = appendJournal(dir, { event: 'campaign-start', pid: process.pid, host: hostname() });

  const { jobsPerRepo, cpuJobs } = context.config.defaults;
  const jobs = plan.regime.jobs ?? 1;
  const scheduler = new TrialScheduler({ jobs, perRepo: jobsPerRepo ?? jobs, cpu: cpuJobs ?? availableParallelism() });
  const runner = new TrialRunner(context, scheduler, resumeState, journal);
  const { maxCampaignUsd: limitUsd } = context;
  const money = limitUsd === undefined ? {} : { limitUsd, spentUsd: runner.spentUsd };
  emit({ type: 'campaign-start', dir, trials: plan.trials.length, done: resumeState.done.size, ...money });
  if (!started.ok) runner.stop('io', started.failure.message, started.failure.advice);
  const timer = startDeadline(context, runner);
  const missing = plan.trials.filter((trial) =>
    rerunArm === undefined ? !resumeState.done.has(trial.id) : trial.arm === rerunArm,
  );
  await Promise.all(
    missing.map((trial) =>
      scheduler.trial(repoOf(context, trial), async () => {
        const record = await runner.run(trial);
        if (record) records.set(trial.id, record);
      }),
    ),
  );
  clearInterval(timer);
  appendJournal(dir, { event: 'campaign-end', interrupted: context.signal.aborted });
  emit({ type: 'campaign-end', dir, interrupted: context.signal.aborted });
  return {
    ...countTrials(plan.trials, records),
    records: plan.trials.flatMap(({ id }) => records.get(id) ?? []),
    interrupted: context.signal.aborted,
    ...(runner.stopped ? { stopped: runner.stopped } : {}),
  };
}

/** The wall clock is looked at often, since a timer does not run while the machine sleeps. */
function startDeadline({ deadlineAt }: CampaignContext, runner: TrialRunner): NodeJS.Timeout | undefined {
  if (deadlineAt === undefined) return undefined;
  const look = () => {
    if (Date.now() < deadlineAt) return;
    runner.stop('deadline', `the campaign's deadline (${new Date(deadlineAt).toISOString()}) is over`);
    runner.abort();
  };
  look();
  return setInterval(look, 500);
}

function repoOf({ plan }: CampaignContext, trial: PlannedTrial): string {
  return plan.tasks.find((task) => task.name === trial.task)?.repo ?? trial.task;
}

/**
 * Clears what a killed campaign left under another TMPDIR than this start's. The journal's word is not taken for it: only the folder
 * of a start of agent-eval that is dead is removed, and only processes of that start are ended.
 */
async function sweep({ dir, emit }: CampaignContext, journal: JournalEntry[]): Promise<void> {
  for (const { trialId, root } of unfinishedTrials(journal)) {
    const problem = await clearDeadStart(dirname(root));
    if (problem === undefined) appendJournal(dir, { event: 'trial-lost', trialId });
    else emit({ type: 'note', text: `${trialId}: ${problem}` });
  }
}
