import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { BUNDLES } from '../util/package.js';

const PATIENCE_MS = 2_000;

/**
 * Starts the process that ends everything of a start when this program is killed (SIGKILL, a crash, the out-of-memory killer). Returns
 * what ends that process again.
 */
export function watchStart(folder: string): () => Promise<void> {
  const child = spawn(process.execPath, [BUNDLES.watchdog, folder], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    // A group and session of its own: neither Ctrl-C nor a signal to our group reaches it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  child.stdin.on('error', () => undefined);
  // Neither keeps this program from ending.
  child.unref();
  (child.stdin as Socket).unref();
  return async () => {
    child.stdin.end('done');
    child.ref();
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    await exited;
    clearTimeout(timer);
  };
}
