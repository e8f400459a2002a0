import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BUNDLES, packageRoot } from '../util/package.js';
import { type LoadedConfig, loadConfig } from './load.js';

/**
 * Loads the config that applies: `--config`, otherwise corpus.config.ts in the current directory, otherwise the shipped one.
 * Its compiled form is kept under `cacheDir`.
 */
export async function loadApplicableConfig(configFlag: string | undefined, cacheDir: string): Promise<LoadedConfig> {
  const here = resolve('corpus.config.ts');
  const file =
    configFlag !== undefined ? resolve(configFlag) : existsSync(here) ? here : join(packageRoot, 'corpus.config.ts');
  return await loadConfig(file, BUNDLES.library, join(cacheDir, 'config'));
}
