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
  /** The machine-readable cause of a session's failure: rate_limit, overloaded, server_error, authentication_failed, … */
  cause?: string;
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

export type Result<T> = { ok: true; value: T } | { ok: false; failure: Failure };

export function ok<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function fail<T = never>(failure: Failure): Result<T> {
  return { ok: false, failure };
}
