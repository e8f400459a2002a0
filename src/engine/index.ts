export { checkArtefactsDiffer, checkCheckoutClean, checkComparable } from './checks.js';
export { type Daemon, startDaemon } from './daemon.js';
export { enginePinnedEnvironment } from './environment.js';
export { installIndex, makeIndex } from './index-cache.js';
export { makeBuild } from './make-build.js';
export { fetchMirror } from './mirror.js';
export { locateEngineOnPath, pinBuild, pinProgram } from './pin.js';
export { codegraphProfile } from './profile.js';
export { explore, mcpServerCommand } from './serve.js';
