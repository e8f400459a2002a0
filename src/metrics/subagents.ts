import type { EngineProfile } from '../model/engine.js';
import type { SubagentMeasure } from '../model/measure.js';
import type { Session } from '../model/session.js';
import { occupancyOf } from './occupancy.js';

/** The windows of the subagents, each on its own and never added to the main one (spec/metrics.md 8). */
export function subagentsOf(session: Session, profile: EngineProfile, windowTokens: number): SubagentMeasure[] {
  return session.threads.flatMap((thread) => {
    const occupancy = thread.id === null ? null : occupancyOf(thread, profile, windowTokens);
    if (thread.id === null || occupancy === null) return [];
    const { ctxBaseTokens, ctxFinalTokens, residualTokens } = occupancy;
    return [{ thread: thread.id, requests: thread.requests.length, ctxBaseTokens, ctxFinalTokens, residualTokens }];
  });
}
