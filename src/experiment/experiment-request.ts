import type { Config } from '../model/config.js';
import type { Options } from '../model/options.js';
import type { CampaignPlan } from '../model/plan.js';
import type { Progress } from '../report/index.js';
import type { StartFlags } from '../store/index.js';

/** What every experiment needs, whatever its plan. */
export type ExperimentContext = Omit<ExperimentRequest, 'plan' | 'rerunArm'>;

/** An experiment to run. The plan says which trials there are; the other fields say how and where they run. */
export interface ExperimentRequest {
  plan: CampaignPlan;
  config: Config;
  /** Where the config was read from, absolute. */
  configFile: string;
  options: Options;
  /** Absolute path of the engine checkout, from which builds of git refs are made. */
  checkout: string;
  environment: Record<string, string>;
  /** Label of an arm whose trials run again, in the campaign that `options.campaign` names. */
  rerunArm?: string;
  /** What `resume` needs to know of the command line. */
  startFlags: StartFlags;
  /** As typed; written to the manifest. */
  argv: string[];
  /** Shows the events of the campaign to the user. */
  progress: Progress;
  signal: AbortSignal;
}
