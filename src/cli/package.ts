import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LoadedConfig, loadConfig } from '../config/index.js';

/** The installed package's own folder: this file is dist/src/cli/package.js in it. */
const packageRoot = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

export const packageVersion: string = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')).version;

/** The hook that `claude` runs before each Bash call, bundled by scripts/build.js. */
export const hookScript = join(packageRoot, 'dist', 'hook-bundle', 'no-cli-shim.js');

const libraryEntry = join(packageRoot, 'dist', 'src', 'index.js');

/**
 * Loads the config that counts: `--config`, else corpus.config.ts in the current directory, else the shipped one. Its compiled form
 * is kept under `cacheDir`.
 */
export async function loadConfigThatCounts(configFlag: string | undefined, cacheDir: string): Promise<LoadedConfig> {
  const here = resolve('corpus.config.ts');
  const file =
    configFlag !== undefined ? resolve(configFlag) : existsSync(here) ? here : join(packageRoot, 'corpus.config.ts');
  return await loadConfig(file, libraryEntry, join(cacheDir, 'config'));
}
