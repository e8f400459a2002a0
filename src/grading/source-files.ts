import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listTree } from '../util/tree.js';
import type { Source } from '../workspace/index.js';
import type { SourceFiles } from './citations.js';

/** Beyond this size a file is data, and nobody cites a line of it. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** The files of a pristine source, read when they are asked for. Links are not followed. */
export async function openSourceFiles({ dir }: Pick<Source, 'dir'>): Promise<SourceFiles> {
  const entries = (await listTree(dir)).filter(({ kind }) => kind === 'file');
  const bytes = new Map(entries.map((entry) => [entry.path, entry.bytes]));
  const texts = new Map<string, string | undefined>();
  const load = (path: string): string | undefined => {
    if ((bytes.get(path) ?? Number.POSITIVE_INFINITY) > MAX_FILE_BYTES) return undefined;
    try {
      return readFileSync(join(dir, path), 'utf8');
    } catch {
      return undefined;
    }
  };
  return {
    paths: entries.map(({ path }) => path),
    read: (path) => {
      if (!texts.has(path)) texts.set(path, load(path));
      return texts.get(path);
    },
  };
}
