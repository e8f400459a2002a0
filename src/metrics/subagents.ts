import type { EngineProfile } from '../model/engine.js';
import type { SubagentMeasure } from '../model/measure.js';
import { DEFAULT_WINDOW_TOKENS, type Session } from '../model/session.js';
import { occupancyOf } from './occupancy.js';

/** The share of a subagent's window is not measured. */
const NO_WINDOW = { windowTokens: DEFAULT_WINDOW_TOKENS, windowSource: 'default' } as const;

/** Measures the windows of the subagents, each on its own and never added to the main one. */
export function subagentsOf(session: Session, profile: EngineProfile): SubagentMeasure[] {
  return session.threads.flatMap((thread) => {
    const occupancy = thread.id === null ? null : occupancyOf(thread, profile, NO_WINDOW);
    if (thread.id === null || occupancy === null) return [];
    const { ctxBaseTokens, ctxFinalTokens, residualTokens } = occupancy;
    return [{ thread: thread.id, requests: thread.requests.length, ctxBaseTokens, ctxFinalTokens, residualTokens }];
  });
}
