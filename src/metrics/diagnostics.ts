import type { EngineProfile } from '../model/engine.js';
import { isMcpTool } from '../model/host-tools.js';
import type { MeasureDiagnostics } from '../model/measure.js';
import type { Session } from '../model/session.js';
import { callsInOrder } from './calls.js';
import { isNotAvailable } from './results.js';

/** As much of an unread answer as tells a reader what it is. */
const SHOWN_CHARS = 100;

/** Returns the tools and answers that no rule of the metrics covers, so that the figures around them may be off. */
export function findUncovered(
  session: Session,
  profile: EngineProfile,
): Pick<MeasureDiagnostics, 'unknownTools' | 'unreadAnswers'> {
  const unknownTools = new Set<string>();
  const unreadAnswers: MeasureDiagnostics['unreadAnswers'] = [];
  for (const call of callsInOrder(session)) {
    const { name, kind, thread, result } = call;
    // A name that the host refused is the model's invention.
    const isCovered = kind !== undefined || isMcpTool(name) || profile.isEngineTool(name);
    if (!isCovered && !isNotAvailable(call)) unknownTools.add(name);
    if (result?.response?.isUnread) unreadAnswers.push({ thread, tool: name, text: result.head.slice(0, SHOWN_CHARS) });
  }
  return { unknownTools: [...unknownTools].sort(), unreadAnswers };
}
