import type { Result } from '../model/failure.js';
import type { CampaignEvent } from '../model/trial.js';

/** Runs a step before the trials and emits its start and its end with the time. `describe` says what came of it. */
export async function runStep<Value>(
  emit: (event: CampaignEvent) => void,
  text: string,
  work: () => Promise<Result<Value>>,
  describe: (value: Value) => string,
): Promise<Result<Value>> {
  const startedAt = performance.now();
  emit({ type: 'step', text });
  const result = await work();
  const durationMs = performance.now() - startedAt;
  emit({ type: 'step-end', text: result.ok ? describe(result.value) : `${text}: failed`, durationMs });
  return result;
}
