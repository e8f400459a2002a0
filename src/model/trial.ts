import type { Failure } from './failure.js';

export type Outcome = 'ok' | 'failed' | 'interrupted';
/** May its figures count, and if not, why. */
export type Validity =
  | 'valid'
  | 'raced'
  | 'contaminated'
  | 'infra'
  | 'unfenced'
  | 'not-attached'
  /** The tool under test was called and never answered. */
  | 'no-answer'
  | 'agent-failed';

export const PHASES = ['workspace', 'index', 'isolation', 'daemon', 'session', 'judge', 'teardown'] as const;
export type Phase = (typeof PHASES)[number];

/** One `claude` process as it was run. */
export interface SegmentRecord {
  /** Log file name, relative to the record's folder. */
  log: string;
  argv: string[];
  exitCode: number | null;
  signal: string | null;
  startedAt: string;
  durationMs: number;
  /**
   * How the process came to its end: by itself, or by us and why. `deadline`: the agent was still working at the segment's deadline.
   * `stalled`: the log stopped growing, or the model had not answered by the deadline.
   */
  ended: 'exited' | 'forced-after-result' | 'stalled' | 'deadline' | 'interrupted';
}

/** What the host told of a session (`init`, hook events), over all its segments; names only. */
export interface SessionFacts {
  tools: string[];
  /** `name (status)`, the last status of each segment. */
  mcpServers: string[];
  /** As the host names them: `PreToolUse:Bash`. */
  hooks: string[];
  skills: string[];
  agents: string[];
  plugins: string[];
  memory: boolean;
}

/** The name of the engine's CLI, run as a program in a session: a stand-in on the PATH noted it and failed. */
export interface CliAttempt {
  /** ISO time, to the second. */
  at: string;
  /** Command line of the parent process. */
  by: string;
  args: string[];
}

/** `<log>.trial.json`: everything about one attempt at one trial. */
export interface TrialRecord {
  formatVersion: 1;
  trialId: string;
  task: string;
  arm: string;
  repetition: number;
  attempt: number;
  outcome: Outcome;
  validity: Validity;
  failure?: Failure;
  startedAt: string;
  phasesMs: Partial<Record<Phase, number>>;
  segments: SegmentRecord[];
  sessionIds: string[];
  /** Names only: values may be secret. */
  environmentKeys: string[];
  /** Short facts that prove what ran: daemon pid, command line, attach line, MCP status by segment. */
  evidence: Record<string, string>;
  /** Undefined where no session was held. */
  session?: SessionFacts;
  /** Executions of the engine's CLI that ended at the stand-in; empty or undefined: none. */
  cliAttempts?: CliAttempt[];
  costUsd: number | null;
}

/** What campaign and trial tell while they go; reporters render. */
export type CampaignEvent =
  /** `limitUsd`: what the campaign may cost, where that is limited; `spentUsd`: what its earlier starts have cost. */
  | { type: 'campaign-start'; dir: string; trials: number; done: number; limitUsd?: number; spentUsd?: number }
  | { type: 'build'; title: string; fromCache: boolean; durationMs: number }
  | { type: 'index'; repo: string; title: string; fromCache: boolean; durationMs: number }
  | { type: 'trial-start'; trialId: string; position: number; of: number }
  | { type: 'phase'; trialId: string; phase: Phase }
  /** `ctxTokens`: the main thread's last prompt. */
  | { type: 'activity'; trialId: string; text: string; costUsd: number | undefined; ctxTokens?: number }
  | { type: 'trial-end'; trialId: string; record: TrialRecord }
  /** A step before the trials has started, such as a check or a build. At most one step runs at a time. */
  | { type: 'step'; text: string }
  /** The step has ended; `text` says with what. */
  | { type: 'step-end'; text: string; durationMs: number }
  | { type: 'note'; text: string }
  /** A limit of the host: no trial starts before `until` (ISO time). */
  | { type: 'pause'; until: string; reason: string }
  /** The same trial once more, for a cause outside the agent (`infra:rate_limit`). `attempt` is the one that failed. */
  | { type: 'retry'; trialId: string; attempt: number; cause: string }
  /** No further trial starts; what is missing can be resumed. */
  | { type: 'stop'; reason: string; message: string }
  | { type: 'campaign-end'; dir: string; interrupted: boolean };
