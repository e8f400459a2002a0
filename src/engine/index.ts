export { checkArtefactsDiffer, checkCheckoutClean, checkComparable } from './checks.js';
export { type Daemon, startDaemon } from './daemon.js';
export { installIndex, makeIndex } from './index-cache.js';
export { makeBuild } from './make-build.js';
export { fetchMirror } from './mirror.js';
export { locateEngineOnPath, pinBuild, pinProgram } from './pin.js';
export { engineFor } from './registry.js';
export { webRepository } from './repository.js';
export { askServer, explore, mcpServerCommand } from './serve.js';
