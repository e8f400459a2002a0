import { createHash } from 'node:crypto';
import { accessSync, constants, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { fail, ok, type Result } from '../model/failure.js';
import { unwritableCache } from '../util/cache-entry.js';
import { messageOf, readJson, writeJson } from './files.js';

const startSchema = z.object({ flags: z.record(z.string(), z.union([z.string(), z.boolean()])) });
/** Command-line flags that `resume` needs again, by their camel-case names. Paths are absolute. */
export type StartFlags = z.infer<typeof startSchema>['flags'];

/**
 * Remembers how a campaign was started. The record lies in the user's cache and not in the campaign folder, because the
 * flags name files that are executed (the config, the rehearsal script): a folder from elsewhere must not choose them.
 */
export function rememberStart(cacheDir: string, dir: string, flags: StartFlags): Result<void> {
  const file = startFile(cacheDir, dir);
  const folder = join(cacheDir, FOLDER);
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const message = `could not make ${folder}: ${messageOf(error)}`;
    return fail(unwritableCache(folder, error) ?? { reason: 'io', message });
  }
  return writeJson(file, { dir: realpathSync(dir), flags });
}

/** The flags with which a campaign was started by this user on this machine; undefined when there is no record. */
export function recallStart(cacheDir: string, dir: string): Result<StartFlags | undefined> {
  const record = readJson(startFile(cacheDir, dir), startSchema);
  return record.ok ? ok(record.value?.flags) : record;
}

const FOLDER = 'started';

function startFile(cacheDir: string, dir: string): string {
  const name = createHash('sha256').update(realpathSync(dir)).digest('hex').slice(0, 32);
  return join(cacheDir, FOLDER, `${name}.json`);
}
