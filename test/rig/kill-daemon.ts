import { readdirSync, readFileSync } from 'node:fs';

/** Kills the engine's daemon of this workspace, from inside a rehearsal script. */
export function killDaemonOf(workspace: string | undefined): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      const isDaemon = variables.includes('CODEGRAPH_DAEMON_INTERNAL=1');
      const isOurs = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        .split('\0')
        .includes(workspace ?? '');
      if (isDaemon && isOurs) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // Another's process, or gone.
    }
  }
}
