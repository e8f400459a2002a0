export { checkPrompt, claudeArguments } from './arguments.js';
export { checkLogin } from './caller.js';
export { canaryScript, runCanary } from './canary.js';
export { checkSession } from './check-session.js';
export { type Isolation, prepareIsolation, type SessionFence } from './isolation.js';
export { locateClaude } from './locate.js';
export { runSession, type SessionRun } from './session.js';
