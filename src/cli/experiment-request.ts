import type { Config, Repo, Task } from '../model/config.js';
import type { Arm, CommandName } from '../model/plan.js';
import type { Options } from './options.js';

/** What a command asks of an experiment: everything that follows is the same for `ab`, `with-without` and `demo`. */
export interface ExperimentRequest {
  command: CommandName;
  arms: Arm[];
  tasks: Task[];
  repos: Repo[];
  config: Config;
  options: Options;
  checkout: string;
  environment: Record<string, string>;
  /** False: the report is written to the folder alone; who asked prints something else. */
  printsReport?: boolean;
  /** False: whether the campaign's own arms can be decided is not what was asked. */
  asksVerdict?: boolean;
  /** Run this arm's trials again, in the campaign that `--campaign` names. */
  rerunArm?: string;
  /** As typed, for the manifest and for the line that resumes. */
  argv: string[];
  signal: AbortSignal;
}
