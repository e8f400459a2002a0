export { checkPrompt, claudeArguments } from './arguments.js';
export { allowedEnvironment, allowList } from './caller.js';
export { canaryScript, runCanary } from './canary.js';
export { checkSession } from './check-session.js';
export { type Isolation, prepareIsolation, SESSION_VARIABLES, type SessionFence } from './isolation.js';
export { locateClaude } from './locate.js';
export { apiKeyHelper, checkLogin, loginFiles, withSettingsLogin } from './login.js';
export { runSession, type SessionRun } from './session.js';
export { readCliAttempts } from './stand-in.js';
