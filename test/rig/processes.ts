import { readdirSync, readFileSync } from 'node:fs';

/** Processes with a text in their command line or environment, as `pid command`; for proving that nothing is left. */
export function processesWith(text: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      return command !== '' && (command.includes(text) || environment.includes(text)) ? [`${pid} ${command}`] : [];
    } catch {
      return [];
    }
  });
}
