import { abArms, abBaseline, chooseTasks, planExperiment } from '../../experiment/index.js';
import { aaOf } from '../../plan/index.js';
import { carryOut } from '../carry-out.js';
import { invoke, type Surroundings } from '../invocation.js';
import type { CommonFlags } from '../options.js';
import { printFailure } from '../print-failure.js';

export interface AbFlags extends CommonFlags {
  baseline: string;
  /** The new build; undefined means HEAD. */
  head?: string;
  acrossKinds?: boolean;
}

/** `ab`: a new build of the engine against a baseline, both arms with the engine. */
export async function ab(
  repo: string | undefined,
  prompts: string | undefined,
  flags: AbFlags,
  surroundings: Surroundings,
): Promise<number> {
  const invocation = await invoke(flags, surroundings);
  if (!invocation.ok) return printFailure(invocation.failure);
  const { config, options } = invocation.value;
  const chosen = chooseTasks(config, repo, prompts, options);
  if (!chosen.ok) return printFailure(chosen.failure);
  const { aa } = options;
  const baseline = aa ? await abBaseline(flags.baseline, invocation.value) : undefined;
  const arms = baseline
    ? aaOf(baseline)
    : await abArms(flags.head ?? 'HEAD', flags.baseline, flags.acrossKinds === true, invocation.value);
  if (!arms.ok) return printFailure(arms.failure);
  const plan = planExperiment({ command: 'ab', arms: arms.value, ...chosen.value }, invocation.value);
  return await carryOut({ ...invocation.value, plan });
}
