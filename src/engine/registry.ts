import { DEFAULT_ENGINE_NAME, type Engine, type EngineChoice } from '../model/engine.js';
import { codegraphProfile } from './codegraph/profile.js';
import { describedEngine } from './described.js';

/** The engines that a config may choose by name. This is the only place that knows an engine by its name. */
const REGISTERED: Record<Extract<EngineChoice, string>, Engine> = { codegraph: codegraphProfile };

/** The engine of a config or a log that names none. */
export const DEFAULT_ENGINE: Engine = REGISTERED[DEFAULT_ENGINE_NAME];

/** Returns the engine that a config or a plan names, or the default engine if it names none. */
export function engineFor(choice: EngineChoice | undefined): Engine {
  if (choice === undefined) return DEFAULT_ENGINE;
  return typeof choice === 'string' ? REGISTERED[choice] : describedEngine(choice);
}
