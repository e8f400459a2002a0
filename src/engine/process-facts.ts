import { readFile } from 'node:fs/promises';
import { runCommand } from '../process/index.js';

/**
 * The arguments with which a process was started; empty when it is gone. On macOS `ps` joins them, so a path with a space
 * in it comes apart there.
 */
export async function commandLineOf(pid: number): Promise<string[]> {
  if (process.platform === 'linux') {
    const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return text.split('\0').filter((argument) => argument !== '');
  }
  const outcome = await runCommand({ argv: ['ps', '-o', 'command=', '-p', String(pid)], deadlineMs: 10_000 });
  return outcome.stdout
    .trim()
    .split(' ')
    .filter((argument) => argument !== '');
}
