export { closeTrialGroup, openTrialGroup } from './cgroup.js';
export { type CommandOutcome, type CommandSpec, runCommand, runShellLine, tailLines } from './command.js';
export { type EndStep, endProcess, endTrialProcesses, TRIAL_ID_VARIABLE } from './end.js';
export {
  descendantsOf,
  findByEnvironment,
  findInNamespace,
  isAlive,
  type ProcessIdentity,
  processIdentity,
} from './identity.js';
export { type LoggedProcess, type LoggedProcessSpec, startLogged } from './logged.js';
export { type PipedProcess, startPiped } from './piped.js';
export { removeTree } from './remove-tree.js';
export { clearDeadStart, clearDeadStarts, closeStart, makeStartFolder, type StartFolder } from './start-folder.js';
export { missingProgram, npmFailureReason } from './tool-failure.js';
export { watchStart } from './watch-start.js';
