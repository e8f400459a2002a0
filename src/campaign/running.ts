import type { EngineBuild } from '../model/build.js';
import type { Task } from '../model/config.js';
import type { PlannedTrial } from '../model/plan.js';
import type { EngineSandbox } from '../model/sandbox.js';
import type { TrialRecord } from '../model/trial.js';
import type { Teardown } from '../util/teardown.js';
import type { Source } from '../workspace/index.js';
import type { CampaignContext } from './context.js';
import type { TrialScheduler } from './scheduler.js';

/** A trial while it runs: its private folder, what has been found out, how long each phase took. */
export interface Running {
  context: CampaignContext;
  scheduler: TrialScheduler;
  trial: PlannedTrial;
  task: Task;
  source: Source;
  build: EngineBuild | undefined;
  /** Found in the environment of every process of this attempt. */
  tag: string;
  root: string;
  workspace: string;
  /** Round the engine's processes; undefined where they run without one. */
  sandbox?: EngineSandbox;
  record: TrialRecord;
  teardown: Teardown;
}
