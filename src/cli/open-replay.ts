import { engineFor } from '../engine/index.js';
import { leaseCache, openTemporaryRoot } from '../experiment/index.js';
import { findEngineSandbox } from '../fence/index.js';
import { ok, type Result } from '../model/failure.js';
import type { ReplayContext } from '../replay/index.js';
import { Teardown } from '../util/teardown.js';
import { type Invocation, invoke, type Surroundings } from './invocation.js';
import type { CommonFlags } from './options.js';
import { printFailure } from './print-failure.js';

/** Opens what the commands of replay work with. Everything is closed when the command ends. */
export type OpenReplay = () => Promise<Result<ReplayContext>>;

/** Runs a command of replay: reads flags and config, does the work, and ends everything that it started. Returns the exit code. */
export async function runWithReplay(
  flags: CommonFlags,
  surroundings: Surroundings,
  work: (invocation: Invocation, open: OpenReplay) => Promise<number>,
): Promise<number> {
  const invocation = await invoke(flags, surroundings);
  if (!invocation.ok) return printFailure(invocation.failure);
  return await withReplay(invocation.value, (open) => work(invocation.value, open));
}

/** Does work that may open a replay, and closes it afterwards. */
export async function withReplay<T>(invocation: Invocation, work: (open: OpenReplay) => Promise<T>): Promise<T> {
  const teardown = new Teardown();
  try {
    return await work(() => openReplay(invocation, teardown));
  } finally {
    for (const problem of await teardown.run()) process.stderr.write(`teardown: ${problem}\n`);
  }
}

/** Opens a temporary folder, the cache, and the engine's sandbox where there is one. */
async function openReplay(invocation: Invocation, teardown: Teardown): Promise<Result<ReplayContext>> {
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
