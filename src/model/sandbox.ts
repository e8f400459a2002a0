import type { Result } from './failure.js';

/** What a sandbox shows of the file system beside the system's programs. Paths are absolute and equal inside and outside. */
export interface SandboxSpec {
  /** The engine's build: its folder, shown read-only, and the program that starts it. */
  build: { root: string; argv: string[] };
  /** Folders that the engine may write: its workspace, HOME and temporary folder. Nothing else is writable. */
  writable: string[];
}

/** A running sandbox round the processes of one engine in one workspace. All that runs inside ends with it. */
export interface EngineSandbox {
  /** Returns the command line that runs a program inside, with this working directory. The environment is the caller's. */
  enter(argv: string[], cwd: string): [string, ...string[]];
  /** Translates a process id as it is known inside; undefined if no such process lives. */
  hostPid(pid: number): number | undefined;
  /** Ends the sandbox and every process in it. Returns what could not be ended, otherwise undefined. */
  close(): Promise<string | undefined>;
}

/** Opens a sandbox. Fails with 'isolation-failed'. */
export type OpenSandbox = (spec: SandboxSpec) => Promise<Result<EngineSandbox>>;
