import type { Failure, FailureCause } from '../model/failure.js';
import { FAILURE_CAUSES, failureName, knownCause } from '../model/failure-kind.js';
import type { PlannedTrial } from '../model/plan.js';
import type { TrialRecord } from '../model/trial.js';
import { appendJournal, type JournalEntry, saveRecord } from '../store/index.js';
import { Budget } from './budget.js';
import { fileIdentity } from './claude-file.js';
import type { CampaignContext } from './context.js';
import { executeTrial } from './execute-trial.js';
import { PauseGate } from './pause.js';
import type { ResumeState } from './resume-state.js';
import { causeOf, countsAsAttempt, nextStep } from './retry.js';
import type { TrialScheduler } from './scheduler.js';
import { spentBefore } from './spent.js';

/** Runs trials, each with its attempts, under what the whole campaign shares: pauses, money, and the reasons to stop. */
export class TrialRunner {
  stopped: Failure | undefined;
  private readonly gate: PauseGate;
  private readonly budget: Budget;
  private readonly context: CampaignContext;
  private readonly ending = new AbortController();
  private readonly claudeFile: string;
  /** The model's full id as the first session told it. */
  private modelId: string | undefined;

  constructor(
    context: CampaignContext,
    private readonly scheduler: TrialScheduler,
    private readonly resumeState: ResumeState,
    journal: JournalEntry[],
  ) {
    const { limitPauseMs, longestPauseMs } = context.config.defaults;
    this.context = { ...context, signal: AbortSignal.any([context.signal, this.ending.signal]) };
    this.gate = new PauseGate({ limitPauseMs, longestPauseMs, now: Date.now });
    this.budget = new Budget(context.maxCampaignUsd);
    this.budget.book(spentBefore(journal, (trialId) => this.mostUsd(trialId)));
    this.claudeFile = fileIdentity(context.claude.path);
    const known = context.amended ? [] : [...resumeState.done.values()];
    this.modelId = known.map(({ evidence }) => evidence.model).find((id) => id !== undefined);
  }

  /** What the campaign has cost so far, its earlier starts included. */
  get spentUsd(): number {
    return this.budget.spentUsd;
  }

  /** No further trial starts; those that run go on to their end. The first reason stays. */
  stop(cause: FailureCause, message: string, advice = FAILURE_CAUSES[cause].advice): void {
    if (this.stopped) return;
    this.stopped = { reason: 'stopped', cause, message, advice };
    appendJournal(this.context.dir, { event: 'stop', reason: cause, message });
    this.context.emit({ type: 'stop', reason: cause, message });
  }

  /** Ends the running trials too. */
  abort(): void {
    this.ending.abort();
  }

  /** Runs a trial until its result is final. Undefined when it was not begun. */
  async run(trial: PlannedTrial): Promise<TrialRecord | undefined> {
    let last: TrialRecord | undefined;
    for (;;) {
      if (!(await this.mayStart(trial))) return last;
      const record = await this.attempt(trial);
      // What could not be saved did not happen: the trial is run again when the campaign is resumed.
      if (!record) return last;
      last = record;
      if (!this.goesOn(record)) return record;
    }
  }

  private async mayStart(trial: PlannedTrial): Promise<boolean> {
    const { signal, claude } = this.context;
    await this.gate.open(signal);
    if (this.stopped || signal.aborted) return false;
    if (fileIdentity(claude.path) !== this.claudeFile) {
      this.stop('cli_changed', `${claude.path} was replaced while the campaign ran`, CHANGED_ADVICE);
      return false;
    }
    const mostUsd = this.mostUsd(trial.id);
    if (!(await this.budget.reserve(trial.id, mostUsd, signal))) {
      if (signal.aborted) return false;
      const { maxCampaignUsd = 0 } = this.context;
      const spent = this.budget.spentUsd.toFixed(2);
      this.stop(
        'budget',
        `$${spent} of $${maxCampaignUsd.toFixed(2)} are spent, and a trial may cost up to $${mostUsd.toFixed(2)}`,
        'resume with a higher --max-campaign-usd',
      );
      return false;
    }
    if (!this.stopped) return true;
    this.budget.settle(trial.id, { costUsd: 0, segments: [] });
    return false;
  }

