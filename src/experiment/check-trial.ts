import type { TrialCheck } from '../campaign/index.js';
import { checkSession, hostLog } from '../host/index.js';
import { measure } from '../metrics/index.js';
import type { EngineProfile } from '../model/engine.js';
import type { CampaignPlan, PlannedTrial } from '../model/plan.js';
import type { Session } from '../model/session.js';
import type { SessionFacts } from '../model/trial.js';
import { HOOK_MARKER } from '../shell/index.js';
import { openLog, readSession } from '../transcript/index.js';

/** What stands in place of the first answer, shortened, for the cause. */
function firstWords({ threads }: Session, profile: EngineProfile): string {
  const calls = threads.flatMap((thread) => thread.calls);
  const head = calls.find(({ name, result }) => result && profile.isExploreTool(name))?.result?.head.trim() ?? '';
  return head === '' ? '' : `, for example "${head.slice(0, 200)}"`;
}

/**
 * Returns the function that decides after each session of a campaign whether its figures may count (docs/isolation.md,
 * "What proves it, for each trial"). `reference` describes the canary's session.
 */
export function makeTrialCheck(plan: CampaignPlan, profile: EngineProfile, reference: SessionFacts | undefined) {
  return async (files: string[], trial: PlannedTrial, expectsEngine: boolean): Promise<TrialCheck> => {
    const session = await readSession(files.map(openLog), profile, hostLog(plan.host));
    const task = plan.tasks.find((one) => one.name === trial.task);
    const measured = measure(session, {
      profile,
      windowTokens: plan.regime.windowTokens,
      hookMarker: HOOK_MARKER,
      expectEngine: expectsEngine,
      plannedPrompts: task?.prompts.length,
    });
    const { evidence, facts, problem } = checkSession(session, {
      mcpServer: expectsEngine ? profile.mcpServer : undefined,
      isEngineTool: profile.isEngineTool,
      reference,
    });
    const { invoke, data } = measured.contamination;
    const returned = invoke.returned + data.returned;
    const told = { evidence, session: facts, costUsd: measured.costUsd };
    if (problem) return { validity: problem.validity, cause: problem.cause, ...told };
    if (returned > 0) {
      return { validity: 'contaminated', cause: `${returned} shell calls reached the engine`, ...told };
    }
    if (measured.raced) return { validity: 'raced', cause: 'a call came before the server was connected', ...told };
    const { everAnswered, answered, errored } = measured.sufficiency;
    if (expectsEngine && everAnswered === false) {
      const calls = answered + errored;
      const cause = `${profile.label} never answered: ${calls} of ${calls} explore calls gave an error, nothing or no source${firstWords(session, profile)}`;
      return { validity: 'no-answer', cause, ...told };
    }
    return { validity: 'valid', ...told };
  };
}
