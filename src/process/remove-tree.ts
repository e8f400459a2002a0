import { lstatSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { runCommand, tailLines } from './command.js';

const DEADLINE_MS = 10 * 60_000;
const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C' };

/**
 * Removes a folder of which an agent may have made anything: read-only folders, a tree that is deeper than a path may be long, names
 * that are no UTF-8. Links are removed and never followed. Returns undefined when the folder is gone, else what is left and why.
 */
export async function removeTree(dir: string): Promise<string | undefined> {
  try {
    await rm(dir, { recursive: true, force: true, maxRetries: 3, retryDelay: 100 });
    return undefined;
  } catch {
    // Node goes by whole paths and as it finds the permissions. `find` and `rm` go from folder to folder.
  }
  if (!isThere(dir)) return undefined;
  // Only folders, because a file may be a hard link to one that lies elsewhere. Each before its content is looked at.
  const writable = ['-type', 'd', '!', '-perm', '-700', '-execdir', 'chmod', '--', 'u+rwx', '{}', ';'];
  await runCommand({ argv: ['find', dir, ...writable], env, deadlineMs: DEADLINE_MS });
  const removed = await runCommand({ argv: ['rm', '-rf', '--', dir], env, deadlineMs: DEADLINE_MS });
  if (!isThere(dir)) return undefined;
  return `${dir} could not be removed: ${tailLines(removed, 1).join('') || 'its files come back'}`;
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
