import type { EngineProfile } from '../model/engine.js';

/** For reading a log's frame (session ids, results, hooks), in which no tool is special. */
export const NO_ENGINE: EngineProfile = {
  identity: {
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
  },
  mcpServer: '',
  isEngineTool: () => false,
  isExploreTool: () => false,
  label: 'none',
  parseResponse: (text) => ({ chars: text.length, sections: [], noAnswer: false, mentions: [] }),
};
