import type { Engine } from '../../model/engine.js';
import { parseAccount } from './account.js';
import { daemonProtocol } from './daemon-protocol.js';
import { GRAPH_SCRIPT } from './graph.js';
import { explainForeignIndex, readIndexState } from './index-state.js';
import { parseExploreResponse } from './response.js';

/** Platform packages are named after the main one, so the prefix covers both. */
const PACKAGE = '@colbymchenry/codegraph';
const ONE_DAY_MS = 24 * 60 * 60 * 1000;
const EXPLORE_TOOL = 'codegraph_explore';

/** Everything that is particular to codegraph, for the rooms that must not know it. */
export const codegraphProfile: Engine = {
  identity: {
    name: 'codegraph',
    cliNames: ['codegraph'],
    packageNames: [PACKAGE, `${PACKAGE}-*`],
    entryPaths: ['npm-shim.js', 'dist/bin/codegraph.js', 'lib/dist/bin/codegraph.js', 'bin/codegraph'],
    indexFolder: '.codegraph',
    // Its pid files and its log hold nothing of the index.
    indexFiles: ['codegraph.db', 'codegraph.db-wal', 'codegraph.db-shm', 'daemon.sock'],
    socketPatterns: ['codegraph-[0-9a-f]{16}\\.sock'],
    homeFolder: '.codegraph',
    environmentPrefix: 'CODEGRAPH_',
    indexFolderVariables: ['CODEGRAPH_DIR'],
  },
  mcpServer: 'codegraph',
  label: 'codegraph',
  isEngineTool: (toolName) => toolName.includes('codegraph'),
  isExploreTool: (toolName) => toolName.includes(EXPLORE_TOOL),
  parseResponse: parseExploreResponse,
  account: { variable: 'CODEGRAPH_EXPLORE_DEBUG', parse: parseAccount },
  runtime: {
    entry: 'dist/bin/codegraph.js',
    bundle: { node: 'node', script: 'lib/dist/bin/codegraph.js' },
    // With these flags on the command line, codegraph does not start itself once more (docs/codegraph.md, "Building").
    nodeFlags: ['--liftoff-only', '--disable-warning=ExperimentalWarning'],
    // The oldest node with which codegraph can open its database (docs/codegraph.md, "Building").
    minimumNode: [22, 5],
    // No telemetry, update, download or context by a second channel. The daemon outlives any trial and is stopped by us, and
    // every attachment is logged (docs/codegraph.md, "Variables set in every arm").
    environment: {
      DO_NOT_TRACK: '1',
      CODEGRAPH_TELEMETRY: '0',
      CODEGRAPH_NO_UPDATE_CHECK: '1',
      CODEGRAPH_NO_PROMPT_HOOK: '1',
      CODEGRAPH_NO_DOWNLOAD: '1',
      CODEGRAPH_MCP_LOG_ATTACH: '1',
      CODEGRAPH_DAEMON_IDLE_TIMEOUT_MS: String(ONE_DAY_MS),
      CODEGRAPH_DAEMON_MAX_IDLE_MS: String(ONE_DAY_MS),
      CODEGRAPH_WASM_RELAUNCHED: '1',
    },
    sessionEnvironment: { CODEGRAPH_NO_PROMPT_HOOK: '1' },
    versionArguments: ['--version'],
    askArguments: (workspace, query) => ['explore', '-p', workspace, query],
    serveArguments: (workspace) => ['serve', '--mcp', '--path', workspace],
    askCall: (query) => ({ tool: EXPLORE_TOOL, arguments: { query } }),
    requiredTools: [EXPLORE_TOOL],
    index: {
      arguments: (workspace) => ['init', workspace],
      stateArguments: (workspace) => ['status', '--json', workspace],
      readState: readIndexState,
      isRuntimeFile: (name) => /^(daemon\.|writer\.pid$)/.test(name) || /-(wal|shm)$/.test(name),
      pendingFile: 'codegraph.db-wal',
      explainForeign: explainForeignIndex,
      syncArguments: (workspace) => ['sync', workspace],
      graphScript: GRAPH_SCRIPT,
    },
    daemon: daemonProtocol,
  },
};
