import { chooseTasks, needsNoEngine, planExperiment, WITHOUT_ENGINE, withWithoutArms } from '../../experiment/index.js';
import { ok } from '../../model/failure.js';
import { aaOf } from '../../plan/index.js';
import { carryOut } from '../carry-out.js';
import { invoke, type Surroundings } from '../invocation.js';
import type { CommonFlags } from '../options.js';
import { printFailure } from '../print-failure.js';

export interface WithWithoutFlags extends CommonFlags {
  build?: string;
}

/** `with-without`: the engine as the only MCP server against an empty MCP configuration. */
export async function withWithout(
  repo: string | undefined,
  prompts: string | undefined,
  flags: WithWithoutFlags,
  surroundings: Surroundings,
): Promise<number> {
  const invocation = await invoke(flags, surroundings);
  if (!invocation.ok) return printFailure(invocation.failure);
  const { config, options, environment } = invocation.value;
  const chosen = chooseTasks(config, repo, prompts, options);
  if (!chosen.ok) return printFailure(chosen.failure);
  const found = needsNoEngine(options)
    ? ok([WITHOUT_ENGINE])
    : await withWithoutArms(flags.build, options, environment.PATH ?? '', invocation.value);
  const arms = options.aa ? aaOf(found, options.arms) : found;
  if (!arms.ok) return printFailure(arms.failure);
  // One arm alone is a campaign of its own; in an existing campaign it is run again, beside the old logs.
  const only = options.arms === 'both' || options.aa ? undefined : options.arms;
  const inCampaign = options.campaign !== undefined;
  const planned = arms.value.filter((arm) => only === undefined || inCampaign || arm.label === only);
  const plan = planExperiment({ command: 'with-without', arms: planned, ...chosen.value }, invocation.value);
  return await carryOut({ ...invocation.value, plan, rerunArm: inCampaign ? only : undefined });
}
