import type { CommandClass } from './families.js';

/** What is known about the place a command runs in. All of it optional; pure callers (the metrics) pass none. */
export interface ShellContext {
  /** Working directory of the call. */
  cwd?: string;
  /** Resolves links; undefined when the path does not exist. Only the hook, which runs on the spot, can give it. */
  realpath?(path: string): string | undefined;
  /** Reads a script named in the command, so that its contents are classified too; undefined when it cannot be read. */
  readScript?(path: string): string | undefined;
}

/** What a shell command does to the engine under test, and why it was judged so. */
export interface CommandJudgement {
  class: CommandClass;
  /** One short clause for people: "runs codegraph through npx". */
  reason: string;
}

/** How a shell command accesses files. Its first reading or searching command decides. */
export type ShellAccess = { kind: 'read'; paths: string[] } | { kind: 'search' } | { kind: 'none' };
