import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a session's tools write at least before they notice: below this a disk counts as full. */
const ROOM_BYTES = 1 << 20;
const FULL = ['ENOSPC', 'EDQUOT', 'EROFS'];

/**
 * Says which of these folders lies on a disk that has no room for another MiB, or cannot be written any more; undefined: none. Room is
 * found out by writing, because quotas and blocks that are kept for root do not show in the figures of a file system.
 */
export function findFullDisk(folders: string[]): string | undefined {
  for (const folder of folders) {
    // Named as an unfinished write, so that a resumed campaign removes it if we are killed here.
    const file = join(folder, `.room.${process.pid}.tmp`);
    try {
      writeFileSync(file, Buffer.alloc(ROOM_BYTES), { flag: 'wx' });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (FULL.includes(code ?? '')) return `the disk of ${folder} was full after the session: ${message}`;
    } finally {
      rmSync(file, { force: true });
    }
  }
  return undefined;
}
