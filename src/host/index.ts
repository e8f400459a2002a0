export type { AgentHost, Isolation, SessionFence } from './agent-host.js';
export { allowedEnvironment, allowList } from './caller.js';
export { canaryScript, runCanary } from './canary.js';
export { checkSession } from './check-session.js';
export { hostLog } from './logs.js';
export { NO_ENGINE } from './no-engine.js';
export { agentHost } from './registry.js';
export { runSession, type SessionRun } from './session.js';
export { readCliAttempts } from './stand-in.js';
