import type { Failure, FailureCause, FailureReason } from './failure.js';

/** What follows a trial that failed for reasons outside the agent: see `nextStep` in campaign/retry.ts. */
export type AfterFailure = 'keep' | 'retry' | 'pause' | 'stop';

/** Which exit code a command ends with when this failure ends it. */
export type FailureExit = 'bad-input' | 'unfit' | 'incomplete' | 'interrupted';

interface Kind {
  /** What happened, in one plain clause. */
  text: string;
  /** What to do next, for a failure that brings no advice of its own. */
  advice: string;
  next: AfterFailure;
}

const DOCTOR = 'run `agent-eval doctor`, which checks what is needed';
const AGAIN = 'run the command again; `agent-eval resume` goes on with a campaign';
const WHEN_POSSIBLE = 'resume the campaign when it can go on';
const REPORT_IT = 'this is a bug of agent-eval; report it with campaign.log';
const LOG = "see the trial's .err file and its record, then `agent-eval resume`";

/** Every reason of a failure, with what it means for a trial and for the exit code. */
export const FAILURE_REASONS: Record<FailureReason, Kind & { exit: FailureExit }> = {
  'bad-input': {
    text: 'what was asked cannot be done',
    advice: 'see `agent-eval help`',
    next: 'keep',
    exit: 'bad-input',
  },
  'bad-config': {
    text: 'the config is wrong',
    advice: 'docs/config.md describes every field',
    next: 'keep',
    exit: 'bad-input',
  },
  'unknown-ref': {
    text: 'no commit has this name',
    advice: 'see `git branch --all`',
    next: 'retry',
    exit: 'bad-input',
  },
  'dirty-checkout': {
    text: 'the checkout has uncommitted changes',
    advice: 'commit or stash them',
    next: 'retry',
    exit: 'bad-input',
  },
  'nothing-to-compare': {
    text: 'the two builds are the same',
    advice: 'name another --baseline',
    next: 'retry',
    exit: 'bad-input',
  },
  'equal-artefacts': {
    text: 'the two builds have the same files',
    advice: 'name another --baseline',
    next: 'retry',
    exit: 'bad-input',
  },
  'different-kinds': {
    text: 'a package is compared with a source build',
    advice: 'insist with --across-kinds',
    next: 'retry',
    exit: 'bad-input',
  },
  'build-failed': {
    text: 'a build failed',
    advice: 'check `engine.build` in the config',
    next: 'retry',
    exit: 'incomplete',
  },
  'index-failed': { text: 'the engine could not index the repository', advice: LOG, next: 'retry', exit: 'incomplete' },
  'daemon-not-ready': {
    text: 'the daemon did not answer',
    advice: 'set defaults.daemonReadyMs in the config higher',
    next: 'retry',
    exit: 'incomplete',
  },
  'daemon-foreign': {
    text: 'a daemon of another build answered',
    advice: 'end the other daemon',
    next: 'retry',
    exit: 'incomplete',
  },
  'daemon-died': { text: 'the daemon died during the session', advice: LOG, next: 'retry', exit: 'incomplete' },
  'server-not-ready': {
    text: 'the MCP server did not answer',
    advice: 'check engine.profile in the config',
    next: 'retry',
    exit: 'incomplete',
  },
  'workspace-failed': { text: 'the workspace could not be made', advice: AGAIN, next: 'retry', exit: 'incomplete' },
  'isolation-failed': { text: 'the trial could not be isolated', advice: DOCTOR, next: 'retry', exit: 'unfit' },
  'hook-failed': { text: 'the hook does not hold', advice: DOCTOR, next: 'retry', exit: 'unfit' },
  'control-file-changed': {
    text: 'a control file was changed during the session',
    advice: LOG,
    next: 'retry',
    exit: 'incomplete',
  },
  'environment-unfit': { text: 'this machine is not ready', advice: DOCTOR, next: 'retry', exit: 'unfit' },
  'session-stalled': {
    text: 'the session made no progress',
    advice: 'set defaults.segmentIdleMs in the config higher',
    next: 'retry',
    exit: 'incomplete',
  },
  'session-deadline': {
    text: 'the agent was cut off at its deadline',
    advice: 'set defaults.segmentDeadlineMs in the config higher',
    next: 'keep',
    exit: 'incomplete',
  },
  'session-infra': { text: 'something outside the agent failed', advice: LOG, next: 'retry', exit: 'incomplete' },
  'session-agent': { text: 'the agent ended without a result', advice: LOG, next: 'retry', exit: 'incomplete' },
  'not-attached': { text: 'the MCP server was never attached', advice: LOG, next: 'retry', exit: 'incomplete' },
  'left-over-process': {
    text: 'a process outlived every signal',
    advice: 'end the process by its id',
    next: 'retry',
    exit: 'incomplete',
  },
  interrupted: { text: 'it was interrupted', advice: AGAIN, next: 'retry', exit: 'interrupted' },
  'plan-changed': {
    text: 'the plan has changed',
    advice: 'start a new campaign, or continue with --amend',
    next: 'retry',
    exit: 'bad-input',
  },
  'not-confirmed': { text: 'nobody agreed to the cost', advice: 'add --yes', next: 'retry', exit: 'bad-input' },
  stopped: { text: 'the campaign was stopped', advice: AGAIN, next: 'retry', exit: 'incomplete' },
  io: {
    text: 'a file could not be read or written',
    advice: 'check the rights and the free space of the disk',
    next: 'stop',
    exit: 'incomplete',
  },
  unexpected: { text: 'something unexpected happened', advice: REPORT_IT, next: 'keep', exit: 'incomplete' },
};

