import { DEFAULT_HOST, type HostName } from '../model/host-log.js';
import type { AgentHost } from './agent-host.js';
import { claudeCode } from './claude-code/index.js';

const HOSTS: Record<HostName, AgentHost> = { 'claude-code': claudeCode };

/** Returns the agent host of a config or a plan; the default host where none is named. */
export function agentHost(name: HostName = DEFAULT_HOST): AgentHost {
  return HOSTS[name];
}
