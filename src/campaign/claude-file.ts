import { statSync } from 'node:fs';

/**
 * What tells one file of the CLI from another that was put in its place: an updater may swap a pinned binary in mid-campaign.
 * Looking at the file costs nothing; asking it for its version before every trial would cost a process.
 */
export function fileIdentity(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : 'gone';
}
