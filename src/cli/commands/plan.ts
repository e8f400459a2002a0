import type { Surroundings } from '../invocation.js';
import { type AbFlags, ab } from './ab.js';
import { type WithWithoutFlags, withWithout } from './with-without.js';

/** `plan`: every trial that `ab` (with --baseline) or `with-without` (without) would run, nothing started. */
export async function plan(
  repo: string | undefined,
  prompts: string | undefined,
  flags: Partial<AbFlags> & WithWithoutFlags,
  surroundings: Surroundings,
): Promise<number> {
  const { baseline } = flags;
  if (baseline !== undefined) return await ab(repo, prompts, { ...flags, baseline, dryRun: true }, surroundings);
  return await withWithout(repo, prompts, { ...flags, dryRun: true }, surroundings);
}
