import type { EngineIdentity } from '../model/engine.js';
import type { Result } from '../model/failure.js';
import type { FenceLevel } from '../model/plan.js';
import type { ProcessIdentity } from '../process/index.js';

/** A command as an MCP config names it. */
export interface ServerCommand {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** What a fence is raised round: one trial. Paths are absolute and real. */
export interface FenceSpec {
  level: FenceLevel;
  /** The trial's private folder, in which the isolation keeps `home`, `config` and `tmp`. */
  root: string;
  workspace: string;
  identity: EngineIdentity;
  hostPath: string;
  hookScript: string;
  /** The engine's MCP server; undefined in the arm without one. */
  mcpServer: ServerCommand | undefined;
  /**
   * Places that no trial may see wherever they lie: engine builds, caches, campaign folders, HOME of the caller. Those of
   * other trials need not be named.
   */
  hidden: string[];
  /** The caller's environment: where the API and a proxy are, and where programs lie (PATH). */
  callerEnvironment: Record<string, string>;
  /** Points `claude` at a scripted model; wins over the caller's. */
  rehearsalEnvironment?: Record<string, string> | undefined;
  /** The caller's command that prints an API key, to be run outside. A key in the environment takes its place. */
  apiKeyHelper?: string | undefined;
  /** The caller's files that hold a login; `claude` may read them, the agent may not. */
  loginFiles?: string[] | undefined;
}

export interface WrappedCommand {
  argv: [string, ...string[]];
  env: Record<string, string>;
}

/** A fence that stands. Nothing of it outlives `drop`. */
export interface Fence {
  level: FenceLevel;
  /** The `claude` command line and environment as they must be started so that they run inside. */
  wrap(argv: [string, ...string[]], env: Record<string, string>): WrappedCommand;
  /** What the trial's MCP config must name in place of the engine's own command. */
  mcpServer: ServerCommand | undefined;
  /** The hook command as the settings must hold it, for an identity file of this name in the trial's folder. */
  hookCommand(identityFile: string): { command: string; args: string[] };
  /** Rules for the settings' `permissions.deny`. */
  denyRules: string[];
  /** The command that prints an API key inside. Where there is one, no key may stand in the environment. */
  apiKeyHelper?: string | undefined;
  /** A hook before every call that writes a file by itself; undefined where the fence needs none. */
  writeHook?: { command: string; args: string[] } | undefined;
  /** Files that decide what a segment runs. None of them may change once the first segment has started. */
  controlFiles(): string[];
  /** Returns the process that a SIGINT must reach, given the process that was started. */
  interruptTarget(started: ProcessIdentity): ProcessIdentity;
  /** Takes the fence down: ends servers and connections. Returns short facts for the trial's record. */
  drop(): Promise<Result<Record<string, string>>>;
}
