export { type CommandOutcome, type CommandSpec, runCommand, runShellLine, tailLines } from './command.js';
export { type EndStep, endProcess, endTrialProcesses, TRIAL_ID_VARIABLE } from './end.js';
export {
  descendantsOf,
  findByEnvironment,
  findByText,
  findInNamespace,
  isAlive,
  type ProcessIdentity,
  processIdentity,
} from './identity.js';
export { type LoggedProcess, type LoggedProcessSpec, startLogged } from './logged.js';
export { type PipedProcess, startPiped } from './piped.js';