  private async attempt(trial: PlannedTrial): Promise<TrialRecord | undefined> {
    const { context } = this;
    const position = context.plan.trials.indexOf(trial) + 1;
    context.emit({ type: 'trial-start', trialId: trial.id, position, of: context.plan.trials.length });
    const record = await executeTrial(context, trial, this.scheduler);
    this.checkSameHost(record);
    this.budget.settle(trial.id, record);
    const saved = saveRecord(context.dir, context.plan, trial, record);
    if (!saved.ok) this.stop('io', saved.failure.message, saved.failure.advice);
    context.emit({ type: 'trial-end', trialId: trial.id, record });
    return saved.ok ? record : undefined;
  }

  /** What this attempt means for the trial and the campaign. True: the trial is run again, at once or after a pause. */
  private goesOn(record: TrialRecord): boolean {
    const { context, resumeState } = this;
    const { trialId, attempt, failure } = record;
    const { retries } = context.config.defaults;
    const cause = causeOf(record) ?? '';
    const step = nextStep(record);
    if (record.outcome === 'ok') this.gate.passed();
    if (step === 'keep') return false;
    if (step === 'stop') {
      this.stop(knownCause(failure ? failureName(failure) : cause), failure?.message ?? cause, failure?.advice);
      return false;
    }
    if (step === 'pause' && !this.pause(record)) return false;
    if (countsAsAttempt(failure ? failureName(failure) : '')) {
      resumeState.failures.set(trialId, (resumeState.failures.get(trialId) ?? 0) + 1);
    }
    if (retries === 0 || (resumeState.failures.get(trialId) ?? 0) > retries || this.stopped || context.signal.aborted) {
      return false;
    }
    appendJournal(context.dir, { event: 'retry', trialId, attempt, cause });
    context.emit({ type: 'retry', trialId, attempt, cause });
    return true;
  }

  /** Closes the gate for all trials. False when the campaign ends in its place. */
  private pause({ failure, evidence }: TrialRecord): boolean {
    const { dir, emit, deadlineAt } = this.context;
    const until = this.gate.close(failure?.resetsAt);
    const reason = `${failure?.cause ?? 'limit'}: ${failure?.message ?? evidence.cause ?? ''}`;
    if (until === undefined || (deadlineAt !== undefined && until >= deadlineAt)) {
      const when = failure?.resetsAt === undefined ? '' : `; it is lifted at ${failure.resetsAt}`;
      this.stop(failure?.cause ?? 'limit', `the host's limit still stands${when}. ${failure?.message ?? ''}`);
      return false;
    }
    const event = { until: new Date(until).toISOString(), reason };
    appendJournal(dir, { event: 'pause', ...event });
    emit({ type: 'pause', ...event });
    return true;
  }

  /** The CLI and the model that really answered, as the session's log says. Another than before: this trial does not count. */
  private checkSameHost(record: TrialRecord): void {
    const { claudeVersion, model } = record.evidence;
    const { version } = this.context.claude;
    const refuse = (cause: FailureCause, message: string) => {
      record.outcome = 'failed';
      record.validity = 'infra';
      record.failure = { reason: 'environment-unfit', cause, message, advice: CHANGED_ADVICE };
    };
    if (claudeVersion !== undefined && claudeVersion !== version) {
      refuse('cli_changed', `the session ran under claude ${claudeVersion}, the campaign began with ${version}`);
    } else if (model !== undefined && this.modelId !== undefined && model !== this.modelId) {
      refuse('model_changed', `the session ran on ${model}, the campaign began with ${this.modelId}`);
    }
    this.modelId ??= model;
  }

  /** The budget is one segment's, and a session has one segment a prompt. */
  private mostUsd(trialId: string): number {
    const { plan } = this.context;
    const trial = plan.trials.find(({ id }) => id === trialId);
    const prompts = plan.tasks.find((task) => task.name === trial?.task)?.prompts.length ?? 1;
    return plan.regime.maxBudgetUsd * prompts;
  }
}

const CHANGED_ADVICE = 'start a new campaign, or go on in spite of it: agent-eval resume <dir> --amend';
