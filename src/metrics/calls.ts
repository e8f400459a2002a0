import type { Session, ToolCall } from '../model/session.js';

/** Calls that left the conversation; what they did to the run they have done all the same. */
export function abandonedCalls({ threads }: Session): ToolCall[] {
  return threads.flatMap(({ abandoned }) => abandoned.calls);
}

/** All calls of a session in the order in which they stand in it; lent, so not to be changed. */
export function callsInOrder({ threads }: Session): readonly ToolCall[] {
  const [first] = threads;
  if (first && threads.length === 1) return first.calls;
  return threads.flatMap(({ calls }) => calls).sort((a, b) => a.order - b.order);
}
