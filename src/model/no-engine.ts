import type { EngineIdentity } from './engine.js';

/** An identity that nothing matches, for what has nothing to do with an engine. */
export const NO_ENGINE_IDENTITY: EngineIdentity = {
  name: 'none',
  cliNames: [],
  packageNames: [],
  entryPaths: [],
  indexFolder: '',
  indexFiles: [],
  socketPatterns: [],
  homeFolder: '',
  environmentPrefix: '',
  indexFolderVariables: [],
};
