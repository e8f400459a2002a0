import type { Session, ToolCall } from '../model/session.js';

/** All calls of a session in the order in which they stand in it; lent, so not to be changed. */
export function callsInOrder({ threads }: Session): readonly ToolCall[] {
  const [first] = threads;
  if (first && threads.length === 1) return first.calls;
  return threads.flatMap(({ calls }) => calls).sort((a, b) => a.order - b.order);
}
