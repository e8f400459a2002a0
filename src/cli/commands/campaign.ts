import { namedCampaign, README_CAMPAIGN } from '../../experiment/index.js';
import { carryOut } from '../carry-out.js';
import { invoke, type Surroundings } from '../invocation.js';
import type { CommonFlags } from '../options.js';
import { printFailure } from '../print-failure.js';

export interface NamedFlags extends CommonFlags {
  build?: string;
  repos?: string;
}

/** `bench-readme`: the tasks of the config's campaign `readme`, with and without the engine. */
export async function benchReadme(flags: NamedFlags, surroundings: Surroundings): Promise<number> {
  return await runNamed(README_CAMPAIGN, 'bench-readme', flags, surroundings);
}

/** `campaign <name>`: any set of tasks and arms that the config names. */
export async function campaign(name: string, flags: NamedFlags, surroundings: Surroundings): Promise<number> {
  return await runNamed(name, 'campaign', flags, surroundings);
}

async function runNamed(
  name: string,
  command: 'bench-readme' | 'campaign',
  flags: NamedFlags,
  surroundings: Surroundings,
): Promise<number> {
  const invocation = await invoke(flags, surroundings);
  if (!invocation.ok) return printFailure(invocation.failure);
  const { build, repos } = flags;
  const named = await namedCampaign({ name, command, build, repos }, invocation.value);
  return named.ok ? await carryOut(named.value.request) : printFailure(named.failure);
}
