import { engineFor } from '../engine/index.js';
import { leaseCache, openTemporaryRoot } from '../experiment/index.js';
import { findEngineSandbox } from '../fence/index.js';
import { ok, type Result } from '../model/failure.js';
import type { ReplayContext } from '../replay/index.js';
import type { Teardown } from '../util/teardown.js';
import type { Invocation } from './invocation.js';

/** Opens what every command of replay works with: a temporary folder, the cache, and the engine's sandbox where there is one. */
export async function openReplay(invocation: Invocation, teardown: Teardown): Promise<Result<ReplayContext>> {
  const { config, checkout, options, environment, signal } = invocation;
  const engine = engineFor(config.engine.profile);
  const temporary = await openTemporaryRoot(teardown);
  if (!temporary.ok) return temporary;
  const leased = await leaseCache(options.cacheDir, teardown, signal);
  if (!leased.ok) return leased;
  const found = await findEngineSandbox(environment.PATH, engine.identity.indexFolder);
  const note = (text: string) => void process.stderr.write(`${text}\n`);
  if ('missing' in found) note(`the engine runs without a sandbox: ${found.missing}`);
  return ok({
    config,
    checkout,
    engine,
    cacheDir: options.cacheDir,
    corpusDir: options.corpusDir,
    environment,
    temporaryRoot: temporary.value,
    openSandbox: 'open' in found ? found.open : undefined,
    signal,
    note,
  });
}
