import { checkSession } from '../agent/index.js';
import type { Judgement } from '../campaign/index.js';
import { measure } from '../metrics/index.js';
import type { EngineProfile } from '../model/engine.js';
import type { CampaignPlan, PlannedTrial } from '../model/plan.js';
import { HOOK_MARKER } from '../shell/index.js';
import { openTranscript, readSession } from '../transcript/index.js';

/** Makes the judge that a campaign asks after each session: may its figures count? (spec/metrics.md 5, claude-code.md 8.2) */
export function makeJudge(plan: CampaignPlan, profile: EngineProfile) {
  return async (files: string[], trial: PlannedTrial, expectsEngine: boolean): Promise<Judgement> => {
    const session = await readSession(files.map(openTranscript), profile);
    const task = plan.tasks.find((one) => one.name === trial.task);
    const measured = measure(session, {
      profile,
      windowTokens: plan.regime.windowTokens,
      hookMarker: HOOK_MARKER,
      expectEngine: expectsEngine,
      plannedPrompts: task?.prompts.length,
    });
    const { evidence, problem } = checkSession(session, {
      mcpServer: expectsEngine ? profile.mcpServer : undefined,
      isEngineTool: profile.isEngineTool,
    });
    const { invoke, data } = measured.contamination;
    const returned = invoke.returned + data.returned;
    const costUsd = measured.costUsd;
    if (problem) return { validity: problem.validity, cause: problem.cause, evidence, costUsd };
    if (returned > 0) {
      return { validity: 'contaminated', cause: `${returned} shell calls reached the engine`, evidence, costUsd };
    }
    if (measured.raced)
      return { validity: 'raced', cause: 'a call came before the server was connected', evidence, costUsd };
    return { validity: 'valid', evidence, costUsd };
  };
}
