import { createJiti } from 'jiti';
import type { TrialKey } from '../campaign/index.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { Options } from '../model/options.js';
import { defaultRehearsalScript, type RehearsalScript, startRehearsal } from '../rehearsal/index.js';
import { messageOf } from '../store/index.js';
import type { Teardown } from '../util/teardown.js';

/** A module that `--rehearsal-script` names. */
interface ScriptModule {
  default?: unknown;
  /** More environment for `claude`, such as fewer retries. */
  environment?: Record<string, string>;
}

/**
 * Starts the scripted model where one is asked for; it ends with the teardown. Returns what points a trial's `claude` at it;
 * undefined for a real model.
 */
export async function openRehearsal(
  options: Pick<Options, 'rehearsal' | 'rehearsalScript'>,
  teardown: Teardown,
): Promise<Result<((key: TrialKey) => Record<string, string>) | undefined>> {
  if (!options.rehearsal) return ok(undefined);
  const loaded = await loadScript(options.rehearsalScript);
  if (!loaded.ok) return loaded;
  const { script, environment } = loaded.value;
  const rehearsal = await startRehearsal(script);
  teardown.add('stop the scripted model', async () => void (await rehearsal.stop()));
  return ok((key) => ({ ...environment, ...rehearsal.environment(key) }));
}

async function loadScript(
  file: string | undefined,
): Promise<Result<{ script: RehearsalScript; environment: Record<string, string> }>> {
  if (file === undefined) return ok({ script: defaultRehearsalScript, environment: {} });
  try {
    const module = await createJiti(import.meta.url, { fsCache: false }).import<ScriptModule>(file);
    if (typeof module.default === 'function') {
      return ok({ script: module.default as RehearsalScript, environment: module.environment ?? {} });
    }
    return fail({ reason: 'bad-input', message: `${file} has no default export that is a function` });
  } catch (error) {
    return fail({ reason: 'bad-input', message: `${file} could not be loaded: ${messageOf(error)}` });
  }
}
