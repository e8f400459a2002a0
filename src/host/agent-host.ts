import type { EngineIdentity } from '../model/engine.js';
import type { FailureCause, Result } from '../model/failure.js';
import type { HostLog } from '../model/host-log.js';
import type { Segment } from '../model/session.js';
import type { EndStep, ProcessIdentity } from '../process/index.js';

/**
 * An agent host: the program that runs the agent. Everything that is particular to one host is reached through this value, which the
 * config chooses and which is handed down (docs/architecture.md, "Another agent host").
 */
export interface AgentHost {
  /** What reading the host's logs takes. */
  log: HostLog;
  /** Name of the program on the PATH, and of its process. */
  program: string;
  /** Finds the user's program. Fails when there is none on the PATH, or it does not report its version. */
  locate(pathVariable: string, environment: Record<string, string>): Promise<Result<HostProgram>>;
  login: HostLogin;
  /** Variables of every session, equal in every arm. */
  sessionVariables(settings: { toolSearch: boolean }): Record<string, string>;
  /** Variables whose values are the trial's own, beside PATH, HOME and TMPDIR. */
  folderVariables: string[];
  /** Beginnings of the names of the variables that the host listens to. None of the caller's is passed on but the login. */
  variablePrefixes: string[];
  /** Makes the folders and files in which one session runs. */
  prepare(spec: IsolationSpec): Promise<Result<Isolation>>;
  /**
   * Returns the command line of a segment; the prompt goes to standard input. `resumeId` names the session that the segment before
   * ended in.
   */
  arguments(isolation: SessionFiles, settings: SessionSettings, resumeId?: string): [string, ...string[]];
  /** Checks that a prompt reaches the model as it was written. */
  checkPrompt(prompt: string): Result<void>;
  /**
   * Classifies a segment by its log. `forced`: we ended the process after its result, so that what it wrote at our signal does not
   * count.
   */
  classifySegment(segment: Segment, exitCode: number | null, forced: boolean): SegmentOutcome;
  /** The signals that end the program, in order. */
  endLadder: EndStep[];
  canary: HostCanary;
}

export interface HostProgram {
  /** The real path, so that an update of a link in mid-campaign changes nothing. */
  path: string;
  version: string;
}

export interface HostLogin {
  /** Patterns of the variables that are a way to log in, or a part of one. */
  variables: string[];
  /** Returns the name of the login that a trial will use. Fails when nothing that is passed on is a login. */
  check(caller: Record<string, string>): Result<string>;
  /** Returns the environment with the login that the caller's own settings of the host name. */
  withSettings(caller: Record<string, string>): Record<string, string>;
  /** The command that prints an API key, made to run in the caller's HOME; undefined where there is none. */
  apiKeyHelper(caller: Record<string, string>): string | undefined;
  /** The caller's files that hold a login. */
  files(caller: Record<string, string>): string[];
}

/** The call by which the canary tries the hook, and the settings of its session. */
export interface HostCanary {
  tool: string;
  input(command: string): Record<string, unknown>;
  settings: SessionSettings;
}

/** Settings passed to the host as command-line flags. */
export interface SessionSettings {
  model: string;
  effort: string;
  maxBudgetUsd: number;
}

/** Paths that the command line names. */
export interface SessionFiles {
  hostPath: string;
  mcpConfigFile: string;
  settingsFile: string;
}

/** Everything in which a session runs. */
export interface Isolation extends SessionFiles {
  trialId: string;
  environment: Record<string, string>;
  /** Where executions of the engine's CLI are noted (`readCliAttempts`). */
  notesFile: string;
  /** Files that decide what a session runs, beside those of the fence: a change of one voids the trial. */
  controlFiles: string[];
  fence?: SessionFence | undefined;
}

export interface IsolationSpec {
  /** Private, short, outside HOME and any repository; goes with the trial. */
  trialRoot: string;
  /** In the environment of every process of the session, by which they are found. */
  trialId: string;
  identity: EngineIdentity;
  /** Variables of every session, which the engine under test asks for. Undefined: none. */
  engineVariables?: Record<string, string> | undefined;
  /** The engine's MCP server; undefined in the arm without one. */
  mcpServer: { name: string; command: string; args: string[]; env: Record<string, string> } | undefined;
  /** The no-cli-shim hook, run by our own node. */
  hookScript: string;
  hostPath: string;
  callerEnvironment: Record<string, string>;
  /** Points the host at a scripted model; the caller's login stays out then. */
  rehearsalEnvironment?: Record<string, string> | undefined;
  /** Tokens of the window by which the host decides when to compact. Undefined: it decides alone. Equal in every arm. */
  contextWindowTokens?: number | undefined;
  /**
   * Turns the host's tool search on and lets it defer the engine's tools, as a user's session has them; false leaves the search
   * to the host and keeps the engine's tools up front. Equal in every arm.
   */
  toolSearch: boolean;
  /** Started around this trial; undefined: none. Its MCP command is the caller's to name in `mcpServer`. */
  fence?: SessionFence | undefined;
}

/** What a fence changes of a session: how the host is started, asked to stop, and set up. */
export interface SessionFence {
  wrap(
    argv: [string, ...string[]],
    env: Record<string, string>,
  ): { argv: [string, ...string[]]; env: Record<string, string> };
  hookCommand(identityFile: string): { command: string; args: string[] };
  /** Rules that deny reading, in the words of the host's settings. */
  denyRules: string[];
  /** In place of the command that prints an API key, where the session could not run that one. */
  apiKeyHelper?: string | undefined;
  /** A hook before every call that writes a file by itself; undefined where the fence needs none. */
  writeHook?: { command: string; args: string[] } | undefined;
  /** Files of the fence that decide what a segment runs. */
  controlFiles(): string[];
  interruptTarget(started: ProcessIdentity): ProcessIdentity;
}

/** How a finished segment is to be taken: it counts, the agent failed in its task, or something around it failed. */
export type SegmentOutcome =
  | { kind: 'ok' }
  | { kind: 'agent'; message: string }
  /** `cause` is a stable word, for the rule that decides on another attempt. */
  | { kind: 'infra'; message: string; cause: FailureCause };
