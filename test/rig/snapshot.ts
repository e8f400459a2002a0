import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Every file below a folder with its mode and a hash of its bytes, so that two moments can be compared. */
export function snapshot(dir: string, skip: (path: string) => boolean = () => false): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (folder: string, prefix: string) => {
    for (const name of readdirSync(folder).sort()) {
      const path = prefix === '' ? name : `${prefix}/${name}`;
      if (skip(path)) continue;
      const stats = lstatSync(join(folder, name));
      if (stats.isDirectory()) {
        found.set(path, 'folder');
        visit(join(folder, name), path);
      } else if (stats.isSymbolicLink()) found.set(path, `link to ${readlinkSync(join(folder, name))}`);
      else {
        const hash = createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex');
        found.set(path, `${stats.mode.toString(8)} ${hash}`);
      }
    }
  };
  visit(dir, '');
  return found;
}
