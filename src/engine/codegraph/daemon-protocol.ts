import type { DaemonProtocol, DaemonRecord } from '../../model/engine.js';

/** The files and the greeting of codegraph's daemon (docs/codegraph.md, "Starting the daemon"). */
export const daemonProtocol: DaemonProtocol = {
  recordFile: 'daemon.pid',
  logFile: 'daemon.log',
  readRecord: (text) => {
    try {
      return toRecord(JSON.parse(text));
    } catch {
      return undefined;
    }
  },
  readGreeting: (line) => {
    const record = toRecord(line);
    const { codegraph: version } = (line ?? {}) as { codegraph?: unknown };
    return record && typeof version === 'string' ? { ...record, version } : undefined;
  },
};

function toRecord(value: unknown): DaemonRecord | undefined {
  const { pid, socketPath } = (value ?? {}) as Partial<Record<keyof DaemonRecord, unknown>>;
  return typeof pid === 'number' && typeof socketPath === 'string' ? { pid, socketPath } : undefined;
}
