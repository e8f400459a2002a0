export { checkArtefactsDiffer, checkCheckoutClean, checkComparable } from './checks.js';
export { type Daemon, type DaemonSpec, startDaemon } from './daemon.js';
export { enginePinnedEnvironment } from './environment.js';
export { type IndexEntry, installIndex, makeIndex } from './index-cache.js';
export { makeBuild } from './make-build.js';
export { locateEngineOnPath, pinBuild, pinProgram } from './pin.js';
export { codegraphProfile } from './profile.js';
export { explore, mcpServerCommand } from './serve.js';
