import type { EngineProfile } from '../model/engine.js';
import { parseAccount } from './account.js';
import { parseExploreResponse } from './response.js';

/** Platform packages are named after the main one, so the prefix covers both. */
const PACKAGE = '@colbymchenry/codegraph';

/** Everything that is particular to codegraph, for the rooms that must not know it. */
export const codegraphProfile: EngineProfile = {
  identity: {
    name: 'codegraph',
    cliNames: ['codegraph'],
    packageNames: [PACKAGE, `${PACKAGE}-*`],
    entryPaths: ['npm-shim.js', 'dist/bin/codegraph.js', 'lib/dist/bin/codegraph.js', 'bin/codegraph'],
    indexFolder: '.codegraph',
    indexFiles: [
      'codegraph.db',
      'codegraph.db-wal',
      'codegraph.db-shm',
      'daemon.sock',
      'daemon.pid',
      'daemon.log',
      'writer.pid',
    ],
    socketPatterns: ['codegraph-[0-9a-f]{16}\\.sock'],
    homeFolder: '.codegraph',
    environmentPrefix: 'CODEGRAPH_',
    indexFolderVariables: ['CODEGRAPH_DIR'],
  },
  mcpServer: 'codegraph',
  label: 'codegraph',
  isEngineTool: (toolName) => toolName.includes('codegraph'),
  isExploreTool: (toolName) => toolName.includes('codegraph_explore'),
  parseResponse: parseExploreResponse,
  account: { variable: 'CODEGRAPH_EXPLORE_DEBUG', parse: parseAccount },
};
