import type { AgentHost } from '../host/index.js';
import type { EngineBuild } from '../model/build.js';
import type { Config } from '../model/config.js';
import type { Engine } from '../model/engine.js';
import type { CampaignPlan, FenceLevel, PlannedTrial } from '../model/plan.js';
import type { OpenSandbox } from '../model/sandbox.js';
import type { CampaignEvent, SessionFacts, Validity } from '../model/trial.js';
import type { Source } from '../workspace/index.js';

/** What the check of a finished session found: whether its values may count. */
export interface TrialCheck {
  validity: Validity;
  /** Why it does not count, in a clause. */
  cause?: string;
  evidence: Record<string, string>;
  /** What the host told of the session. */
  session: SessionFacts;
  costUsd: number | null;
}

/** The trial under which a scripted model answers. */
export interface TrialKey {
  task: string;
  arm: string;
  repetition: number;
}

/** Everything a campaign needs, made by cli. The campaign knows neither metrics nor report. */
export interface CampaignContext {
  dir: string;
  plan: CampaignPlan;
  config: Config;
  engine: Engine;
  /** By arm label; the arm without an engine has none. */
  builds: ReadonlyMap<string, EngineBuild>;
  /** By repo name. */
  sources: ReadonlyMap<string, Source>;
  cacheDir: string;
  /** Folder under which trials get their private folders: outside HOME and any repository, and short. */
  temporaryRoot: string;
  hookScript: string;
  /** As `probeFence` found it, and the places of the caller that no trial may see; undefined: no fence. */
  fence?: { level: FenceLevel; hidden: string[] };
  /** Opens the sandbox of an engine; undefined where there can be none. */
  openSandbox?: OpenSandbox | undefined;
  /** The agent host, and the user's program of it. */
  host: AgentHost;
  claude: { path: string; version: string };
  callerEnvironment: Record<string, string>;
  /** The environment that points `claude` at the scripted model; undefined for the real one. */
  rehearsalEnvironment?: (key: TrialKey) => Record<string, string>;
  /** Measures a finished session for its validity. */
  checkTrial(files: string[], trial: PlannedTrial, expectsEngine: boolean): Promise<TrialCheck>;
  /** Run the trials of this arm again, as new attempts, and no others. */
  rerunArm?: string;
  /** Results to drop before the start, by cause (`infra:rate_limit`, `infra`, `raced`): those trials are run again. */
  retryCauses?: readonly string[];
  /** The user goes on although what was measured with has changed: the first session tells the model anew. */
  amended?: boolean;
  /** The most that the campaign may cost; undefined: no limit. */
  maxCampaignUsd?: number | undefined;
  /** When to stop, ms since 1970; undefined: when it is done. */
  deadlineAt?: number | undefined;
  emit(event: CampaignEvent): void;
  signal: AbortSignal;
}
