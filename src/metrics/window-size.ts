import type { WindowSource } from '../model/measure.js';
import { DEFAULT_WINDOW_TOKENS, type Session, type Thread } from '../model/session.js';

/**
 * Returns the size of the context window that shares are taken of: the one that was set, else the one that the host reported
 * for the main thread's model, else the default.
 */
export function windowOf(
  session: Session,
  setTokens: number | undefined,
): { windowTokens: number; windowSource: WindowSource } {
  if (setTokens !== undefined) return { windowTokens: setTokens, windowSource: 'set' };
  const reported = reportedWindow(session);
  if (reported !== undefined) return { windowTokens: reported, windowSource: 'reported' };
  return { windowTokens: DEFAULT_WINDOW_TOKENS, windowSource: 'default' };
}

/** Undefined where no result names a window for the model of the main thread. */
function reportedWindow({ segments, threads }: Session): number | undefined {
  const windows = new Map(segments.flatMap(({ results }) => results.flatMap((one) => [...one.contextWindows])));
  if (windows.size === 0) return undefined;
  const initModel = segments.flatMap(({ inits }) => inits).at(-1)?.model;
  const model = lastModel(threads[0]) ?? initModel;
  const own = [...windows].filter(([name]) => model === undefined || plainName(name) === plainName(model));
  // A model with a larger window carries it in its name (`…[1m]`), which only the start of the session tells.
  const [named] = own.filter(([name]) => name === initModel);
  if (named) return named[1];
  const sizes = own.length > 0 || windows.size > 1 ? own : [...windows];
  return sizes.length === 0 ? undefined : Math.max(...sizes.map(([, tokens]) => tokens));
}

function lastModel(thread: Thread | undefined): string | undefined {
  return thread?.requests.findLast(({ model }) => model !== undefined)?.model;
}

/** A model's name without the mark of its window. */
function plainName(model: string): string {
  return model.replace(/\[[^\]]*\]$/, '');
}
