import type { ExploreResponse } from '../model/engine.js';
import type { Session } from '../model/session.js';
import { callsInOrder } from './calls.js';

/** The responses of all explore calls of a session that did not fail, in the order of their calls. */
export function responsesOf(session: Session): ExploreResponse[] {
  const responses: ExploreResponse[] = [];
  for (const { result } of callsInOrder(session)) if (result?.response) responses.push(result.response);
  return responses;
}
