import type { Config, Repo, Task } from '../model/config.js';
import type { Options } from '../model/options.js';
import type { Arm, CampaignPlan, CommandName } from '../model/plan.js';
import { DEFAULT_WINDOW_TOKENS } from '../model/session.js';
import { planCampaign } from '../plan/index.js';

/** The plan of a campaign: every trial of these tasks and arms under the settings of the options. */
export function planExperiment(
  { command, arms, tasks, repos }: { command: CommandName; arms: Arm[]; tasks: Task[]; repos: Repo[] },
  { options, config }: { options: Options; config: Config },
): CampaignPlan {
  const { runs, seed, model, effort, maxBudgetUsd, rehearsal, toolSearch, windowTokens, fence, jobs } = options;
  return planCampaign({
    command,
    engine: config.engine.profile,
    host: config.host,
    arms,
    tasks,
    repos,
    runs,
    seed,
    regime: {
      model,
      effort,
      maxBudgetUsd,
      rehearsal,
      toolSearch,
      fence,
      windowTokens: windowTokens ?? DEFAULT_WINDOW_TOKENS,
      jobs,
    },
    verdict: config.verdict,
  });
}
