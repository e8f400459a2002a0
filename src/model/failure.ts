/** Failures are values. `reason` is a stable word; `message` says what failed and why; `advice` what to do next. */
export interface Failure {
  reason: FailureReason;
  message: string;
  advice?: string;
  /** The command that failed, where one did. */
  command?: string;
  exitCode?: number | null;
  signal?: string | null;
  /** The last lines of its output. */
  lastLines?: string[];
  /** The cause where one is known that is more precise than the reason (failure-kind.ts). */
  cause?: FailureCause;
  /** ISO time at which the host's limit that caused it is lifted, where the host said so. */
  resetsAt?: string;
}

export type FailureReason =
  | 'bad-input'
  | 'bad-config'
  | 'unknown-ref'
  | 'dirty-checkout'
  | 'nothing-to-compare'
  | 'equal-artefacts'
  | 'different-kinds'
  | 'build-failed'
  | 'index-failed'
  | 'daemon-not-ready'
  | 'daemon-foreign'
  | 'daemon-died'
  | 'server-not-ready'
  | 'workspace-failed'
  | 'isolation-failed'
  | 'hook-failed'
  | 'control-file-changed'
  | 'environment-unfit'
  | 'session-stalled'
  | 'session-deadline'
  | 'session-infra'
  | 'session-agent'
  | 'not-attached'
  | 'left-over-process'
  | 'interrupted'
  | 'plan-changed'
  | 'not-confirmed'
  | 'stopped'
  | 'io'
  | 'unexpected';

/** Causes of Claude Code keep its own spelling, by which records, journals and `--retry` name them. */
export type FailureCause =
  | 'authentication_failed'
  | 'billing'
  | 'model_not_found'
  | 'cli_changed'
  | 'model_changed'
  | 'io'
  | 'rate_limit'
  | 'overloaded'
  | 'server_error'
  | 'error_during_execution'
  | 'no_result'
  | 'not_asked'
  | 'exit_code'
  | 'not_started'
  | 'unknown'
  | 'limit'
  | 'budget'
  | 'deadline'
  | 'too-large'
  | 'not-json';

export type Result<T> = { ok: true; value: T } | { ok: false; failure: Failure };

export function ok<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function fail<T = never>(failure: Failure): Result<T> {
  return { ok: false, failure };
}
