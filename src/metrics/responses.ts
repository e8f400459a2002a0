import type { ExploreResponse } from '../model/engine.js';
import type { Session } from '../model/session.js';

/** The responses of all explore calls of a session that did not fail, in the order of their calls. */
export function responsesOf(session: Session): ExploreResponse[] {
  return session.threads
    .flatMap(({ calls }) => calls)
    .sort((a, b) => a.order - b.order)
    .flatMap(({ result }) => result?.response ?? []);
}
