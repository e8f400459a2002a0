import { resolve } from 'node:path';
import { withSettingsLogin } from '../agent/index.js';
import type { Config } from '../model/config.js';
import { fail, ok, type Result } from '../model/failure.js';
import { renderConfigFaults } from '../report/index.js';
import { type CommonFlags, cacheDirOf, type Environment, type Options, resolveOptions } from './options.js';
import { loadConfigThatCounts } from './package.js';

/** What every command starts from: its options with their final values, the config, and the way to stop. */
export interface Invocation {
  options: Options;
  config: Config;
  /** The engine checkout: `--engine`, else the config's, else the current directory. */
  checkout: string;
  environment: Record<string, string>;
  argv: string[];
  signal: AbortSignal;
}

/** The one place that reads the environment and the arguments of this process. */
export interface Surroundings {
  environment: Environment;
  argv: string[];
  signal: AbortSignal;
}

export async function invoke(flags: CommonFlags, surroundings: Surroundings): Promise<Result<Invocation>> {
  const loaded = await loadConfigThatCounts(flags.config, cacheDirOf(surroundings.environment));
  if (!loaded.ok) {
    return fail({
      reason: 'bad-config',
      message: `${loaded.file}\n${renderConfigFaults(loaded.faults)}`,
      advice: 'docs/config.md describes every field',
    });
  }
  const options = resolveOptions(flags, surroundings.environment, loaded.config.defaults);
  if (!options.ok) return options;
  return ok({
    options: options.value,
    config: loaded.config,
    checkout: resolve(flags.engine ?? loaded.config.engine.checkout ?? '.'),
    environment: withSettingsLogin(definedOnly(surroundings.environment)),
    argv: surroundings.argv,
    signal: surroundings.signal,
  });
}

function definedOnly(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
