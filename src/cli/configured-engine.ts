import type { EngineChoice } from '../model/engine.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { Surroundings } from './invocation.js';
import { cacheDirOf } from './options.js';

/**
 * Returns the engine that the config of `--config` names, for commands that read logs and need nothing else of a config. Undefined
 * without the flag. Fails with 'bad-config'.
 */
export async function configuredEngine(
  configFlag: string | undefined,
  { environment }: Pick<Surroundings, 'environment'>,
): Promise<Result<EngineChoice | undefined>> {
  if (configFlag === undefined) return ok(undefined);
  const { loadApplicableConfig } = await import('../config/index.js');
  const loaded = await loadApplicableConfig(configFlag, cacheDirOf(environment));
  if (loaded.ok) return ok(loaded.config.engine.profile);
  const { renderConfigFaults } = await import('../report/index.js');
  return fail({
    reason: 'bad-config',
    message: `${loaded.file}\n${renderConfigFaults(loaded.faults)}`,
    advice: 'docs/config.md describes every field',
  });
}
