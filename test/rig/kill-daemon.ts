import { readdirSync, readFileSync } from 'node:fs';

/** Kills the engine's daemon of this trial, from inside a rehearsal script. */
export function killDaemonOf(task: string, arm: string): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      const isDaemon = variables.includes('CODEGRAPH_DAEMON_INTERNAL=1');
      const isOurs = variables.some((line) => line.startsWith(`AGENT_EVAL_TRIAL=${task}/${arm}-`));
      if (isDaemon && isOurs) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // Another's process, or gone.
    }
  }
}