/** Every known cause of a failure, which is more precise than its reason and decides in its place what follows. */
export const FAILURE_CAUSES: Record<FailureCause, Kind> = {
  authentication_failed: {
    text: 'the login was refused',
    advice: 'log in again (agent-eval doctor checks it), then resume the campaign',
    next: 'stop',
  },
  billing: {
    text: 'the account has no money left',
    advice: 'top up the account or raise the key’s cap, then resume the campaign',
    next: 'stop',
  },
  model_not_found: {
    text: 'there is no such model for this login',
    advice: 'start a new campaign with another --model',
    next: 'stop',
  },
  cli_changed: {
    text: 'claude was replaced during the campaign',
    advice: 'start a new campaign, or resume with --amend',
    next: 'stop',
  },
  model_changed: {
    text: 'another model answered',
    advice: 'start a new campaign, or resume with --amend',
    next: 'stop',
  },
  io: { text: 'the disk is full or cannot be written', advice: 'make room, then resume the campaign', next: 'stop' },
  rate_limit: { text: "the host's limit is reached", advice: WHEN_POSSIBLE, next: 'pause' },
  overloaded: { text: 'the host is overloaded', advice: WHEN_POSSIBLE, next: 'pause' },
  limit: { text: "the host's limit still stands", advice: WHEN_POSSIBLE, next: 'stop' },
  budget: {
    text: 'the money for the campaign is spent',
    advice: 'resume with a higher --max-campaign-usd',
    next: 'stop',
  },
  deadline: { text: "the campaign's deadline is over", advice: WHEN_POSSIBLE, next: 'stop' },
  server_error: { text: 'the API failed', advice: AGAIN, next: 'retry' },
  error_during_execution: { text: 'claude failed while it ran', advice: LOG, next: 'retry' },
  no_result: { text: 'claude ended without a result', advice: LOG, next: 'retry' },
  not_asked: { text: 'the model was not asked', advice: LOG, next: 'retry' },
  exit_code: { text: "claude's exit code contradicts its result", advice: LOG, next: 'retry' },
  not_started: { text: 'claude could not be started', advice: DOCTOR, next: 'retry' },
  unknown: { text: 'the host reports an error that is not known', advice: LOG, next: 'retry' },
  'too-large': { text: 'the session changed too much to be kept', advice: LOG, next: 'retry' },
  'not-json': { text: 'a file is not JSON', advice: 'restore the file, or remove the campaign', next: 'keep' },
};

const isCause = (word: string): word is FailureCause => Object.hasOwn(FAILURE_CAUSES, word);
const isReason = (word: string): word is FailureReason => Object.hasOwn(FAILURE_REASONS, word);

/** Returns the word by which a failure is named in the journal and for `--retry`: its cause, else its reason. */
export function failureName({ cause, reason }: Pick<Failure, 'cause' | 'reason'>): string {
  return cause ?? reason;
}

/** Returns what follows a failure of this name. A word of another version counts as an unknown cause. */
export function afterFailure(name: string): AfterFailure {
  if (isCause(name)) return FAILURE_CAUSES[name].next;
  return isReason(name) ? FAILURE_REASONS[name].next : FAILURE_CAUSES.unknown.next;
}

/** Returns what to do next: the failure's own advice, else that of its cause or reason. */
export function failureAdvice({ advice, cause, reason }: Failure): string {
  if (advice !== undefined) return advice;
  if (cause !== undefined && isCause(cause)) return FAILURE_CAUSES[cause].advice;
  // A record of another version may name a reason that this version does not know.
  return (isReason(reason) ? FAILURE_REASONS[reason] : FAILURE_REASONS.unexpected).advice;
}

/** Returns the known cause of this name, for a word that the host wrote. */
export function knownCause(word: string): FailureCause {
  return isCause(word) ? word : 'unknown';
}
