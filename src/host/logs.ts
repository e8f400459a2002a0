import { DEFAULT_HOST, type HostLog, type HostName } from '../model/host-log.js';
import { claudeCodeLog } from './claude-code/log.js';

// Apart from the registry of hosts, so that reading a log does not load what runs a session.
const LOGS: Record<HostName, HostLog> = { 'claude-code': claudeCodeLog };

/** Returns what reading the logs of a host takes; of the default host where none is named. */
export function hostLog(name: HostName = DEFAULT_HOST): HostLog {
  return LOGS[name];
}
